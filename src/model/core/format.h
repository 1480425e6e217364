// The formats a placeholder of a key template may have.
#pragma once

#include <cstdint>

namespace keyfold::model {

enum class Format : uint8_t { kPlain, kPad, kIsoSeconds, kIsoMillis, kYear, kMonth, kDay, kHour, kLower, kUpper };

// year, month, day, hour: a part of a time that many items share.
constexpr bool IsBucket(Format format) {
  return format == Format::kYear || format == Format::kMonth || format == Format::kDay || format == Format::kHour;
}

// The value can be had back from the text (a time to the second counts).
constexpr bool Recovers(Format format) {
  return format == Format::kPlain || format == Format::kPad || format == Format::kIsoSeconds ||
         format == Format::kIsoMillis;
}

}  // namespace keyfold::model
