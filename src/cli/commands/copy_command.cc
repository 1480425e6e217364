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

constexpr char kName[] = "keyfold copy";
constexpr char kAbout[] =
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

void AddEnd(CLI::App& app, const std::string& name, const char* which, client::ClientSettings& settings) {
  app.add_option(
      "--" + name, settings.endpoint,
      fmt::format("Address of the API {}, such as http://127.0.0.1:8000 (default: AWS_ENDPOINT_URL_DYNAMODB, "
                  "AWS_ENDPOINT_URL, the profile's, or AWS)",
                  which));
  app.add_option("--" + name + "-region", settings.region,
                 "Region there (default: AWS_REGION, AWS_DEFAULT_REGION, the profile's; us-east-1 for a server on this "
                 "machine)");
  app.add_option("--" + name + "-profile", settings.profile,
                 "Profile of ~/.aws/credentials and ~/.aws/config for it (default: AWS_PROFILE)");
}

void AddWhat(CLI::App& app, CopyOptions& options) {
  copy::CopyPlan& plan = options.plan;
  app.add_option("TABLE", options.tables, "Tables to copy");
  app.add_flag("--all", options.all, "Every table at the source");
  app.add_option("--rename", options.renames, "Table OLD gets the name NEW at the target, as OLD=NEW; may be repeated");
  CLI::Option* schema = app.add_flag("--schema-only", plan.schema_only, "Create the tables, and copy no items");
  app.add_flag("--items-only", plan.items_only, "Copy items into existing tables, and create none")->excludes(schema);
  app.add_flag("--append", plan.append, "Write into tables that have items, and replace items with the same keys")
      ->excludes(schema);
  app.add_flag("!--no-ttl", plan.settings.ttl, "Do not copy the time to live setting");
  app.add_flag("!--no-tags", plan.settings.tags, "Do not copy tags");
  app.add_flag("!--no-stream", plan.settings.stream, "Do not copy stream settings");
  app.add_option("--segments", options.segments,
                 "Segments in which each table is read (default: by its size, 8 or more)")
      ->check(CLI::Range(1u, kSegmentsMax));
  app.add_option("--journal", options.journal,
                 "File that records the progress until the copy is done (default keyfold-copy-TABLE.json, of several "
                 "tables keyfold-copy.json)");
  app.add_flag("--verify", plan.verify, "Count the items at both ends when all are copied, and compare");
  app.add_flag("--dry-run", options.dry_run, "Print what would be copied, and change nothing");
}

std::optional<int> Parse(const Arguments& arguments, terminal::Console& console, CopyOptions& options) {
  CLI::App app(kAbout, kName);
  AddEnd(app, "from", "to read from", options.plan.from);
  AddEnd(app, "to", "to write to", options.plan.to);
  app.add_option("--ca-file", options.ca_file,
                 "Certificate authorities to trust (PEM) instead of the system's (default: SSL_CERT_FILE)");
  AddWhat(app, options);
  const std::vector<const CLI::Option*> not_resumed = [&app] {
    const CLI::App& all = app;
    std::vector<const CLI::Option*> named;
    for (const CLI::Option* option : all.get_options()) {
      if (option != all.get_help_ptr()) named.push_back(option);
    }
    return named;
  }();
  copy::CopySpeed& speed = options.plan.speed;
  const CLI::Option* threads = app.add_option("--threads", speed.threads, "Segments copied at a time (default 8)")
                                   ->check(CLI::Range(1u, kThreadsMax));
  const CLI::Option* items =
      app.add_option("--rate-items", speed.limits.items, "Maximum items per second, of all threads together");
  const CLI::Option* bytes =
      app.add_option("--rate-bytes", speed.limits.bytes, "Maximum bytes of JSON per second, such as 500KB or 5MB")
          ->transform(CLI::AsSizeValue(true));
  app.add_option("--resume", options.resume, "Resume the copy of this journal file; only speed options may be given");
  if (const auto code = ParseOptions(app, arguments, console)) return code;
  options.threads_given = threads->count() > 0;
  options.items_given = items->count() > 0;
  options.bytes_given = bytes->count() > 0;
  options.plan.from.ca_file = options.plan.to.ca_file = options.ca_file;
  if (!options.resume.empty()) {
    for (const CLI::Option* option : not_resumed) {
      if (option->count() == 0) continue;
      const std::string why =
          fmt::format("--resume cannot be combined with {}: the journal has it", option->get_name());
      return RefuseUsage(kName, why, console);
    }
    return std::nullopt;
  }
  if (options.all == options.tables.empty()) return std::nullopt;
  return RefuseUsage(kName, options.all ? "--all cannot be combined with table names" : "name tables, or give --all",
                     console);
}

int Fail(const Error& error, terminal::Console& console) {
  console.Complain(model::Printable(error.message()));
  return kExitFailure;
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

int CarryOut(copy::CopyJournal& journal, terminal::Console& console, copy::StopRequest& stop,
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
  if (Status removed = journal.Remove(); !removed.ok()) return Fail(std::move(removed).TakeError(), console);
  return *done ? kExitOk : kExitFailure;
}

}  // namespace

int RunCopy(const Arguments& arguments, terminal::Console& console) {
  CopyOptions options;
  if (const auto code = Parse(arguments, console, options)) return *code;
  copy::StopRequest stop;
  const copy::Interruption interruption(stop);
  copy::CopyPlan plan;
  if (options.resume.empty()) {
    Result<copy::CopyPlan> made = MakePlan(options, console.environment(), stop);
    if (!made.ok()) return Fail(made.error(), console);
    plan = *std::move(made);
  }
  if (options.dry_run) {
    ShowPlan(plan, console);
    return kExitOk;
  }
  Result<std::unique_ptr<copy::CopyJournal>> journal = OpenJournal(options, std::move(plan));
  if (!journal.ok()) return Fail(journal.error(), console);
  return CarryOut(**journal, console, stop, interruption);
}

}  // namespace keyfold::cli
