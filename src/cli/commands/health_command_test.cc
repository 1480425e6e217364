// keyfold health: which responses count as healthy, and the messages for the others.
#include "cli/commands/health_command.h"

#include <gtest/gtest.h>

#include "testing/http/script_server.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

TEST(Health, GoesByTheStatus) {
  const std::pair<int, int> rows[] = {{200, 0}, {400, 0}, {403, 0}, {404, 1}, {500, 1}, {503, 1}};
  for (const auto& [status, code] : rows) {
    const http::ScriptServer server({{http::AnswerOf(status, "{}")}});
    terminal::TestConsole test;
    EXPECT_EQ(RunHealth({"--endpoint", server.url()}, test.console()), code) << status;
    EXPECT_EQ(test.out(), "");
    const std::string err = test.err();
    EXPECT_EQ(err.empty(), code == 0) << err;
    if (code != 0) {
      EXPECT_EQ(err.find('\n'), err.size() - 1) << err;
      EXPECT_NE(err.find(std::to_string(status)), std::string::npos) << err;
    }
    ASSERT_EQ(server.requests().size(), 1u);
    EXPECT_EQ(server.requests()[0].method + server.requests()[0].target, "GET/health");
  }
}

TEST(Health, FindsTheServerOfTheSameVariables) {
  const http::ScriptServer server({{http::AnswerOf(200, "{}")}});
  terminal::TestConsole test(false, false, {{"KEYFOLD_PORT", std::to_string(server.port())}});
  EXPECT_EQ(RunHealth({}, test.console()), 0) << test.err();
}

TEST(Health, SaysInOneLineWhatIsWrong) {
  const uint16_t closed_port = http::ScriptServer(std::vector<http::ScriptTurn>()).port();
  const http::ScriptServer silent({{"", http::ScriptTurn::Then::kHold}});
  struct Row {
    Arguments arguments;
    int code;
  };
  const Row rows[] = {
      {{"--endpoint", "http://127.0.0.1:" + std::to_string(closed_port)}, kExitFailure},
      {{"--endpoint", silent.url(), "--timeout-ms", "50"}, kExitFailure},
      {{"--endpoint", "nonsense"}, kExitUsage},
      {{"--endpoint"}, kExitUsage},
      {{"--timeout-ms", "0"}, kExitUsage},
      {{"--nope"}, kExitUsage},
  };
  for (const Row& row : rows) {
    terminal::TestConsole test;
    EXPECT_EQ(RunHealth(row.arguments, test.console()), row.code) << row.arguments.back();
    EXPECT_EQ(test.out(), "");
    const std::string err = test.err();
    EXPECT_EQ(err.find('\n'), err.size() - 1) << err;
    EXPECT_EQ(err.find("keyfold: "), 0u) << err;
  }
}

}  // namespace
}  // namespace keyfold::cli
