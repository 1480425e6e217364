#include "ops/backup_description.h"

#include "engine/catalog/rules.h"
#include "ops/table_description.h"

namespace keyfold {
namespace {

constexpr Rule<"Backups need a folder, and this server has none it can write to"> kNoFolder{"backups-no-folder",
                                                                                            Kind::kUnavailable};

std::string_view NameOf(Backup::Kind kind) { return kind == Backup::Kind::kUser ? "USER" : "SYSTEM"; }
std::string_view NameOf(Backup::Status status) {
  return status == Backup::Status::kCreating ? "CREATING" : "AVAILABLE";
}

std::string ArnOf(const Call& call, const Backup& backup) {
  return PartArn(call.service.identity, backup.table.name, "backup", backup.id);
}

void WriteDetailMembers(json::Writer& out, const Call& call, const Backup& backup) {
  out.Member("BackupArn", ArnOf(call, backup));
  out.Member("BackupName", backup.name);
  out.Member("BackupSizeBytes", backup.bytes);
  out.Member("BackupStatus", NameOf(backup.status));
  out.Member("BackupType", NameOf(backup.kind));
  out.Key("BackupCreationDateTime");
  out.EpochSeconds(backup.created);
  if (backup.expires == 0) return;
  out.Key("BackupExpiryDateTime");
  out.EpochSeconds(backup.expires);
}

void WriteUnits(json::Writer& out, const Throughput& throughput) {
  out.Key("ProvisionedThroughput");
  out.BeginObject();
  out.Member("ReadCapacityUnits", throughput.read_units);
  out.Member("WriteCapacityUnits", throughput.write_units);
  out.EndObject();
}

void WriteSource(json::Writer& out, const Call& call, const Backup& backup) {
  const Table& table = backup.table;
  out.Key("SourceTableDetails");
  out.BeginObject();
  out.Member("TableName", table.name);
  out.Member("TableId", table.uuid);
  out.Member("TableArn", TableArn(call.service.identity, table.name));
  out.Member("TableSizeBytes", backup.bytes);
  out.Member("ItemCount", backup.items);
  WriteKeySchema(out, table.key);
  out.Key("TableCreationDateTime");
  out.EpochSeconds(table.created);
  WriteUnits(out, table.throughput);
  out.Member("BillingMode", table.on_demand_billing ? "PAY_PER_REQUEST" : "PROVISIONED");
  out.EndObject();
}

void WriteIndexes(json::Writer& out, std::string_view member, bool global, const Table& table) {
  out.Key(member);
  out.BeginArray();
  for (const Index& index : table.indexes) {
    if (index.global != global) continue;
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeySchema(out, index.key);
    WriteProjection(out, index);
    if (global) WriteUnits(out, index.throughput);
    out.EndObject();
  }
  out.EndArray();
}

void WriteFeatures(json::Writer& out, const Table& table) {
  out.Key("SourceTableFeatureDetails");
  out.BeginObject();
  if (table.HasLocalIndexes()) WriteIndexes(out, "LocalSecondaryIndexes", false, table);
  if (!table.indexes.empty() && table.indexes.back().global) WriteIndexes(out, "GlobalSecondaryIndexes", true, table);
  if (table.stream.enabled) {
    out.Key("StreamDescription");
    out.BeginObject();
    out.Member("StreamEnabled", true);
    out.Member("StreamViewType", table.stream.view_type);
    out.EndObject();
  }
  if (table.expiry.enabled) {
    out.Key("TimeToLiveDescription");
    out.BeginObject();
    out.Member("TimeToLiveStatus", "ENABLED");
    out.Member("AttributeName", table.expiry.attribute);
    out.EndObject();
  }
  WriteEncryption(out, table.encryption);
  out.EndObject();
}

}  // namespace

void WriteBackupDetails(json::Writer& out, const Call& call, const Backup& backup) {
  out.Key("BackupDetails");
  out.BeginObject();
  WriteDetailMembers(out, call, backup);
  out.EndObject();
}

void WriteBackupDescription(json::Writer& out, const Call& call, const Backup& backup) {
  out.Key("BackupDescription");
  out.BeginObject();
  WriteBackupDetails(out, call, backup);
  WriteSource(out, call, backup);
  WriteFeatures(out, backup.table);
  out.EndObject();
}

void WriteBackupSummary(json::Writer& out, const Call& call, const Backup& backup) {
  out.BeginObject();
  out.Member("TableName", backup.table.name);
  out.Member("TableId", backup.table.uuid);
  out.Member("TableArn", TableArn(call.service.identity, backup.table.name));
  WriteDetailMembers(out, call, backup);
  out.EndObject();
}

Result<BackupJobs*> BackupsOf(const Call& call) {
  if (!call.service.backups) return kNoFolder();
  return call.service.backups;
}

Result<BackupPtr> FindBackup(const Call& call, std::string_view arn) {
  const std::optional<std::string> id = IdOfPartArn(call.service.identity, "backup", arn);
  const SnapshotPtr snapshot = call.service.db.catalog.Current();
  const auto it = id ? snapshot->backups.find(*id) : snapshot->backups.end();
  if (it == snapshot->backups.end() || ArnOf(call, *it->second) != arn) return kNoSuchBackup(arn);
  return it->second;
}

}  // namespace keyfold
