// ExecuteTransaction: up to 100 statements as one transaction, all reads or all writes.
#include <utility>

#include "base/bytes.h"
#include "engine/items/cancellation.h"
#include "engine/items/item_read.h"
#include "engine/items/key.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/statement_request.h"
#include "wire/attribute_value.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"ExecuteTransaction API does not support both read and write operations in the same request.">
    kMixedTransaction{"partiql-transaction-mixed", Kind::kValidation};
constexpr Rule<"RETURNING clause is not supported in ExecuteTransaction."> kReturning{"partiql-transaction-returning",
                                                                                      Kind::kValidation};

// One statement of the transaction, and its table.
struct TransactStatement {
  partiql::Statement statement;
  engine::TablePtr table = {};               // null if the table does not exist
  Item key = {};                             // for SELECT
  std::optional<StatementWrite> write = {};  // for the other statements
};

Error InStatement(size_t index, Error error) {
  std::string prefix = "Validation failed in TransactStatements[";
  return std::move(error).WithPrefix(prefix.append(std::to_string(index)).append("]: "));
}

// Malformed parameters are reported before the first statement is parsed.
Result<std::vector<TransactStatement>> ParseTransaction(const wire::ExecuteTransactionRequest& r) {
  std::vector<std::vector<Value>> parameters;
  for (const wire::ParameterizedStatement& s : r.transact_statements) {
    ASSIGN_OR_RETURN(parameters.emplace_back(), ParametersOf(s.parameters));
  }
  std::vector<TransactStatement> statements;
  size_t reads = 0;
  for (size_t i = 0; i < parameters.size(); ++i) {
    Result<partiql::Statement> parsed = partiql::ParseStatement(r.transact_statements[i].statement, parameters[i]);
    if (!parsed.ok()) return InStatement(i, std::move(parsed).TakeError());
    reads += IsRead(*parsed) ? 1 : 0;
    statements.push_back({*std::move(parsed)});
  }
  if (reads > 0 && reads < statements.size()) return kMixedTransaction();
  return statements;
}

partiql::Returning ReturningOf(const partiql::Statement& statement) {
  if (const auto* change = std::get_if<partiql::Change>(&statement)) return change->returning;
  if (const auto* deletion = std::get_if<partiql::Delete>(&statement)) return deletion->returning;
  return partiql::Returning::kNone;
}

// Returns an error that refuses the whole request: a statement not allowed in transactions. The table exists.
Status CheckTransactStatement(TransactStatement& s) {
  if (ReturningOf(s.statement) != partiql::Returning::kNone) return kReturning();
  if (const auto* select = std::get_if<partiql::Select>(&s.statement)) {
    ASSIGN_OR_RETURN(s.key, partiql::PlanRead(*select, s.table->key, partiql::StatementUse::kTransaction));
  } else if (std::holds_alternative<partiql::Exists>(s.statement)) {
    ASSIGN_OR_RETURN(s.write, PlanStatementWrite(s.statement, *s.table, partiql::StatementUse::kTransaction));
  }
  return Ok();
}

// Returns an error that cancels the transaction before it runs: a statement whose key does not fit its table.
Status FitTransactStatement(TransactStatement& s) {
  if (IsRead(s.statement)) return engine::KeyFitsTable(*s.table, s.key);
  if (!s.write) {
    ASSIGN_OR_RETURN(s.write, PlanStatementWrite(s.statement, *s.table, partiql::StatementUse::kTransaction));
  }
  return s.write->whole ? engine::ItemFitsTable(*s.table, s.write->item())
                        : engine::KeyFitsTable(*s.table, s.write->item());
}

// Errors that refuse the request, in any statement, take precedence over those that cancel the transaction.
Status PlanTransaction(const Call& call, std::vector<TransactStatement>& statements) {
  engine::Cancellation cancellation(statements.size());
  for (size_t i = 0; i < statements.size(); ++i) {
    Result<engine::TablePtr> table = FindTable(call, TableOf(statements[i].statement));
    if (!table.ok()) {
      if (table.error().kind() != Kind::kResourceNotFound) return std::move(table).TakeError();
      cancellation.Add(i, std::move(table).TakeError());
      continue;
    }
    statements[i].table = *std::move(table);
    Status status = CheckTransactStatement(statements[i]);
    if (!status.ok()) return InStatement(i, std::move(status).TakeError());
  }
  for (size_t i = 0; i < statements.size(); ++i) {
    if (!statements[i].table) continue;
    Status status = FitTransactStatement(statements[i]);
    if (!status.ok()) cancellation.Add(i, std::move(status).TakeError());
  }
  if (cancellation.any()) return std::move(cancellation).ToError();
  return Ok();
}

