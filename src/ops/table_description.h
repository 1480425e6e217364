// TableDescription, as in the responses of CreateTable, UpdateTable, DeleteTable and DescribeTable.
#pragma once

#include <optional>
#include <vector>

#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "engine/catalog/table.h"
#include "json/writer.h"

namespace keyfold::ops {

struct DescriptionOf {
  const engine::Database& db;
  const engine::Identity& identity;
  const engine::Table& table;
  // The status to show in the response of the operation that caused it, even if the table has already moved on.
  std::optional<engine::TableStatus> status;
};

void WriteAttributeDefinitions(json::Writer& out, const std::vector<KeyAttribute>& attributes);
// "ProvisionedThroughput" with the units only.
void WriteProvisionedUnits(json::Writer& out, const engine::Throughput& throughput);
void WriteKeySchema(json::Writer& out, const KeySchema& key);
void WriteProjection(json::Writer& out, const engine::Index& index);
void WriteEncryption(json::Writer& out,
                     const engine::EncryptionSettings& encryption);  // writes nothing if there is none

void WriteTableDescription(json::Writer& out, const DescriptionOf& of);
// DeleteTable's description: without keys, attributes and indexes. `tally` is what the table contained.
void WriteDeletedDescription(json::Writer& out, const DescriptionOf& of, store::Tally tally);

}  // namespace keyfold::ops
