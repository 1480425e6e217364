#include "base/random.h"

#include <gtest/gtest.h>

#include <regex>
#include <set>

namespace keyfold {
namespace {

TEST(Random, ASeedRepeatsItself) {
  Random a(42), b(42), other(43);
  int different = 0;
  for (int i = 0; i < 100; ++i) {
    const uint64_t x = a.Next();
    EXPECT_EQ(x, b.Next());
    different += x != other.Next();
  }
  EXPECT_EQ(different, 100);
}

TEST(Random, BelowReachesEveryValueAndNoOther) {
  Random random(1);
  for (const uint64_t bound : {1u, 2u, 3u, 10u, 37u}) {
    std::set<uint64_t> seen;
    for (int i = 0; i < 2000; ++i) seen.insert(random.Below(bound));
    EXPECT_EQ(seen.size(), bound);
    EXPECT_LT(*seen.rbegin(), bound);
  }
}

TEST(Random, OneInIsThatOften) {
  Random random(5);
  int hits = 0;
  for (int i = 0; i < 10000; ++i) hits += random.OneIn(10);
  EXPECT_NEAR(hits, 1000, 150);
}

TEST(Random, UuidsAreVersionFourAndDistinct) {
  const std::regex form("[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}");
  Random random(9);
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = random.Uuid();
    EXPECT_TRUE(std::regex_match(uuid, form)) << uuid;
    seen.insert(uuid);
  }
  EXPECT_EQ(seen.size(), 1000u);
}

}  // namespace
}  // namespace keyfold
