// The formats that a placeholder of a key template can have.
#pragma once

#include <cstdint>

namespace keyfold::model {

enum class Format : uint8_t {
  kPlain,
  kPad,
  kIsoSeconds,
  kIsoMillis,
  kIsoMicros,
  kYear,
  kMonth,
  kDay,
  kHour,
  kLower,
  kUpper
};

// year, month, day, hour: a part of a time that many items have in common.
constexpr bool IsBucket(Format format) {
  return format == Format::kYear || format == Format::kMonth || format == Format::kDay || format == Format::kHour;
}

// Returns true if the value can be recovered from the text (a time to the second counts).
constexpr bool Recovers(Format format) {
  return format == Format::kPlain || format == Format::kPad || format == Format::kIsoSeconds ||
         format == Format::kIsoMillis || format == Format::kIsoMicros;
}

}  // namespace keyfold::model
