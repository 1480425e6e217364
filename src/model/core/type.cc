#include "model/core/type.h"

#include "base/check.h"

namespace keyfold::model {

StoredType StoredAs(AttributeType type) {
  switch (type) {
    case AttributeType::kString:
    case AttributeType::kTime:
    case AttributeType::kEnum:
      return StoredType::kS;
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
    case AttributeType::kEpochSeconds:
      return StoredType::kN;
    case AttributeType::kBool:
      return StoredType::kBool;
    case AttributeType::kBinary:
      return StoredType::kB;
    case AttributeType::kList:
      return StoredType::kL;
    case AttributeType::kMap:
      return StoredType::kM;
  }
  CHECK(false);
  return StoredType::kS;
}

bool IsTime(AttributeType type) { return type == AttributeType::kTime || type == AttributeType::kEpochSeconds; }

bool IsTimeOrdered(AttributeType type) { return IsTime(type); }

std::string_view NameOf(AttributeType type) {
  constexpr std::string_view kNames[] = {"string", "number", "decimal", "bool",    "binary",
                                         "list",   "map",    "time",    "epoch_s", "enum"};
  return kNames[static_cast<size_t>(type)];
}

std::string_view NameOf(StoredType type) {
  constexpr std::string_view kNames[] = {"S", "N", "B", "BOOL", "L", "M"};
  return kNames[static_cast<size_t>(type)];
}

}  // namespace keyfold::model
