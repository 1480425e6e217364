#include "server/config/local_options.h"

#include <algorithm>
#include <string_view>

namespace keyfold::server {
namespace {

struct Spelling {
  std::string_view local;
  std::string_view ours;  // empty: ignored
  bool takes_value;
};

constexpr Spelling kSpellings[] = {
    {"-port", "--port", true},        {"-inMemory", "--in-memory", false},
    {"-dbPath", "--data", true},      {"-cors", "--allow-origin", true},
    {"-sharedDb", "", false},         {"-delayTransientStatuses", "--index-delay-ms", false},
    {"-disableTelemetry", "", false}, {"-optimizeDbBeforeStartup", "", false},
    {"-help", "--help", false},       {"-version", "--version", false},
};
// Java's own arguments, which have no effect here. A prefix covers everything that begins with it.
constexpr std::string_view kJavaWithValue[] = {"-jar", "-cp", "-classpath", "--class-path"};
constexpr std::string_view kJavaFlags[] = {"-server", "-client", "-ea", "-da", "-esa", "-dsa"};
constexpr std::string_view kJavaPrefixes[] = {"-X",         "-D",          "-ea:",        "-da:",       "-verbose",
                                              "-agentlib:", "-agentpath:", "-javaagent:", "--add-opens"};
// The main class, if the jar is on the class path instead.
constexpr std::string_view kMainClassEnd = ".local.main.ServerRunner";

// How long creating or deleting an index keeps its table UPDATING. DynamoDB Local delays no other change.
constexpr std::string_view kTransientStatusMs = "3000";

const Spelling* Find(std::string_view argument) {
  const auto it = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                               [&](const Spelling& s) { return s.local == argument; });
  return it == std::end(kSpellings) ? nullptr : it;
}

enum class JavaArgument : uint8_t { kNo, kAlone, kWithValue };

JavaArgument FindJava(std::string_view argument) {
  const auto equals = [&](std::string_view one) { return argument == one; };
  const auto begins = [&](std::string_view prefix) { return argument.starts_with(prefix); };
  if (std::any_of(std::begin(kJavaWithValue), std::end(kJavaWithValue), equals)) return JavaArgument::kWithValue;
  const bool alone = std::any_of(std::begin(kJavaFlags), std::end(kJavaFlags), equals) ||
                     std::any_of(std::begin(kJavaPrefixes), std::end(kJavaPrefixes), begins) ||
                     argument.ends_with(kMainClassEnd);
  return alone ? JavaArgument::kAlone : JavaArgument::kNo;
}

// Removes Java's arguments. Returns false if the last one lacks its value. Sets `found` if there were any.
bool RemoveJavaArguments(std::vector<std::string>& arguments, bool& found) {
  std::vector<std::string> rest;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const JavaArgument java = FindJava(arguments[i]);
    found |= java != JavaArgument::kNo;
    if (java == JavaArgument::kNo) rest.push_back(std::move(arguments[i]));
    if (java == JavaArgument::kWithValue && ++i == arguments.size()) return false;
  }
  arguments = std::move(rest);
  return true;
}

// -cors takes a comma-separated list; our option takes one origin each.
void AppendOrigins(std::string_view list, std::vector<std::string>& out) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    out.emplace_back("--allow-origin");
    out.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

}  // namespace

LocalOptions TranslateLocalOptions(std::vector<std::string> arguments, bool called_java) {
  LocalOptions result;
  bool shared = false;
  result.any = called_java;
  const std::string last = arguments.empty() ? "" : arguments.back();
  if (!RemoveJavaArguments(arguments, result.any)) {
    result.error = last + " needs a value";
    return result;
  }
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Spelling* spelling = Find(arguments[i]);
    if (!spelling) {
      result.arguments.push_back(arguments[i]);
      continue;
    }
    // These take precedence over everything else.
    if (spelling->local == "-help") return {{"serve", "--help"}, {}, true, {}};
    if (spelling->local == "-version") return {{"--version"}, {}, true, {}};
    result.any = true;
    shared |= spelling->local == "-sharedDb";
    if (spelling->takes_value && i + 1 == arguments.size()) {
      result.error = std::string(spelling->local) + " needs a value";
      return result;
    }
    if (spelling->local == "-cors") {
      AppendOrigins(arguments[++i], result.arguments);
      continue;
    }
    if (!spelling->ours.empty()) result.arguments.emplace_back(spelling->ours);
    if (spelling->local == "-delayTransientStatuses") result.arguments.emplace_back(kTransientStatusMs);
    if (spelling->takes_value) result.arguments.push_back(arguments[++i]);
  }
  if (!result.any) return result;
  if (result.arguments.empty() || result.arguments.front() != "serve")
    result.arguments.insert(result.arguments.begin(), "serve");
  result.arguments.emplace_back("--local-health");
  if (!shared) result.notes.emplace_back("one shared database serves all credentials and regions (as with -sharedDb)");
  return result;
}

}  // namespace keyfold::server
