// CreateBackup, DescribeBackup, ListBackups and DeleteBackup.
#include "wire/requests/backups.h"

#include "ops/backup_description.h"
#include "ops/handlers.h"

namespace keyfold {
namespace {

constexpr int32_t kBackupsPerPage = 100;

// The filter of a ListBackups request.
class Wanted {
 public:
  Wanted(const ListBackupsRequest& request, std::optional<std::string> table)
      : request_(request), table_(std::move(table)) {}

  bool Takes(const Backup& backup) const {
    if (table_ && backup.table.name != *table_) return false;
    if (request_.time_range_lower_bound && backup.created < request_.time_range_lower_bound->micros) return false;
    if (request_.time_range_upper_bound && backup.created >= request_.time_range_upper_bound->micros) return false;
    switch (request_.backup_type.value_or(BackupTypeFilter::kAll)) {
      case BackupTypeFilter::kUser:
        return backup.kind == Backup::Kind::kUser;
      case BackupTypeFilter::kSystem:
        return backup.kind == Backup::Kind::kSystem;
      case BackupTypeFilter::kAwsBackup:
        return false;
      case BackupTypeFilter::kAll:
        break;
    }
    return true;
  }

 private:
  const ListBackupsRequest& request_;
  const std::optional<std::string> table_;
};

}  // namespace

Status CreateBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const CreateBackupRequest r, Decode<CreateBackupRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, TableNameOf(call.service.identity, r.table_name));
  ASSIGN_OR_RETURN(BackupJobs* const backups, BackupsOf(call));
  ASSIGN_OR_RETURN(const BackupPtr backup, backups->Create(name, r.backup_name));
  call.account.table = name;
  answer.BeginObject();
  WriteBackupDetails(answer, call, *backup);
  answer.EndObject();
  return Ok();
}

Status DescribeBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const DescribeBackupRequest r, Decode<DescribeBackupRequest>(request));
  ASSIGN_OR_RETURN(const BackupPtr backup, FindBackup(call, r.backup_arn));
  answer.BeginObject();
  WriteBackupDescription(answer, call, *backup);
  answer.EndObject();
  return Ok();
}

Status DeleteBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const DeleteBackupRequest r, Decode<DeleteBackupRequest>(request));
  ASSIGN_OR_RETURN(const BackupPtr found, FindBackup(call, r.backup_arn));
  ASSIGN_OR_RETURN(BackupJobs* const backups, BackupsOf(call));
  ASSIGN_OR_RETURN(const BackupPtr deleted, backups->Delete(found->id));
  answer.BeginObject();
  WriteBackupDescription(answer, call, *deleted);
  answer.EndObject();
  return Ok();
}

Status ListBackups(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const ListBackupsRequest r, Decode<ListBackupsRequest>(request));
  std::optional<std::string> table;
  if (r.table_name) {
    ASSIGN_OR_RETURN(table, TableNameOf(call.service.identity, *r.table_name));
  }
  const Wanted wanted(r, std::move(table));
  const SnapshotPtr snapshot = call.service.db.catalog.Current();
  auto it = snapshot->backups.begin();
  if (r.exclusive_start_backup_arn) {
    const auto after = IdOfPartArn(call.service.identity, "backup", *r.exclusive_start_backup_arn);
    it = after ? snapshot->backups.upper_bound(*after) : snapshot->backups.end();
  }
  const Backup* last = nullptr;
  int32_t left = r.limit.value_or(kBackupsPerPage);
  answer.BeginObject();
  answer.Key("BackupSummaries");
  answer.BeginArray();
  for (; it != snapshot->backups.end() && left > 0; ++it) {
    if (!wanted.Takes(*it->second)) continue;
    WriteBackupSummary(answer, call, *it->second);
    last = it->second.get();
    --left;
  }
  answer.EndArray();
  const auto wanted_later = [&](const auto& entry) { return wanted.Takes(*entry.second); };
  if (last && std::any_of(it, snapshot->backups.end(), wanted_later)) {
    answer.Member("LastEvaluatedBackupArn", PartArn(call.service.identity, last->table.name, "backup", last->id));
  }
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
