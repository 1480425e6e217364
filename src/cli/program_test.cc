// The command line as a whole: which command it runs, help, one-line errors, exit codes.
#include "cli/program.h"

#include <gtest/gtest.h>

#include "cli/shell/options.h"
#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

int RunFirst(const Arguments& arguments, terminal::Console& console) {
  for (const std::string& argument : arguments) console.Print(argument + ".");
  return 7;
}

int RunSecond(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser("group second", "Do the second thing");
  int64_t number = 0;
  client::ClientSettings settings;
  parser.Number("--number", number, "How often");
  AddEndpointOptions(parser, settings);
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  console.Print(settings.endpoint + " " + settings.region + " " + settings.profile + " " + settings.ca_file);
  return static_cast<int>(number);
}

constexpr Command kCommands[] = {{"first", "The first thing", RunFirst}, {"second", "The second thing", RunSecond}};
constexpr CommandGroup kGroup{"group", "A group", kCommands, "  group first\n"};

struct Row {
  Arguments arguments;
  int code;
  std::string out;
  std::string err;
};

TEST(Command, Groups) {
  const std::string help =
      "A group\nUsage: group COMMAND [OPTIONS]\n\nCommands:\n  first   The first thing\n  second  The second thing\n"
      "\nExamples:\n  group first\n\nRun group COMMAND --help for the options of a command.\n";
  const Row rows[] = {
      {{"first"}, 7, "", ""},
      {{"first", "a", "--help"}, 7, "a.--help.", ""},
      {{"--help"}, 0, help, ""},
      {{"-h"}, 0, help, ""},
      {{}, 2, "", "keyfold: a command is missing; see group --help\n"},
      {{"third"}, 2, "", "keyfold: there is no command third; see group --help\n"},
      {{"--number", "1"}, 2, "", "keyfold: a command is missing before --number; see group --help\n"},
      {{"second"}, 0, "   ", ""},
      {{"second", "--number", "5"}, 5, "   ", ""},
      {{"second", "--endpoint", "e", "--region=r", "--profile", "p", "--ca-file", "c"}, 0, "e r p c", ""},
  };
  for (const Row& row : rows) {
    terminal::TestConsole test;
    EXPECT_EQ(RunCommand(kGroup, row.arguments, test.console()), row.code);
    EXPECT_EQ(test.out(), row.out);
    EXPECT_EQ(test.err(), row.err);
  }
}

TEST(Command, OptionsAreRefusedInOneLine) {
  const std::pair<Arguments, const char*> rows[] = {
      {{"second", "--nope"}, "--nope"},
      {{"second", "stray"}, "stray"},
      {{"second", "--number", "x"}, "--number"},
      {{"second", "--number"}, "--number"},
  };
  for (const auto& [arguments, part] : rows) {
    terminal::TestConsole test;
    EXPECT_EQ(RunCommand(kGroup, arguments, test.console()), kExitUsage);
    EXPECT_EQ(test.out(), "");
    const std::string err = test.err();
    EXPECT_EQ(err.find("keyfold: "), 0u) << err;
    EXPECT_NE(err.find(part), std::string::npos) << err;
    EXPECT_NE(err.find("; see group second --help\n"), std::string::npos) << err;
    EXPECT_EQ(err.find('\n'), err.size() - 1) << err;
  }
  terminal::TestConsole test;
  EXPECT_EQ(RunCommand(kGroup, {"second", "--help"}, test.console()), kExitOk);
  for (const char* part : {"Do the second thing", "Usage: group second", "--endpoint", "--region", "--profile"}) {
    EXPECT_NE(test.out().find(part), std::string::npos) << test.out();
  }
}

