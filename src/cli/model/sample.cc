// `keyfold model sample`: sample data of a model, printed as DynamoDB JSON lines or loaded into the table at an
// endpoint.
#include "model/sample/sample.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "client/live_table.h"
#include "client/service_client.h"
#include "json/writer.h"
#include "terminal/progress.h"

namespace keyfold::cli {
namespace {

constexpr size_t kBatchItems = 25;
constexpr size_t kBatchBytes = 8 * 1024 * 1024;  // half of the request limit
constexpr int kAttemptsMax = 20;                 // attempts to write a batch's unprocessed items
constexpr uint64_t kItemBytesMax = 380 * 1024;   // limit of padding, with room below DynamoDB's limit

constexpr Rule<"there is no table {} at the endpoint; keyfold model apply creates it"> kNoTableToLoad{
    "sample-no-table", Kind::kResourceNotFound};
constexpr Rule<"the endpoint keeps returning unprocessed items; {} are loaded"> kUndone{"sample-undone",
                                                                                        Kind::kThrottling};

struct SampleCommand {
  std::string file;
  uint64_t seed = 1;
  std::optional<uint64_t> count;
  bool load = false;
  client::ClientSettings client;
};

// Returns one line per item. A later item overwrites an earlier one with the same key.
std::vector<std::string> LinesOf(const model::Model& model, const SampleCommand& command, int64_t now_ms) {
  // Loads no expired items: the table would delete them and hold fewer than were loaded.
  model::Sampler sampler(model, {command.seed, command.count, now_ms, kItemBytesMax, !command.load});
  std::vector<std::string> lines;
  std::map<std::string, size_t> by_key;
  for (const model::SampleObject& object : sampler.MakeAll()) {
    const model::SampleItem item = model::ItemOf(model, object, now_ms);
    const auto [it, added] = by_key.emplace(model::KeyJsonOf(model, item), lines.size());
    if (added) lines.emplace_back();
    lines[it->second] = model::JsonOf(item);
  }
  return lines;
}

std::string BatchBody(const std::string& table, const std::vector<std::string>& requests) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Key("RequestItems");
  writer.BeginObject();
  writer.Key(table);
  writer.BeginArray();
  for (const std::string& request : requests) writer.Raw(request);
  writer.EndArray();
  writer.EndObject();
  writer.EndObject();
  return body;
}

// Returns the requests to send again, in the form in which they were sent.
std::vector<std::string> Undone(const std::string& answer, const std::string& table,
                                const std::vector<std::string>& sent) {
  json::Parser parser;
  const std::optional<json::Value> parsed = parser.Parse(answer);
  const auto unprocessed = parsed ? client::FindObject(*parsed, "UnprocessedItems") : std::nullopt;
  const auto left = unprocessed ? json::Find(*unprocessed, table) : std::nullopt;
  // Sends all of them again: putting an item twice has the same result.
  return left && left->is_array() && left->CountElements() != 0 ? sent : std::vector<std::string>();
}

Status LoadBatch(client::ServiceClient& client, const std::string& table, std::vector<std::string> requests,
                 uint64_t loaded) {
  for (int attempt = 0; attempt < kAttemptsMax && !requests.empty(); ++attempt) {
    Result<std::string> answer = client.Call("BatchWriteItem", BatchBody(table, requests));
    if (!answer.ok() && answer.error().kind() == Kind::kResourceNotFound) return kNoTableToLoad(table);
    if (!answer.ok()) return std::move(answer).TakeError();
    requests = Undone(*answer, table, requests);
  }
  return requests.empty() ? Ok() : Status(kUndone(loaded));
}

Status LoadAll(client::ServiceClient& client, const std::string& table, const std::vector<std::string>& lines,
               terminal::Progress& progress) {
  std::vector<std::string> batch;
  size_t bytes = 0;
  uint64_t loaded = 0;
  for (size_t i = 0; i < lines.size(); ++i) {
    batch.push_back("{\"PutRequest\":{\"Item\":" + lines[i] + "}}");
    bytes += lines[i].size();
    if (batch.size() < kBatchItems && bytes < kBatchBytes && i + 1 < lines.size()) continue;
    const size_t count = batch.size();
    RETURN_IF_ERROR(LoadBatch(client, table, std::move(batch), loaded));
    batch.clear();
    bytes = 0;
    loaded += count;
    progress.Advance(count);
  }
  return Ok();
}

int Load(const model::Model& model, const SampleCommand& command, terminal::Console& console) {
  const SystemClock clock;
  const std::vector<std::string> lines = LinesOf(model, command, clock.Now() / 1000);
  Result<std::unique_ptr<client::ServiceClient>> client =
      client::ServiceClient::Open(command.client, console.environment());
  if (!client.ok()) return Fail(client.error().message(), console);
  terminal::Progress progress(console, clock, "Loading items", lines.size());
  const Status loaded = LoadAll(**client, model.table.name, lines, progress);
  if (!loaded.ok()) return Fail(loaded.message(), console);
  progress.Finish();
  return kExitOk;
}

}  // namespace

int RunModelSample(const Arguments& arguments, terminal::Console& console) {
  SampleCommand command;
  OptionParser parser("keyfold model sample",
                      "Prints sample data of a model as DynamoDB JSON lines, or loads it into its table");
  parser.Text("FILE", command.file, "The model").Required();
  parser.Number("--seed", command.seed, "The same seed gives the same data").ShowDefault();
  parser.Number("--count", command.count, "Approximate number of items (default: a few of each entity)")
      .Between(uint64_t{1}, uint64_t{1'000'000});
  parser.Flag(
      "--load", command.load,
      "Instead: put the items into the table at the endpoint; times are relative to now, and no item has expired");
  AddEndpointOptions(parser, command.client);
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  if (!command.load && !command.client.endpoint.empty()) {
    return RefuseUsage("keyfold model sample", "--endpoint requires --load", console);
  }
  const std::optional<model::Model> model = ReadModelFile(command.file, console);
  if (!model) return kExitUsage;
  if (command.load) return Load(*model, command, console);
  for (const std::string& line : LinesOf(*model, command, model::kSamplePresentMs)) console.Print(line + '\n');
  return kExitOk;
}

}  // namespace keyfold::cli
