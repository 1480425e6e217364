#include "model/estimate/units.h"

#include <gtest/gtest.h>

namespace keyfold::model {
namespace {

TEST(ReadUnits, RoundUpTo4KbThenByConsistency) {
  const struct {
    double bytes;
    Consistency consistency;
    double units;
  } kRows[] = {
      {8192, Consistency::kStrong, 2},
      {8192, Consistency::kEventual, 1},
      {8192, Consistency::kTransactional, 4},
      {8193, Consistency::kStrong, 3},
      {4096, Consistency::kEventual, 0.5},
      {4097, Consistency::kEventual, 1},
      {1, Consistency::kEventual, 0.5},
      {0, Consistency::kStrong, 1},         // reading a missing item costs a unit too
      {2000, Consistency::kEventual, 0.5},  // the sum of an order and its three items
      {2000, Consistency::kStrong, 1},
      {30 * 500, Consistency::kEventual, 2},  // a filter saves nothing
      {3 * (4096.0 / 3), Consistency::kStrong, 1},
  };
  for (const auto& row : kRows) {
    EXPECT_DOUBLE_EQ(ReadUnits(PlanRules(), row.bytes, row.consistency), row.units) << row.bytes;
  }
}

TEST(WriteUnits, RoundUpTo1KbAndDoubleInTransactions) {
  const struct {
    double bytes;
    bool transactional;
    double units;
  } kRows[] = {
      {3072, false, 3}, {3072, true, 6}, {3073, false, 4}, {1024, false, 1},
      {1, false, 1},    {500, true, 2},  {0, false, 1},
  };
  for (const auto& row : kRows) {
    EXPECT_DOUBLE_EQ(WriteUnits(PlanRules(), row.bytes, row.transactional), row.units) << row.bytes;
  }
}

}  // namespace
}  // namespace keyfold::model
