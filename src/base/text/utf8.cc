#include "base/text/utf8.h"

#include <cstdint>
#include <cstring>

namespace keyfold {
namespace {

bool IsAscii8(const uint8_t* p) {
  uint64_t eight;
  std::memcpy(&eight, p, 8);
  return (eight & 0x8080808080808080u) == 0;
}

}  // namespace

bool IsUtf8(std::string_view bytes) {
  const auto* p = reinterpret_cast<const uint8_t*>(bytes.data());
  const auto* end = p + bytes.size();
  const auto follows = [&](int n) {
    if (end - p <= n) return false;
    for (int i = 1; i <= n; ++i) {
      if ((p[i] & 0xC0) != 0x80) return false;
    }
    return true;
  };
  while (p < end) {
    if (end - p >= 8 && IsAscii8(p)) {
      p += 8;
    } else if (*p < 0x80) {
      ++p;
    } else if (*p >= 0xC2 && *p <= 0xDF) {
      if (!follows(1)) return false;
      p += 2;
    } else if ((*p & 0xF0) == 0xE0) {
      if (!follows(2)) return false;
      if (*p == 0xE0 && p[1] < 0xA0) return false;   // overlong
      if (*p == 0xED && p[1] >= 0xA0) return false;  // surrogate
      p += 3;
    } else if (*p >= 0xF0 && *p <= 0xF4) {
      if (!follows(3)) return false;
      if (*p == 0xF0 && p[1] < 0x90) return false;   // overlong
      if (*p == 0xF4 && p[1] >= 0x90) return false;  // past U+10FFFF
      p += 4;
    } else {
      return false;
    }
  }
  return true;
}

size_t CountCharacters(std::string_view text) {
  size_t count = 0;
  for (const char c : text) count += (static_cast<uint8_t>(c) & 0xC0) != 0x80;
  return count;
}

uint64_t CountUtf16Units(std::string_view text) {
  uint64_t units = 0;
  for (const char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    units += (byte & 0xC0) != 0x80;  // the first byte of a character
    units += byte >= 0xF0;           // a character outside the basic plane counts two
  }
  return units;
}

std::string_view FirstCharacter(std::string_view text) {
  for (size_t bytes = 1; bytes <= 4 && bytes <= text.size(); ++bytes) {
    if (IsUtf8(text.substr(0, bytes))) return text.substr(0, bytes);
  }
  return text.substr(0, 1);
}

std::string AsUtf8(std::string_view bytes) {
  if (IsUtf8(bytes)) return std::string(bytes);
  std::string text;
  while (!bytes.empty()) {
    const std::string_view character = FirstCharacter(bytes);
    IsUtf8(character) ? void(text += character) : AppendUtf8(text, 0xFFFD);
    bytes.remove_prefix(character.size());
  }
  return text;
}

void AppendUtf8(std::string& out, char32_t character) {
  const auto add = [&](char32_t bits) { out.push_back(static_cast<char>(bits)); };
  const auto follow = [&](int shift) { add(0x80 | ((character >> shift) & 0x3F)); };
  if (character < 0x80) return add(character);
  if (character < 0x800) {
    add(0xC0 | character >> 6);
    return follow(0);
  }
  if (character < 0x10000) {
    add(0xE0 | character >> 12);
    follow(6);
    return follow(0);
  }
  add(0xF0 | character >> 18);
  follow(12);
  follow(6);
  follow(0);
}

}  // namespace keyfold
