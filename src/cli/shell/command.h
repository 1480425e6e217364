// Commands: a name, a line of help and a function each, in tables that stand for themselves (program.cc,
// model_commands.cc).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "terminal/console.h"

namespace keyfold {

// What is behind the command's name.
using Arguments = std::vector<std::string>;

// How a command ends.
inline constexpr int kExitOk = 0;
inline constexpr int kExitFailure = 1;  // it ran, and found something or could not do it
inline constexpr int kExitUsage = 2;    // it did not run: arguments, or files that cannot be read

struct Command {
  std::string_view name;
  std::string_view help;  // one line
  int (*run)(const Arguments& arguments, Console& console);
};

struct CommandGroup {
  std::string_view path;   // "keyfold model"
  std::string_view about;  // one line
  std::span<const Command> commands;
  std::string_view examples;  // lines, or empty
};

// Runs the command that the first argument names, or prints the group's help. The exit code.
int RunCommand(const CommandGroup& group, const Arguments& arguments, Console& console);

std::string HelpOf(const CommandGroup& group);

// One line on standard error that ends in where to read on; kExitUsage.
int RefuseUsage(std::string_view path, std::string_view why, Console& console);

}  // namespace keyfold
