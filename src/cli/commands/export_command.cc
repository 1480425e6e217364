#include "cli/commands/export_command.h"

#include <fmt/format.h>

#include <optional>

#include "base/random.h"
#include "base/time_text.h"
#include "cli/commands/answer.h"
#include "cli/commands/database_target.h"
#include "cli/commands/job_watch.h"
#include "cli/commands/s3_place.h"
#include "cli/shell/options.h"
#include "json/writer.h"
#include "terminal/progress.h"

namespace keyfold::cli {
namespace {

constexpr char kExportName[] = "keyfold export";
constexpr char kExportAbout[] =
    "Export a table to a bucket, as it is now or was at some time, or the changes of a period: files in "
    "DynamoDB's own layout, which keyfold import and AWS's ImportTable read. The table needs point-in-time recovery. "
    "Prints the location of the export.";
constexpr char kExportExamples[] =
    "\nExamples:\n"
    "  keyfold export shop s3://exports/monday --endpoint http://127.0.0.1:8000\n"
    "  keyfold export shop s3://exports/monday --data keyfold-data       the bucket is keyfold-data/s3/exports\n"
    "  keyfold export shop s3://exports --format ion --at 2026-11-16T02:00:00Z --endpoint http://127.0.0.1:8000\n"
    "  keyfold export shop s3://exports --since 2026-11-16T02:00:00Z --until 2026-11-16T14:00:00Z --profile work\n";
constexpr Rule<"{} takes a time such as 2026-11-16T02:00:00Z"> kNotATime{"cli-export-time", Kind::kValidation};

constexpr Rule<
    "{}; turn it on with: aws dynamodb update-continuous-backups --table-name {} "
    "--point-in-time-recovery-specification PointInTimeRecoveryEnabled=true{}">
    kRecoveryOff{"cli-export-recovery-off", Kind::kPointInTimeRecoveryUnavailable};
constexpr Rule<"the export failed: {}: {}"> kExportFailed{"cli-export-failed", Kind::kUnavailable};

struct ExportOptions {
  TargetOptions target;
  std::string table, to, format = "json", at, since, until, view = "both";
  bool no_wait = false;
  S3Place place;

