#include "cli/model/watch_screen.h"

#include <gtest/gtest.h>

#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

// The response of a server with this many findings, and nothing else.
std::string ReportWithFindings(int findings) {
  std::string report =
      R"({"table":"App","file":"m.yaml","mode":"observe","seconds":10,"requests":{"attributed":1,"unplanned":0},)"
      R"("readUnits":0,"writeUnits":0,"usdPerMonth":0,"plannedUsdPerMonth":0,"patterns":[],"places":[],"findings":[)";
  for (int i = 0; i < findings; ++i) {
    report += std::string(i == 0 ? "" : ",") + R"({"rule":"L50","kind":"unplanned","severity":"warning",)" +
              R"("entity":"","pattern":"","message":"shape )" + std::to_string(i) +
              R"(","example":"","accepted":"","count":1})";
  }
  return report + "]}";
}

TEST(WatchScreenTest, FindingsBeyondTheFirstOnes) {
  terminal::TestConsole console;
  json::Parser parser;
  const std::string report = ReportWithFindings(15);
  const auto document = parser.Parse(report);
  ASSERT_TRUE(document.has_value());
  WatchView view;
  WatchMemory memory;
  const std::string some = WatchScreen(*document, view, console.console(), memory);
  EXPECT_NE(some.find("shape 11\n"), std::string::npos) << some;
  EXPECT_EQ(some.find("shape 12\n"), std::string::npos) << some;
  EXPECT_NE(some.find("and 3 more findings; --all-findings shows them\n"), std::string::npos) << some;
  view.findings = SIZE_MAX;
  const std::string all = WatchScreen(*document, view, console.console(), memory);
  EXPECT_NE(all.find("shape 14\n"), std::string::npos) << all;
  EXPECT_EQ(all.find("more findings"), std::string::npos) << all;
}

}  // namespace
}  // namespace keyfold::cli
