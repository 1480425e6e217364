// UpdateContinuousBackups and DescribeContinuousBackups: whether a table can be restored to an earlier time, and how
// far back.
#include "engine/catalog/rules.h"
#include "ops/backup_description.h"
#include "ops/handlers.h"
#include "ops/time_member.h"
#include "wire/requests/backups.h"

namespace keyfold::ops {
namespace {

void WriteRecovery(json::Writer& out, const engine::RecoverySettings& recovery, Micros now) {
  out.Key("PointInTimeRecoveryDescription");
  out.BeginObject();
  out.Member("PointInTimeRecoveryStatus", recovery.enabled ? "ENABLED" : "DISABLED");
  if (recovery.enabled) {
    const Micros earliest = recovery.EarliestAt(now);
    out.Member("RecoveryPeriodInDays", recovery.days);
    WriteTime(out, "EarliestRestorableDateTime", earliest);
    WriteTime(out, "LatestRestorableDateTime", std::max(earliest, engine::BackupJobs::LatestRestorable(now)));
  }
  out.EndObject();
}

void WriteContinuousBackups(json::Writer& out, const Call& call, const engine::Table& table) {
  out.BeginObject();
  out.Key("ContinuousBackupsDescription");
  out.BeginObject();
  out.Member("ContinuousBackupsStatus", "ENABLED");
  WriteRecovery(out, table.recovery, call.service.db.clock.Now());
  out.EndObject();
  out.EndObject();
}

Result<engine::TablePtr> FindRecoverableTable(Call& call, const std::string& name_or_arn) {
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, name_or_arn));
  engine::TablePtr table = call.service.db.catalog.Current()->Find(name);
  if (!table || table->deleting) return engine::kTableNotFound(name);
  call.account.table = table->name;
  return table;
}

}  // namespace

Status UpdateContinuousBackups(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::UpdateContinuousBackupsRequest r,
                   wire::Decode<wire::UpdateContinuousBackupsRequest>(request));
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindRecoverableTable(call, r.table_name));
  ASSIGN_OR_RETURN(engine::BackupJobs* const backups, BackupsOf(call));
  const wire::PointInTimeRecoverySpecification& wanted = r.point_in_time_recovery_specification;
  ASSIGN_OR_RETURN(
      const engine::TablePtr updated,
      backups->SetRecovery(table->name, wanted.point_in_time_recovery_enabled, wanted.recovery_period_in_days));
  WriteContinuousBackups(answer, call, *call.service.db.catalog.Current()->Find(table->name));
  return Ok();
}

Status DescribeContinuousBackups(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DescribeContinuousBackupsRequest r,
                   wire::Decode<wire::DescribeContinuousBackupsRequest>(request));
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindRecoverableTable(call, r.table_name));
  WriteContinuousBackups(answer, call, *table);
  return Ok();
}

}  // namespace keyfold::ops
