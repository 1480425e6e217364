#include "model/unreadable.h"

#include <cstdint>

namespace keyfold::model {
namespace {

// The code point at the start of valid UTF-8, and its bytes.
uint32_t CodePoint(std::string_view text, size_t& bytes) {
  const auto at = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(i < text.size() ? text[i] : 0));
  };
  const uint32_t lead = at(0);
  if (lead < 0xC0) return bytes = 1, lead;
  if (lead < 0xE0) return bytes = 2, (lead & 0x1F) << 6 | (at(1) & 0x3F);
  if (lead < 0xF0) return bytes = 3, (lead & 0x0F) << 12 | (at(1) & 0x3F) << 6 | (at(2) & 0x3F);
  return bytes = 4, (lead & 0x07) << 18 | (at(1) & 0x3F) << 12 | (at(2) & 0x3F) << 6 | (at(3) & 0x3F);
}

// Would end or redraw a line of a terminal or a log.
bool Disturbs(uint32_t code) {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x2028 || code == 0x2029 ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

void AppendEscape(std::string& out, uint32_t code) {
  if (code == '\n') return void(out += "\\n");
  if (code == '\t') return void(out += "\\t");
  if (code == '\r') return void(out += "\\r");
  constexpr char kDigits[] = "0123456789abcdef";
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += kDigits[code >> shift & 15];
}

}  // namespace

std::string Printable(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    size_t bytes = 1;
    const uint32_t code = CodePoint(text, bytes);
    if (Disturbs(code)) {
      AppendEscape(out, code);
    } else {
      out += text.substr(0, bytes);
    }
    text.remove_prefix(std::min(bytes, text.size()));
  }
  return out;
}

std::string LineOf(std::string_view file, const Unreadable& why) {
  std::string line = Printable(file);
  AppendArgument(line += ':', why.mark.line);
  if (why.mark.column != 0) AppendArgument(line += ':', why.mark.column);
  return line + ": " + Printable(why.message);
}

}  // namespace keyfold::model