  bool IsOfNow() const { return at.empty() && since.empty(); }
};

// `iso` has been validated.
void WriteTime(json::Writer& out, std::string_view name, const std::string& iso) {
  if (iso.empty()) return;
  out.Key(name);
  out.EpochSeconds(*ParseIsoTime(iso));
}

std::string ExportRequestOf(const ExportOptions& options, std::string_view table_arn) {
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  out.Member("TableArn", table_arn);
  // Makes a retried request, whose response was lost, refer to the same export.
  out.Member("ClientToken", Random(Random::SeedFromSystem()).Uuid());
  out.Member("S3Bucket", options.place.bucket);
  if (!options.place.prefix.empty()) out.Member("S3Prefix", options.place.prefix);
  out.Member("ExportFormat", options.format == "ion" ? "ION" : "DYNAMODB_JSON");
  WriteTime(out, "ExportTime", options.at);
  if (!options.since.empty()) {
    out.Member("ExportType", "INCREMENTAL_EXPORT");
    out.Key("IncrementalExportSpecification");
    out.BeginObject();
    WriteTime(out, "ExportFromTime", options.since);
    WriteTime(out, "ExportToTime", options.until);
    out.Member("ExportViewType", options.view == "new" ? "NEW_IMAGE" : "NEW_AND_OLD_IMAGES");
    out.EndObject();
  }
  out.EndObject();
  return body;
}

Status SetRecovery(client::ApiCaller& caller, const std::string& table, bool enabled) {
  std::string body;
  json::Writer out(body);
  out.BeginObject();
  out.Member("TableName", table);
  out.Key("PointInTimeRecoverySpecification");
  out.BeginObject();
  out.Member("PointInTimeRecoveryEnabled", enabled);
  out.EndObject();
  out.EndObject();
  RETURN_IF_ERROR(caller.Call("UpdateContinuousBackups", body));
  return Ok();
}

Result<bool> HasRecovery(client::ApiCaller& caller, const std::string& table) {
  ASSIGN_OR_RETURN(const Answer now, Answer::Ask(caller, "DescribeContinuousBackups", BodyOf({{"TableName", table}})));
  return now.Text({"ContinuousBackupsDescription", "PointInTimeRecoveryDescription", "PointInTimeRecoveryStatus"}) ==
         "ENABLED";
}

Result<Answer> BeginAt(const ExportOptions& options, client::ApiCaller& caller) {
  const std::string described = BodyOf({{"TableName", options.table}});
  ASSIGN_OR_RETURN(const Answer table, Answer::Ask(caller, "DescribeTable", described));
  const std::string request = ExportRequestOf(options, table.Text({"Table", "TableArn"}));
  Result<Answer> begun = Answer::Ask(caller, "ExportTableToPointInTime", request);
  if (begun.ok() || begun.error().kind() != Kind::kPointInTimeRecoveryUnavailable) return begun;
  const std::string& endpoint = options.target.client.endpoint;
  return kRecoveryOff(begun.error().message(), options.table,
                      endpoint.empty() ? std::string() : " --endpoint-url " + endpoint);
}

// With a folder nobody else can create the bucket or turn recovery on. An export that has started holds what it needs,
// so recovery is turned off again before anything is read.
Result<Answer> BeginInFolder(const ExportOptions& options, client::ApiCaller& caller,
                             const transfer::BucketSettings& buckets, terminal::Console& console) {
  ASSIGN_OR_RETURN(const bool recovers, HasRecovery(caller, options.table));
  ASSIGN_OR_RETURN(const bool made, transfer::MakeBucket(buckets, options.place.bucket));
  if (made) console.Note(fmt::format("created the bucket {}/{}\n", buckets.root, options.place.bucket));
  if (recovers || !options.IsOfNow()) return BeginAt(options, caller);
  RETURN_IF_ERROR(SetRecovery(caller, options.table, true));
  Result<Answer> begun = BeginAt(options, caller);
  RETURN_IF_ERROR(SetRecovery(caller, options.table, false));
  RETURN_IF_ERROR(begun);
  console.Note(fmt::format("point-in-time recovery of {} is off again: it was turned on only to start the export\n",
                           options.table));
  return begun;
}

// PREFIX/AWSDynamoDB/ID/
S3Place PlaceOf(const ExportOptions& options, const std::string& id) {
  S3Place place = options.place;
  if (!place.prefix.empty()) place.prefix += '/';
  place.prefix += "AWSDynamoDB/" + id + "/";
  return place;
}

Status ExportTo(const ExportOptions& options, DatabaseTarget& target, terminal::Console& console) {
  client::ApiCaller& caller = target.caller();
  ASSIGN_OR_RETURN(const Answer begun, target.buckets() ? BeginInFolder(options, caller, *target.buckets(), console)
                                                        : BeginAt(options, caller));
  const std::string arn = begun.Text({"ExportDescription", "ExportArn"});
  if (!options.no_wait) {
    JobWatch watch(console, caller);
    std::optional<Answer> now;
    const WatchedWork work{engine::JobKind::kExport, options.table, IdOf(arn), "exporting " + options.table};
    RETURN_IF_ERROR(watch.Wait(work, [&]() -> Result<bool> {
      ASSIGN_OR_RETURN(now, Answer::Ask(caller, "DescribeExport", BodyOf({{"ExportArn", arn}})));
      return now->Text({"ExportDescription", "ExportStatus"}) == "IN_PROGRESS";
    }));
    if (now->Text({"ExportDescription", "ExportStatus"}) != "COMPLETED") {
      return kExportFailed(now->Text({"ExportDescription", "FailureCode"}),
                           now->Text({"ExportDescription", "FailureMessage"}));
    }
    const uint64_t items = now->Count({"ExportDescription", "ItemCount"});
    console.Note(fmt::format("exported {} in {}\n", terminal::Counted(items, options.since.empty() ? "item" : "change"),
                             terminal::DurationWords(watch.waited())));
  }
  console.PrintLine(PlaceOf(options, IdOf(arn)).Text());
  return Ok();
}

// Reads the options that OptionParser leaves as text.
Status ReadExportOptions(ExportOptions& options) {
  ASSIGN_OR_RETURN(options.place, S3Place::Parse(options.to));
  std::string& prefix = options.place.prefix;
  while (prefix.ends_with('/')) prefix.pop_back();
  for (const auto& [name, time] :
       {std::pair("--at", &options.at), std::pair("--since", &options.since), std::pair("--until", &options.until)}) {
    if (!time->empty() && !ParseIsoTime(*time)) return kNotATime(name);
  }
  return Ok();
}

}  // namespace

int RunExport(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser(kExportName, kExportAbout, kExportExamples);
  ExportOptions options;
  parser.Text("TABLE", options.table, "Table to export").Required();
  parser.Text("PLACE", options.to, "Bucket and prefix, such as s3://exports/monday").Required();
  parser.Text("--format", options.format, "json (DynamoDB JSON) or ion (default json)").OneOf({"json", "ion"});
  parser.Text("--at", options.at, "Time of the table to export, such as 2026-11-16T02:00:00Z (default: now)");
  parser.Text("--since", options.since, "Instead: export the changes since this time, for 15 minutes to 24 hours")
      .Excludes("--at");
  parser.Text("--until", options.until, "End of the period (default: now)").Needs("--since");
  parser.Text("--view", options.view, "new: the new image of each change; both: also the old one (default both)")
      .OneOf({"new", "both"})
      .Needs("--since");
  AddTargetOptions(parser, options.target);
  AddBucketOptions(parser, options.target.buckets);
  parser.Flag("--no-wait", options.no_wait, "Return before the export is complete").Excludes("--data");
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  if (const Status read = ReadExportOptions(options); !read.ok())
    return RefuseUsage(kExportName, read.message(), console);
  return RunAtTarget(options.target, console,
                     [&](DatabaseTarget& target) { return ExportTo(options, target, console); });
}

}  // namespace keyfold::cli
