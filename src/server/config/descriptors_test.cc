#include "server/config/descriptors.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace keyfold::server {
namespace {

TEST(Descriptors, Plan) {
  struct Row {
    uint64_t limit;
    size_t loops;
    int store;
    size_t connections;
  };
  const Row rows[] = {
      {256, 2, 62, 62},         {256, 256, 32, 32},        {512, 2, 190, 190},
      {1024, 2, 446, 446},      {1536, 2, 512, 828},       {4096, 8, 512, 3056},
      {65'536, 2, 512, 10'000}, {65'536, 64, 512, 10'000}, {UINT64_MAX, 2, 512, 10'000},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.limit);
    const DescriptorPlan plan = PlanDescriptors(row.limit, row.loops);
    EXPECT_EQ(plan.store_files_max, row.store);
    EXPECT_EQ(plan.connections_max, row.connections);
  }
}

TEST(Descriptors, TheRemainderSufficesForTheRest) {
  for (uint64_t limit = kDescriptorsMin; limit <= 20'000; ++limit) {
    const DescriptorPlan plan = PlanDescriptors(limit, 4);
    const uint64_t given = static_cast<uint64_t>(plan.store_files_max) + plan.connections_max;
    ASSERT_GE(limit - given, 128u + 8u) << limit;
    ASSERT_GE(plan.connections_max, 60u) << limit;
    ASSERT_GE(plan.store_files_max, 60) << limit;
  }
}

TEST(Descriptors, Counts) {
  const uint64_t before = CountDescriptors();
  ASSERT_GT(before, 2u);
  const int more = open("/dev/null", O_RDONLY | O_CLOEXEC);
  EXPECT_EQ(CountDescriptors(), before + 1);
  close(more);
  EXPECT_EQ(CountDescriptors(), before);
}

}  // namespace
}  // namespace keyfold::server
