// CreateBackup, DescribeBackup, ListBackups and DeleteBackup.
#include "wire/requests/backups.h"

#include "ops/backup_description.h"
#include "ops/handlers.h"

namespace keyfold::ops {
namespace {

constexpr int32_t kBackupsPerPage = 100;

// The filter of a ListBackups request.
class Wanted {
 public:
  Wanted(const wire::ListBackupsRequest& request, std::optional<std::string> table)
      : request_(request), table_(std::move(table)) {}

  bool Takes(const engine::Backup& backup) const {
    if (table_ && backup.table.name != *table_) return false;
    if (request_.time_range_lower_bound && backup.created < request_.time_range_lower_bound->micros) return false;
    if (request_.time_range_upper_bound && backup.created >= request_.time_range_upper_bound->micros) return false;
    switch (request_.backup_type.value_or(wire::BackupTypeFilter::kAll)) {
      case wire::BackupTypeFilter::kUser:
        return backup.kind == engine::Backup::Kind::kUser;
      case wire::BackupTypeFilter::kSystem:
        return backup.kind == engine::Backup::Kind::kSystem;
      case wire::BackupTypeFilter::kAwsBackup:
        return false;
      case wire::BackupTypeFilter::kAll:
        break;
    }
    return true;
  }

 private:
  const wire::ListBackupsRequest& request_;
  const std::optional<std::string> table_;
};

}  // namespace

Status CreateBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::CreateBackupRequest r, wire::Decode<wire::CreateBackupRequest>(request));
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, r.table_name));
  ASSIGN_OR_RETURN(engine::BackupJobs* const backups, BackupsOf(call));
  ASSIGN_OR_RETURN(const engine::BackupPtr backup, backups->Create(name, r.backup_name));
  call.account.table = name;
  answer.BeginObject();
  WriteBackupDetails(answer, call, *backup);
  answer.EndObject();
  return Ok();
}

Status DescribeBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeBackupRequest r, wire::Decode<wire::DescribeBackupRequest>(request));
  ASSIGN_OR_RETURN(const engine::BackupPtr backup, FindBackup(call, r.backup_arn));
  answer.BeginObject();
  WriteBackupDescription(answer, call, *backup);
  answer.EndObject();
  return Ok();
}

Status DeleteBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DeleteBackupRequest r, wire::Decode<wire::DeleteBackupRequest>(request));
  ASSIGN_OR_RETURN(const engine::BackupPtr found, FindBackup(call, r.backup_arn));
  ASSIGN_OR_RETURN(engine::BackupJobs* const backups, BackupsOf(call));
  ASSIGN_OR_RETURN(const engine::BackupPtr deleted, backups->Delete(found->id));
  answer.BeginObject();
  WriteBackupDescription(answer, call, *deleted);
  answer.EndObject();
  return Ok();
}

Status ListBackups(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ListBackupsRequest r, wire::Decode<wire::ListBackupsRequest>(request));
  std::optional<std::string> table;
  if (r.table_name) {
    ASSIGN_OR_RETURN(table, engine::TableNameOf(call.service.identity, *r.table_name));
  }
  const Wanted wanted(r, std::move(table));
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  auto it = snapshot->backups.begin();
  if (r.exclusive_start_backup_arn) {
    const auto after = engine::IdOfPartArn(call.service.identity, "backup", *r.exclusive_start_backup_arn);
    it = after ? snapshot->backups.upper_bound(*after) : snapshot->backups.end();
  }
  const engine::Backup* last = nullptr;
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
    answer.Member("LastEvaluatedBackupArn",
                  engine::PartArn(call.service.identity, last->table.name, "backup", last->id));
  }
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
