#include "cli/commands/backup_commands.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/time_text.h"
#include "cli/commands/answer.h"
#include "cli/commands/database_target.h"
#include "cli/commands/job_watch.h"
#include "cli/shell/options.h"
#include "json/writer.h"
#include "terminal/progress.h"

namespace keyfold::cli {
namespace {

constexpr std::string_view kArnStart = "arn:";

constexpr Rule<"there is no backup {}; run keyfold backup list to see them"> kNoBackup{"cli-no-backup",
                                                                                       Kind::kValidation};
constexpr Rule<"{} backups are called {}; give the ARN of one"> kSeveral{"cli-several-backups", Kind::kValidation};
constexpr Rule<"the table {} was removed: the server's log says why it could not be restored"> kRestoredTableGone{
    "cli-restore-gone", Kind::kUnavailable};

// One line of `list`.
struct BackupLine {
  std::string arn, name, table, status, type;
  Micros created = 0;
  uint64_t bytes = 0;
};

Result<std::vector<BackupLine>> ListAll(client::ApiCaller& caller, const std::string& table) {
  std::vector<BackupLine> lines;
  std::string after;
  do {
    const std::string body = BodyOf({{"TableName", table}, {"ExclusiveStartBackupArn", after}});
    ASSIGN_OR_RETURN(const Answer page, Answer::Ask(caller, "ListBackups", body));
    const std::optional<json::Value> summaries = page.Find({"BackupSummaries"});
    if (!summaries) break;
    for (const json::Value one : summaries->elements()) {
      lines.push_back({std::string(json::TextAt(one, "BackupArn")), std::string(json::TextAt(one, "BackupName")),
                       std::string(json::TextAt(one, "TableName")), std::string(json::TextAt(one, "BackupStatus")),
                       std::string(json::TextAt(one, "BackupType")),
                       static_cast<Micros>(json::NumberAt(one, "BackupCreationDateTime") * 1e6),
                       static_cast<uint64_t>(json::NumberAt(one, "BackupSizeBytes"))});
    }
    after = page.Text({"LastEvaluatedBackupArn"});
  } while (!after.empty());
  return lines;
}

// Returns the ARN of the backup with that ARN, id or name.
Result<std::string> ArnOf(client::ApiCaller& caller, const std::string& named) {
  if (named.starts_with(kArnStart)) return named;
  ASSIGN_OR_RETURN(const std::vector<BackupLine> lines, ListAll(caller, ""));
  std::vector<std::string> found;
  for (const BackupLine& line : lines) {
    if (line.name == named || line.arn.ends_with("/" + named)) found.push_back(line.arn);
  }
  if (found.empty()) return kNoBackup(named);
  if (found.size() > 1) return kSeveral(found.size(), named);
  return found.front();
}

struct BackupOptions {
  TargetOptions target;
  std::string table, name, backup, at, new_table;
  bool no_wait = false;
};

Status Create(const BackupOptions& options, client::ApiCaller& caller, terminal::Console& console) {
  const std::string body = BodyOf({{"TableName", options.table}, {"BackupName", options.name}});
  ASSIGN_OR_RETURN(const Answer begun, Answer::Ask(caller, "CreateBackup", body));
  const std::string arn = begun.Text({"BackupDetails", "BackupArn"});
  if (!options.no_wait) {
    const WatchedWork work{engine::JobKind::kBackup, options.table, IdOf(arn), "backing up " + options.table};
    RETURN_IF_ERROR(JobWatch(console, caller).Wait(work, [&]() -> Result<bool> {
      ASSIGN_OR_RETURN(const Answer now, Answer::Ask(caller, "DescribeBackup", BodyOf({{"BackupArn", arn}})));
      return now.Text({"BackupDescription", "BackupDetails", "BackupStatus"}) == "CREATING";
    }));
  }
  console.PrintLine(arn);
  return Ok();
}

Status List(const BackupOptions& options, client::ApiCaller& caller, terminal::Console& console) {
  ASSIGN_OR_RETURN(const std::vector<BackupLine> lines, ListAll(caller, options.table));
  size_t table_width = 5, name_width = 4;
  for (const BackupLine& line : lines) {
    table_width = std::max(table_width, line.table.size());
    name_width = std::max(name_width, line.name.size());
  }
  console.Print(fmt::format("{:20}  {:{}}  {:{}}  {:9}  {:>15}  {}\n", "CREATED", "TABLE", table_width, "NAME",
                            name_width, "STATUS", "BYTES", "ARN"));
  for (const BackupLine& line : lines) {
    const std::string created = FormatIsoTime(line.created / kSecond * kSecond);
    console.PrintLine(fmt::format("{:20}  {:{}}  {:{}}  {:9}  {:>15}  {}", created, line.table, table_width, line.name,
                                  name_width, line.status, terminal::Grouped(line.bytes), line.arn));
  }
  return Ok();
}

Status Delete(const BackupOptions& options, client::ApiCaller& caller, terminal::Console& console) {
  ASSIGN_OR_RETURN(const std::string arn, ArnOf(caller, options.backup));
  RETURN_IF_ERROR(caller.Call("DeleteBackup", BodyOf({{"BackupArn", arn}})));
  console.NoteLine(fmt::format("deleted {}", arn));
  return Ok();
}

// Sends the request that starts the restore, according to the options.
Status BeginRestore(const BackupOptions& options, client::ApiCaller& caller) {
  if (!options.backup.empty()) {
    ASSIGN_OR_RETURN(const std::string arn, ArnOf(caller, options.backup));
    const std::string body = BodyOf({{"BackupArn", arn}, {"TargetTableName", options.new_table}});
    RETURN_IF_ERROR(caller.Call("RestoreTableFromBackup", body));
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
  RETURN_IF_ERROR(caller.Call("RestoreTableToPointInTime", body));
  return Ok();
}

Status Restore(const BackupOptions& options, client::ApiCaller& caller, terminal::Console& console) {
  RETURN_IF_ERROR(BeginRestore(options, caller));
  if (options.no_wait) return Ok();
  std::string status;
  const WatchedWork work{engine::JobKind::kRestore, options.new_table, "", "restoring " + options.new_table};
  RETURN_IF_ERROR(JobWatch(console, caller).Wait(work, [&]() -> Result<bool> {
    Result<Answer> now = Answer::Ask(caller, "DescribeTable", BodyOf({{"TableName", options.new_table}}));
    if (!now.ok() && now.error().kind() == Kind::kResourceNotFound) return kRestoredTableGone(options.new_table);
    RETURN_IF_ERROR(now);
    status = now->Text({"Table", "TableStatus"});
    return status == "CREATING";
  }));
  console.NoteLine(fmt::format("{} is {}", options.new_table, status));
  return Ok();
}

using Action = Status (*)(const BackupOptions& options, client::ApiCaller& caller, terminal::Console& console);

int Run(const BackupOptions& options, Action action, terminal::Console& console) {
  return RunAtTarget(options.target, console,
                     [&](DatabaseTarget& target) { return action(options, target.caller(), console); });
}

int RunCreate(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser("keyfold backup create", "Back up a table as it is now; prints the backup's ARN");
  BackupOptions options;
  options.name = "keyfold-backup";
  parser.Text("TABLE", options.table, "Table to back up").Required();
  parser.Text("--name", options.name, "Name of the backup (default keyfold-backup)");
  AddTargetOptions(parser, options.target);
  parser.Flag("--no-wait", options.no_wait, "Return before the backup is complete").Excludes("--data");
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  return Run(options, Create, console);
}

int RunList(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser("keyfold backup list", "List backups, oldest first");
  BackupOptions options;
  parser.Text("TABLE", options.table, "Only backups of this table");
  AddTargetOptions(parser, options.target);
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  return Run(options, List, console);
}

int RunRestore(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser("keyfold backup restore", "Restore a backup, or a table as it was at some time, to a new table");
  BackupOptions options;
  parser.Text("NEW-TABLE", options.new_table, "Table to create; it must not exist").Required();
  parser.Text("--backup", options.backup, "The backup: its ARN, its id, or its name");
  parser.Text("--table", options.table, "Instead: a table with point-in-time recovery").Excludes("--backup");
  parser.Text("--at", options.at, "Time of the table to restore, such as 2026-11-16T02:00:00Z (default: now)")
      .Needs("--table");
  AddTargetOptions(parser, options.target);
  parser.Flag("--no-wait", options.no_wait, "Return before the table is complete").Excludes("--data");
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  if (options.backup.empty() && options.table.empty()) {
    return RefuseUsage("keyfold backup restore", "--backup or --table is missing", console);
  }
  if (!options.at.empty() && !ParseIsoTime(options.at)) {
    return RefuseUsage("keyfold backup restore", "--at takes a time such as 2026-11-16T02:00:00Z", console);
  }
  return Run(options, Restore, console);
}

int RunDelete(const Arguments& arguments, terminal::Console& console) {
  OptionParser parser("keyfold backup delete", "Delete a backup and its files");
  BackupOptions options;
  parser.Text("BACKUP", options.backup, "Its ARN, its id, or its name").Required();
  AddTargetOptions(parser, options.target);
  if (const std::optional<int> exit = parser.Parse(arguments, console)) return *exit;
  return Run(options, Delete, console);
}

constexpr Command kBackupCommands[] = {
    {"create", "Back up a table as it is now", RunCreate},
    {"list", "List backups, oldest first", RunList},
    {"restore", "Restore a backup, or a table as it was at some time, to a new table", RunRestore},
    {"delete", "Delete a backup and its files", RunDelete},
};

constexpr CommandGroup kBackupGroup{
    "keyfold backup", "Backups of tables, and tables at an earlier time", kBackupCommands,
    "  keyfold backup create shop --endpoint http://127.0.0.1:8000\n"
    "  keyfold backup restore shop2 --backup keyfold-backup --data keyfold-data\n"
    "  keyfold backup restore shop3 --table shop --at 2026-11-16T02:00:00Z --endpoint http://127.0.0.1:8000\n"};

}  // namespace

int RunBackup(const Arguments& arguments, terminal::Console& console) {
  return RunCommand(kBackupGroup, arguments, console);
}

}  // namespace keyfold::cli
