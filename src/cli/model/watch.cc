// `keyfold model watch`: repeatedly shows what a server observes of the models attached to it.
#include <fmt/format.h>

#include <chrono>
#include <map>
#include <memory>
#include <thread>

#include "cli/model/commands.h"
#include "cli/model/watch_screen.h"
#include "cli/shell/options.h"
#include "client/service_client.h"

namespace keyfold::cli {
namespace {

constexpr char kPath[] = "/_keyfold/models";
constexpr Rule<"no model is attached: start the server with --model FILE"> kNoModel{"watch-no-model",
                                                                                    Kind::kResourceNotFound};
constexpr Rule<"{} did not respond with JSON"> kWatchNotJson{"watch-not-json", Kind::kValidation};

struct WatchOptions {
  client::ClientSettings settings;
  std::string table;
  std::string format = "text";
  double interval_s = 2;
  bool once = false;
  WatchView view;
};

std::optional<int> ParseWatchOptions(const Arguments& arguments, terminal::Console& console, WatchOptions& options) {
  OptionParser parser("keyfold model watch", "Show what a server observes of its models, live");
  parser.Text("table", options.table, "Only the model of this table (default: all)");
  AddEndpointOptions(parser, options.settings);
  parser.Flag("--once", options.once, "Print one report and exit");
  parser.Number("--interval", options.interval_s, "Seconds between reports (default 2)").Between(0.1, 3600.0);
  parser.Text("--format", options.format, "text or json, one object per line (default text)").OneOf({"text", "json"});
  parser.Text("--sort", options.view.sort, "Order of patterns: calls, units, cost, latency or name (default cost)")
      .OneOf({"calls", "units", "cost", "latency", "name"});
  bool all_findings = false;
  parser.Flag("--all-findings", all_findings, "Show all findings, not only the first ones");
  const std::optional<int> code = parser.Parse(arguments, console);
  if (all_findings) options.view.findings = SIZE_MAX;
  return code;
}

// Used by one thread at a time.
class Watch {
 public:
  Watch(const WatchOptions& options, client::ServiceClient& client, terminal::Console& console)
      : options_(options), client_(client), console_(console) {}

  Status Show() {
    ASSIGN_OR_RETURN(const std::vector<std::string> tables, Tables());
    std::string screen;
    for (const std::string& table : tables) {
      ASSIGN_OR_RETURN(const std::string report, client_.Get(std::string(kPath) + "/" + table));
      if (options_.format == "json") {
        screen += report + "\n";
        continue;
      }
      json::Parser parser;
      const std::optional<json::Value> document = parser.Parse(report);
      if (!document || !document->is_object() || !json::Find(*document, "patterns")) return kWatchNotJson(kPath);
      if (!screen.empty()) screen += "\n";
      screen += WatchScreen(*document, options_.view, console_, memories_[table]);
    }
    const bool redraws = console_.out_is_terminal() && !options_.once && options_.format == "text";
    // Moves the cursor home, then erases the rest of the last screen.
    console_.Print(redraws ? "\x1b[H\x1b[2J" + screen : screen);
    std::fflush(nullptr);
    return Ok();
  }

 private:
  Result<std::vector<std::string>> Tables() {
    if (!options_.table.empty()) return std::vector{options_.table};
    Result<std::string> list = client_.Get(kPath);
    if (!list.ok() && list.error().kind() == Kind::kResourceNotFound) return kNoModel();
    RETURN_IF_ERROR(list);
    json::Parser parser;
    const std::optional<json::Value> document = parser.Parse(*list);
    const auto models = document && document->is_object() ? json::Find(*document, "models") : std::nullopt;
    if (!models || !models->is_array()) return kWatchNotJson(kPath);
    std::vector<std::string> tables;
    for (const json::Value one : models->elements()) {
      const auto table = one.is_object() ? json::Find(one, "table") : std::nullopt;
      if (table && table->is_string()) tables.emplace_back(table->AsString());
    }
    if (tables.empty()) return kNoModel();
    return tables;
  }

  const WatchOptions& options_;
  client::ServiceClient& client_;
  terminal::Console& console_;
  std::map<std::string, WatchMemory> memories_;  // by table
};

}  // namespace

int RunModelWatch(const Arguments& arguments, terminal::Console& console) {
  WatchOptions options;
  if (const std::optional<int> code = ParseWatchOptions(arguments, console, options)) return *code;
  Result<std::unique_ptr<client::ServiceClient>> client =
      client::ServiceClient::Open(options.settings, console.environment());
  if (!client.ok()) return RefuseUsage("keyfold model watch", client.error().message(), console);
  Watch watch(options, **client, console);
  while (true) {
    const Status shown = watch.Show();
    if (!shown.ok()) return Fail(shown.message(), console);
    if (options.once) return kExitOk;
    std::this_thread::sleep_for(std::chrono::duration<double>(options.interval_s));
  }
}

}  // namespace keyfold::cli
