#include "server/local_options.h"

#include <algorithm>
#include <string_view>

namespace keyfold {
namespace {

struct Spelling {
  std::string_view local;
  std::string_view ours;  // empty: nothing to do
  bool takes_value;
};

constexpr Spelling kSpellings[] = {
    {"-port", "--port", true},        {"-inMemory", "--in-memory", false},
    {"-dbPath", "--data", true},      {"-cors", "--allow-origin", true},
    {"-sharedDb", "", false},         {"-delayTransientStatuses", "--table-delay-ms", false},
    {"-disableTelemetry", "", false}, {"-optimizeDbBeforeStartup", "", false},
    {"-help", "--help", false},       {"-version", "--version", false},
};
// How long DynamoDB Local keeps a table in CREATING and the like when asked to.
constexpr std::string_view kTransientStatusMs = "3000";

const Spelling* Find(std::string_view argument) {
  const auto it = std::find_if(std::begin(kSpellings), std::end(kSpellings),
                               [&](const Spelling& s) { return s.local == argument; });
  return it == std::end(kSpellings) ? nullptr : it;
}

// -cors takes a comma-separated list, ours one origin each.
void AppendOrigins(std::string_view list, std::vector<std::string>& out) {
  while (!list.empty()) {
    const size_t comma = std::min(list.find(','), list.size());
    out.emplace_back("--allow-origin");
    out.emplace_back(list.substr(0, comma));
    list.remove_prefix(std::min(comma + 1, list.size()));
  }
}

}  // namespace

LocalOptions TranslateLocalOptions(std::vector<std::string> arguments) {
  LocalOptions result;
  bool any = false, shared = false;
  for (size_t i = 0; i < arguments.size(); ++i) {
    const Spelling* spelling = Find(arguments[i]);
    if (!spelling) {
      result.arguments.push_back(arguments[i]);
      continue;
    }
    // Whatever else was asked for.
    if (spelling->local == "-help") return {{"serve", "--help"}, {}, {}};
    if (spelling->local == "-version") return {{"--version"}, {}, {}};
    any = true;
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
  if (!any) return result;
  if (result.arguments.empty() || result.arguments.front() != "serve")
    result.arguments.insert(result.arguments.begin(), "serve");
  if (!shared) result.notes.emplace_back("one shared database serves all credentials and regions (as with -sharedDb)");
  return result;
}

}  // namespace keyfold
