// A pace with steps refuses work that exceeds them; a pace with turns refuses nothing and reports when its slice is
// over.
#include "base/pace.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

class CountingTurns final : public Turns {
 public:
  void GiveWay() override { ++given; }
  bool stopping() const override { return stops; }
  int given = 0;
  bool stops = false;
};

TEST(Pace, OfStepsRefusesWhatExceedsThem) {
  Pace pace = Pace::OfSteps(100);
  EXPECT_TRUE(pace.MayDo(100));
  EXPECT_TRUE(pace.Reads(60));
  EXPECT_FALSE(pace.refused());
  EXPECT_FALSE(pace.Reads(41));
  EXPECT_TRUE(pace.refused());
  EXPECT_FALSE(pace.due());
  EXPECT_FALSE(pace.takes_turns());
}

TEST(Pace, InTurnsIsDueAfterItsSliceAndGivesWay) {
  CountingTurns turns;
  Pace pace = Pace::InTurns(turns, std::chrono::microseconds(0), 10);
  EXPECT_TRUE(pace.MayDo(1'000'000'000));
  pace.Spend(9);
  EXPECT_FALSE(pace.due());  // it has not looked at the clock yet
  pace.Spend(1);
  EXPECT_TRUE(pace.due());
  pace.GiveWay();
  EXPECT_FALSE(pace.due());
  EXPECT_EQ(turns.given, 1);
  pace.Work(10);
  EXPECT_EQ(turns.given, 2);
  EXPECT_FALSE(pace.refused());
}

TEST(Pace, InTurnsKnowsWhatWasSpent) {
  CountingTurns turns;
  Pace pace = Pace::InTurns(turns, std::chrono::microseconds(0), 10);
  uint64_t all = 0;
  for (const uint64_t steps : {4, 0, 5, 1, 9, 25, 3}) {
    pace.Work(steps);
    EXPECT_EQ(pace.spent(), all += steps);
  }
}

TEST(Pace, LocksAreHeldForAFewStepsOnly) {
  CountingTurns turns;
  Pace pace = Pace::InTurns(turns);
  EXPECT_TRUE(pace.MayDoLocked(Pace::kLockedStepsMax));
  EXPECT_FALSE(pace.MayDoLocked(Pace::kLockedStepsMax + 1));
  EXPECT_FALSE(pace.refused());  // allowed here, but not under locks
  Pace few = Pace::OfSteps(10);
  EXPECT_FALSE(few.MayDoLocked(11));
  EXPECT_TRUE(few.refused());
}

TEST(Pace, ReportsStopping) {
  CountingTurns turns;
  const Pace pace = Pace::InTurns(turns);
  EXPECT_FALSE(pace.stopping());
  turns.stops = true;
  EXPECT_TRUE(pace.stopping());
  EXPECT_FALSE(Pace::OfSteps(1).stopping());
}

}  // namespace
}  // namespace keyfold
