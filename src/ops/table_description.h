// TableDescription, as in the responses of CreateTable, UpdateTable, DeleteTable and DescribeTable.
#pragma once

#include <optional>

#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "engine/catalog/table.h"
#include "json/writer.h"

namespace keyfold {

struct DescriptionOf {
  const Database& db;
  const Identity& identity;
  const Table& table;
  // The status to show in the response of the operation that caused it, even if the table has already moved on.
  std::optional<TableStatus> status;
};

void WriteKeySchema(json::Writer& out, const KeySchema& key);
void WriteProjection(json::Writer& out, const Index& index);
void WriteEncryption(json::Writer& out, const EncryptionSettings& encryption);  // writes nothing if there is none

void WriteTableDescription(json::Writer& out, const DescriptionOf& of);
// DeleteTable's description: without keys, attributes and indexes. `tally` is what the table contained.
void WriteDeletedDescription(json::Writer& out, const DescriptionOf& of, Tally tally);

}  // namespace keyfold
