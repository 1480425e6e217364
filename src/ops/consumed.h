// ConsumedCapacity and ItemCollectionMetrics, as answers show them.
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

namespace keyfold {

// {"TableName":…,"CapacityUnits":…} and, for INDEXES, its parts. `table_name` is what the request called the table.
void WriteConsumed(json::Writer& out, ReturnConsumedCapacity wanted, std::string_view table_name, const Table& table,
                   const Consumed& units);

// One action of a transaction, for ReportTransaction.
struct ActionUnits {
  std::string_view table_name;  // what the request called it
  const Table* table = nullptr;
  const Consumed* units = nullptr;
};
enum class UnitsAre : unsigned char { kReads, kWrites };
// "ConsumedCapacity":[…] of a transaction, one per table in the order they are met, where the request wants it; each
// number of units stands a second time as ReadCapacityUnits or WriteCapacityUnits. And counted for metrics.
void ReportTransaction(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                       std::span<const ActionUnits> actions, UnitsAre kind);

// The same as a member of an answer, where the request wants it; and counted for metrics.
void ReportRead(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                std::string_view table_name, const Table& table, const Consumed& units);
void ReportWrite(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                 std::string_view table_name, const Table& table, const Consumed& units);

// {"ItemCollectionKey":{…},"SizeEstimateRangeGB":[…]}; only where the outcome has a collection.
void WriteCollectionMetrics(json::Writer& out, const WriteOutcome& outcome, ItemView item);

}  // namespace keyfold