TEST(Program, FindsTheCommand) {
  struct Expected {
    Arguments arguments;
    int code;
    const char* part;  // part of the output, on standard output if the code is 0
  };
  const Expected rows[] = {
      {{}, 2, "a command is missing, as in: keyfold serve; see keyfold --help\n"},
      {{""}, 2, "there is no command ; see keyfold --help\n"},
      {{"sevre"}, 2, "there is no command sevre; see keyfold --help\n"},
      {{"--port", "1"}, 2, "a command is missing before --port; see keyfold --help\n"},
      {{"--help"}, 0, "Serve the DynamoDB API\n"},
      {{"-h"}, 0, "Examples:\n"},
      {{"--version"}, 0, "keyfold 0."},
      {{"-version"}, 0, "keyfold 0."},
      {{"-port", "1", "-version"}, 0, "keyfold 0."},
      {{"-help"}, 0, "Usage: keyfold serve"},
      {{"-port"}, 2, "-port needs a value; see keyfold serve --help\n"},
      {{"-jar"}, 2, "-jar needs a value; see keyfold serve --help\n"},
      {{"-Xmx256m", "-jar", "DynamoDBLocal.jar", "-help"}, 0, "Usage: keyfold serve"},
      {{"health", "--help"}, 0, "Usage: keyfold health"},
      {{"serve", "--help"}, 0, "Usage: keyfold serve"},
      {{"serve", "-version"}, 0, "keyfold 0."},
      {{"serve", "--prot"}, 2, "see keyfold serve --help\n"},
      {{"model"}, 2, "a command is missing; see keyfold model --help\n"},
      {{"model", "--help"}, 0, "Usage: keyfold model COMMAND"},
      {{"model", "chekc"}, 2, "there is no command chekc; see keyfold model --help\n"},
      {{"model", "-port", "1"}, 2, "a command is missing before -port; see keyfold model --help\n"},
  };
  for (const Expected& row : rows) {
    terminal::TestConsole test;
    EXPECT_EQ(RunProgram(row.arguments, test.console()), row.code) << row.part;
    const std::string said = row.code == 0 ? test.out() : test.err(), silent = row.code == 0 ? test.err() : test.out();
    EXPECT_NE(said.find(row.part), std::string::npos) << said;
    EXPECT_EQ(silent, "");
    if (row.code != 0) {
      EXPECT_EQ(said.find('\n'), said.size() - 1) << said;
    }
  }
}

TEST(Program, CalledJavaServes) {
  const std::pair<Arguments, int> rows[] = {
      {{"-version"}, 0}, {{"-jar", "x.jar", "-help"}, 0}, {{"-jar", "x.jar", "-nope"}, 2}};
  for (const auto& [arguments, code] : rows) {
    terminal::TestConsole test;
    EXPECT_EQ(RunAsJava(arguments, test.console()), code) << test.err();
  }
}

TEST(Console, PaintsOnlyIfEnabled) {
  terminal::TestConsole plain, colored(true, true);
  EXPECT_EQ(plain.console().Painted(terminal::Paint::kRed, "x"), "x");
  EXPECT_EQ(colored.console().Painted(terminal::Paint::kRed, "x"), "\x1b[31mx\x1b[0m");
  EXPECT_EQ(colored.console().PaintedNote(terminal::Paint::kBold, "x"), "\x1b[1mx\x1b[0m");
  plain.console().Complain("why");
  EXPECT_EQ(plain.err(), "keyfold: why\n");
  colored.console().Complain("why");
  EXPECT_EQ(colored.err(), "\x1b[31mkeyfold:\x1b[0m why\n");
  terminal::TestConsole forged;
  forged.console().Complain("no\x1b[2J\nkeyfold: all is well");
  EXPECT_EQ(forged.err(), "keyfold: no\\u001b[2J\\nkeyfold: all is well\n");
  forged.console().PrintLine("arn:\x1b[2J\xff");
  EXPECT_EQ(forged.out(), "arn:\\u001b[2J\\xff\n");
}

TEST(Console, ReportsFailedWrites) {
  std::FILE* full = std::fopen("/dev/full", "w");
  ASSERT_NE(full, nullptr);
  char* text = nullptr;
  size_t bytes = 0;
  std::FILE* err = open_memstream(&text, &bytes);
  terminal::Console console({full}, {err}, client::Environment({}));
  EXPECT_TRUE(console.Finish());
  console.Print("an answer");
  EXPECT_FALSE(console.Finish());
  std::fclose(err);
  EXPECT_EQ(std::string(text, bytes), "keyfold: could not write to standard output: No space left on device\n");
  std::free(text);
  std::fclose(full);
}

}  // namespace
}  // namespace keyfold::cli
