#include "cli/shell/command.h"

#include <fmt/format.h>

#include <algorithm>

namespace keyfold::cli {

std::string HelpOf(const CommandGroup& group) {
  size_t width = 0;
  for (const Command& command : group.commands) width = std::max(width, command.name.size());
  std::string text = fmt::format("{}\nUsage: {} COMMAND [OPTIONS]\n\nCommands:\n", group.about, group.path);
  for (const Command& command : group.commands) {
    text.append(fmt::format("  {:<{}}  {}\n", command.name, width, command.help));
  }
  if (!group.examples.empty()) text.append("\nExamples:\n").append(group.examples);
  return text.append(fmt::format("\nRun {} COMMAND --help for the options of a command.\n", group.path));
}

int Fail(std::string_view why, terminal::Console& console) {
  console.Complain(why);
  return kExitFailure;
}

int RefuseUsage(std::string_view path, std::string_view why, terminal::Console& console) {
  console.Complain(fmt::format("{}; see {} --help", why, path));
  return kExitUsage;
}

int RunCommand(const CommandGroup& group, const Arguments& arguments, terminal::Console& console) {
  if (arguments.empty()) return RefuseUsage(group.path, "a command is missing", console);
  const std::string& name = arguments.front();
  if (name == "--help" || name == "-h") {
    console.Print(HelpOf(group));
    return kExitOk;
  }
  const auto found = std::find_if(group.commands.begin(), group.commands.end(),
                                  [&](const Command& command) { return command.name == name; });
  if (found != group.commands.end()) return found->run({arguments.begin() + 1, arguments.end()}, console);
  if (name.starts_with('-')) {
    return RefuseUsage(group.path, fmt::format("a command is missing before {}", name), console);
  }
  return RefuseUsage(group.path, fmt::format("there is no command {}", name), console);
}

}  // namespace keyfold::cli
