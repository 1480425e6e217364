#include "base/text/wrap.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(WrapTest, Lines) {
  const struct {
    std::string_view line;
    size_t columns;
    size_t indent;
    std::string_view wrapped;
  } rows[] = {
      {"", 10, 4, ""},
      {"one two", 10, 4, "one two"},
      {"one two three", 10, 4, "one two\n    three"},
      {"one two three four", 9, 2, "one two\n  three\n  four"},
      {"one extraordinary word", 8, 1, "one\n extraordinary\n word"},
      {"  in the margin", 8, 2, "  in the\n  margin"},
      {"\xC3\xA4\xC3\xA4 \xC3\xB6\xC3\xB6 x", 5, 0, "\xC3\xA4\xC3\xA4 \xC3\xB6\xC3\xB6\nx"},
      {"\x1b[31merror\x1b[0m now then", 9, 0, "\x1b[31merror\x1b[0m now\nthen"},
  };
  for (const auto& row : rows) EXPECT_EQ(WrapLine(row.line, row.columns, row.indent), row.wrapped) << row.line;
}

TEST(WrapTest, ProseButNotTables) {
  EXPECT_EQ(WrapProse("  a  table row that is long\n  one two three\nshort\n", 11),
            "  a  table row that is long\n  one two\n      three\nshort\n");
  EXPECT_EQ(WrapProse("one two", 4), "one\n    two");
  EXPECT_EQ(WrapProse("", 4), "");
}

}  // namespace
}  // namespace keyfold
