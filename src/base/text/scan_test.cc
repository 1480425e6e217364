#include "base/text/scan.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "base/random.h"

namespace keyfold {
namespace {

constexpr auto kSeparator = [](auto b) { return (b == ',') | (b == ' '); };
constexpr auto kControl = [](auto b) { return ((b < 0x20) & (b != '\t')) | (b == 0x7f); };

TEST(Scan, FindsTheFirstByteOfItsKind) {
  const struct {
    std::string_view text;
    size_t first;
  } kRows[] = {
      {"", 0},
      {",", 0},
      {"a", 1},
      {"abc,d e", 3},
      {"abc d,", 3},
      {"0123456789", 10},
      {"0123456789abcdef", 16},
      {"0123456789abcde,", 15},
      {"0123456789abcdef,", 16},
      {"0123456789abcdefghij k", 20},
      {",0123456789abcdefghijk", 0},
      {"0123456789abcdefghijk", 21},
  };
  for (const auto& row : kRows) EXPECT_EQ(FirstWhere(row.text, kSeparator), row.first) << row.text;
}

// Every length, position and neighboring byte. The string ends where its memory ends, so reading past it is noticed.
TEST(Scan, AgreesWithALoopOverBytes) {
  Random random(7);
  for (int round = 0; round < 20'000; ++round) {
    std::string text(random.Below(70), '\0');
    const uint64_t rare = 1 + random.Below(60);
    for (char& c : text) c = static_cast<char>(random.OneIn(rare) ? random.Below(256) : 'a' + random.Below(26));
    text.shrink_to_fit();
    const auto slow = [&](auto test) {
      return static_cast<size_t>(
          std::find_if(text.begin(), text.end(), [&](char c) { return test(static_cast<uint8_t>(c)) != 0; }) -
          text.begin());
    };
    ASSERT_EQ(FirstWhere(text, kSeparator), slow(kSeparator)) << round;
    ASSERT_EQ(FirstWhere(text, kControl), slow(kControl)) << round;
  }
}

}  // namespace
}  // namespace keyfold
