#include "base/bytes.h"

#include <gtest/gtest.h>

#include <limits>

namespace keyfold {
namespace {

using std::string_literals::operator""s;

TEST(Bytes, IntegersAreBigEndian) {
  std::string out;
  AppendU16(out, 0x0102);
  AppendU32(out, 0x03040506);
  AppendU64(out, 0x0708090A0B0C0D0Eu);
  EXPECT_EQ(out, "\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0A\x0B\x0C\x0D\x0E");
  EXPECT_EQ(LoadU16(out.data()), 0x0102);
  EXPECT_EQ(LoadU32(out.data() + 2), 0x03040506u);
  EXPECT_EQ(LoadU64(out.data() + 6), 0x0708090A0B0C0D0Eu);
  StoreU32(out.data() + 2, 0xFFFEFDFCu);
  EXPECT_EQ(out.substr(2, 4), "\xFF\xFE\xFD\xFC");
}

TEST(Bytes, VarintsHaveOneForm) {
  const struct {
    uint64_t value;
    std::string bytes;
  } kRows[] = {
      {0, "\0"s},
      {1, "\x01"},
      {127, "\x7F"},
      {128, "\x80\x01"},
      {300, "\xAC\x02"},
      {16383, "\xFF\x7F"},
      {16384, "\x80\x80\x01"},
      {std::numeric_limits<uint64_t>::max(), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"},
  };
  for (const auto& row : kRows) {
    std::string out;
    AppendVarint(out, row.value);
    EXPECT_EQ(out, row.bytes) << row.value;
    EXPECT_EQ(VarintLength(row.value), row.bytes.size()) << row.value;
    ByteReader reader(out);
    EXPECT_EQ(reader.Varint(), row.value);
    EXPECT_TRUE(reader.ok() && reader.at_end()) << row.value;
  }
}

TEST(Bytes, VarintOfOver64BitsOrWithoutEndFails) {
  const std::string kRows[] = {
      "",
      "\x80",
      "\xFF\xFF",
      std::string(9, '\x80') + "\x02",  // bit 64
      std::string(10, '\x80') + "\x01",
  };
  for (const std::string& bytes : kRows) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.Varint(), 0u);
    EXPECT_FALSE(reader.ok()) << bytes.size();
  }
}

TEST(ByteReader, ReadsInOrder) {
  std::string out;
  out.push_back('\x09');
  AppendU16(out, 10);
  AppendU32(out, 11);
  AppendU64(out, 12);
  AppendString(out, "text");
  AppendString(out, "");
  ByteReader reader(out);
  EXPECT_EQ(reader.U8(), 9);
  EXPECT_EQ(reader.U16(), 10);
  EXPECT_EQ(reader.U32(), 11u);
  EXPECT_EQ(reader.U64(), 12u);
  EXPECT_EQ(reader.String(), "text");
  EXPECT_EQ(reader.String(), "");
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.at_end());
}

TEST(ByteReader, StaysFailed) {
  const std::string bytes = "\x01\x02\x03";
  ByteReader reader(bytes);
  EXPECT_EQ(reader.U32(), 0u);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.U8(), 0);  // bytes remain, but the reader has failed
  EXPECT_EQ(reader.Bytes(1), "");
  EXPECT_EQ(reader.String(), "");
  EXPECT_FALSE(reader.ok());
}

TEST(ByteReader, RefusesLengthsPastTheEnd) {
  const std::string kRows[] = {
      "\x05"
      "abcd",
      "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"
      "abcd",  // 2^64 - 1: sums must not wrap
      "\x80",
  };
  for (const std::string& bytes : kRows) {
    ByteReader reader(bytes);
    EXPECT_EQ(reader.String(), "");
    EXPECT_FALSE(reader.ok());
  }
}

}  // namespace
}  // namespace keyfold
