#include "copy/pace.h"

#include <gtest/gtest.h>

namespace keyfold::copy {
namespace {

constexpr Micros kSecond = 1'000'000;

struct Step {
  Micros passes;  // time that passes before the call
  uint64_t items, bytes;
  Micros waits;
};

void Expect(RateLimits limits, std::initializer_list<Step> steps) {
  ManualClock clock(1000 * kSecond);
  CopyPace pace(limits, clock);
  int number = 0;
  for (const Step& step : steps) {
    clock.Advance(step.passes);
    EXPECT_EQ(pace.Take(step.items, step.bytes), step.waits) << "step " << number;
    ++number;
  }
}

TEST(CopyPace, WithoutLimitsNothingWaits) { Expect({}, {{0, 25, 1 << 20, 0}, {0, 25, 1 << 30, 0}}); }

TEST(CopyPace, ItemsASecond) {
  Expect({.items = 100}, {
                             {0, 25, 0, 0},
                             {0, 25, 0, kSecond / 4},
                             {0, 25, 0, kSecond / 2},
                             {kSecond / 2, 25, 0, kSecond / 4},  // 75 are assigned, half a second has passed
                             {kSecond, 10, 0, 0},
                             {0, 10, 0, kSecond / 10},
                         });
}

TEST(CopyPace, BytesASecondAndTheStricterOfBoth) {
  Expect({.bytes = 1000}, {{0, 1, 4000, 0}, {0, 1, 1, 4 * kSecond}});
  Expect({.items = 10, .bytes = 1000}, {{0, 10, 10, 0}, {0, 1, 3000, kSecond}, {0, 1, 1, 4 * kSecond}});
}

TEST(CopyPace, UnusedTimeIsNotSavedUp) {
  Expect({.items = 100}, {{0, 25, 0, 0}, {60 * kSecond, 25, 0, 0}, {0, 25, 0, kSecond / 4}});
}

}  // namespace
}  // namespace keyfold::copy
