#include "base/persistent_map.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "base/random.h"

namespace keyfold {
namespace {

using Map = PersistentMap<std::string, int>;
using Reference = std::map<std::string, int, std::less<>>;

void ExpectSame(const Map& map, const Reference& expected) {
  ASSERT_EQ(map.size(), expected.size());
  EXPECT_EQ(map.empty(), expected.empty());
  ASSERT_TRUE(std::equal(map.begin(), map.end(), expected.begin(), expected.end()));
  ASSERT_TRUE(std::equal(map.rbegin(), map.rend(), expected.rbegin(), expected.rend()));
}

TEST(PersistentMap, AgreesWithStdMap) {
  Random random(11);
  Map map;
  Reference expected;
  std::vector<std::pair<Map, Reference>> earlier;
  for (int i = 0; i < 4000; ++i) {
    const std::string key = std::to_string(random.Below(300));
    if (random.OneIn(3)) {
      EXPECT_EQ(map.Erase(key), expected.erase(key) == 1);
    } else {
      map.Put(key, i);
      expected[key] = i;
    }
    const std::string probe = std::to_string(random.Below(300));
    const auto it = expected.find(probe);
    ASSERT_EQ(map.contains(probe), it != expected.end());
    ASSERT_EQ(map.find(probe) == map.end(), it == expected.end());
    if (it != expected.end()) {
      ASSERT_EQ(map.at(probe), it->second);
      ASSERT_EQ(map.find(probe)->first, probe);
    }
    ASSERT_EQ(std::distance(map.lower_bound(probe), map.end()),
              std::distance(expected.lower_bound(probe), expected.end()));
    ASSERT_EQ(std::distance(map.begin(), map.upper_bound(probe)),
              std::distance(expected.begin(), expected.upper_bound(probe)));
    if (i % 100 == 0) {
      ExpectSame(map, expected);
      earlier.emplace_back(map, expected);
    }
  }
  // Changes to later copies have not affected earlier ones.
  for (const auto& [copy, then] : earlier) ExpectSame(copy, then);
  while (!expected.empty()) {
    ASSERT_TRUE(map.Erase(expected.begin()->first));
    expected.erase(expected.begin());
  }
  ExpectSame(map, expected);
}

TEST(PersistentMap, SortsByByteOrderAndSupportsIntegers) {
  Map map;
  for (const char* key : {"b", "\xC3\xA4", "a", "B", ""}) map.Put(key, 0);
  std::string keys;
  for (const auto& [key, value] : map) keys += key + "|";
  EXPECT_EQ(keys, "|B|a|b|\xC3\xA4|");
  PersistentMap<uint32_t, int> numbers;
  for (const uint32_t n : {3u, 0xFFFFFFFFu, 0u, 10u}) numbers.Put(n, 1);
  EXPECT_EQ(numbers.begin()->first, 0u);
  EXPECT_EQ(numbers.rbegin()->first, 0xFFFFFFFFu);
  EXPECT_TRUE(numbers.contains(10));
}

// The number of new nodes per change is logarithmic in the number of entries, in whatever order they were added.
TEST(PersistentMap, AChangeSharesAlmostEverything) {
  for (const bool ascending : {true, false}) {
    Map map;
    for (int i = 0; i < 10'000; ++i) map.Put(std::to_string(10'000 + (ascending ? i : 7919 * i % 10'000)), i);
    ASSERT_EQ(map.size(), 10'000u);
    const Map before = map;
    map.Put("14321x", 1);
    EXPECT_LE(map.NodesNotIn(before), 22u);
    map = before;
    map.Put("14321", 1);
    EXPECT_LE(map.NodesNotIn(before), 20u);
    map = before;
    ASSERT_TRUE(map.Erase("15000"));
    EXPECT_LE(map.NodesNotIn(before), 40u);
    map = before;
    EXPECT_FALSE(map.Erase("none"));
    EXPECT_EQ(map.NodesNotIn(before), 0u);
  }
}

}  // namespace
}  // namespace keyfold
