// Bytes as lower-case hexadecimal digits.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace keyfold {

inline std::string Hex(std::string_view bytes) {
  constexpr char kDigits[] = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) {
    text.push_back(kDigits[static_cast<uint8_t>(c) >> 4]);
    text.push_back(kDigits[static_cast<uint8_t>(c) & 15]);
  }
  return text;
}

}  // namespace keyfold
