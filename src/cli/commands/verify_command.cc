#include "cli/commands/verify_command.h"

#include <fmt/format.h>

#include <optional>

#include "cli/commands/answer.h"
#include "cli/commands/database_target.h"
#include "cli/commands/job_watch.h"
#include "cli/commands/s3_place.h"
#include "cli/shell/options.h"
#include "embedded/buckets.h"
#include "terminal/progress.h"
#include "transfer/layout/export_manifest.h"
#include "transfer/verify/export_check.h"

namespace keyfold::cli {
namespace {

constexpr const char* kVerifyName = "keyfold verify";
constexpr const char* kVerifyAbout =
    "Read everything: checksums, items against indexes, counts, logs, the files of backups and exports.\n"
    "Exits with 1 if something is wrong.";
constexpr const char* kVerifyExamples =
    "Examples:\n"
    "  keyfold verify --endpoint http://127.0.0.1:8000     at a running server, while it serves requests\n"
    "  keyfold verify shop --data keyfold-data             one table of a server that is not running\n"
    "  keyfold verify --export s3://exports/AWSDynamoDB/01693685827463-2d8752fd/ --s3-root buckets\n"
    "                                                      only an export, Keyfold's or AWS's";

constexpr Rule<"there is no table {}"> kNoTableToVerify{"cli-verify-no-table", Kind::kValidation};
constexpr Rule<"the server is not Keyfold, or is an older version: it does not support verification ({})"> kNotKeyfold{
    "cli-verify-not-keyfold", Kind::kValidation};
constexpr Rule<"the verification was lost: the server was restarted, or another verification has started since">
    kVerificationLost{"cli-verify-gone", Kind::kUnavailable};
constexpr Rule<"the verification did not finish: {}"> kVerifyFailed{"cli-verify-failed", Kind::kUnavailable};
constexpr Rule<"there is no export in {}"> kNoExport{"cli-verify-no-export", Kind::kValidation};

constexpr const char* kBucketOptions[] = {"--s3-root", "--s3-endpoint", "--s3-region", "--s3-credentials"};

struct VerifyOptions {
  TargetOptions target;
  std::string table;
  std::string export_place;  // s3://BUCKET/PREFIX/AWSDynamoDB/ID/
};

Error Explained(const std::string& table, Error error) {
  if (error.kind() == Kind::kResourceNotFound) return kNoTableToVerify(table);
  if (error.kind() == Kind::kUnknownOperation) return kNotKeyfold(error.message());
  return error;
}

std::string FaultWords(uint64_t faults) {
  if (faults == 0) return "no faults";
  return faults == 1 ? "1 fault" : terminal::Grouped(faults) + " faults";
}

void PrintFaults(const std::vector<std::string>& first, uint64_t faults, terminal::Console& console) {
  for (const std::string& fault : first) console.PrintLine(fault);
  if (faults > first.size()) console.Print(fmt::format("… and {} more\n", terminal::Grouped(faults - first.size())));
}

std::vector<std::string> TextsOf(const json::Value& report, std::string_view name) {
  std::vector<std::string> texts;
  const std::optional<json::Value> list = json::Find(report, name);
  if (!list || !list->is_array()) return texts;
  for (const json::Value text : list->elements()) texts.emplace_back(text.is_string() ? text.AsString() : "");
  return texts;
}

// Prints the faults and the counts. Returns false if there are faults.
bool PrintReport(const json::Value& report, terminal::Console& console) {
  const auto count = [&](std::string_view name) { return static_cast<uint64_t>(json::NumberAt(report, name)); };
  const uint64_t faults = count("FaultCount"), removed = count("RemovedExports");
  PrintFaults(TextsOf(report, "Faults"), faults, console);
  if (removed == 1) console.Note("1 export is no longer in its bucket\n");
  if (removed > 1) console.Note(fmt::format("{} exports are no longer in their buckets\n", terminal::Grouped(removed)));
  console.Print(fmt::format("{} items, {} index rows, {} log records, {} files: {}\n",
                            terminal::Grouped(count("Items")), terminal::Grouped(count("IndexRows")),
                            terminal::Grouped(count("LogRecords")), terminal::Grouped(count("Files")),
                            FaultWords(faults)));
  return faults == 0;
}

Status VerifyDatabase(const std::string& table, client::ApiCaller& caller, terminal::Console& console, bool& sound) {
  Result<Answer> begun = Answer::Ask(caller, "StartVerification", BodyOf({{"TableName", table}}));
  if (!begun.ok()) return Explained(table, std::move(begun).TakeError());
  const auto start_of = [](const Answer& answer) {
    const std::optional<json::Value> report = answer.Find({"Verification"});
    return report ? json::NumberAt(*report, "StartDateTime") : 0;
  };
  const double started = start_of(*begun);
  JobWatch watch(console, caller);
  std::optional<Answer> now;
  const WatchedWork work{engine::JobKind::kVerification, table, "", table.empty() ? "verifying" : "verifying " + table};
  RETURN_IF_ERROR(watch.Wait(work, [&]() -> Result<bool> {
    ASSIGN_OR_RETURN(now, Answer::Ask(caller, "DescribeVerification", "{}"));
    if (start_of(*now) != started) return kVerificationLost();
    return now->Text({"Verification", "Status"}) == "IN_PROGRESS";
  }));
  if (now->Text({"Verification", "Status"}) != "COMPLETED") {
    return kVerifyFailed(now->Text({"Verification", "FailureMessage"}));
  }
  sound = PrintReport(*now->Find({"Verification"}), console);
  return Ok();
}

Status VerifyPlace(const S3Place& place, const embedded::BucketOptions& options, terminal::Console& console,
                   bool& sound) {
  // There is no data folder, so buckets are only where the options say.
  ASSIGN_OR_RETURN(const transfer::BucketSettings settings, embedded::ReadBucketSettings(options, ""));
  ASSIGN_OR_RETURN(const std::unique_ptr<transfer::Bucket> bucket, transfer::OpenBucket(settings, place.bucket));
  const SystemClock clock;
  terminal::Progress progress(console, clock, "Verifying " + place.Text(), std::nullopt);
  uint64_t shown = 0;
  const auto show = [&](const engine::Verification& so_far) {
    progress.Advance(so_far.done - shown);
    shown = so_far.done;
    return true;
  };
  engine::Verification found;
  ASSIGN_OR_RETURN(const bool there, transfer::VerifyExport(*bucket, place.prefix, show, found));
  progress.TakeAway();
  if (!there) return kNoExport(place.Text());
  PrintFaults(found.first_faults, found.faults, console);
  console.Print(fmt::format("{} items, {} files: {}\n", terminal::Grouped(found.done), terminal::Grouped(found.files),
                            FaultWords(found.faults)));
  sound = found.faults == 0;
  return Ok();
}

int VerifyExportAt(const VerifyOptions& options, terminal::Console& console) {
  Result<S3Place> place = S3Place::Parse(options.export_place);
  if (place.ok() && !place->prefix.ends_with('/')) place->prefix += '/';
  if (!place.ok() || !transfer::ExportPlace::Of(place->prefix)) {
    const std::string fault =
        fmt::format("{} is not an export of the form s3://BUCKET/PREFIX/AWSDynamoDB/ID/", options.export_place);
    return RefuseUsage(kVerifyName, fault, console);
  }
  bool sound = true;
  const Status status = VerifyPlace(*place, options.target.buckets, console, sound);
  if (!status.ok()) console.Complain(status.message());
  return status.ok() && sound ? kExitOk : kExitFailure;
}

}  // namespace

int RunVerify(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser(kVerifyName, kVerifyAbout, kVerifyExamples);
  VerifyOptions options;
  parser.Text("TABLE", options.table, "Only this table");
  AddTargetOptions(parser, options.target);
  parser.Text("--export", options.export_place, "Only this export, as s3://BUCKET/PREFIX/AWSDynamoDB/ID/")
      .Excludes("TABLE")
      .Excludes("--endpoint")
      .Excludes("--data");
  AddBucketOptions(parser, options.target.buckets, /*need_data=*/false);
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  const bool reads_buckets = !options.target.data.empty() || !options.export_place.empty();
  for (const char* name : kBucketOptions) {
    if (reads_buckets || !parser.IsGiven(name)) continue;
    return RefuseUsage(kVerifyName, fmt::format("{} needs --data or --export", name), console);
  }
  if (!options.export_place.empty()) return VerifyExportAt(options, console);
  bool sound = true;
  const int code = RunAtTarget(options.target, console, [&](DatabaseTarget& target) {
    return VerifyDatabase(options.table, target.caller(), console, sound);
  });
  return sound ? code : kExitFailure;
}

}  // namespace keyfold::cli
