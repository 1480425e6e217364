// Capacity units, by DynamoDB's documented arithmetic.
#include "engine/items/capacity.h"

#include <gtest/gtest.h>

namespace keyfold::engine {
namespace {

TEST(Capacity, ReadsGoInStepsOfFourKilobytes) {
  struct Case {
    size_t bytes;
    double eventual, consistent, transactional;
  };
  const Case cases[] = {
      {0, 0.5, 1, 2},         // a miss costs the minimum
      {1, 0.5, 1, 2},         //
      {4096, 0.5, 1, 2},      // exactly one step
      {4097, 1, 2, 4},        //
      {8192, 1, 2, 4},        //
      {409600, 50, 100, 200}  // the largest item
  };
  for (const Case& c : cases) {
    EXPECT_EQ(ReadUnits(c.bytes, ReadKind::kEventual), c.eventual) << c.bytes;
    EXPECT_EQ(ReadUnits(c.bytes, ReadKind::kConsistent), c.consistent) << c.bytes;
    EXPECT_EQ(ReadUnits(c.bytes, ReadKind::kTransactional), c.transactional) << c.bytes;
  }
}

TEST(Capacity, WritesGoInStepsOfOneKilobyteOnTheLargerOfOldAndNew) {
  struct Case {
    size_t before, after;
    double units;
  };
  const Case cases[] = {{0, 0, 1},          // delete of a missing item
                        {0, 1, 1},          //
                        {0, 1024, 1},       //
                        {0, 1025, 2},       //
                        {1025, 10, 2},      // the old item counts if it is larger
                        {10, 1025, 2},      //
                        {3000, 0, 3},       // a delete
                        {409600, 1, 400}};  //
  for (const Case& c : cases) EXPECT_EQ(WriteUnits(c.before, c.after), c.units) << c.before << " " << c.after;
}

TEST(Capacity, IndexRowsCostByWhatHappensToThem) {
  struct Case {
    const char* what;
    IndexRowChange change;
    double units;
  };
  const Case cases[] = {
      {"never there", {}, 0},
      {"appears", {.exists = true, .bytes_after = 1500}, 2},
      {"goes", {.existed = true, .bytes_before = 1500}, 2},
      {"stays as it is",
       {.existed = true, .exists = true, .same_key = true, .same_content = true, .bytes_before = 9, .bytes_after = 9},
       0},
      {"changes in place",
       {.existed = true, .exists = true, .same_key = true, .bytes_before = 1500, .bytes_after = 3000},
       3},
      {"moves: one delete, one put", {.existed = true, .exists = true, .bytes_before = 10, .bytes_after = 10}, 2},
      {"moves, each by its own size", {.existed = true, .exists = true, .bytes_before = 1500, .bytes_after = 3000}, 5},
  };
  for (const Case& c : cases) EXPECT_EQ(IndexWriteUnits(c.change), c.units) << c.what;
}

TEST(Capacity, ConsumedAddsUpByIndex) {
  Consumed a;
  a.table = 1;
  a.AddIndex(3, 2);
  a.AddIndex(1, 0.5);
  Consumed b;
  b.table = 2.5;
  b.AddIndex(1, 1);
  a.Add(b);
  EXPECT_EQ(a.table, 3.5);
  ASSERT_EQ(a.indexes.size(), 2u);
  EXPECT_EQ(a.indexes[0].index, 3);
  EXPECT_EQ(a.indexes[0].units, 2);
  EXPECT_EQ(a.indexes[1].index, 1);
  EXPECT_EQ(a.indexes[1].units, 1.5);
  EXPECT_EQ(a.Total(), 7);
}

}  // namespace
}  // namespace keyfold::engine
