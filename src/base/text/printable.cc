#include "base/text/printable.h"

#include <algorithm>
#include <cstdint>

#include "base/text/hex.h"
#include "base/text/utf8.h"

namespace keyfold {
namespace {

uint32_t ByteAt(std::string_view text, size_t i) { return static_cast<unsigned char>(text[i]); }

// Decodes the code point at the start of `text` and sets `bytes` to its length, or to 0 if there is no valid one.
uint32_t CodePoint(std::string_view text, size_t& bytes) {
  const uint32_t lead = ByteAt(text, 0);
  bytes = lead < 0x80 ? 1 : lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
  if (bytes == 1) return lead;
  if (text.size() < bytes || !IsUtf8(text.substr(0, bytes))) return bytes = 0, lead;
  uint32_t code = lead & (0x7Fu >> bytes);
  for (size_t i = 1; i < bytes; ++i) code = code << 6 | (ByteAt(text, i) & 0x3F);
  return code;
}

bool Disturbs(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x61C || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

void AppendEscape(std::string& out, uint32_t code) {
  if (code == '\n') return void(out += "\\n");
  if (code == '\t') return void(out += "\\t");
  if (code == '\r') return void(out += "\\r");
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kHexDigits[code >> shift & 15];
}

bool IsPlain(char c) { return c >= 0x20 && c < 0x7F; }

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto plain = static_cast<size_t>(std::find_if_not(text.begin(), text.end(), IsPlain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    size_t bytes = 0;
    const uint32_t code = CodePoint(text, bytes);
    if (bytes == 0) {
      AppendHex(out.append("\\x"), static_cast<uint8_t>(code));
    } else if (Disturbs(code)) {
      AppendEscape(out, code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::max<size_t>(bytes, 1));
  }
  return out;
}

}  // namespace keyfold
