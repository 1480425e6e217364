#include "base/clock.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(Clock, AManualClockMovesOnlyWhenMoved) {
  ManualClock clock(1000);
  EXPECT_EQ(clock.Now(), 1000);
  clock.Advance(5);
  EXPECT_EQ(clock.Now(), 1005);
  clock.Set(7);
  EXPECT_EQ(clock.Now(), 7);
}

TEST(Clock, SystemTimeIsInMicroseconds) {
  constexpr Micros kYear2020 = 1577836800000000, kYear2100 = 4102444800000000;
  const Micros now = SystemClock().Now();
  EXPECT_GT(now, kYear2020);
  EXPECT_LT(now, kYear2100);
}

}  // namespace
}  // namespace keyfold
