#include "ops/statement_request.h"

#include <utility>

#include "ops/item_answer.h"
#include "ops/parameters.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"EXISTS can only be used in ExecuteTransaction write requests."> kExistsElsewhere{
    "partiql-exists-elsewhere", Kind::kValidation};

using Returning = partiql::Returning;

// A condition on whether the item exists.
expr::Condition OfPresence(expr::Condition::Op op, const engine::Table& table) {
  expr::Condition condition;
  condition.op = op;
  expr::Operand& operand = condition.operands.emplace_back();
  operand.kind = expr::Operand::Kind::kPath;
  operand.path.root = table.key.partition.front().name;
  return condition;
}

expr::Condition Joined(expr::Condition::Op op, expr::Condition first, std::optional<expr::Condition> second) {
  if (!second) return first;
  expr::Condition both;
  both.op = op;
  both.children.push_back(std::move(first));
  both.children.push_back(*std::move(second));
  return both;
}

Result<StatementWrite> OfInsert(const partiql::Insert& insert) {
  if (!insert.item.empty()) RETURN_IF_ERROR(wire::AttributeNameIsGiven((*insert.item.view().entries().begin()).name));
  RETURN_IF_ERROR(ItemFits(insert.item));
  StatementWrite write;
  write.action = engine::ItemWrite::Action::kPut;
  write.whole = &insert.item;
  return write;
}

Result<StatementWrite> OfChange(const partiql::Change& change, const engine::Table& table, partiql::StatementUse use) {
  ASSIGN_OR_RETURN(partiql::KeyedWrite keyed, partiql::PlanWrite(change.where, table.key, use));
  StatementWrite write;
  write.action = engine::ItemWrite::Action::kUpdate;
  write.key = std::move(keyed.key);
  write.condition = Joined(expr::Condition::Op::kAnd, OfPresence(expr::Condition::Op::kAttributeExists, table),
                           std::move(keyed.condition));
  write.update = &change.update;
  write.returning = change.returning;
  return write;
}

Result<StatementWrite> OfDelete(const partiql::Delete& deletion, const engine::Table& table,
                                partiql::StatementUse use) {
  ASSIGN_OR_RETURN(partiql::KeyedWrite keyed, partiql::PlanWrite(deletion.where, table.key, use));
  StatementWrite write;
  write.action = engine::ItemWrite::Action::kDelete;
  write.key = std::move(keyed.key);
  if (keyed.condition) {
    write.condition = Joined(expr::Condition::Op::kOr, OfPresence(expr::Condition::Op::kAttributeNotExists, table),
                             std::move(keyed.condition));
  }
  write.returning = deletion.returning;
  return write;
}

Result<StatementWrite> OfExists(const partiql::Exists& exists, const engine::Table& table) {
  ASSIGN_OR_RETURN(partiql::KeyedWrite keyed, partiql::PlanExists(exists.select, table.key));
  StatementWrite write;
  write.action = engine::ItemWrite::Action::kCheck;
  write.key = std::move(keyed.key);
  write.condition = std::move(keyed.condition);
  return write;
}

}  // namespace

Result<std::vector<Value>> ParametersOf(const wire::StatementParameters& parameters) {
  std::vector<Value> values;
  if (!parameters) return values;
  values.reserve(parameters->size());
  for (const wire::Supplied<Value>& parameter : *parameters) {
    RETURN_IF_ERROR(parameter.Check());
    values.push_back(*parameter);
  }
  return values;
}

bool IsRead(const partiql::Statement& statement) { return std::holds_alternative<partiql::Select>(statement); }

const std::string& TableOf(const partiql::Statement& statement) {
  if (const auto* exists = std::get_if<partiql::Exists>(&statement)) return exists->select.table;
  if (const auto* select = std::get_if<partiql::Select>(&statement)) return select->table;
  if (const auto* insert = std::get_if<partiql::Insert>(&statement)) return insert->table;
  if (const auto* change = std::get_if<partiql::Change>(&statement)) return change->table;
  return std::get<partiql::Delete>(statement).table;
}

Status IsNotExists(const partiql::Statement& statement) {
  if (std::holds_alternative<partiql::Exists>(statement)) return kExistsElsewhere();
  return Ok();
}

Result<engine::TablePtr> FindTable(const Call& call, std::string_view name_in_statement) {
  ASSIGN_OR_RETURN(const std::string name, engine::TableNameOf(call.service.identity, name_in_statement));
  const engine::Database& db = call.service.db;
  return engine::UsableTable(db, *db.catalog.Current(), name);
}

Result<StatementWrite> PlanStatementWrite(const partiql::Statement& statement, const engine::Table& table,
                                          partiql::StatementUse use) {
  if (const auto* insert = std::get_if<partiql::Insert>(&statement)) return OfInsert(*insert);
  if (const auto* change = std::get_if<partiql::Change>(&statement)) return OfChange(*change, table, use);
  if (const auto* exists = std::get_if<partiql::Exists>(&statement)) return OfExists(*exists, table);
  return OfDelete(std::get<partiql::Delete>(statement), table, use);
}

engine::ItemWrite WriteOf(const StatementWrite& write, const engine::Table& table, bool failed_item) {
  engine::ItemWrite out{.action = write.action, .table = table.name, .item = write.item()};
  out.condition = write.condition ? &*write.condition : nullptr;
  out.update = write.update;
  out.must_be_new = write.action == engine::ItemWrite::Action::kPut;
  out.failed_item = failed_item;
  out.keep_old = write.returning == Returning::kAllOld || write.returning == Returning::kModifiedOld;
  out.keep_new = write.returning == Returning::kAllNew || write.returning == Returning::kModifiedNew;
  return out;
}

std::optional<Item> RowReturned(const StatementWrite& write, const engine::WriteOutcome& outcome) {
  Item row;
  switch (write.returning) {
    case Returning::kNone:
      break;
    case Returning::kAllOld:
      row = outcome.old_item;
      break;
    case Returning::kModifiedOld:
      row = expr::UpdatedPart(*write.update, outcome.old_item);
      break;
    case Returning::kAllNew:
      row = outcome.new_item;
      break;
    case Returning::kModifiedNew:
      row = expr::UpdatedPart(*write.update, outcome.new_item);
      break;
  }
  return row.empty() ? std::nullopt : std::optional(std::move(row));
}

}  // namespace keyfold::ops
