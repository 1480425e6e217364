#include "base/text/base64.h"

#include <gtest/gtest.h>

#include "base/random.h"

namespace keyfold {
namespace {

using std::string_literals::operator""s;

TEST(Base64, EncodesAndDecodesKnownTexts) {
  const struct {
    std::string bytes, text;
  } kRows[] = {
      {"", ""},
      {"f", "Zg=="},
      {"fo", "Zm8="},
      {"foo", "Zm9v"},
      {"foob", "Zm9vYg=="},
      {"fooba", "Zm9vYmE="},
      {"foobar", "Zm9vYmFy"},
      {"\0"s, "AA=="},
      {"\0\0\0"s, "AAAA"},
      {"\xFF\xFE\xFD", "//79"},
      {"\xFB\xEF\xBE", "++++"},
  };
  for (const auto& row : kRows) {
    std::string text = "before ", bytes = "before ";
    AppendBase64(text, row.bytes);
    EXPECT_EQ(text, "before " + row.text);
    ASSERT_TRUE(AppendFromBase64(bytes, row.text)) << row.text;
    EXPECT_EQ(bytes, "before " + row.bytes);
  }
}

TEST(Base64, RefusesAnythingElseAndLeavesTheOutputAlone) {
  const std::string kRows[] = {
      "A",        "AA",      "AAA",
      "AAAAA",  // not a multiple of four
      "A===",     "====",    "=AAA", "AA=A",
      "A=A=",  // padding in the wrong place
      "AA==AAAA",
      "AAA=AAAA",  // padding before the end
      "AB==",     "AAB=",
      "Zg=A",  // nonzero bits after the last byte
      "YWJj!!!!", "\xFFzog", "AAA ", "AA\nA",
      " AAA",  // characters outside the alphabet
      "-_-_",
      "AAA\0"s,  // the URL alphabet; a zero
  };
  for (const std::string& text : kRows) {
    std::string out = "kept";
    EXPECT_FALSE(AppendFromBase64(out, text)) << text;
    EXPECT_EQ(out, "kept") << text;
  }
}

TEST(Base64, RoundTripsRandomBytes) {
  Random random(7);
  for (int i = 0; i < 2000; ++i) {
    std::string bytes(random.Below(70), '\0');
    for (char& c : bytes) c = static_cast<char>(random.Next());
    std::string text, back;
    AppendBase64(text, bytes);
    ASSERT_EQ(text.size(), (bytes.size() + 2) / 3 * 4);
    ASSERT_TRUE(AppendFromBase64(back, text));
    ASSERT_EQ(back, bytes);
  }
}

}  // namespace
}  // namespace keyfold
