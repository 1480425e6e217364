// RestoreTableFromBackup and RestoreTableToPointInTime: make a new table with the earlier items of another.
#include "engine/catalog/rules.h"
#include "ops/backup_description.h"
#include "ops/handlers.h"
#include "ops/table_description.h"
#include "ops/table_rules.h"
#include "wire/requests/backups.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"One or more parameter values were invalid: SourceTableName or SourceTableArn must be specified">
    kSourceMissing{"restore-source-missing", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Either RestoreDateTime or UseLatestRestorableTime must be specified, "
    "and not both">
    kTimeMissing{"restore-time-missing", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: the index {} of the override is not one of the source table's, or its "
    "key schema or projection differs">
    kOtherIndex{"restore-other-index", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ProvisionedThroughputOverride must be specified when BillingMode is "
    "PROVISIONED">
    kRestoreThroughputMissing{"restore-throughput-missing", Kind::kValidation};

// Returns the source's index that an override names; only its throughput may differ.
Result<engine::Index> Overridden(const engine::Table& source, const engine::Index& wanted) {
  for (const engine::Index& index : source.indexes) {
    const bool same = index.name == wanted.name && index.global == wanted.global && index.key == wanted.key &&
                      index.projection == wanted.projection && index.included == wanted.included;
    if (same) return wanted;
  }
  return kOtherIndex(wanted.name);
}

Status OverrideIndexes(const wire::RestoreOverrides& r, engine::Table& table) {
  const std::vector<wire::AttributeDefinition> definitions = DefinitionsOf(table.attributes);
  std::vector<engine::Index> wanted;
  for (const engine::Index& index : table.indexes) {
    const bool given = index.global ? r.global_secondary_indexes.has_value() : r.local_secondary_indexes.has_value();
    if (!given) wanted.push_back(index);
  }
  if (r.local_secondary_indexes) {
    for (auto it = r.local_secondary_indexes->rbegin(); it != r.local_secondary_indexes->rend(); ++it) {
      ASSIGN_OR_RETURN(engine::Index index, Overridden(table, LocalIndexOf(*it, definitions)));
      wanted.insert(wanted.begin(), std::move(index));
    }
  }
  if (r.global_secondary_indexes) {
    for (const wire::GlobalSecondaryIndex& given : *r.global_secondary_indexes) {
      ASSIGN_OR_RETURN(engine::Index index, Overridden(table, GlobalIndexOf(given, definitions)));
      wanted.push_back(std::move(index));
    }
  }
  RETURN_IF_ERROR(IndexNamesAreDistinct(wanted));
  table.indexes = std::move(wanted);
  return Ok();
}

Status OverrideBilling(const wire::RestoreOverrides& r, engine::Table& table) {
  const bool was_on_demand = table.on_demand_billing;
  if (r.billing_mode) table.on_demand_billing = *r.billing_mode == wire::BillingMode::kPayPerRequest;
  if (table.on_demand_billing) {
    if (r.provisioned_throughput) return kThroughputUnneeded();
    table.throughput = {};
    for (engine::Index& index : table.indexes) index.throughput = {};
  } else if (r.provisioned_throughput) {
    RETURN_IF_ERROR(ThroughputIsInBounds(*r.provisioned_throughput));
    table.throughput.read_units = r.provisioned_throughput->read_capacity_units;
    table.throughput.write_units = r.provisioned_throughput->write_capacity_units;
  } else if (was_on_demand) {
    return kRestoreThroughputMissing();
  }
  if (r.on_demand_throughput) table.on_demand = UnitsOf(r.on_demand_throughput);
  return Ok();
}

// The table to create from `source`.
Result<engine::Table> RestoredTable(const Call& call, const engine::Table& source, std::string name,
                                    const wire::RestoreOverrides& r) {
  engine::Table table = engine::RestoredTable(source, std::move(name));
  RETURN_IF_ERROR(OverrideIndexes(r, table));
  RETURN_IF_ERROR(OverrideBilling(r, table));
  if (r.sse_specification) table.encryption = EncryptionOf(*r.sse_specification, call.service.identity);
  std::erase_if(table.attributes, [&](const KeyAttribute& a) {
    const auto named = [&](const engine::Index& index) { return index.key.Names(a.name); };
    return !table.key.Names(a.name) && std::none_of(table.indexes.begin(), table.indexes.end(), named);
  });
  return table;
}

void Answer(Call& call, const engine::Table& created, json::Writer& answer) {
  call.account.table = created.name;
  answer.BeginObject();
  answer.Key("TableDescription");
  WriteTableDescription(answer, {call.service.db, call.service.identity, created, engine::TableStatus::kCreating});
  answer.EndObject();
}

Result<std::string> SourceOf(const Call& call, const wire::RestoreTableToPointInTimeRequest& r) {
  if (r.source_table_arn) return engine::TableNameOfArn(call.service.identity, *r.source_table_arn);
  if (r.source_table_name) return *r.source_table_name;
  return kSourceMissing();
}

}  // namespace

Status RestoreTableFromBackup(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::RestoreTableFromBackupRequest r,
                   wire::Decode<wire::RestoreTableFromBackupRequest>(request));
  ASSIGN_OR_RETURN(const engine::BackupPtr backup, FindBackup(call, r.backup_arn));
  ASSIGN_OR_RETURN(engine::BackupJobs* const backups, BackupsOf(call));
  ASSIGN_OR_RETURN(engine::Table described, RestoredTable(call, backup->table, r.target_table_name, r));
  ASSIGN_OR_RETURN(const engine::TablePtr created, backups->RestoreBackup(backup->id, std::move(described)));
  Answer(call, *created, answer);
  return Ok();
}

Status RestoreTableToPointInTime(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::RestoreTableToPointInTimeRequest r,
                   wire::Decode<wire::RestoreTableToPointInTimeRequest>(request));
  ASSIGN_OR_RETURN(const std::string source, SourceOf(call, r));
  const bool latest = r.use_latest_restorable_time.value_or(false);
  if (latest == r.restore_date_time.has_value()) return kTimeMissing();
  const engine::TablePtr table = call.service.db.catalog.Current()->Find(source);
  if (!table) return engine::kTableNotFound(source);
  ASSIGN_OR_RETURN(engine::BackupJobs* const backups, BackupsOf(call));
  ASSIGN_OR_RETURN(engine::Table described, RestoredTable(call, *table, r.target_table_name, r));
  const std::optional<Micros> time = latest ? std::nullopt : std::optional(r.restore_date_time->micros);
  ASSIGN_OR_RETURN(const engine::TablePtr created, backups->RestoreMoment(source, time, std::move(described)));
  Answer(call, *created, answer);
  return Ok();
}

}  // namespace keyfold::ops
