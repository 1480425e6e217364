// Writes ConsumedCapacity and ItemCollectionMetrics of responses.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "engine/catalog/table.h"
#include "engine/items/capacity.h"
#include "engine/items/item_write.h"
#include "json/writer.h"
#include "ops/operation.h"
#include "wire/shapes.h"

namespace keyfold::ops {

// {"TableName":…,"CapacityUnits":…} and, for INDEXES, its parts. `table_name` is the table's name as given in the
// request.
void WriteConsumed(json::Writer& out, wire::ReturnConsumedCapacity wanted, std::string_view table_name,
                   const engine::Table& table, const engine::Consumed& units);

// One action of a transaction, for ReportTransaction.
struct ActionUnits {
  std::string_view table_name;  // as given in the request
  const engine::Table* table = nullptr;
  const engine::Consumed* units = nullptr;
};
enum class UnitsAre : unsigned char { kReads, kWrites };
// Writes "ConsumedCapacity":[…] of a transaction if the request asks for it: one entry per table in order of first use,
// in which each number of units is repeated as ReadCapacityUnits or WriteCapacityUnits. Also counts the units for
// metrics.
void ReportTransaction(Call& call, json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted,
                       std::span<const ActionUnits> actions, UnitsAre kind);

// Writes "ConsumedCapacity" if the request asks for it. Also counts the units for metrics.
void ReportRead(Call& call, json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted,
                std::string_view table_name, const engine::Table& table, const engine::Consumed& units);
void ReportWrite(Call& call, json::Writer& out, std::optional<wire::ReturnConsumedCapacity> wanted,
                 std::string_view table_name, const engine::Table& table, const engine::Consumed& units);

// Writes {"ItemCollectionKey":{…},"SizeEstimateRangeGB":[…]}. The outcome must have a collection.
void WriteCollectionMetrics(json::Writer& out, const engine::WriteOutcome& outcome, ItemView item);

}  // namespace keyfold::ops
