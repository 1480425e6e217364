#include "model/core/type.h"

#include "base/check.h"

namespace keyfold::model {

StoredType StoredAs(AttributeType type) {
  switch (type) {
    case AttributeType::kString:
    case AttributeType::kDate:
    case AttributeType::kTimeSeconds:
    case AttributeType::kTime:
    case AttributeType::kTimeMicros:
    case AttributeType::kUlid:
    case AttributeType::kKsuid:
    case AttributeType::kUuid7:
    case AttributeType::kEnum:
      return StoredType::kS;
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return StoredType::kN;
    case AttributeType::kBool:
      return StoredType::kBool;
    case AttributeType::kBinary:
      return StoredType::kB;
    case AttributeType::kList:
      return StoredType::kL;
    case AttributeType::kMap:
      return StoredType::kM;
    case AttributeType::kStringSet:
      return StoredType::kSS;
    case AttributeType::kNumberSet:
      return StoredType::kNS;
    case AttributeType::kBinarySet:
      return StoredType::kBS;
  }
  CHECK(false);
  return StoredType::kS;
}

std::string_view NameOf(AttributeType type) {
  constexpr std::string_view kNames[] = {"string",     "number",     "decimal",    "bool",  "binary", "list", "map",
                                         "string_set", "number_set", "binary_set", "date",  "time_s", "time", "time_us",
                                         "epoch_s",    "epoch_ms",   "ulid",       "ksuid", "uuid7",  "enum"};
  return kNames[static_cast<size_t>(type)];
}

std::string_view NameOf(StoredType type) {
  constexpr std::string_view kNames[] = {"S", "N", "B", "BOOL", "L", "M", "SS", "NS", "BS"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace keyfold::model
