#include "base/checksum.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <string>

#include "base/hash.h"
#include "base/random.h"

namespace keyfold {
namespace {

std::string Ascending() {
  std::string s;
  for (int i = 0; i < 32; ++i) s.push_back(static_cast<char>(i));
  return s;
}

// From RFC 3720, B.4, and the check value of the algorithm.
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

// Bit by bit, following the definition.
uint32_t Plainly(std::string_view bytes, uint32_t crc, uint32_t polynomial) {
  crc = ~crc;
  for (const char c : bytes) {
    crc ^= static_cast<uint8_t>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1) != 0 ? crc >> 1 ^ polynomial : crc >> 1;
  }
  return ~crc;
}

// Every length up to several iterations of the widest loop, at every alignment.
TEST(Checksum, LongInputsMatchTheDefinition) {
  Random random(5);
  std::string bytes;
  for (int i = 0; i < 1400; ++i) bytes.push_back(static_cast<char>(random.Next()));
  for (size_t length = 0; length < 1300; ++length) {
    // a separate allocation, so that reading past the end is noticed
    const std::string piece = bytes.substr(random.Below(64), length);
    const std::string_view aligned = std::string_view(bytes).substr(length % 33, length);
    const auto crc = static_cast<uint32_t>(random.Next());
    ASSERT_EQ(Crc32(piece), crc32_z(0, reinterpret_cast<const Bytef*>(piece.data()), piece.size())) << length;
    ASSERT_EQ(Crc32(aligned), Plainly(aligned, 0, 0xEDB88320u)) << length;
    ASSERT_EQ(Crc32c(piece), Plainly(piece, 0, 0x82F63B78u)) << length;
    ASSERT_EQ(Crc32c(aligned, crc), Plainly(aligned, crc, 0x82F63B78u)) << length;
  }
}

// The hash determines where rows are on disk: these values must never change.
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
