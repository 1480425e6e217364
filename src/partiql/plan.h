// A statement against the keys of its table or index: which items it reads or writes, and what is left to test on them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expr/key_condition.h"
#include "partiql/statement.h"
#include "value/key_schema.h"

namespace keyfold::partiql {

// Which operation a statement stands in: some check a statement themselves, others leave it to what it becomes.
enum class StatementUse : uint8_t { kStatement, kBatch, kTransaction };

struct PlannedQuery {
  KeyCondition key;
  size_t filter = 0;  // which of the plan's
};

// Immutable, as are all of these.
struct SelectPlan {
  // In the order of their rows; no two give the same item. None: a scan, with the first filter.
  std::vector<PlannedQuery> queries;
  std::vector<Condition> filters;  // kTrue where the keys say it all
  bool forward = true;
};

// The keys are those of the index where the statement names one.
Result<SelectPlan> PlanSelect(const Select& select, const KeySchema& key);

// One item by its key, and what is to hold for it besides.
struct KeyedWrite {
  Item key;
  std::optional<Condition> condition;
};

// UPDATE and DELETE: an equality on every key attribute. A transaction leaves it to the write to find its key
// incomplete or of other types. The engine adds what UPDATE asks besides, that the item exists.
Result<KeyedWrite> PlanWrite(const Condition& where, const KeySchema& key, StatementUse use);

// EXISTS: an equality on every key attribute and a condition.
Result<KeyedWrite> PlanExists(const Select& select, const KeySchema& key);

// SELECT in a batch or a transaction: the key and nothing else, of a table and no index. A transaction leaves it to the
// read to find its key of other types.
Result<Item> PlanRead(const Select& select, const KeySchema& key, StatementUse use);

}  // namespace keyfold::partiql
