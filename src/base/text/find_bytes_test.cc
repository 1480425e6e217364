// Searches agree with a simple one for small alphabets and all lengths and positions, and their cost is linear.
#include "base/text/find_bytes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>
#include <string_view>

#include "testing/base/cpu_time.h"

namespace keyfold {
namespace {

bool IsInPlainly(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

TEST(FindBytes, FindsWhatIsThere) {
  struct Row {
    std::string_view text, part;
    bool found;
  };
  constexpr Row kRows[] = {
      {"", "", true},          {"a", "", true},           {"", "a", false},         {"a", "a", true},
      {"ab", "b", true},       {"ab", "ba", false},       {"aaab", "ab", true},     {"aaaa", "aaaab", false},
      {"abcabd", "abd", true}, {"xxxxxxxx", "xy", false}, {"xxxxxxxy", "xy", true},
  };
  for (const Row& row : kRows) EXPECT_EQ(ContainsBytes(row.text, row.part), row.found) << row.text << " " << row.part;
}

// Texts with many false starts, so that each of the searches is reached.
std::string Text(std::mt19937& random, size_t bytes) {
  const size_t period = 1 + random() % 40;
  std::string unit, text;
  for (size_t i = 0; i < period; ++i) unit.push_back(static_cast<char>('a' + random() % 2));
  while (text.size() < bytes) text += unit;
  text.resize(bytes);
  const size_t changes = random() % 4;
  for (size_t i = 0; i < changes; ++i) text[random() % bytes] = static_cast<char>('a' + random() % 3);
  return text;
}

TEST(FindBytes, AgreesWithThePlainSearch) {
  std::mt19937 random(7);
  size_t found = 0;
  for (int round = 0; round < 20'000; ++round) {
    const std::string text = std::string(600 * (random() % 2), 'a') + Text(random, 1 + random() % 2000);
    const size_t bytes = 1 + random() % std::min<size_t>(text.size(), round % 2 == 0 ? 40 : 400);
    std::string part = text.substr(random() % (text.size() - bytes + 1), bytes);
    if (random() % 4 != 0) part[random() % bytes] ^= 3;
    ASSERT_EQ(ContainsBytes(text, part), IsInPlainly(text, part)) << "round " << round << "\n" << text << "\n" << part;
    found += IsInPlainly(text, part);
  }
  EXPECT_GT(found, 1000u);
}

TEST(FindBytes, AFinderServesManyTexts) {
  const std::string part = std::string(300, 'a') + "b" + std::string(300, 'a');
  BytesFinder finder(part);
  const std::string near(5000, 'a');
  for (const size_t at : {0u, 1u, 300u, 4000u}) {
    std::string text = near;
    EXPECT_FALSE(finder.IsIn(text));
    text.insert(at, part);
    EXPECT_TRUE(finder.IsIn(text));
  }
}

// A search that costs the product of both lengths takes minutes here; a linear one takes far less than a second.
TEST(FindBytes, PeriodicTextIsNoSlower) {
  constexpr double kLinearSeconds = 15;  // without optimization and with sanitizers
  const std::string text(390'000, 'a');
  const double start = ThreadCpuSeconds();
  for (const size_t bytes : {3u, 16u, 31u, 33u, 256u, 257u, 195'000u}) {
    for (const size_t at : {size_t{0}, bytes / 2, bytes - 1}) {
      std::string part(bytes, 'a');
      part[at] = 'b';
      BytesFinder finder(part);
      for (int i = 0; i < 10; ++i) ASSERT_FALSE(finder.IsIn(text));
    }
  }
  EXPECT_LT(ThreadCpuSeconds() - start, kLinearSeconds);
}

}  // namespace
}  // namespace keyfold
