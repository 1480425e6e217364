// One header field of an HTTP message, as http parses it and auth signs it.
#pragma once

#include <string>
#include <string_view>

namespace keyfold {

// Views into the message, which owns the bytes. The name is as sent: compare it with EqualsIgnoringCase.
struct Header {
  std::string_view name;
  std::string_view value;
};

// The same, owning its bytes.
struct OwnedHeader {
  std::string name;
  std::string value;
};

// Folds ASCII letters only: header names, codings and connection options are ASCII.
inline bool EqualsIgnoringCase(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    const unsigned char x = static_cast<unsigned char>(a[i]);
    const unsigned char y = static_cast<unsigned char>(b[i]);
    if (x == y) continue;
    const unsigned char lower = x | 0x20;
    if (lower != (y | 0x20) || lower < 'a' || lower > 'z') return false;
  }
  return true;
}

}  // namespace keyfold
