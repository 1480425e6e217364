#include "base/text/printable.h"

#include <gtest/gtest.h>

#include "base/text/utf8.h"

namespace keyfold {
namespace {

TEST(Printable, EscapesWhatWouldDisturbALine) {
  using namespace std::string_view_literals;
  const std::pair<std::string_view, std::string_view> rows[] = {
      {"", ""},
      {"plain ~ text", "plain ~ text"},
      {"back\\slash", "back\\slash"},
      {"Grüße €😀", "Grüße €😀"},
      {"a\nb\r\tc", "a\\nb\\r\\tc"},
      {"\x1b[31mred\x1b[0m", "\\u001b[31mred\\u001b[0m"},
      {"nul\0in"sv, "nul\\u0000in"},
      {"\x7f", "\\u007f"},
      {"\xC2\x85 \xC2\x9B", "\\u0085 \\u009b"},                       // C1: next line, CSI
      {"\xE2\x80\xA8\xE2\x80\xA9", "\\u2028\\u2029"},                 // line and paragraph separators
      {"\xE2\x80\xAE\xE2\x81\xA6", "\\u202e\\u2066"},                 // bidirectional override and isolate
      {"\xD8\x9C\xE2\x80\x8E\xE2\x80\x8F", "\\u061c\\u200e\\u200f"},  // bidirectional marks
      {"\xEF\xBB\xBF", "\\ufeff"},
      {"\xFF\xFE", "\\xff\\xfe"},
      {"a\xC3", "a\\xc3"},
      {"\xE2\x82", "\\xe2\\x82"},
      {"\xED\xA0\x80", "\\xed\\xa0\\x80"},  // a surrogate
      {"\xC0\x80", "\\xc0\\x80"},           // overlong
      {"\xF4\x90\x80\x80", "\\xf4\\x90\\x80\\x80"},
  };
  for (const auto& [text, printable] : rows) EXPECT_EQ(Printable(text), printable);
}

TEST(Printable, EveryPairOfBytesBecomesOneLineOfUtf8) {
  for (int first = 0; first < 256; ++first) {
    for (int second = 0; second < 256; ++second) {
      const std::string text = Printable(std::string{static_cast<char>(first), static_cast<char>(second)});
      ASSERT_TRUE(IsUtf8(text)) << first << " " << second;
      for (const char c : text) ASSERT_FALSE(c >= 0 && (c < 0x20 || c == 0x7F)) << first << " " << second;
    }
  }
}

}  // namespace
}  // namespace keyfold
