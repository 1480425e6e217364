#include "base/checksum.h"

#include <gtest/gtest.h>

#include <string>

#include "base/hash.h"

namespace keyfold {
namespace {

std::string Ascending() {
  std::string s;
  for (int i = 0; i < 32; ++i) s.push_back(static_cast<char>(i));
  return s;
}

// RFC 3720, B.4, and the check value of the algorithm's catalogue.
TEST(Checksum, Crc32cOfKnownBytes) {
  const struct {
    std::string bytes;
    uint32_t crc;
  } kRows[] = {
      {"", 0},
      {"a", 0xC1D04330u},
      {"123456789", 0xE3069283u},
      {std::string(32, '\0'), 0x8A9136AAu},
      {std::string(32, '\xFF'), 0x62A8AB43u},
      {Ascending(), 0x46DD794Eu},
  };
  for (const auto& row : kRows) EXPECT_EQ(Crc32c(row.bytes), row.crc) << row.bytes.size();
}

TEST(Checksum, Crc32cContinuesAtAnyPoint) {
  const std::string bytes = Ascending() + "and a tail that is not a multiple of eight";
  for (size_t i = 0; i <= bytes.size(); ++i) {
    const std::string_view all(bytes);
    EXPECT_EQ(Crc32c(all.substr(i), Crc32c(all.substr(0, i))), Crc32c(all)) << i;
  }
}

TEST(Checksum, Crc32OfKnownBytes) {
  EXPECT_EQ(Crc32(""), 0u);
  EXPECT_EQ(Crc32("123456789"), 0xCBF43926u);
  EXPECT_EQ(Crc32("The quick brown fox jumps over the lazy dog"), 0x414FA339u);
}

// The hash places rows on disk: these values must never change.
TEST(Hash, Hash128IsFixed) {
  EXPECT_EQ(Hash128(""), (std::array<uint64_t, 2>{0x99AA06D3014798D8u, 0x6001C324468D497Fu}));
  EXPECT_NE(Hash128("a"), Hash128("b"));
}

TEST(Hash, Hash64IsFixed) {
  EXPECT_EQ(Hash64(""), 0x2D06800538D394C2u);
  EXPECT_NE(Hash64("a"), Hash64("b"));
  EXPECT_EQ(Hash64(std::string_view("xa").substr(1)), Hash64("a"));
}

}  // namespace
}  // namespace keyfold
