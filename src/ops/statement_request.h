// Shared by the PartiQL operations: a statement with its parameters as in a request, its table, and the resulting
// write.
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

namespace keyfold::ops {

// Returns the parameters' values; the error is that of the first malformed one.
Result<std::vector<Value>> ParametersOf(const wire::StatementParameters& parameters);

inline bool WantsFailedItem(std::optional<wire::ReturnValuesOnConditionCheckFailure> wanted) {
  return wanted == wire::ReturnValuesOnConditionCheckFailure::kAllOld;
}

bool IsRead(const partiql::Statement& statement);
// The table as the statement names it.
const std::string& TableOf(const partiql::Statement& statement);
// "EXISTS can only be used in ExecuteTransaction write requests."
Status IsNotExists(const partiql::Statement& statement);

// Finds the table that a statement names, possibly by its ARN.
Result<engine::TablePtr> FindTable(const Call& call, std::string_view name_in_statement);

// A statement as a write to its table. Borrows from the statement. Immutable.
struct StatementWrite {
  engine::ItemWrite::Action action = engine::ItemWrite::Action::kPut;
  const Item* whole = nullptr;  // for INSERT
  Item key = {};                // for the other statements
  std::optional<expr::Condition> condition = {};
  const expr::Update* update = nullptr;
  partiql::Returning returning = partiql::Returning::kNone;

  ItemView item() const { return whole ? whole->view() : key.view(); }
};

// Not for SELECT. Also checks the item of an INSERT by itself.
Result<StatementWrite> PlanStatementWrite(const partiql::Statement& statement, const engine::Table& table,
                                          partiql::StatementUse use);

// The engine's write; borrows from all arguments.
engine::ItemWrite WriteOf(const StatementWrite& write, const engine::Table& table, bool failed_item);

// The row that RETURNING returns; nullopt if it is empty or not requested.
std::optional<Item> RowReturned(const StatementWrite& write, const engine::WriteOutcome& outcome);

}  // namespace keyfold::ops
