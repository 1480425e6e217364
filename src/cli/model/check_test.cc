// `keyfold model check` and `explain` as commands: exit codes, formats, baselines, one-line errors.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "cli/model/commands.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

constexpr char kClean[] =
    "model: 1\ntable: {name: Tab, key: {pk: PK, sk: SK}}\nentities:\n"
    "  A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: string}}\n";
constexpr char kError[] =
    "model: 1\ntable: {name: Tab, key: {pk: PK, sk: SK}}\nentities:\n"
    "  A: {keys: {PK: \"A#{a}\", SK: \"{at}\"}, attributes: {a: string, at: time}}\n";
constexpr char kWarning[] =
    "model: 1\ntable: {name: Tab, key: {pk: PK, sk: SK}}\nentities:\n"
    "  A: {keys: {PK: \"A#{a}\", SK: A}, attributes: {a: string}}\npatterns:\n  w: {put: A}\n";

// Files for the duration of a test.
class ModelCheck : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = std::filesystem::temp_directory_path() / ("model_check_test." + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    Write("clean.yaml", kClean);
    Write("error.yaml", kError);
    Write("warning.yaml", kWarning);
    Write("broken.yaml", "model: 1\ntable: [\n");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ / name; }
  void Write(const std::string& name, const std::string& text) const { std::ofstream(folder_ / name) << text; }

  // File names are replaced by their paths.
  int Run(Arguments arguments) {
    for (std::string& one : arguments) {
      if (one.ends_with(".yaml") || one.ends_with(".json")) one = Path(one);
    }
    terminal::TestConsole console;
    const int code = RunModelCheck(arguments, console.console());
    out_ = console.out();
    err_ = console.err();
    return code;
  }

  std::filesystem::path folder_;
  std::string out_;
  std::string err_;
};

TEST_F(ModelCheck, ExitCodes) {
  const struct {
    Arguments arguments;
    int code;
  } rows[] = {
      {{"clean.yaml"}, kExitOk},
      {{"error.yaml"}, kExitFailure},
      {{"warning.yaml"}, kExitOk},
      {{"warning.yaml", "--fail-on", "warning"}, kExitFailure},
      {{"clean.yaml", "--fail-on", "info"}, kExitOk},
      {{"clean.yaml", "error.yaml"}, kExitFailure},
      {{"broken.yaml"}, kExitUsage},
      {{"error.yaml", "broken.yaml"}, kExitUsage},
      {{"missing.yaml"}, kExitUsage},
      {{}, kExitUsage},
      {{"clean.yaml", "--format", "xml"}, kExitUsage},
      {{"clean.yaml", "--fail-on", "never"}, kExitUsage},
      {{"--help"}, kExitOk},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(Run(row.arguments), row.code) << testing::PrintToString(row.arguments) << out_ << err_;
    if (row.code != kExitUsage) continue;
    EXPECT_EQ(std::count(err_.begin(), err_.end(), '\n'), 1) << err_;
  }
}

TEST_F(ModelCheck, Formats) {
  EXPECT_EQ(Run({"error.yaml"}), kExitFailure);
  EXPECT_NE(out_.find("error.yaml:4:32: error L08: SK of A has the time at"), std::string::npos) << out_;
  EXPECT_EQ(std::count(out_.begin(), out_.end(), '\n'), 6) << out_;
  EXPECT_EQ(Run({"error.yaml", "--format", "json"}), kExitFailure);
  EXPECT_NE(out_.find("\"remedy\":\"Write {at|iso_s} or {at|iso_ms}.\""), std::string::npos) << out_;
  EXPECT_NE(out_.find("\"summary\":{\"errors\":1,\"warnings\":0,\"infos\":0,\"accepted\":0}"), std::string::npos)
      << out_;
  EXPECT_EQ(Run({"error.yaml", "--format", "sarif"}), kExitFailure);
  EXPECT_NE(out_.find("\"ruleId\":\"L08\""), std::string::npos) << out_;
}

TEST_F(ModelCheck, WrapsOnATerminal) {
  terminal::TestConsole console(true);
  EXPECT_EQ(RunModelCheck({Path("error.yaml")}, console.console()), kExitFailure);
  const std::string out = console.out();
  EXPECT_NE(out.find("\n    Write {at|iso_s} or {at|iso_ms}.\n"), std::string::npos) << out;
  for (size_t at = 0, end; (end = out.find('\n', at)) != std::string::npos; at = end + 1)
    EXPECT_LE(end - at, 80u) << out.substr(at, end - at);
}

TEST_F(ModelCheck, Baselines) {
  EXPECT_EQ(Run({"error.yaml", "--write-baseline", "base.json"}), kExitOk);
  EXPECT_EQ(Run({"error.yaml", "--baseline", "base.json"}), kExitOk) << out_;
  Write("error.yaml",
        std::string(kError) + "  B: {keys: {PK: \"B#{a}\", SK: \"{at}\"}, attributes: {a: string, at: time}}\n");
  EXPECT_EQ(Run({"error.yaml", "--baseline", "base.json"}), kExitFailure);
  EXPECT_EQ(out_.find("SK of A"), std::string::npos) << out_;
  EXPECT_NE(out_.find("SK of B"), std::string::npos) << out_;
  EXPECT_EQ(Run({"clean.yaml", "--baseline", "clean.yaml"}), kExitUsage);
  EXPECT_EQ(Run({"clean.yaml", "--baseline", "missing.json"}), kExitUsage);
}

TEST(ModelExplain, OneAllAndNone) {
  terminal::TestConsole one;
  EXPECT_EQ(RunModelExplain({"l04"}, one.console()), kExitOk);
  for (const char* part : {"L04 (error): ", "Fix: ", "Reported:", "example: PK = USER#", "Mended:"})
    EXPECT_NE(one.out().find(part), std::string::npos) << part << one.out();
  terminal::TestConsole all;
  EXPECT_EQ(RunModelExplain({}, all.console()), kExitOk);
  const std::string list = all.out();
  EXPECT_EQ(std::count(list.begin(), list.end(), '\n'), 54);
  terminal::TestConsole none;
  EXPECT_EQ(RunModelExplain({"L77"}, none.console()), kExitUsage);
  EXPECT_NE(none.err().find("there is no rule L77"), std::string::npos) << none.err();
}

}  // namespace
}  // namespace keyfold::cli
