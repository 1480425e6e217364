// The types that an attribute of a model can have, and how an item stores them.
#pragma once

#include <cstdint>
#include <string_view>

namespace keyfold::model {

enum class AttributeType : uint8_t {
  kString,
  kNumber,
  kDecimal,
  kBool,
  kBinary,
  kList,
  kMap,
  kTime,
  kEpochSeconds,
  kEnum,
};

// A time is stored as S in iso_ms, an enum as S.
enum class StoredType : uint8_t { kS, kN, kB, kBool, kL, kM };

StoredType StoredAs(AttributeType);

// Returns true for a point in time.
bool IsTime(AttributeType);
// Returns true if values sort by the time at which they were made: points in time, and ids that begin with one.
bool IsTimeOrdered(AttributeType);

std::string_view NameOf(AttributeType);  // as in a model file: "epoch_s"; "enum" for a list of values
std::string_view NameOf(StoredType);     // as in a request: "S"

}  // namespace keyfold::model
