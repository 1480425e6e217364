#include "server/config/loopback.h"

#include <gtest/gtest.h>

namespace keyfold::server {
namespace {

TEST(Loopback, IsThisMachineAndNothingElse) {
  const struct {
    const char* host;
    bool loopback;
  } kRows[] = {
      {"127.0.0.1", true},
      {"127.9.8.7", true},
      {"::1", true},
      {"::ffff:127.0.0.1", true},
      {"localhost", true},
      {"", false},
      {"0.0.0.0", false},
      {"::", false},
      {"10.0.0.1", false},
      {"128.0.0.1", false},
      {"::ffff:10.0.0.1", false},
      {"::2", false},
      {"localhost.example", false},
      {"127.0.0.1.example", false},
      {"127.0.0.1:80", false},
  };
  for (const auto& row : kRows) EXPECT_EQ(IsLoopback(row.host), row.loopback) << row.host;
}

}  // namespace
}  // namespace keyfold::server
