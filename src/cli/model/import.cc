// keyfold model import: writes a model from another tool's file, or infers one from a table at an endpoint.
#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "base/version.h"
#include "cli/model/commands.h"
#include "cli/model/model_file.h"
#include "cli/shell/options.h"
#include "client/live_table.h"
#include "json/writer.h"
#include "model/import/finalize.h"
#include "model/import/import_file.h"
#include "terminal/progress.h"

namespace keyfold::cli {
namespace {

constexpr size_t kImportBytesMax = size_t{256} << 20;  // NoSQL Workbench files contain data
constexpr int kSegments = 8;                           // so that a limited sample comes from all parts of the table

struct ModelImportOptions {
  std::string file;
  std::string table;
  std::string output;
  uint64_t sample = 10'000;
  client::ClientSettings client;
};

std::string ScanBody(const std::string& table, int segment, uint64_t limit, const std::string& start) {
  std::string body;
  json::Writer w(body);
  w.BeginObject();
  w.Member("TableName", std::string_view(table));
  w.Member("Segment", segment);
  w.Member("TotalSegments", kSegments);
  w.Member("Limit", limit);
  if (!start.empty()) {
    w.Key("ExclusiveStartKey");
    w.Raw(start);
  }
  w.EndObject();
  return body;
}

// Writes a value unchanged; keys contain only strings in objects.
std::string KeyText(const json::Value& key) {
  std::string out;
  json::Writer w(out);
  w.BeginObject();
  for (const json::Member attribute : key.members()) {
    w.Key(attribute.name);
    w.BeginObject();
    for (const json::Member value : attribute.value.members()) w.Member(value.name, value.value.AsString());
    w.EndObject();
  }
  w.EndObject();
  return out;
}

constexpr Rule<"Scan: the response has no items"> kOddAnswer{"import-answer", Kind::kUnavailable};

// Reads a segment until it ends (returns true) or has supplied its share of the sample.
Result<bool> ReadSegment(client::ServiceClient& client, const std::string& table, int segment, uint64_t share,
                         model::SampleOf& out, terminal::Progress& progress) {
  constexpr uint64_t kPageItems = 1000;
  std::string start;
  json::Parser parser;
  for (uint64_t read = 0; read < share;) {
    const uint64_t limit = std::min(kPageItems, share - read);
    ASSIGN_OR_RETURN(const std::string answer, client.Call("Scan", ScanBody(table, segment, limit, start)));
    const auto document = parser.Parse(answer);
    const auto items = document && document->is_object() ? json::Find(*document, "Items") : std::nullopt;
    if (!items || !items->is_array()) return kOddAnswer();
    for (const json::Value each : items->elements()) {
      if (std::optional<model::SampledItem> item = model::ReadSampledItem(each)) out.items.push_back(*std::move(item));
      ++read;
      progress.Advance();
    }
    const auto next = client::FindObject(*document, "LastEvaluatedKey");
    if (!next) return true;
    start = KeyText(*next);
  }
  return false;
}

Result<model::SampleOf> SampleTable(client::ServiceClient& client, const ModelImportOptions& options,
                                    model::TableDefinition table, terminal::Console& console) {
  static const SystemClock kClock;
  model::SampleOf out;
  out.table = std::move(table);
  terminal::Progress progress(console, kClock, "Reading items", std::nullopt);
  uint64_t left = options.sample;
  for (int segment = 0; segment < kSegments; ++segment) {
    const uint64_t share = left / static_cast<uint64_t>(kSegments - segment);
    const size_t before = out.items.size();
    ASSIGN_OR_RETURN(const bool ended, ReadSegment(client, out.table.name, segment, share, out, progress));
    out.complete &= ended;
    left -= out.items.size() - before;
  }
  progress.Finish();
  return out;
}

// Writes to the file, or to standard output.
int Write(const std::string& text, const ModelImportOptions& options, terminal::Console& console) {
  if (options.output.empty()) {
    console.Print(text);
    return kExitOk;
  }
  std::FILE* file = std::fopen(options.output.c_str(), "wbx");
  const bool written = file != nullptr && std::fwrite(text.data(), 1, text.size(), file) == text.size();
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (written && closed) return kExitOk;
  console.Complain(fmt::format("cannot write {}: {}", model::Printable(options.output),
                               std::error_code(errno, std::generic_category()).message()));
  return kExitFailure;
}

int Finish(model::Draft draft, std::vector<std::string> about, const ModelImportOptions& options,
           terminal::Console& console) {
  about.push_back("Guesses are marked. Sizes and counts are those of the sample; add the patterns yourself.");
  draft.comments = std::move(about);
  Result<std::string> text = model::Finalize(std::move(draft));
  if (!text.ok()) return Fail(text.error().message(), console);
  return Write(*text, options, console);
}

int ImportTable(const ModelImportOptions& options, terminal::Console& console) {
  Result<std::unique_ptr<client::ServiceClient>> client =
      client::ServiceClient::Open(options.client, console.environment());
  if (!client.ok()) return Fail(client.error().message(), console);
  Result<std::optional<model::TableDefinition>> table = client::DescribeLiveTable(**client, options.table);
  if (!table.ok()) return Fail(table.error().message(), console);
  if (!*table)
    return Fail(fmt::format("there is no table {} at {}", model::Printable(options.table),
                            (*client)->endpoint().url.HostAndPort()),
                console);
  Result<model::SampleOf> sample = SampleTable(**client, options, **std::move(table), console);
  if (!sample.ok()) return Fail(sample.error().message(), console);
  model::Draft draft = InferModel(*sample);
  draft.region = (*client)->endpoint().region;
  std::string about = fmt::format("Inferred by keyfold {} from {} of table {}", kVersion,
                                  sample->complete ? fmt::format("all {} items", sample->items.size())
                                                   : fmt::format("a sample of {} items", sample->items.size()),
                                  sample->table.name);
  return Finish(std::move(draft), {std::move(about)}, options, console);
}

int ImportFile(const ModelImportOptions& options, terminal::Console& console) {
  std::optional<std::string> text = ReadTextFile(options.file, kImportBytesMax, console);
  if (!text) return kExitUsage;
  json::Parser parser;
  const auto root = parser.Parse(*text);
  if (!root) {
    console.Complain(fmt::format("{} is not valid JSON", model::Printable(options.file)));
    return kExitUsage;
  }
  Result<std::vector<model::ImportSource>> sources = model::ReadImportFile(*root);
  if (!sources.ok()) {
    console.Complain(model::Printable(fmt::format("{}: {}", options.file, sources.error().message())));
    return kExitUsage;
  }
  const model::ImportSource* chosen = nullptr;
  std::string names;
  for (const model::ImportSource& source : *sources) {
    const std::string& name = source.sample.table.name;
    names.append(names.empty() ? "" : ", ").append(name);
    if (sources->size() == 1 || name == options.table) chosen = &source;
  }
  if (chosen == nullptr) {
    return RefuseUsage("keyfold model import",
                       model::Printable(fmt::format("--table must choose one of the file's tables: {}", names)),
                       console);
  }
  std::string about = fmt::format("Imported by keyfold {} from {} ({}), with {} items of sample data", kVersion,
                                  options.file, chosen->format, chosen->sample.items.size());
  return Finish(DraftFrom(*chosen), {std::move(about)}, options, console);
}

}  // namespace

int RunModelImport(const Arguments& arguments, terminal::Console& console) {
  ModelImportOptions options;
  OptionParser parser(
      "keyfold model import",
      "Writes a model from NoSQL Workbench 3.0, CreateTable or CloudFormation JSON, or infers it from a live table");
  parser.Text("FILE", options.file, "The file to import; without one, a table at an endpoint is sampled");
  parser.Text("--table", options.table, "The table to sample, or the one of the file's tables to import");
  parser.Number("--sample", options.sample, "Maximum number of items to read").Between(1, 1'000'000).ShowDefault();
  parser.Text("-o,--output", options.output, "File to write, which must not exist (default: standard output)");
  AddEndpointOptions(parser, options.client);
  if (const std::optional<int> code = parser.Parse(arguments, console)) return *code;
  if (!options.file.empty()) return ImportFile(options, console);
  if (options.table.empty()) {
    return RefuseUsage("keyfold model import", "a FILE to import, or --table NAME to sample, is missing", console);
  }
  return ImportTable(options, console);
}

}  // namespace keyfold::cli
