#include "json/writer.h"

#include <charconv>
#include <cmath>

#include "base/check.h"
#include "json/output.h"

namespace keyfold::json {

void AppendQuoted(std::string& out, std::string_view text) { Output(out, text.size() + 2).Quoted(text); }

void Writer::Int(int64_t value) {
  Separate();
  char digits[24];
  out_.append(digits, std::to_chars(digits, digits + sizeof digits, value).ptr);
}

void Writer::Double(double value) {
  CHECK(std::isfinite(value));
  Separate();
  char digits[400];  // no exponent: a double has up to 309 digits, or 325 after the point
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
