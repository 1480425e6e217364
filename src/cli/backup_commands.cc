#include "cli/backup_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <optional>
#include <thread>

#include "cli/database_target.h"
#include "cli/options.h"
#include "cli/progress.h"
#include "json/document.h"
#include "json/writer.h"
#include "server/time_text.h"

namespace keyfold {
namespace {

constexpr std::string_view kArnStart = "arn:";
constexpr Micros kSecond = 1'000'000, kLookAgainMin = 20'000, kLookAgainMax = kSecond, kSayAgain = 5 * kSecond;

constexpr Rule<"there is no backup {}; keyfold backup list names them"> kNoBackup{"cli-no-backup", Kind::kValidation};
constexpr Rule<"{} backups are called {}; give the ARN of one"> kSeveral{"cli-several-backups", Kind::kValidation};
constexpr Rule<"the table {} is gone: the server's log says why it could not be restored"> kGone{"cli-restore-gone",
                                                                                                Kind::kUnavailable};

int Fail(const Error& error, Console& console) {
  console.Complain(error.message());
  return kExitFailure;
}

// A request's body, member by member.
std::string BodyOf(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  for (const auto& [name, value] : members) {
    if (!value.empty()) writer.Member(name, value);
  }
  writer.EndObject();
  return body;
}

std::string_view TextOf(const json::Value& from, std::string_view name) {
  const std::optional<json::Value> value = json::Find(from, name);
  return value && value->is_string() ? value->AsString() : std::string_view();
}

double NumberOf(const json::Value& from, std::string_view name) {
  const std::optional<json::Value> value = json::Find(from, name);
  const bool number = value && (value->type() == json::Type::kInteger || value->type() == json::Type::kDecimal);
  return number ? value->AsDouble() : 0;
}

// One line of `list`.
struct BackupLine {
  std::string arn, name, table, status, type;
  Micros created = 0;
  uint64_t bytes = 0;
};

Result<std::vector<BackupLine>> ListAll(DatabaseTarget& target, const std::string& table) {
  std::vector<BackupLine> lines;
  std::string after;
  do {
    const std::string body = BodyOf({{"TableName", table}, {"ExclusiveStartBackupArn", after}});
    ASSIGN_OR_RETURN(const std::string answer, target.Call("ListBackups", body));
    json::Parser parser;
    const std::optional<json::Value> page = parser.Parse(answer);
    const std::optional<json::Value> summaries = page ? json::Find(*page, "BackupSummaries") : std::nullopt;
    if (!summaries) break;
    for (const json::Value one : summaries->elements()) {
      lines.push_back({std::string(TextOf(one, "BackupArn")), std::string(TextOf(one, "BackupName")),
                       std::string(TextOf(one, "TableName")), std::string(TextOf(one, "BackupStatus")),
                       std::string(TextOf(one, "BackupType")),
                       static_cast<Micros>(NumberOf(one, "BackupCreationDateTime") * 1e6),
                       static_cast<uint64_t>(NumberOf(one, "BackupSizeBytes"))});
    }
    after = TextOf(*page, "LastEvaluatedBackupArn");
  } while (!after.empty());
  return lines;
}

// The one that an ARN, an id or a name means.
Result<std::string> ArnOf(DatabaseTarget& target, const std::string& named) {
  if (named.starts_with(kArnStart)) return named;
  ASSIGN_OR_RETURN(const std::vector<BackupLine> lines, ListAll(target, ""));
  std::vector<std::string> found;
  for (const BackupLine& line : lines) {
    if (line.name == named || line.arn.ends_with("/" + named)) found.push_back(line.arn);
  }
  if (found.empty()) return kNoBackup(named);
  if (found.size() > 1) return kSeveral(found.size(), named);
  return found.front();
}

// Looks again and again, and says now and then that it still waits.
Status WaitWhile(Console& console, const std::string& what, FunctionRef<Result<bool>()> under_way) {
  const SystemClock clock;
  const Micros began = clock.Now();
  Micros said = began;
  for (Micros pause = kLookAgainMin;; pause = std::min(pause * 2, kLookAgainMax)) {
    ASSIGN_OR_RETURN(const bool more, under_way());
    if (!more) return Ok();
    const Micros now = clock.Now();
    if (now - said >= kSayAgain) {
      console.Note(fmt::format("still {}, {}\n", what, DurationWords(now - began)));
      said = now;
    }
    std::this_thread::sleep_for(std::chrono::microseconds(pause));
  }
}

// A member of a description: {"Outer":{"Inner":{NAME: text}}}.
Result<std::string> Described(DatabaseTarget& target, std::string_view operation, const std::string& body,
                              std::initializer_list<std::string_view> path) {
  ASSIGN_OR_RETURN(const std::string answer, target.Call(operation, body));
  json::Parser parser;
  std::optional<json::Value> at = parser.Parse(answer);
  for (const std::string_view name : path) at = at ? json::Find(*at, name) : std::nullopt;
  return at && at->is_string() ? std::string(at->AsString()) : std::string();
}

struct BackupOptions {
  TargetOptions target;
  std::string table, name, backup, at, new_table;
  bool no_wait = false;
};

Status Create(const BackupOptions& options, DatabaseTarget& target, Console& console) {
  const std::string body = BodyOf({{"TableName", options.table}, {"BackupName", options.name}});
  ASSIGN_OR_RETURN(const std::string arn, Described(target, "CreateBackup", body, {"BackupDetails", "BackupArn"}));
  if (!options.no_wait) {
    RETURN_IF_ERROR(WaitWhile(console, "backing up", [&]() -> Result<bool> {
      ASSIGN_OR_RETURN(const std::string status, Described(target, "DescribeBackup", BodyOf({{"BackupArn", arn}}),
                                                           {"BackupDescription", "BackupDetails", "BackupStatus"}));
      return status == "CREATING";
    }));
  }
  console.Print(arn + "\n");
  return Ok();
}

Status List(const BackupOptions& options, DatabaseTarget& target, Console& console) {
  ASSIGN_OR_RETURN(const std::vector<BackupLine> lines, ListAll(target, options.table));
  size_t table_width = 5, name_width = 4;
  for (const BackupLine& line : lines) {
    table_width = std::max(table_width, line.table.size());
    name_width = std::max(name_width, line.name.size());
  }
  console.Print(fmt::format("{:20}  {:{}}  {:{}}  {:9}  {:>15}  {}\n", "CREATED", "TABLE", table_width, "NAME",
                            name_width, "STATUS", "BYTES", "ARN"));
  for (const BackupLine& line : lines) {
    const std::string created = FormatIsoTime(line.created / kSecond * kSecond);
    console.Print(fmt::format("{:20}  {:{}}  {:{}}  {:9}  {:>15}  {}\n", created, line.table, table_width, line.name,
                              name_width, line.status, Grouped(line.bytes), line.arn));
  }
  return Ok();
}

Status Delete(const BackupOptions& options, DatabaseTarget& target, Console& console) {
  ASSIGN_OR_RETURN(const std::string arn, ArnOf(target, options.backup));
  RETURN_IF_ERROR(target.Call("DeleteBackup", BodyOf({{"BackupArn", arn}})));
  console.Note(fmt::format("{} is gone\n", arn));
  return Ok();
}

// The request that begins the restore, by what was given.
Status BeginRestore(const BackupOptions& options, DatabaseTarget& target) {
  if (!options.backup.empty()) {
    ASSIGN_OR_RETURN(const std::string arn, ArnOf(target, options.backup));
    const std::string body = BodyOf({{"BackupArn", arn}, {"TargetTableName", options.new_table}});
    RETURN_IF_ERROR(target.Call("RestoreTableFromBackup", body));
    return Ok();
  }
  std::string body;
  json::Writer writer(body);
  writer.BeginObject();
  writer.Member("SourceTableName", options.table);
  writer.Member("TargetTableName", options.new_table);
  if (options.at.empty()) {
    writer.Member("UseLatestRestorableTime", true);
  } else {
    writer.Key("RestoreDateTime");
    writer.EpochSeconds(*ParseIsoTime(options.at));
  }
  writer.EndObject();
  RETURN_IF_ERROR(target.Call("RestoreTableToPointInTime", body));
  return Ok();
}

Status Restore(const BackupOptions& options, DatabaseTarget& target, Console& console) {
  RETURN_IF_ERROR(BeginRestore(options, target));
  if (options.no_wait) return Ok();
  std::string status;
  RETURN_IF_ERROR(WaitWhile(console, "restoring", [&]() -> Result<bool> {
    const std::string body = BodyOf({{"TableName", options.new_table}});
    Result<std::string> described = Described(target, "DescribeTable", body, {"Table", "TableStatus"});
    if (!described.ok() && described.error().kind() == Kind::kResourceNotFound) return kGone(options.new_table);
    ASSIGN_OR_RETURN(status, std::move(described));
    return status == "CREATING";
  }));
  console.Note(fmt::format("{} is {}\n", options.new_table, status));
  return Ok();
}

using Action = Status (*)(const BackupOptions& options, DatabaseTarget& target, Console& console);

int Run(const BackupOptions& options, Action action, Console& console) {
  Result<DatabaseTarget> target = DatabaseTarget::Open(options.target, console.environment());
  if (!target.ok()) return Fail(target.error(), console);
  if (Status status = action(options, *target, console); !status.ok()) {
    return Fail(std::move(status).TakeError(), console);
  }
  return kExitOk;
}

int RunCreate(const Arguments& arguments, Console& console) {
  CLI::App app("Back a table up, as it is at this moment; prints the backup's ARN", "keyfold backup create");
  BackupOptions options;
  options.name = "keyfold-backup";
  app.add_option("TABLE", options.table, "Table to back up")->required();
  app.add_option("--name", options.name, "What to call the backup (default keyfold-backup)");
  app.add_flag("--no-wait", options.no_wait, "Return before the backup is whole");
  AddTargetOptions(app, options.target);
  if (const auto exit = ParseOptions(app, arguments, console)) return *exit;
  return Run(options, Create, console);
}

int RunList(const Arguments& arguments, Console& console) {
  CLI::App app("List backups, oldest first", "keyfold backup list");
  BackupOptions options;
  app.add_option("TABLE", options.table, "Only those of this table");
  AddTargetOptions(app, options.target);
  if (const auto exit = ParseOptions(app, arguments, console)) return *exit;
  return Run(options, List, console);
}

int RunRestore(const Arguments& arguments, Console& console) {
  CLI::App app("Restore a backup, or a table as it was at a time, to a new table", "keyfold backup restore");
  BackupOptions options;
  app.add_option("NEW-TABLE", options.new_table, "Table to make; it must not exist")->required();
  CLI::Option* backup = app.add_option("--backup", options.backup, "The backup: its ARN, its id, or its name");
  CLI::Option* table = app.add_option("--table", options.table, "Or a table with point-in-time recovery");
  table->excludes(backup);
  app.add_option("--at", options.at, "The table as it was then, as 2026-11-16T02:00:00Z (default: now)")->needs(table);
  app.add_flag("--no-wait", options.no_wait, "Return before the table is whole");
  AddTargetOptions(app, options.target);
  if (const auto exit = ParseOptions(app, arguments, console)) return *exit;
  if (options.backup.empty() && options.table.empty()) {
    return RefuseUsage("keyfold backup restore", "--backup or --table is missing", console);
  }
  if (!options.at.empty() && !ParseIsoTime(options.at)) {
    return RefuseUsage("keyfold backup restore", "--at takes a time as 2026-11-16T02:00:00Z", console);
  }
  return Run(options, Restore, console);
}

int RunDelete(const Arguments& arguments, Console& console) {
  CLI::App app("Delete a backup and its files", "keyfold backup delete");
  BackupOptions options;
  app.add_option("BACKUP", options.backup, "Its ARN, its id, or its name")->required();
  AddTargetOptions(app, options.target);
  if (const auto exit = ParseOptions(app, arguments, console)) return *exit;
  return Run(options, Delete, console);
}

constexpr Command kCommands[] = {
    {"create", "Back a table up, as it is at this moment", RunCreate},
    {"list", "List backups, oldest first", RunList},
    {"restore", "Restore a backup, or a table as it was at a time, to a new table", RunRestore},
    {"delete", "Delete a backup and its files", RunDelete},
};

constexpr CommandGroup kGroup{
    "keyfold backup", "Backups of tables, and tables as they were", kCommands,
    "  keyfold backup create shop --endpoint http://127.0.0.1:8000\n"
    "  keyfold backup restore shop2 --backup keyfold-backup --data keyfold-data\n"
    "  keyfold backup restore shop3 --table shop --at 2026-11-16T02:00:00Z --endpoint http://127.0.0.1:8000\n"};

}  // namespace

int RunBackup(const Arguments& arguments, Console& console) { return RunCommand(kGroup, arguments, console); }

}  // namespace keyfold
