// Bytes as hexadecimal digits, and back.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace keyfold {

inline constexpr char kHexDigits[] = "0123456789abcdef";
inline constexpr char kUpperHexDigits[] = "0123456789ABCDEF";

// Appends two digits.
inline void AppendHex(std::string& out, uint8_t byte) {
  out.push_back(kHexDigits[byte >> 4]);
  out.push_back(kHexDigits[byte & 15]);
}
inline void AppendUpperHex(std::string& out, uint8_t byte) {
  out.push_back(kUpperHexDigits[byte >> 4]);
  out.push_back(kUpperHexDigits[byte & 15]);
}

// Returns the bytes as lower-case digits.
inline std::string Hex(std::string_view bytes) {
  std::string text;
  text.reserve(2 * bytes.size());
  for (const char c : bytes) AppendHex(text, static_cast<uint8_t>(c));
  return text;
}

// Returns the value of a digit in either case; -1 if `c` is not a digit.
constexpr int HexValue(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  const char lower = static_cast<char>(c | 0x20);
  return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

// Returns the bytes that `text` stands for; nullopt if it has other characters or an odd number of digits.
inline std::optional<std::string> FromHex(std::string_view text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (size_t i = 0; i < text.size(); i += 2) {
    const int high = HexValue(text[i]), low = HexValue(text[i + 1]);
    if (high < 0 || low < 0) return std::nullopt;
    bytes.push_back(static_cast<char>(high << 4 | low));
  }
  return bytes;
}

}  // namespace keyfold
