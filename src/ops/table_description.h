// TableDescription, as CreateTable, UpdateTable, DeleteTable and DescribeTable answer it.
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
  // What the answer of the operation that brought it about says, where the table may already be past it.
  std::optional<TableStatus> status;
};

void WriteKeySchema(json::Writer& out, const KeySchema& key);
void WriteProjection(json::Writer& out, const Index& index);
void WriteEncryption(json::Writer& out, const EncryptionSettings& encryption);  // nothing where there is none

void WriteTableDescription(json::Writer& out, const DescriptionOf& of);
// DeleteTable's: without keys, attributes and indexes. `tally` is what the table held.
void WriteDeletedDescription(json::Writer& out, const DescriptionOf& of, Tally tally);

}  // namespace keyfold
