// keyfold model apply: creates or changes a table at an endpoint to match a model, one call after another, waiting for
// each.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "client/live_table.h"
#include "model/diff/change.h"
#include "terminal/progress.h"

namespace keyfold::cli {
namespace {

using model::Call;
using model::TableDefinition;

constexpr Rule<"the table {} disappeared while it was being changed"> kTableGone{"apply-table-gone",
                                                                                 Kind::kUnavailable};

constexpr Micros kDescribeAgainMin = 100'000;
constexpr Micros kDescribeAgainMax = 5'000'000;

bool IsDone(const Call& call, const TableDefinition& table) {
  if (!table.active) return false;
  const model::IndexDefinition* index = table.Find(call.index);
  if (call.wait == Call::Wait::kIndexActive) return index != nullptr && index->active;
  return call.wait != Call::Wait::kIndexGone || index == nullptr;
}

// Executes a change. Used by one thread at a time; everything is borrowed.
class Applying {
 public:
  Applying(client::ServiceClient& client, terminal::Console& console, const std::string& table)
      : client_(client), console_(console), table_(table) {}

  Status Run(const Call& call) {
    Result<std::string> answer = client_.Call(call.operation, call.body);
    if (!answer.ok() && call.optional && IsUnknown(answer.error())) {
      console_.Note(fmt::format("  skipped: {}; the endpoint does not support {}\n", call.title, call.operation));
      return Ok();
    }
    RETURN_IF_ERROR(answer);
    if (call.wait != Call::Wait::kNone) RETURN_IF_ERROR(WaitFor(call));
    return Ok();
  }

  // Waits until no earlier change of the table or an index is in progress.
  Status WaitUntilQuiet() {
    for (Micros pause = kDescribeAgainMin;; pause = std::min(pause * 2, kDescribeAgainMax)) {
      ASSIGN_OR_RETURN(const std::optional<TableDefinition> table, client::DescribeLiveTable(client_, table_));
      if (!table) return Ok();
      const bool quiet = table->active && std::all_of(table->indexes.begin(), table->indexes.end(),
                                                      [](const auto& index) { return index.active; });
      if (quiet) return Ok();
      Sleep(pause);
    }
  }

 private:
  static bool IsUnknown(const Error& error) {
    const client::ServiceFault* fault = client::FaultOf(error);
    return fault != nullptr && fault->type == "UnknownOperationException";
  }

  static void Sleep(Micros time) { std::this_thread::sleep_for(std::chrono::microseconds(time)); }

  Status WaitFor(const Call& call) {
    const Micros began = clock_.Now();
    Micros said = began;
    for (Micros pause = kDescribeAgainMin;; pause = std::min(pause * 2, kDescribeAgainMax)) {
      ASSIGN_OR_RETURN(const std::optional<TableDefinition> table, client::DescribeLiveTable(client_, table_));
      if (!table) return kTableGone(table_);
      if (IsDone(call, *table)) return Ok();
      const Micros now = clock_.Now();
      if (now - said >= kDescribeAgainMax) {
        console_.Note(fmt::format("  still waiting: {}, {}\n", call.title, terminal::DurationWords(now - began)));
        said = now;
      }
      Sleep(pause);
    }
  }

  client::ServiceClient& client_;
  terminal::Console& console_;
  const std::string& table_;
  const SystemClock clock_;
};

struct ApplyOptions {
  std::string file;
  bool dry_run = false;
  model::ChangeOptions change;
  client::ClientSettings client;
};

int RefuseChange(const model::Change& change, const std::string& table, terminal::Console& console) {
  for (const std::string& why : change.refused) {
    console.Complain(model::Printable(fmt::format("{} cannot be changed to match the model: {}", table, why)));
  }
  return kExitFailure;
}

int RunChange(const model::Change& change, Applying& applying, terminal::Console& console) {
  for (size_t i = 0; i < change.calls.size(); ++i) {
    const Call& call = change.calls[i];
    console.Note(fmt::format("{}/{} {}\n", i + 1, change.calls.size(), model::Printable(call.title)));
    const Status status = applying.Run(call);
    if (status.ok()) continue;
    return Fail(fmt::format("{}: {}", model::Printable(call.title), model::Printable(status.message())), console);
  }
  return kExitOk;
}

void ShowCalls(const model::Change& change, terminal::Console& console) {
  for (const Call& call : change.calls) {
    console.Print(fmt::format("{}\n  {} {}\n", model::Printable(call.title), call.operation, call.body));
  }
}

int Apply(const ApplyOptions& options, terminal::Console& console) {
  const std::optional<model::Model> wanted = ReadModelFile(options.file, console);
  if (!wanted) return kExitUsage;
  const TableDefinition definition = DefinitionOf(*wanted);
  Result<std::unique_ptr<client::ServiceClient>> client =
      client::ServiceClient::Open(options.client, console.environment());
  if (!client.ok()) return Fail(client.error().message(), console);
  Applying applying(**client, console, definition.name);
  if (!options.dry_run) {
    if (Status quiet = applying.WaitUntilQuiet(); !quiet.ok()) return Fail(quiet.message(), console);
  }
  const auto current = client::DescribeLiveTable(**client, definition.name);
  if (!current.ok()) return Fail(current.error().message(), console);
  const model::Change change = ChangeFrom(*current ? &**current : nullptr, definition, options.change);
  if (!change.refused.empty()) return RefuseChange(change, definition.name, console);
  for (const std::string& left : change.left) console.Note(fmt::format("left: {}\n", model::Printable(left)));
  const std::string name = model::Printable(definition.name);
  if (change.calls.empty()) {
    console.Print(fmt::format("{} matches {}; nothing to do\n", name, model::Printable(options.file)));
    return kExitOk;
  }
  if (options.dry_run) {
    ShowCalls(change, console);
    return kExitOk;
  }
  if (const int code = RunChange(change, applying, console); code != kExitOk) return code;
  console.Print(
      fmt::format("{} matches {} now; {} changes made\n", name, model::Printable(options.file), change.calls.size()));
  return kExitOk;
}

}  // namespace

int RunModelApply(const Arguments& arguments, terminal::Console& console) {
  ApplyOptions options;
  OptionParser parser("keyfold model apply", "Creates or changes the table of a model at an endpoint, Keyfold or AWS");
  parser.Text("FILE", options.file, "The model").Required();
  parser.Flag("--dry-run", options.dry_run, "Print the calls without making them");
  parser.Flag("--delete-indexes", options.change.delete_indexes, "Delete indexes that are not in the model");
  parser.Number("--read-units", options.change.units.read, "Read units of a table or index that becomes provisioned")
      .Positive()
      .ShowDefault();
  parser.Number("--write-units", options.change.units.write, "Write units of a table or index that becomes provisioned")
      .Positive()
      .ShowDefault();
  AddEndpointOptions(parser, options.client);
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  return Apply(options, console);
}

}  // namespace keyfold::cli
