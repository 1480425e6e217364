#include "base/text/hex.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(HexTest, EveryByteIsReadBack) {
  for (int value = 0; value < 256; ++value) {
    const std::string byte(1, static_cast<char>(value));
    std::string upper;
    AppendUpperHex(upper, static_cast<uint8_t>(value));
    EXPECT_EQ(FromHex(Hex(byte)), byte);
    EXPECT_EQ(FromHex(upper), byte);
  }
  EXPECT_EQ(Hex("\x01\xaf"), "01af");
  EXPECT_EQ(FromHex(""), "");
}

TEST(HexTest, RefusesWhatIsNotHex) {
  for (const std::string_view text : {"1", "1g", "g1", "0x", " 1", "@1", "`1", "12 "})
    EXPECT_EQ(FromHex(text), std::nullopt) << text;
}

}  // namespace
}  // namespace keyfold
