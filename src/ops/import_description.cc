#include "ops/import_description.h"

#include "base/text/utf8.h"
#include "ops/table_description.h"
#include "ops/time_member.h"
#include "transfer/layout/export.h"

namespace keyfold::ops {
namespace {

void WriteImportSource(json::Writer& out, const transfer::ImportOrder& order) {
  out.Key("S3BucketSource");
  out.BeginObject();
  if (order.bucket_owner) out.Member("S3BucketOwner", *order.bucket_owner);
  out.Member("S3Bucket", order.bucket);
  if (order.prefix) out.Member("S3KeyPrefix", *order.prefix);
  out.EndObject();
}

void WriteFormatOptions(json::Writer& out, const transfer::ImportOrder::Csv& csv) {
  out.Key("InputFormatOptions");
  out.BeginObject();
  out.Key("Csv");
  out.BeginObject();
  if (csv.delimiter) out.Member("Delimiter", *csv.delimiter);
  if (csv.header) {
    out.Key("HeaderList");
    out.BeginArray();
    for (const std::string& name : *csv.header) out.String(name);
    out.EndArray();
  }
  out.EndObject();
  out.EndObject();
}

void WriteOnDemandAsked(json::Writer& out, const std::optional<engine::UnitPair>& units) {
  if (!units) return;
  out.Key("OnDemandThroughput");
  out.BeginObject();
  if (units->read_units) out.Member("MaxReadRequestUnits", *units->read_units);
  if (units->write_units) out.Member("MaxWriteRequestUnits", *units->write_units);
  out.EndObject();
}

void WriteIndexesAsked(json::Writer& out, const engine::Table& table) {
  if (table.indexes.empty()) return;
  out.Key("GlobalSecondaryIndexes");
  out.BeginArray();
  for (const engine::Index& index : table.indexes) {
    out.BeginObject();
    out.Member("IndexName", index.name);
    WriteKeySchema(out, index.key);
    WriteProjection(out, index);
    if (!table.on_demand_billing) WriteProvisionedUnits(out, index.throughput);
    WriteOnDemandAsked(out, index.on_demand);
    out.EndObject();
  }
  out.EndArray();
}

void WriteEncryptionAsked(json::Writer& out, const engine::EncryptionSettings& encryption) {
  if (!encryption.enabled) return;
  out.Key("SSESpecification");
  out.BeginObject();
  out.Member("Enabled", true);
  out.Member("SSEType", encryption.type);
  out.Member("KMSMasterKeyId", encryption.key_arn);
  out.EndObject();
}

void WriteTableParameters(json::Writer& out, const engine::Table& table) {
  out.Key("TableCreationParameters");
  out.BeginObject();
  out.Member("TableName", table.name);
  WriteAttributeDefinitions(out, table.attributes);
  WriteKeySchema(out, table.key);
  out.Member("BillingMode", table.on_demand_billing ? "PAY_PER_REQUEST" : "PROVISIONED");
  if (!table.on_demand_billing) WriteProvisionedUnits(out, table.throughput);
  WriteOnDemandAsked(out, table.on_demand);
  WriteEncryptionAsked(out, table.encryption);
  WriteIndexesAsked(out, table);
  out.EndObject();
}

// Where AWS logs errors of items; here they are in the server's log.
std::string LogGroupArn(const engine::Identity& identity) {
  return "arn:aws:logs:" + identity.region + ":" + identity.account + ":log-group:/aws-dynamodb/imports:*";
}

// The members that a summary has too.
void WriteShared(json::Writer& out, const Call& call, const transfer::Import& import) {
  out.Member("ImportArn", ArnOf(call, import));
  out.Member("ImportStatus", transfer::NameOf(import.status));
  out.Member("TableArn", engine::TableArn(call.service.identity, import.table.name));
  WriteImportSource(out, import.order);
  out.Member("CloudWatchLogGroupArn", LogGroupArn(call.service.identity));
  out.Member("InputFormat", transfer::NameOf(import.order.format));
  WriteTime(out, "StartTime", import.started);
  if (import.status != transfer::Import::Status::kInProgress) WriteTime(out, "EndTime", import.ended);
}

}  // namespace

std::string ArnOf(const Call& call, const transfer::Import& import) {
  return engine::PartArn(call.service.identity, import.table.name, "import", import.id);
}

void WriteImportDescription(json::Writer& out, const Call& call, const transfer::Import& import) {
  out.BeginObject();
  out.Key("ImportTableDescription");
  out.BeginObject();
  WriteShared(out, call, import);
  out.Member("TableId", import.table.uuid);
  out.Member("ClientToken", import.order.token);
  if (import.order.csv) WriteFormatOptions(out, *import.order.csv);
  out.Member("InputCompressionType", files::NameOf(import.order.compression));
  WriteTableParameters(out, import.table);
  out.Member("ErrorCount", import.tally.errors);
  out.Member("ProcessedItemCount", import.tally.processed);
  out.Member("ImportedItemCount", import.tally.imported);
  if (import.status != transfer::Import::Status::kInProgress) out.Member("ProcessedSizeBytes", import.tally.bytes);
  if (import.status == transfer::Import::Status::kFailed) {
    out.Member("FailureCode", import.failure_code);
    out.Member("FailureMessage", AsUtf8(import.failure_message));
  }
  out.EndObject();
  out.EndObject();
}

void WriteImportSummary(json::Writer& out, const Call& call, const transfer::Import& import) {
  out.BeginObject();
  WriteShared(out, call, import);
  out.EndObject();
}

}  // namespace keyfold::ops
