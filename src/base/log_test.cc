#include "base/log.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(Log, KnowsItsLevels) {
  for (const char* level : {"trace", "debug", "warn", "error", "off", "info"}) EXPECT_TRUE(SetLogLevel(level)) << level;
  for (const char* level : {"", "loud", "INFO", "info "}) EXPECT_FALSE(SetLogLevel(level)) << level;
}

}  // namespace
}  // namespace keyfold
