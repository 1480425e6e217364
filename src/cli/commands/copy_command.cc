#include "cli/commands/copy_command.h"

#include <fmt/format.h>

#include "cli/shell/options.h"
#include "copy/copy_run.h"
#include "copy/interruption.h"
#include "copy/planning.h"
#include "copy/table_calls.h"
#include "model/core/unreadable.h"

namespace keyfold::cli {
namespace {

constexpr char kCopyName[] = "keyfold copy";
constexpr char kCopyAbout[] =
    "Copy tables between endpoints: AWS, DynamoDB Local, Keyfold, or any other. The table is read while it is in use, "
    "so the copy is not a snapshot: a write during the copy may or may not be in it. For a snapshot use "
    "a backup or an export. Resume an interrupted copy with --resume.";
constexpr uint32_t kThreadsMax = 256, kSegmentsMax = 1'000'000;

struct CopyOptions {
  copy::CopyPlan plan;
  std::vector<std::string> tables;
  std::vector<std::string> renames;
  bool all = false;
  bool dry_run = false;
  uint32_t segments = 0;  // 0: derived from the size
  std::string journal;
  std::string resume;
  std::string ca_file;
  // Which parts of the speed were given: with --resume, the others stay unchanged.
  bool threads_given = false, items_given = false, bytes_given = false;
};

void AddEnd(OptionParser& parser, const std::string& name, const char* which, client::ClientSettings& settings) {
  parser.Text("--" + name, settings.endpoint,
              fmt::format("Address of the API {}, such as http://127.0.0.1:8000 (default: AWS_ENDPOINT_URL_DYNAMODB, "
                          "AWS_ENDPOINT_URL, the profile's, or AWS)",
                          which));
  parser.Text("--" + name + "-region", settings.region,
              "Region there (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's; us-east-1 for a server on this "
              "machine)");
  parser.Text("--" + name + "-profile", settings.profile,
              "Profile of ~/.aws/credentials and ~/.aws/config for it (default: AWS_PROFILE)");
}

void AddWhat(OptionParser& parser, CopyOptions& options) {
  copy::CopyPlan& plan = options.plan;
  parser.Texts("TABLE", options.tables, "Tables to copy");
  parser.Flag("--all", options.all, "Every table at the source");
  parser.Texts("--rename", options.renames, "Table OLD gets the name NEW at the target, as OLD=NEW; may be repeated");
  parser.Flag("--schema-only", plan.schema_only, "Create the tables, and copy no items");
  parser.Flag("--items-only", plan.items_only, "Copy items into existing tables, and create none")
      .Excludes("--schema-only");
  parser.Flag("--append", plan.append, "Write into tables that have items, and replace items with the same keys")
      .Excludes("--schema-only");
  parser.Flag("!--no-ttl", plan.settings.ttl, "Do not copy the time to live setting");
  parser.Flag("!--no-tags", plan.settings.tags, "Do not copy tags");
  parser.Flag("!--no-stream", plan.settings.stream, "Do not copy stream settings");
  parser
      .Number("--segments", options.segments, "Segments in which each table is read (default: by its size, 8 or more)")
      .Between(1u, kSegmentsMax);
  parser.Text("--journal", options.journal,
              "File that records the progress until the copy is done (default keyfold-copy-TABLE.json, of several "
              "tables keyfold-copy.json)");
  parser.Flag("--verify", plan.verify, "Count the items at both ends when all are copied, and compare");
  parser.Flag("--dry-run", options.dry_run, "Print what would be copied, and change nothing");
}

std::optional<int> ParseCopyOptions(const Arguments& arguments, terminal::Console& console, CopyOptions& options) {
  OptionParser parser(kCopyName, kCopyAbout);
  AddEnd(parser, "from", "to read from", options.plan.from);
  AddEnd(parser, "to", "to write to", options.plan.to);
  parser.Text("--ca-file", options.ca_file,
              "Certificate authorities to trust (PEM) instead of the system's (default: SSL_CERT_FILE)");
  AddWhat(parser, options);
  const std::vector<std::string> not_resumed = parser.Names();
  copy::CopySpeed& speed = options.plan.speed;
  parser.Number("--threads", speed.threads, "Segments copied at a time (default 8)").Between(1u, kThreadsMax);
  parser.Number("--rate-items", speed.limits.items, "Maximum items per second, of all threads together");
  parser.Number("--rate-bytes", speed.limits.bytes, "Maximum bytes of JSON per second, such as 500KB or 5MB").Bytes();
  parser.Text("--resume", options.resume, "Resume the copy of this journal file; only speed options may be given");
  if (const std::optional<int> code = parser.Parse(arguments, console)) return code;
  options.threads_given = parser.IsGiven("--threads");
  options.items_given = parser.IsGiven("--rate-items");
  options.bytes_given = parser.IsGiven("--rate-bytes");
  options.plan.from.ca_file = options.plan.to.ca_file = options.ca_file;
  if (!options.resume.empty()) {
    for (const std::string& name : not_resumed) {
      if (!parser.IsGiven(name)) continue;
      const std::string why = fmt::format("--resume cannot be combined with {}: the journal has it", name);
      return RefuseUsage(kCopyName, why, console);
    }
    return std::nullopt;
  }
  if (options.all == options.tables.empty()) return std::nullopt;
  return RefuseUsage(kCopyName,
                     options.all ? "--all cannot be combined with table names" : "name tables, or give --all", console);
}

bool IsSamePlace(const client::ClientSettings& a, const client::ClientSettings& b) {
  return a.endpoint == b.endpoint && a.region == b.region && a.profile == b.profile;
}

// Makes the complete plan, without changing anything.
Result<copy::CopyPlan> MakePlan(const CopyOptions& options, const client::Environment& environment,
                                copy::StopRequest& stop) {
  copy::CopyPlan plan = options.plan;
  ASSIGN_OR_RETURN(const copy::Renames renames, copy::ParseRenames(options.renames));
  ASSIGN_OR_RETURN(plan.from, copy::ResolvedSettings(plan.from, environment));
  ASSIGN_OR_RETURN(plan.to, copy::ResolvedSettings(plan.to, environment));
  ASSIGN_OR_RETURN(const auto from, copy::CallerAt(plan.from, environment, stop, copy::Patience::kShort)());
  ASSIGN_OR_RETURN(const auto to, copy::CallerAt(plan.to, environment, stop, copy::Patience::kShort)());
  std::vector<std::string> tables = options.tables;
  if (options.all) {
    ASSIGN_OR_RETURN(tables, copy::ListTables(*from));
  }
  ASSIGN_OR_RETURN(plan.tables, copy::PlanTables(tables, renames, IsSamePlace(plan.from, plan.to)));
  RETURN_IF_ERROR(copy::CompletePlan(plan, options.segments, *from, *to));
  return plan;
}

void ShowPlan(const copy::CopyPlan& plan, terminal::Console& console) {
  for (const copy::TablePlan& table : plan.tables) {
    const std::string_view where = table.creates ? "creates the table" : "into an existing table";
    const std::string items =
        plan.schema_only
            ? std::string("no items")
            : fmt::format("about {} items in {} segments", terminal::Grouped(table.items_about), table.segments.size());
    console.Print(fmt::format("{}: {}, {}\n", copy::TitleOf(table), where, items));
  }
}

std::string JournalPath(const CopyOptions& options) {
  if (!options.journal.empty()) return options.journal;
  return options.tables.size() == 1 ? "keyfold-copy-" + options.tables.front() + ".json" : "keyfold-copy.json";
}

void ApplySpeed(const CopyOptions& options, copy::CopyJournal& journal) {
  copy::CopySpeed speed = journal.speed();
  const copy::CopySpeed& given = options.plan.speed;
  if (options.threads_given) speed.threads = given.threads;
  if (options.items_given) speed.limits.items = given.limits.items;
  if (options.bytes_given) speed.limits.bytes = given.limits.bytes;
  journal.SetSpeed(speed);
}

Result<std::unique_ptr<copy::CopyJournal>> OpenJournal(const CopyOptions& options, copy::CopyPlan plan) {
  if (options.resume.empty()) return copy::CopyJournal::Begin(JournalPath(options), std::move(plan));
  ASSIGN_OR_RETURN(std::unique_ptr<copy::CopyJournal> journal, copy::CopyJournal::Resume(options.resume));
  ApplySpeed(options, *journal);
  return journal;
}

int RunCopyJournal(copy::CopyJournal& journal, terminal::Console& console, copy::StopRequest& stop,
                   const copy::Interruption& interruption) {
  const SystemClock clock;
  const client::Environment& environment = console.environment();
  const copy::CopyPlan plan = journal.plan();
  const copy::CopyEnds ends{copy::CallerAt(plan.from, environment, stop, copy::Patience::kLong),
                            copy::CallerAt(plan.to, environment, stop, copy::Patience::kLong)};
  const Result<bool> done = copy::CopyRun(journal, ends, console, clock, stop).Run();
  if (!done.ok()) {
    console.Complain(interruption.came() ? "stopped" : model::Printable(done.error().message()));
    console.Note(fmt::format("Resume it with: keyfold copy --resume {}\n", model::Printable(journal.path())));
    return kExitFailure;
  }
  if (Status removed = journal.Remove(); !removed.ok()) return Fail(removed.message(), console);
  return *done ? kExitOk : kExitFailure;
}

}  // namespace

int RunCopy(const Arguments& arguments, terminal::Console& console) {
  CopyOptions options;
  if (const auto code = ParseCopyOptions(arguments, console, options)) return *code;
  copy::StopRequest stop;
  const copy::Interruption interruption(stop);
  copy::CopyPlan plan;
  if (options.resume.empty()) {
    Result<copy::CopyPlan> made = MakePlan(options, console.environment(), stop);
    if (!made.ok()) return Fail(made.error().message(), console);
    plan = *std::move(made);
  }
  if (options.dry_run) {
    ShowPlan(plan, console);
    return kExitOk;
  }
  Result<std::unique_ptr<copy::CopyJournal>> journal = OpenJournal(options, std::move(plan));
  if (!journal.ok()) return Fail(journal.error().message(), console);
  return RunCopyJournal(**journal, console, stop, interruption);
}

}  // namespace keyfold::cli