Status StatementsFit(const wire::ExecuteTransactionRequest& r) {
  size_t bytes = 0;
  for (const wire::ParameterizedStatement& s : r.transact_statements) {
    bytes += s.statement.size();
    if (!s.parameters) continue;
    for (const wire::Supplied<Value>& parameter : *s.parameters) bytes += ValueSize(*parameter);
  }
  return engine::TransactionFits(bytes);
}

// What a token is compared by: the statements and their parameters.
std::string MeaningOfStatements(const wire::ExecuteTransactionRequest& r) {
  std::string meaning = "ExecuteTransaction";
  for (const wire::ParameterizedStatement& s : r.transact_statements) {
    AppendString(meaning, s.statement);
    AppendVarint(meaning, s.parameters ? s.parameters->size() : 0);
    if (!s.parameters) continue;
    for (const wire::Supplied<Value>& parameter : *s.parameters) AppendString(meaning, parameter->view().bytes());
  }
  return meaning;
}

Status RunReads(Call& call, const wire::ExecuteTransactionRequest& r, const std::vector<TransactStatement>& statements,
                json::Writer& answer) {
  std::vector<engine::TransactRead> reads;
  for (const TransactStatement& s : statements) {
    const auto& select = std::get<partiql::Select>(s.statement);
    reads.push_back({.table = s.table->name, .key = s.key, .projection = &select.projection});
  }
  ASSIGN_OR_RETURN(const std::vector<engine::TransactReadOutcome> outcomes,
                   engine::ReadTransaction(call.service.db, reads, call.access));
  std::vector<engine::Consumed> units(outcomes.size());
  std::vector<ActionUnits> actions;
  answer.BeginObject();
  answer.Key("Responses");
  answer.BeginArray();
  for (size_t i = 0; i < statements.size(); ++i) {
    const auto& select = std::get<partiql::Select>(statements[i].statement);
    const ItemView item = outcomes[i].row.exists ? ItemView(outcomes[i].row.value) : ItemView();
    answer.BeginObject();
    if (outcomes[i].row.exists) {
      answer.Key("Item");
      select.projection.empty() ? wire::Write(answer, item)
                                : wire::Write(answer, partiql::SelectRow(select.projection, item).view());
      ++call.account.items_returned;
    }
    answer.EndObject();
    units[i].table = engine::ReadUnits(outcomes[i].row.exists ? ItemSize(item) : 0, engine::ReadKind::kTransactional);
    actions.push_back({select.table, outcomes[i].table.get(), &units[i]});
  }
  answer.EndArray();
  ReportTransaction(call, answer, r.return_consumed_capacity, actions, UnitsAre::kReads);
  answer.EndObject();
  return Ok();
}

Status RunWrites(Call& call, const wire::ExecuteTransactionRequest& r, const std::vector<TransactStatement>& statements,
                 json::Writer& answer) {
  std::vector<engine::ItemWrite> writes;
  for (size_t i = 0; i < statements.size(); ++i) {
    const TransactStatement& s = statements[i];
    const bool failed_item = WantsFailedItem(r.transact_statements[i].return_values_on_condition_check_failure);
    writes.push_back(WriteOf(*s.write, *s.table, failed_item));
  }
  std::optional<engine::RequestToken> token;
  if (r.client_request_token) token.emplace(*r.client_request_token, MeaningOfStatements(r));
  std::vector<engine::WriteOutcome> outcomes(writes.size());
  ASSIGN_OR_RETURN(const engine::Applied applied,
                   engine::WriteTransaction(call.service.db, writes, outcomes, token ? &*token : nullptr, call.access));
  std::vector<ActionUnits> actions;
  answer.BeginObject();
  answer.Key("Responses");
  answer.BeginArray();
  for (size_t i = 0; i < statements.size(); ++i) {
    answer.BeginObject();
    answer.EndObject();
    actions.push_back({TableOf(statements[i].statement), outcomes[i].table.get(), &outcomes[i].units});
  }
  answer.EndArray();
  const UnitsAre kind = applied == engine::Applied::kReplay ? UnitsAre::kReads : UnitsAre::kWrites;
  ReportTransaction(call, answer, r.return_consumed_capacity, actions, kind);
  answer.EndObject();
  return Ok();
}

}  // namespace

Status ExecuteTransaction(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ExecuteTransactionRequest r, wire::Decode<wire::ExecuteTransactionRequest>(request));
  ASSIGN_OR_RETURN(std::vector<TransactStatement> statements, ParseTransaction(r));
  RETURN_IF_ERROR(StatementsFit(r));
  RETURN_IF_ERROR(PlanTransaction(call, statements));
  const bool reads = IsRead(statements.front().statement);
  return reads ? RunReads(call, r, statements, answer) : RunWrites(call, r, statements, answer);
}

}  // namespace keyfold::ops
