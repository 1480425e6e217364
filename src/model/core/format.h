// The formats that a placeholder of a key template can have.
#pragma once

#include <cstdint>

namespace keyfold::model {

enum class Format : uint8_t {
  kPlain,
  kPad,   // digits with leading zeros
  kDesc,  // the nines' complement of the same, so that text sorts numbers downwards
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

// Returns true if the format writes a number with a fixed number of digits.
constexpr bool IsPadded(Format format) { return format == Format::kPad || format == Format::kDesc; }

// Nine minus the digit; any other character as it is.
constexpr char Complement(char c) { return c >= '0' && c <= '9' ? static_cast<char>('0' + ('9' - c)) : c; }

// Returns true if the value can be recovered from the text (a time to the second counts).
constexpr bool Recovers(Format format) {
  return format == Format::kPlain || IsPadded(format) || format == Format::kIsoSeconds ||
         format == Format::kIsoMillis || format == Format::kIsoMicros;
}

}  // namespace keyfold::model
