#include "base/check.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(CheckDeathTest, StopsTheProcessAndSaysWhere) {
  EXPECT_DEATH(CHECK(1 + 1 == 3), "check_test.cc:[0-9]+: CHECK failed: 1 \\+ 1 == 3");
  CHECK(1 + 1 == 2);
}

}  // namespace
}  // namespace keyfold
