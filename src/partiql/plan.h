// A statement against the keys of its table or index: which items it reads or writes, and what is left to test on them.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "expr/key_condition.h"
#include "partiql/statement.h"
#include "value/key_schema.h"

namespace keyfold::partiql {

// Immutable.
struct SelectPlan {
  // One query each, in the order of their rows; no two give the same item. None: a scan.
  std::vector<KeyCondition> queries;
  Condition filter;  // kTrue where the keys say it all
  bool forward = true;
};

// The keys are those of the index where the statement names one.
Result<SelectPlan> PlanSelect(const Select& select, const KeySchema& key);

// One item by its key, and what is to hold for it besides.
struct KeyedWrite {
  Item key;
  std::optional<Condition> condition;
};

// UPDATE and DELETE: an equality on every key attribute. The engine adds what UPDATE asks besides, that the item
// exists.
Result<KeyedWrite> PlanWrite(const Condition& where, const KeySchema& key);

// EXISTS: an equality on every key attribute and a condition.
Result<KeyedWrite> PlanExists(const Select& select, const KeySchema& key);

// SELECT in a batch or a transaction, `operation` being its name: the key and nothing else, of a table and no index.
Result<Item> PlanRead(const Select& select, const KeySchema& key, std::string_view operation);

}  // namespace keyfold::partiql
