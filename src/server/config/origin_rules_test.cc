// Which Host and Origin headers are accepted.
#include "server/config/origin_rules.h"

#include <gtest/gtest.h>

namespace keyfold::server {
namespace {

TEST(OriginRules, Hosts) {
  const OriginRules rules({"db.example", "odd:99"}, {});
  const std::pair<const char*, bool> rows[] = {
      {"127.0.0.1", true},
      {"127.0.0.1:8000", true},
      {"10.20.30.40", true},
      {"255.255.255.255:1", true},
      {"localhost", true},
      {"LocalHost:8000", true},
      {"[::1]", true},
      {"[::1]:8000", true},
      {"[fe80::1]:8000", true},
      {"db.example", true},
      {"DB.EXAMPLE:8000", true},
      {"odd:99", true},
      {"", false},
      {":8000", false},
      {"256.0.0.1", false},
      {"1.2.3", false},
      {"1.2.3.4.5", false},
      {"1..2.3", false},
      {"127.0.0.1.example", false},
      {"127.0.0.1:80x", false},
      {"localhost.example", false},
      {"notlocalhost", false},
      {"db.example.", false},
      {"x.db.example", false},
      {"[::1", false},
      {"[]", false},
      {"[::1]evil.example", false},
      {"[::1]:port", false},
      {"[evil.example]", false},
      {"::1", false},
      {"99999999999999999999.1.1.1", false},
  };
  for (const auto& [host, allowed] : rows) EXPECT_EQ(rules.AllowsHost(host), allowed) << host;
}

TEST(OriginRules, Origins) {
  const OriginRules none({}, {}), some({}, {"http://a.example", "https://b.example:3000"}), every({}, {"*"});
  struct Row {
    const char* origin;
    bool some;
  };
  const Row rows[] = {
      {"http://a.example", true},
      {"HTTP://A.example", true},
      {"https://b.example:3000", true},
      {"https://b.example", false},
      {"https://a.example", false},
      {"http://a.example:80", false},
      {"http://a.example.evil", false},
      {"http://xa.example", false},
      {"null", false},
      {"", false},
      {"http://localhost", false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(row.origin);
    EXPECT_FALSE(none.AllowsOrigin(row.origin));
    EXPECT_EQ(some.AllowsOrigin(row.origin), row.some);
    EXPECT_TRUE(every.AllowsOrigin(row.origin));
    EXPECT_EQ(some.AllowedOriginFor(row.origin), row.origin);
    EXPECT_EQ(every.AllowedOriginFor(row.origin), "*");
  }
}

}  // namespace
}  // namespace keyfold::server
