// Applies a statement to the keys of its table or index: which items it reads or writes, and which conditions remain to
// be tested on them.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "expr/key_condition.h"
#include "partiql/statement.h"
#include "value/key_schema.h"

namespace keyfold::partiql {

// The operation that a statement is part of: some check a statement here, others leave that to the resulting read or
// write.
enum class StatementUse : uint8_t { kStatement, kBatch, kTransaction };

struct PlannedQuery {
  expr::KeyCondition key;
  size_t filter = 0;  // index in the plan's filters
};

// Immutable, like the structures below.
struct SelectPlan {
  // In the order of their rows; no two return the same item. If empty, the plan is a scan with the first filter.
  std::vector<PlannedQuery> queries;
  std::vector<expr::Condition> filters;  // kTrue if the keys cover all conditions
  bool forward = true;
};

// `key` is that of the index if the statement names one.
Result<SelectPlan> PlanSelect(const Select& select, const KeySchema& key);

// The key of one item, and the remaining condition on it.
struct KeyedWrite {
  Item key;
  std::optional<expr::Condition> condition;
};

// UPDATE and DELETE: requires an equality on every key attribute. In a transaction, the write itself detects an
// incomplete key or wrong types. The engine adds UPDATE's condition that the item exists.
Result<KeyedWrite> PlanWrite(const expr::Condition& where, const KeySchema& key, StatementUse use);

// EXISTS: requires an equality on every key attribute and another condition.
Result<KeyedWrite> PlanExists(const Select& select, const KeySchema& key);

// SELECT in a batch or a transaction: requires exactly the key, and a table, not an index. In a transaction, the read
// itself detects wrong types.
Result<Item> PlanRead(const Select& select, const KeySchema& key, StatementUse use);

}  // namespace keyfold::partiql
