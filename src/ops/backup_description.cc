#include "ops/backup_description.h"

#include "engine/catalog/rules.h"
#include "ops/table_description.h"
#include "ops/time_member.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Backups need a folder, but this server has no writable one"> kNoBackupFolder{"backups-no-folder",
                                                                                             Kind::kUnavailable};

std::string_view BackupTypeName(engine::Backup::Kind kind) {
  return kind == engine::Backup::Kind::kUser ? "USER" : "SYSTEM";
}
std::string_view BackupStatusName(engine::Backup::Status status) {
  return status == engine::Backup::Status::kCreating ? "CREATING" : "AVAILABLE";
}

std::string BackupArnOf(const Call& call, const engine::Backup& backup) {
  return engine::PartArn(call.service.identity, backup.table.name, "backup", backup.id);
}

void WriteDetailMembers(json::Writer& out, const Call& call, const engine::Backup& backup) {
  out.Member("BackupArn", BackupArnOf(call, backup));
  out.Member("BackupName", backup.name);
  out.Member("BackupSizeBytes", backup.bytes);
  out.Member("BackupStatus", BackupStatusName(backup.status));
  out.Member("BackupType", BackupTypeName(backup.kind));
  WriteTime(out, "BackupCreationDateTime", backup.created);
  if (backup.expires == 0) return;
  WriteTime(out, "BackupExpiryDateTime", backup.expires);
}

void WriteBackupSource(json::Writer& out, const Call& call, const engine::Backup& backup) {
  const engine::Table& table = backup.table;
  out.Key("SourceTableDetails");
  out.BeginObject();
  out.Member("TableName", table.name);
  out.Member("TableId", table.uuid);
  out.Member("TableArn", engine::TableArn(call.service.identity, table.name));
  out.Member("TableSizeBytes", backup.bytes);
  out.Member("ItemCount", backup.items);
  WriteKeySchema(out, table.key);
  WriteTime(out, "TableCreationDateTime", table.created);
  WriteProvisionedUnits(out, table.throughput);
  out.Member("BillingMode", table.on_demand_billing ? "PAY_PER_REQUEST" : "PROVISIONED");
  out.EndObject();
}

void WriteBackupIndexes(json::Writer& out, std::string_view member, bool global, const engine::Table& table) {
  out.Key(member);
  out.BeginArray();
  for (const engine::Index& index : table.indexes) {
    if (index.global != global) continue;
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeySchema(out, index.key);
    WriteProjection(out, index);
    if (global) WriteProvisionedUnits(out, index.throughput);
    out.EndObject();
  }
  out.EndArray();
}

void WriteFeatures(json::Writer& out, const engine::Table& table) {
  out.Key("SourceTableFeatureDetails");
  out.BeginObject();
  if (table.HasLocalIndexes()) WriteBackupIndexes(out, "LocalSecondaryIndexes", false, table);
  if (!table.indexes.empty() && table.indexes.back().global)
    WriteBackupIndexes(out, "GlobalSecondaryIndexes", true, table);
  if (table.stream.enabled) {
    out.Key("StreamDescription");
    out.BeginObject();
    out.Member("StreamEnabled", true);
    out.Member("StreamViewType", NameOf(table.stream.view_type));
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

void WriteBackupDetails(json::Writer& out, const Call& call, const engine::Backup& backup) {
  out.Key("BackupDetails");
  out.BeginObject();
  WriteDetailMembers(out, call, backup);
  out.EndObject();
}

void WriteBackupDescription(json::Writer& out, const Call& call, const engine::Backup& backup) {
  out.Key("BackupDescription");
  out.BeginObject();
  WriteBackupDetails(out, call, backup);
  WriteBackupSource(out, call, backup);
  WriteFeatures(out, backup.table);
  out.EndObject();
}

void WriteBackupSummary(json::Writer& out, const Call& call, const engine::Backup& backup) {
  out.BeginObject();
  out.Member("TableName", backup.table.name);
  out.Member("TableId", backup.table.uuid);
  out.Member("TableArn", engine::TableArn(call.service.identity, backup.table.name));
  WriteDetailMembers(out, call, backup);
  out.EndObject();
}

Result<engine::BackupJobs*> BackupsOf(const Call& call) {
  if (!call.service.backups) return kNoBackupFolder();
  return call.service.backups;
}

Result<engine::BackupPtr> FindBackup(const Call& call, std::string_view arn) {
  const std::optional<std::string> id = engine::IdOfPartArn(call.service.identity, "backup", arn);
  const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
  const auto it = id ? snapshot->backups.find(*id) : snapshot->backups.end();
  if (it == snapshot->backups.end() || BackupArnOf(call, *it->second) != arn) return engine::kNoSuchBackup(arn);
  return it->second;
}

}  // namespace keyfold::ops
