// Commands: each has a name, a line of help and a function, in a table (program.cc, model/commands.cc).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/console.h"

namespace keyfold::cli {

// The arguments after the command's name.
using Arguments = std::vector<std::string>;

// Exit codes.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it ran, and found something or failed
inline constexpr int kExitUsage = 2;    // it did not run: bad arguments, or files that cannot be read

struct Command {
  std::string_view name;
  std::string_view help;  // one line
  int (*run)(const Arguments& arguments, terminal::Console& console);
};

struct CommandGroup {
  std::string_view path;   // for example "keyfold model"
  std::string_view about;  // one line
  std::span<const Command> commands;
  std::string_view examples;  // several lines, or empty
};

// Runs the command that the first argument names, or prints the group's help. Returns the exit code.
int RunCommand(const CommandGroup& group, const Arguments& arguments, terminal::Console& console);

std::string HelpOf(const CommandGroup& group);

// Prints one line on standard error. Returns kExitFailure.
int Fail(std::string_view why, terminal::Console& console);

// Prints one line on standard error that ends with where to find help. Returns kExitUsage.
int RefuseUsage(std::string_view path, std::string_view why, terminal::Console& console);

}  // namespace keyfold::cli
