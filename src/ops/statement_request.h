// What the PartiQL operations share: a statement with its parameters as a request brings it, its table, and the write
// it comes to.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine/items/item_write.h"
#include "ops/operation.h"
#include "partiql/plan.h"
#include "partiql/statement.h"
#include "wire/requests/partiql.h"

namespace keyfold {

// The parameters' values; an error is the first that is ill-formed.
Result<std::vector<Value>> ParametersOf(const StatementParameters& parameters);

inline bool WantsFailedItem(std::optional<ReturnValuesOnConditionCheckFailure> wanted) {
  return wanted == ReturnValuesOnConditionCheckFailure::kAllOld;
}

bool IsRead(const partiql::Statement& statement);
// As the statement names it.
const std::string& TableOf(const partiql::Statement& statement);
// "EXISTS can only be used in ExecuteTransaction write requests."
Status IsNotExists(const partiql::Statement& statement);

// The table a statement names, which may be by its ARN.
Result<TablePtr> FindTable(const Call& call, std::string_view name_in_statement);

// A statement as a write of its table. Borrows from the statement. Immutable.
struct StatementWrite {
  ItemWrite::Action action = ItemWrite::Action::kPut;
  const Item* whole = nullptr;  // INSERT
  Item key = {};                // the others
  std::optional<Condition> condition = {};
  const Update* update = nullptr;
  partiql::Returning returning = partiql::Returning::kNone;

  ItemView item() const { return whole ? whole->view() : key.view(); }
};

// Not for SELECT. What an INSERT's item is like by itself is checked too.
Result<StatementWrite> PlanStatementWrite(const partiql::Statement& statement, const Table& table,
                                          partiql::StatementUse use);

// The engine's write; borrows from all the arguments.
ItemWrite WriteOf(const StatementWrite& write, const Table& table, bool failed_item);

// The row that RETURNING answers with; none where it is empty or not asked for.
std::optional<Item> RowReturned(const StatementWrite& write, const WriteOutcome& outcome);

}  // namespace keyfold
