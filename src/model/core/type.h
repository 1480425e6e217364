// The types that an attribute of a model can have, and how an item stores them.
#pragma once

#include <cstdint>
#include <string_view>

#include "model/core/format.h"

namespace keyfold::model {

enum class AttributeType : uint8_t {
  kString,
  kNumber,
  kDecimal,
  kBool,
  kBinary,
  kList,
  kMap,
  kStringSet,
  kNumberSet,
  kBinarySet,
  kDate,
  kTimeSeconds,
  kTime,  // to the millisecond
  kTimeMicros,
  kEpochSeconds,
  kEpochMillis,
  kUlid,
  kKsuid,
  kUuid7,
  kEnum,
};

// A time, an id and an enum are stored as S, an epoch as N.
enum class StoredType : uint8_t { kS, kN, kB, kBool, kL, kM, kSS, kNS, kBS };

StoredType StoredAs(AttributeType);

// A time stored as text: 2024-01-15, 2024-01-15T10:30:00Z and so on, always in UTC.
constexpr bool IsTimeText(AttributeType type) {
  return type >= AttributeType::kDate && type <= AttributeType::kTimeMicros;
}
constexpr bool IsEpoch(AttributeType type) {
  return type == AttributeType::kEpochSeconds || type == AttributeType::kEpochMillis;
}
// A point in time.
constexpr bool IsTime(AttributeType type) { return IsTimeText(type) || IsEpoch(type); }
// An id that begins with the time of its creation, so that ids sort by it: ulid, ksuid, uuid7.
constexpr bool IsSortableId(AttributeType type) {
  return type >= AttributeType::kUlid && type <= AttributeType::kUuid7;
}
// Values of the type sort by time.
constexpr bool IsTimeOrdered(AttributeType type) { return IsTime(type) || IsSortableId(type); }

constexpr bool IsSet(AttributeType type) {
  return type >= AttributeType::kStringSet && type <= AttributeType::kBinarySet;
}
// A list, a map or a set: a value that has no text in a key.
constexpr bool IsDocument(AttributeType type) {
  return type == AttributeType::kList || type == AttributeType::kMap || IsSet(type);
}
// The type of a set's elements.
constexpr AttributeType ElementOf(AttributeType set) {
  return set == AttributeType::kNumberSet   ? AttributeType::kNumber
         : set == AttributeType::kBinarySet ? AttributeType::kBinary
                                            : AttributeType::kString;
}

// The format in which a time is stored.
constexpr Format StoredFormat(AttributeType time) {
  switch (time) {
    case AttributeType::kDate:
      return Format::kDay;
    case AttributeType::kTimeSeconds:
      return Format::kIsoSeconds;
    case AttributeType::kTimeMicros:
      return Format::kIsoMicros;
    default:
      return Format::kIsoMillis;
  }
}

std::string_view NameOf(AttributeType);  // as in a model file: "epoch_s"; "enum" for a list of values
std::string_view NameOf(StoredType);     // as in a request: "S"

}  // namespace keyfold::model
