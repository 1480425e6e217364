#include "base/text/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace keyfold {
namespace {

using std::string_literals::operator""s;

const struct {
  std::string bytes;
  bool valid;
} kRows[] = {
    {"", true},
    {"plain", true},
    {"\0"s, true},
    {"\x7F", true},
    {"\xC2\x80", true},          // U+0080, the first of two bytes
    {"\xDF\xBF", true},          // U+07FF
    {"\xE0\xA0\x80", true},      // U+0800
    {"\xED\x9F\xBF", true},      // U+D7FF, before the surrogates
    {"\xEE\x80\x80", true},      // U+E000, after them
    {"\xEF\xBF\xBF", true},      // U+FFFF
    {"\xF0\x90\x80\x80", true},  // U+10000
    {"\xF4\x8F\xBF\xBF", true},  // U+10FFFF, the last
    {"\x80", false},             // a continuation alone
    {"\xBF", false},
    {"\xC0\x80", false},  // zero in two bytes
    {"\xC1\xBF", false},
    {"\xC2", false},  // truncated
    {"\xC2\x41", false},
    {"\xE0\x9F\xBF", false},  // overlong
    {"\xE1\x80", false},
    {"\xE1\x80\x41", false},
    {"\xED\xA0\x80", false},  // U+D800
    {"\xED\xBF\xBF", false},  // U+DFFF
    {"\xF0\x8F\xBF\xBF", false},
    {"\xF0\x90\x80", false},
    {"\xF4\x90\x80\x80", false},  // past U+10FFFF
    {"\xF5\x80\x80\x80", false},
    {"\xFE", false},
    {"\xFF", false},
};

TEST(Utf8, Validity) {
  for (const auto& row : kRows) EXPECT_EQ(IsUtf8(row.bytes), row.valid) << testing::PrintToString(row.bytes);
}

// The same bytes at every offset of a long text: eight bytes of ASCII are skipped at a time.
TEST(Utf8, ValidityDoesNotDependOnPosition) {
  for (const auto& row : kRows) {
    for (size_t before = 0; before <= 17; ++before) {
      for (const size_t after : {size_t{0}, size_t{1}, size_t{16}}) {
        const std::string text = std::string(before, 'x') + row.bytes + std::string(after, 'y');
        EXPECT_EQ(IsUtf8(text), row.valid) << testing::PrintToString(text);
      }
    }
  }
}

TEST(Utf8, TakesTheFirstCharacter) {
  const struct {
    std::string text, first;
  } rows[] = {{"ab", "a"},
              {"\xC3\xA9x", "\xC3\xA9"},
              {"\xE2\x82\xAC\xE2", "\xE2\x82\xAC"},
              {"\xF0\x9F\x98\x80", "\xF0\x9F\x98\x80"},
              {"\xF0\x9F\x98", "\xF0"},
              {"\x80z", "\x80"}};
  for (const auto& row : rows) EXPECT_EQ(FirstCharacter(row.text), row.first) << testing::PrintToString(row.text);
}

TEST(Utf8, ReplacesInvalidBytes) {
  const struct {
    std::string bytes, text;
  } rows[] = {{"", ""},
              {"a\xC3\xA9\xF0\x9F\x98\x80", "a\xC3\xA9\xF0\x9F\x98\x80"},
              {"'\xF0'", "'\xEF\xBF\xBD'"},
              {"\xE2\x82", "\xEF\xBF\xBD\xEF\xBF\xBD"},
              {"\xFF\xC3\xA9", "\xEF\xBF\xBD\xC3\xA9"}};
  for (const auto& row : rows) {
    EXPECT_EQ(AsUtf8(row.bytes), row.text) << testing::PrintToString(row.bytes);
    EXPECT_TRUE(IsUtf8(AsUtf8(row.bytes)));
  }
}

TEST(Utf8, AppendsCharacters) {
  const struct {
    char32_t character;
    std::string bytes;
  } rows[] = {{0x01, "\x01"},
              {0x7F, "\x7F"},
              {0x80, "\xC2\x80"},
              {0x7FF, "\xDF\xBF"},
              {0x800, "\xE0\xA0\x80"},
              {0xFFFD, "\xEF\xBF\xBD"},
              {0x10000, "\xF0\x90\x80\x80"},
              {0x10FFFF, "\xF4\x8F\xBF\xBF"}};
  for (const auto& row : rows) {
    std::string out = "x";
    AppendUtf8(out, row.character);
    EXPECT_EQ(out, "x" + row.bytes);
  }
}

}  // namespace
}  // namespace keyfold
