#include "model/observe/hot_keys.h"

#include <gtest/gtest.h>

namespace keyfold::model {
namespace {

TEST(HotKeys, CountsExactlyWhileKeysAreFew) {
  HotKeys hot;
  hot.Add("a", 1, 0, 1);
  hot.Add("b", 0, 4, 2);
  hot.Add("a", 0.5, 1, 3);
  const HotKeys::Reading all = Merge({hot.Read(4)}, 10);
  ASSERT_EQ(all.keys.size(), 2u);
  EXPECT_EQ(all.keys[0].key, "b");
  EXPECT_EQ(all.keys[0].write_units, 4);
  EXPECT_EQ(all.keys[1].read_units, 1.5);
  EXPECT_EQ(all.keys[1].write_units, 1);
  EXPECT_EQ(all.units, 6.5);
  EXPECT_EQ(all.since, 1);
}

TEST(HotKeys, FindsTheHotOneAmongTenThousand) {
  HotKeys hot;
  for (int i = 0; i < 10'000; ++i) {
    hot.Add("k" + std::to_string(i), 1, 0, 1);
    if (i % 20 == 0) hot.Add("hot", 1, 0, 1);
  }
  const HotKeys::Reading all = Merge({hot.Read(1)}, 1);
  ASSERT_EQ(all.keys.size(), 1u);
  EXPECT_EQ(all.keys[0].key, "hot");
  EXPECT_NEAR(all.keys[0].Units(), 500, 150);  // after the first 2,000 they are sampled
  EXPECT_NEAR(all.units, 10'500, 32);
}

TEST(HotKeys, ForgetsWhatIsTwoWindowsOld) {
  HotKeys hot;
  hot.Add("old", 1, 0, 1);
  hot.Add("new", 1, 0, 1 + HotKeys::kWindow + 1);
  EXPECT_EQ(hot.Read(2 + HotKeys::kWindow).keys.size(), 2u);
  EXPECT_EQ(hot.Read(2 + 2 * HotKeys::kWindow).keys.size(), 1u);
  EXPECT_EQ(hot.Read(2 + 4 * HotKeys::kWindow).keys.size(), 0u);
}

TEST(HotKeys, ReadingsOfThreadsAddUp) {
  HotKeys a, b;
  a.Add("x", 1, 0, 1);
  b.Add("x", 2, 0, 1);
  b.Add("y", 1, 0, 1);
  const HotKeys::Reading all = Merge({a.Read(1), b.Read(1)}, 10);
  EXPECT_EQ(all.keys[0].read_units, 3);
  EXPECT_EQ(all.units, 4);
}

}  // namespace
}  // namespace keyfold::model
