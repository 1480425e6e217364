// ConsumedCapacity and ItemCollectionMetrics, as answers show them.
#pragma once

#include <optional>
#include <string_view>

#include "engine/capacity.h"
#include "engine/item_write.h"
#include "engine/table.h"
#include "json/writer.h"
#include "ops/operation.h"
#include "wire/shapes.h"

namespace keyfold {

// {"TableName":…,"CapacityUnits":…} and, for INDEXES, its parts. `table_name` is what the request called the table.
void WriteConsumed(json::Writer& out, ReturnConsumedCapacity wanted, std::string_view table_name, const Table& table,
                   const Consumed& units);

// The same as a member of an answer, where the request wants it; and counted for metrics.
void ReportRead(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                std::string_view table_name, const Table& table, const Consumed& units);
void ReportWrite(Call& call, json::Writer& out, std::optional<ReturnConsumedCapacity> wanted,
                 std::string_view table_name, const Table& table, const Consumed& units);

// {"ItemCollectionKey":{…},"SizeEstimateRangeGB":[…]}; only where the outcome has a collection.
void WriteCollectionMetrics(json::Writer& out, const WriteOutcome& outcome, ItemView item);

}  // namespace keyfold
