#include "json/writer.h"

#include <charconv>
#include <cmath>
#include <cstring>

#include "base/check.h"

namespace keyfold::json {
namespace {

constexpr uint64_t kOnes = 0x0101010101010101;
constexpr uint64_t kHighs = 0x8080808080808080;

// Not zero where one of the eight bytes needs an escape: below 0x20, a quote, a backslash. A byte above 0x7F never
// does.
uint64_t NeedsEscape(uint64_t bytes) {
  const uint64_t control = bytes - kOnes * 0x20;
  const uint64_t quote = (bytes ^ kOnes * '"') - kOnes;
  const uint64_t backslash = (bytes ^ kOnes * '\\') - kOnes;
  return (control | quote | backslash) & ~bytes & kHighs;
}

bool NeedsEscape(char c) { return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\'; }

// Length of the start of `text` that stands as it is.
size_t PlainLength(std::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t bytes;
    std::memcpy(&bytes, text.data() + i, 8);
    if (NeedsEscape(bytes) != 0) break;
  }
  while (i < text.size() && !NeedsEscape(text[i])) ++i;
  return i;
}

void AppendEscape(std::string& out, char c) {
  switch (c) {
    case '"':
      out.append("\\\"");
      return;
    case '\\':
      out.append("\\\\");
      return;
    case '\b':
      out.append("\\b");
      return;
    case '\f':
      out.append("\\f");
      return;
    case '\n':
      out.append("\\n");
      return;
    case '\r':
      out.append("\\r");
      return;
    case '\t':
      out.append("\\t");
      return;
    default:
      constexpr char kDigits[] = "0123456789abcdef";
      out.append("\\u00");
      out.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
      out.push_back(kDigits[c & 0xF]);
  }
}

}  // namespace

void AppendQuoted(std::string& out, std::string_view text) {
  out.push_back('"');
  while (true) {
    const size_t plain = PlainLength(text);
    out.append(text.substr(0, plain));
    if (plain == text.size()) break;
    AppendEscape(out, text[plain]);
    text.remove_prefix(plain + 1);
  }
  out.push_back('"');
}

void Writer::Int(int64_t value) {
  Separate();
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void Writer::Double(double value) {
  CHECK(std::isfinite(value));
  Separate();
  char digits[400];  // no exponent: the largest double has 309 digits, the smallest 325 behind its point and 17 that
                     // count
  const char* end = std::to_chars(digits, digits + sizeof digits, value, std::chars_format::fixed).ptr;
  const std::string_view text(digits, static_cast<size_t>(end - digits));
  out_.append(text);
  if (text.find('.') == text.npos) out_.append(".0");
}

void Writer::EpochSeconds(int64_t micros) {
  CHECK(micros >= 0);
  Separate();
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, micros / 1000000).ptr);
  const int64_t millis = micros / 1000 % 1000;
  const char fraction[4] = {'.', static_cast<char>('0' + millis / 100), static_cast<char>('0' + millis / 10 % 10),
                            static_cast<char>('0' + millis % 10)};
  out_.append(fraction, sizeof fraction);
}

}  // namespace keyfold::json
