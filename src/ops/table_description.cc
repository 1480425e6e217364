#include "ops/table_description.h"

#include "ops/time_member.h"

namespace keyfold::ops {
namespace {

// What AWS gives a new on-demand table.
constexpr int64_t kWarmReadUnits = 12000, kWarmWriteUnits = 4000;

void WriteThroughput(json::Writer& out, const engine::Throughput& throughput) {
  out.Key("ProvisionedThroughput");
  out.BeginObject();
  if (throughput.last_increase) {
    WriteTime(out, "LastIncreaseDateTime", throughput.last_increase);
  }
  if (throughput.last_decrease) {
    WriteTime(out, "LastDecreaseDateTime", throughput.last_decrease);
  }
  out.Member("NumberOfDecreasesToday", throughput.decreases_today);
  out.Member("ReadCapacityUnits", throughput.read_units);
  out.Member("WriteCapacityUnits", throughput.write_units);
  out.EndObject();
}

void WriteOnDemand(json::Writer& out, const std::optional<engine::UnitPair>& units) {
  if (!units) return;
  out.Key("OnDemandThroughput");
  out.BeginObject();
  out.Member("MaxReadRequestUnits", units->read_units.value_or(-1));
  out.Member("MaxWriteRequestUnits", units->write_units.value_or(-1));
  out.EndObject();
}

void WriteWarm(json::Writer& out, const std::optional<engine::UnitPair>& asked, bool on_demand,
               const engine::Throughput& throughput, std::string_view status) {
  const engine::UnitPair units = asked.value_or(engine::UnitPair());
  out.Key("WarmThroughput");
  out.BeginObject();
  out.Member("ReadUnitsPerSecond", units.read_units.value_or(on_demand ? kWarmReadUnits : throughput.read_units));
  out.Member("WriteUnitsPerSecond", units.write_units.value_or(on_demand ? kWarmWriteUnits : throughput.write_units));
  out.Member("Status", status == "UPDATING" ? "UPDATING" : "ACTIVE");
  out.EndObject();
}

void WriteIndex(json::Writer& out, const DescriptionOf& of, const engine::Index& index) {
  const engine::Table& table = of.table;
  // In the response of CreateTable, its indexes are being created too.
  const bool creating = of.status == engine::TableStatus::kCreating ||
                        of.table.StatusAt(of.db.clock.Now()) == engine::TableStatus::kCreating;
  const engine::IndexStatus status = creating ? engine::IndexStatus::kCreating : index.status;
  out.BeginObject();
  out.Member("IndexName", index.name);
  WriteKeySchema(out, index.key);
  WriteProjection(out, index);
  if (index.global) {
    out.Member("IndexStatus", engine::NameOf(status));
    if (index.backfilling) out.Member("Backfilling", true);
    WriteThroughput(out, index.throughput);
    WriteOnDemand(out, index.on_demand);
    WriteWarm(out, index.warm, table.on_demand_billing, index.throughput, engine::NameOf(status));
  }
  const store::Tally tally = of.db.store.ReadTally(table.id, index.id);
  out.Member("IndexSizeBytes", tally.bytes);
  out.Member("ItemCount", tally.rows);
  out.Member("IndexArn", engine::IndexArn(of.identity, table.name, index.name));
  out.EndObject();
}

void WriteIndexes(json::Writer& out, std::string_view member, bool global, const DescriptionOf& of) {
  bool any = false;
  for (const engine::Index& index : of.table.indexes) {
    if (index.global != global) continue;
    if (!any) {
      out.Key(member);
      out.BeginArray();
      any = true;
    }
    WriteIndex(out, of, index);
  }
  if (any) out.EndArray();
}

void WriteKeysAndIndexes(json::Writer& out, const DescriptionOf& of) {
  WriteAttributeDefinitions(out, of.table.attributes);
  WriteKeySchema(out, of.table.key);
  WriteTime(out, "CreationDateTime", of.table.created);
  WriteIndexes(out, "LocalSecondaryIndexes", false, of);
  WriteIndexes(out, "GlobalSecondaryIndexes", true, of);
}

void WriteBilling(json::Writer& out, const engine::Table& table) {
  WriteThroughput(out, table.throughput);
  if (!table.on_demand_billing && table.on_demand_since == 0) return;
  out.Key("BillingModeSummary");
  out.BeginObject();
  out.Member("BillingMode", table.on_demand_billing ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (table.on_demand_since) {
    WriteTime(out, "LastUpdateToPayPerRequestDateTime", table.on_demand_since);
  }
  out.EndObject();
}

void WriteStreamSettings(json::Writer& out, const DescriptionOf& of) {
  const engine::StreamSettings& stream = of.table.stream;
  if (stream.enabled) {
    out.Key("StreamSpecification");
    out.BeginObject();
    out.Member("StreamEnabled", true);
    out.Member("StreamViewType", NameOf(stream.view_type));
    out.EndObject();
  }
  if (stream.label.empty()) return;
  out.Member("LatestStreamLabel", stream.label);
  out.Member("LatestStreamArn", engine::StreamArn(of.identity, of.table.name, stream.label));
}

void WriteSettings(json::Writer& out, const DescriptionOf& of) {
  const engine::Table& table = of.table;
  WriteBilling(out, table);
  WriteStreamSettings(out, of);
  WriteEncryption(out, table.encryption);
  if (!table.table_class.empty()) {
    out.Key("TableClassSummary");
    out.BeginObject();
    out.Member("TableClass", table.table_class);
    if (table.table_class_since) {
      WriteTime(out, "LastUpdateDateTime", table.table_class_since);
    }
    out.EndObject();
  }
  out.Member("DeletionProtectionEnabled", table.deletion_protection);
  WriteOnDemand(out, table.on_demand);
}

void WriteRestore(json::Writer& out, const DescriptionOf& of) {
  if (!of.table.restored) return;
  const engine::RestoreSource& from = *of.table.restored;
  out.Key("RestoreSummary");
  out.BeginObject();
  if (!from.backup.empty())
    out.Member("SourceBackupArn", engine::PartArn(of.identity, from.table, "backup", from.backup));
  out.Member("SourceTableArn", engine::TableArn(of.identity, from.table));
  WriteTime(out, "RestoreDateTime", from.time);
  out.Member("RestoreInProgress", of.table.filling);
  out.EndObject();
}

void WriteCommon(json::Writer& out, const DescriptionOf& of, engine::TableStatus status, store::Tally tally) {
  const engine::Table& table = of.table;
  out.Member("TableName", table.name);
  out.Member("TableStatus", engine::NameOf(status));
  out.Member("TableSizeBytes", tally.bytes);
  out.Member("ItemCount", tally.rows);
  out.Member("TableArn", engine::TableArn(of.identity, table.name));
  out.Member("TableId", table.uuid);
  WriteSettings(out, of);
  WriteRestore(out, of);
}

}  // namespace

void WriteAttributeDefinitions(json::Writer& out, const std::vector<KeyAttribute>& attributes) {
  out.Key("AttributeDefinitions");
  out.BeginArray();
  for (const KeyAttribute& attribute : attributes) {
    out.BeginObject();
    out.Member("AttributeName", attribute.name);
    out.Member("AttributeType", NameOf(attribute.type));
    out.EndObject();
  }
  out.EndArray();
}

void WriteProvisionedUnits(json::Writer& out, const engine::Throughput& throughput) {
  out.Key("ProvisionedThroughput");
  out.BeginObject();
  out.Member("ReadCapacityUnits", throughput.read_units);
  out.Member("WriteCapacityUnits", throughput.write_units);
  out.EndObject();
}

void WriteProjection(json::Writer& out, const engine::Index& index) {
  out.Key("Projection");
  out.BeginObject();
  out.Member("ProjectionType", engine::NameOf(index.projection));
  if (!index.included.empty()) {
    out.Key("NonKeyAttributes");
    out.BeginArray();
    for (const std::string& name : index.included) out.String(name);
    out.EndArray();
  }
  out.EndObject();
}

void WriteEncryption(json::Writer& out, const engine::EncryptionSettings& encryption) {
  if (!encryption.enabled) return;
  out.Key("SSEDescription");
  out.BeginObject();
  out.Member("Status", "ENABLED");
  out.Member("SSEType", encryption.type);
  out.Member("KMSMasterKeyArn", encryption.key_arn);
  out.EndObject();
}

void WriteKeySchema(json::Writer& out, const KeySchema& key) {
  out.Key("KeySchema");
  out.BeginArray();
  for (const auto* side : {&key.partition, &key.sort}) {
    for (const KeyAttribute& part : *side) {
      out.BeginObject();
      out.Member("AttributeName", part.name);
      out.Member("KeyType", side == &key.partition ? "HASH" : "RANGE");
      out.EndObject();
    }
  }
  out.EndArray();
}

void WriteTableDescription(json::Writer& out, const DescriptionOf& of) {
  const engine::TableStatus status = of.status.value_or(of.table.StatusAt(of.db.clock.Now()));
  out.BeginObject();
  WriteKeysAndIndexes(out, of);
  WriteCommon(out, of, status, of.db.store.ReadTally(of.table.id, store::kBaseTable));
  WriteWarm(out, of.table.warm, of.table.on_demand_billing, of.table.throughput, engine::NameOf(status));
  out.EndObject();
}

void WriteDeletedDescription(json::Writer& out, const DescriptionOf& of, store::Tally tally) {
  out.BeginObject();
  WriteCommon(out, of, engine::TableStatus::kDeleting, tally);
  out.EndObject();
}

}  // namespace keyfold::ops
