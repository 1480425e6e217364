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

TEST(DatabaseClock, SystemTimeIgnoresWhatWasSeen) {
  ManualClock system(1000);
  DatabaseClock clock(DatabaseClock::Mode::kSystem, system);
  EXPECT_EQ(clock.Now(), 1000);
  clock.StartFrom(900);
  EXPECT_EQ(clock.Now(), 1000);
  clock.StartFrom(1500);
  EXPECT_EQ(clock.Now(), 1000) << "a clock that was wrong once must not stay ahead";
  system.Advance(10);
  EXPECT_EQ(clock.Now(), 1010);
}

TEST(DatabaseClock, ManualTimeMovesForwardOnly) {
  ManualClock system(1000);
  DatabaseClock clock(DatabaseClock::Mode::kManual, system);
  system.Advance(100);
  EXPECT_EQ(clock.Now(), 1000);
  clock.StartFrom(900);
  EXPECT_EQ(clock.Now(), 1000);
  clock.StartFrom(1200);
  EXPECT_EQ(clock.Now(), 1200);
  clock.Advance(50);
  EXPECT_EQ(clock.Now(), 1250);
  EXPECT_FALSE(clock.MoveTo(1249));
  EXPECT_EQ(clock.Now(), 1250);
  EXPECT_TRUE(clock.MoveTo(1250));
  EXPECT_TRUE(clock.MoveTo(2000));
  EXPECT_EQ(clock.Now(), 2000);
}

}  // namespace
}  // namespace keyfold
