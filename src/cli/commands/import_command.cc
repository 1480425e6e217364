#include "cli/commands/import_command.h"

#include <fmt/format.h>

#include <optional>

#include "base/random.h"
#include "cli/commands/answer.h"
#include "cli/commands/database_target.h"
#include "cli/commands/imported_table.h"
#include "cli/commands/job_watch.h"
#include "cli/commands/s3_place.h"
#include "cli/shell/options.h"
#include "json/writer.h"
#include "terminal/progress.h"
#include "transfer/import/import.h"
#include "transfer/layout/export.h"
#include "transfer/layout/export_manifest.h"
#include "transfer/layout/export_summary.h"

namespace keyfold::cli {
namespace {

constexpr char kImportName[] = "keyfold import";
constexpr char kImportAbout[] =
    "Import a new table from the files below a prefix of a bucket: full exports of DynamoDB or Keyfold, also with "
    "incremental ones on top, or files of your own. The table becomes visible when all of it is imported.";
constexpr char kImportExamples[] =
    "\nExamples:\n"
    "  keyfold import shop2 s3://exports/monday/AWSDynamoDB/01795-8a2f/ --like shop --endpoint http://127.0.0.1:8000\n"
    "  keyfold import shop2 s3://exports/monday/AWSDynamoDB/01795-8a2f/ --key pk:S --sort-key sk:S --data "
    "keyfold-data\n"
    "  keyfold import shop2 s3://exports/AWSDynamoDB/01795-8a2f/ --increment s3://exports/AWSDynamoDB/01796-11c0/ "
    "--like shop\n"
    "  keyfold import prices s3://in/prices.csv --format csv --csv-delimiter ';' --key sku:S --index "
    "by_day:day:S,at:N\n";
constexpr std::string_view kExportRoot = "AWSDynamoDB/";

constexpr Rule<"{} names a bucket but no export in it"> kNoPrefix{"cli-import-increment", Kind::kValidation};
constexpr Rule<"increments must be in the same bucket as the full export"> kOtherBucket{"cli-import-other-bucket",
                                                                                        Kind::kValidation};
constexpr Rule<"--csv-delimiter and --csv-header require --format csv"> kCsvOptions{"cli-import-csv",
                                                                                    Kind::kValidation};
constexpr Rule<"--key, --like or --schema is missing"> kNoTableOption{"cli-import-table-option", Kind::kValidation};
constexpr Rule<"the import is {}: {}: {}"> kNotDone{"cli-import-failed", Kind::kUnavailable};
constexpr Rule<"{}; the table {} has the valid items, and the server's log names the first invalid ones"> kWithErrors{
    "cli-import-errors", Kind::kUnavailable};
constexpr Rule<"the server cannot import increments: only Keyfold can"> kNoIncrements{"cli-import-increments",
                                                                                      Kind::kUnknownOperation};

struct TableImportOptions {
  TargetOptions target;
  ImportedTableOptions table_options;
  std::string table, from, format, compression, delimiter, header;
  std::vector<std::string> increments;
  bool no_wait = false;
  S3Place place;
  std::vector<std::string> increment_prefixes;
};

// Returns the summary of an export at that location, if the bucket can be read from here. Problems with it are left for
// the import to report.
std::optional<transfer::ExportSummary> FindSummary(const transfer::BucketSettings& buckets, const S3Place& place) {
  Result<std::unique_ptr<transfer::Bucket>> bucket = transfer::OpenBucket(buckets, place.bucket);
  if (!bucket.ok()) return std::nullopt;
  const Result<std::vector<transfer::Bucket::Object>> objects = (*bucket)->List(place.prefix);
  if (!objects.ok()) return std::nullopt;
  for (const transfer::Bucket::Object& object : *objects) {
    const std::optional<transfer::ExportPlace> in = transfer::ExportPlace::Of(object.key);
    if (!in) continue;
    const Result<transfer::ExportManifests> manifests = transfer::ExportManifests::Find(**bucket, in->Folder());
    if (!manifests.ok() || manifests->empty()) continue;
    const Result<std::string> summary = manifests->ReadSummary();
    return summary.ok() ? transfer::ReadExportSummary(in->Folder(), *summary) : std::nullopt;
  }
  return std::nullopt;
}

// Fills in format and compression if they were not given.
void FillIn(TableImportOptions& options, const DatabaseTarget& target) {
  if (!options.format.empty() && !options.compression.empty()) return;
  std::optional<transfer::ExportSummary> summary;
  if (target.buckets()) summary = FindSummary(*target.buckets(), options.place);
  const bool exported = summary || options.place.prefix.find(kExportRoot) != std::string::npos;
  if (options.format.empty())
    options.format = summary && summary->format == transfer::DataFormat::kIon ? "ion" : "json";
  if (options.compression.empty()) options.compression = exported ? "gzip" : "none";
}

std::string_view FormatNameOf(std::string_view format) {
  if (format == "csv") return transfer::NameOf(transfer::DataFormat::kCsv);
  return transfer::NameOf(format == "ion" ? transfer::DataFormat::kIon : transfer::DataFormat::kDynamoDbJson);
}

std::string_view CompressionNameOf(std::string_view compression) {
  if (compression == "gzip") return files::NameOf(files::Compression::kGzip);
  return files::NameOf(compression == "zstd" ? files::Compression::kZstd : files::Compression::kNone);
}

void WriteTexts(json::Writer& out, std::string_view name, const std::vector<std::string>& texts) {
  out.Key(name);
  out.BeginArray();
  for (const std::string& text : texts) out.String(text);
  out.EndArray();
}

// Splits "pk,sk,total".
std::vector<std::string> NamesIn(std::string_view list) {
  std::vector<std::string> names;
  for (;;) {
    const size_t comma = list.find(',');
    names.emplace_back(list.substr(0, comma));
    if (comma == std::string_view::npos) return names;
    list.remove_prefix(comma + 1);
  }
}

void WriteCsvOptions(json::Writer& out, const TableImportOptions& options) {
  if (options.delimiter.empty() && options.header.empty()) return;
  out.Key("InputFormatOptions");
  out.BeginObject();
  out.Key("Csv");
  out.BeginObject();
  if (!options.delimiter.empty()) out.Member("Delimiter", options.delimiter == "\\t" ? "\t" : options.delimiter);
  if (!options.header.empty()) WriteTexts(out, "HeaderList", NamesIn(options.header));
  out.EndObject();
  out.EndObject();
}

std::string ImportRequestOf(const TableImportOptions& options, const ImportedTable& table) {
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  out.Member("ClientToken", Random(Random::SeedFromSystem()).Uuid());
  out.Key("S3BucketSource");
  out.BeginObject();
  out.Member("S3Bucket", options.place.bucket);
  if (!options.place.prefix.empty()) out.Member("S3KeyPrefix", options.place.prefix);
  out.EndObject();
  out.Member("InputFormat", FormatNameOf(options.format));
  WriteCsvOptions(out, options);
  out.Member("InputCompressionType", CompressionNameOf(options.compression));
  out.Key("TableCreationParameters");
  out.Raw(table.parameters);
  if (!options.increment_prefixes.empty()) WriteTexts(out, "Increments", options.increment_prefixes);
  out.EndObject();
  return body;
}

Result<Answer> Begin(const TableImportOptions& options, const ImportedTable& table, client::ApiCaller& caller) {
  const std::string request = ImportRequestOf(options, table);
  if (options.increment_prefixes.empty()) return Answer::Ask(caller, "ImportTable", request);
  Result<Answer> begun = Answer::Ask(caller, "ImportExports", request);
  if (!begun.ok() && begun.error().kind() == Kind::kUnknownOperation) return kNoIncrements();
  return begun;
}

// Reports how the import ended.
Status Tell(const TableImportOptions& options, const Answer& ended, Micros waited, terminal::Console& console) {
  const auto text = [&](std::string_view name) { return ended.Text({"ImportTableDescription", name}); };
  const auto count = [&](std::string_view name) { return ended.Count({"ImportTableDescription", name}); };
  const uint64_t imported = count("ImportedItemCount"), errors = count("ErrorCount");
  const std::string status = text("ImportStatus");
  if (status == "COMPLETED" || imported + errors > 0) {
    console.Print(fmt::format("{}: {} imported, {}, {} read in {}\n", options.table,
                              terminal::Counted(imported, "item"), terminal::Counted(errors, "error"),
                              terminal::BytesWords(count("ProcessedSizeBytes")), terminal::DurationWords(waited)));
  }
  if (status == "COMPLETED") return Ok();
  Error error = kNotDone(status, text("FailureCode"), text("FailureMessage"));
  if (errors > 0) return kWithErrors(error.message(), options.table);
  return error;
}

Status ImportFrom(TableImportOptions& options, DatabaseTarget& target, terminal::Console& console) {
  ASSIGN_OR_RETURN(const ImportedTable table, ChooseTable(options.table, options.table_options, target.caller()));
  if (!table.note.empty()) console.Note(table.note + "\n");
  FillIn(options, target);
  ASSIGN_OR_RETURN(const Answer begun, Begin(options, table, target.caller()));
  const std::string arn = begun.Text({"ImportTableDescription", "ImportArn"});
  if (options.no_wait) {
    console.PrintLine(arn);
    return Ok();
  }
  JobWatch watch(console, target.caller());
  std::optional<Answer> now;
  const WatchedWork work{engine::JobKind::kImport, options.table, IdOf(arn), "importing " + options.table};
  RETURN_IF_ERROR(watch.Wait(work, [&]() -> Result<bool> {
    ASSIGN_OR_RETURN(now, Answer::Ask(target.caller(), "DescribeImport", BodyOf({{"ImportArn", arn}})));
    return now->Text({"ImportTableDescription", "ImportStatus"}) == "IN_PROGRESS";
  }));
  return Tell(options, *now, watch.waited(), console);
}

// Reads the options that OptionParser leaves as text.
Status ReadImportOptions(TableImportOptions& options) {
  ASSIGN_OR_RETURN(options.place, S3Place::Parse(options.from));
  for (const std::string& text : options.increments) {
    ASSIGN_OR_RETURN(const S3Place increment, S3Place::Parse(text));
    if (increment.prefix.empty()) return kNoPrefix(text);
    if (increment.bucket != options.place.bucket) return kOtherBucket();
    options.increment_prefixes.push_back(increment.prefix);
  }
  const bool csv_options = !options.delimiter.empty() || !options.header.empty();
  if (csv_options && options.format != "csv") return kCsvOptions();
  const ImportedTableOptions& table = options.table_options;
  if (table.key.empty() && table.like.empty() && table.schema.empty()) return kNoTableOption();
  return Ok();
}

}  // namespace

int RunImport(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser(kImportName, kImportAbout, kImportExamples);
  TableImportOptions options;
  parser.Text("TABLE", options.table, "Table to create; it must not exist").Required();
  parser.Text("PLACE", options.from, "Bucket and prefix to read, such as s3://exports/monday/").Required();
  parser
      .Text("--format", options.format,
            "json (DynamoDB JSON), ion or csv (default: the export's if the bucket can be read from here, "
            "otherwise json)")
      .OneOf({"json", "ion", "csv"});
  parser.Text("--compression", options.compression, "none, gzip or zstd (default: gzip for an export, otherwise none)")
      .OneOf({"none", "gzip", "zstd"});
  parser
      .Texts("--increment", options.increments,
             "Incremental export to apply to it, as s3://BUCKET/PREFIX/AWSDynamoDB/ID/; may be repeated, the "
             "oldest first")
      .OneEach();
  AddImportedTableOptions(parser, options.table_options);
  parser.Text("--csv-delimiter", options.delimiter, "Delimiter between cells: , ; : | a space or \\t (default ,)");
  parser.Text("--csv-header", options.header,
              "Names of the columns, such as pk,sk,total (default: each file's first line)");
  AddTargetOptions(parser, options.target);
  AddBucketOptions(parser, options.target.buckets);
  parser.Flag("--no-wait", options.no_wait, "Print the import's ARN and return before the table is complete")
      .Excludes("--data");
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  if (const Status read = ReadImportOptions(options); !read.ok())
    return RefuseUsage(kImportName, read.message(), console);
  return RunAtTarget(options.target, console,
                     [&](DatabaseTarget& target) { return ImportFrom(options, target, console); });
}

}  // namespace keyfold::cli
