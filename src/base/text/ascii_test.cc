#include "base/text/ascii.h"

#include <gtest/gtest.h>

#include <cctype>

namespace keyfold {
namespace {

TEST(AsciiTest, ClassesAreThoseOfTheCLocale) {
  for (int byte = 0; byte < 256; ++byte) {
    const char c = static_cast<char>(byte);
    EXPECT_EQ(IsDigit(c), std::isdigit(byte) != 0) << byte;
    EXPECT_EQ(IsLower(c), std::islower(byte) != 0) << byte;
    EXPECT_EQ(IsUpper(c), std::isupper(byte) != 0) << byte;
    EXPECT_EQ(IsLetter(c), std::isalpha(byte) != 0) << byte;
    EXPECT_EQ(IsLetterOrDigit(c), std::isalnum(byte) != 0) << byte;
    EXPECT_EQ(IsSpace(c), std::isspace(byte) != 0) << byte;
    EXPECT_EQ(ToLower(c), static_cast<char>(std::tolower(byte))) << byte;
    EXPECT_EQ(ToUpper(c), static_cast<char>(std::toupper(byte))) << byte;
  }
  EXPECT_EQ(Lowercase("Ab-ÄZ9"), "ab-Äz9");
}

TEST(AsciiTest, TrimsBothEndsOnly) {
  EXPECT_EQ(TrimSpaces(" \ta b\r\n"), "a b");
  EXPECT_EQ(TrimSpaces("a"), "a");
  EXPECT_EQ(TrimSpaces(" \n"), "");
  EXPECT_EQ(TrimSpaces(""), "");
  EXPECT_EQ(TrimSpaces(" a\n", " "), "a\n");
}

}  // namespace
}  // namespace keyfold
