// The parts of `keyfold model sample` that need no endpoint.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>

#include "cli/model/commands.h"
#include "testing/model/model.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

std::string Printed(const Arguments& arguments, int code) {
  terminal::TestConsole test;
  EXPECT_EQ(RunModelSample(arguments, test.console()), code);
  return test.out() + test.err();
}

TEST(ModelSample, PrintsLines) {
  const std::string path = testing::TempDir() + "keyfold-sample-" + std::to_string(::getpid()) + ".yaml";
  std::ofstream(path) << model::ExampleText("shop.yaml");
  const std::string lines = Printed({path}, kExitOk);
  EXPECT_EQ(lines.rfind("{\"PK\":{\"S\":\"USER#engineering\"},\"SK\":{\"S\":\"PROFILE\"}", 0), 0U);
  EXPECT_GT(std::count(lines.begin(), lines.end(), '\n'), 300);
  EXPECT_EQ(Printed({path, "--seed", "1"}, kExitOk), lines);
  EXPECT_NE(Printed({path, "--seed", "2"}, kExitOk), lines);
  const std::string many = Printed({path, "--count", "2000"}, kExitOk);
  EXPECT_GT(std::count(many.begin(), many.end(), '\n'), 1300);
  EXPECT_NE(Printed({path, "--endpoint", "http://127.0.0.1:1"}, kExitUsage).find("--load"), std::string::npos);
  EXPECT_NE(Printed({path, "--count", "0"}, kExitUsage).find("--count"), std::string::npos);
  std::remove(path.c_str());
  EXPECT_NE(Printed({path}, kExitUsage).find("cannot open"), std::string::npos);
}

}  // namespace
}  // namespace keyfold::cli
