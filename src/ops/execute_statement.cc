// ExecuteStatement: one PartiQL statement.
#include <utility>

#include "engine/items/query.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/statement_position.h"
#include "ops/statement_request.h"
#include "value/limits.h"
#include "wire/attribute_value.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"The table does not have the specified index"> kNoIndex{"partiql-no-index", Kind::kValidation};
constexpr Rule<"Strongly consistent read is not supported on Global Secondary Indexes"> kConsistentGlobal{
    "partiql-consistent-global", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Secondary index {} does not project one or more filter attributes: "
    "[{}]">
    kFilterNotProjected{"partiql-filter-not-projected", Kind::kValidation};

// A SELECT and its table. Borrows from the request and the statement.
struct SelectRead {
  const wire::ExecuteStatementRequest& request;
  const partiql::Select& select;
  engine::TablePtr table;
  const engine::Index* index = nullptr;
  partiql::SelectPlan plan = {};
  StatementPosition position = {};  // start of the page
};

struct SelectOutcome {
  int64_t count = 0;
  engine::Consumed units;
  std::optional<StatementPosition> next;
};

Result<const engine::Index*> FindIndex(const wire::ExecuteStatementRequest& r, const partiql::Select& select,
                                       const engine::Table& table) {
  const engine::Index* none = nullptr;
  if (select.index.empty()) return none;
  const engine::Index* index = table.FindIndex(select.index);
  if (!index) return kNoIndex();
  if (index->global && r.consistent_read.value_or(false)) return kConsistentGlobal();
  return index;
}

// The attributes that a filter reads but the index does not hold.
std::string NotProjected(const engine::Table& table, const engine::Index& index, const expr::Condition& filter) {
  std::vector<std::string_view> read;
  expr::CollectAttributes(filter, read);
  std::string missing;
  for (const std::string_view attribute : read) {
    if (engine::IndexHolds(table, index, attribute)) continue;
    if (!missing.empty()) missing += ", ";
    missing += attribute;
  }
  return missing;
}

// Filters of queries on an index may read only attributes that it holds. If at least one of several queries complies,
// DynamoDB runs them all. In a scan, attributes that the index does not hold count as missing.
Status FiltersAreProjected(const SelectRead& read) {
  if (!read.index || read.plan.queries.empty()) return Ok();
  std::string first;
  for (const partiql::PlannedQuery& query : read.plan.queries) {
    std::string missing = NotProjected(*read.table, *read.index, read.plan.filters[query.filter]);
    if (missing.empty()) return Ok();
    if (first.empty()) first = std::move(missing);
  }
  return kFilterNotProjected(read.index->name, first);
}

void FillStatementPage(const SelectRead& read, size_t filter, engine::PageRequest& page) {
  page.table = read.table->name;
  page.index = read.select.index;
  page.consistent = read.request.consistent_read.value_or(false);
  const expr::Condition& tested = read.plan.filters[filter];
  page.filter = tested.op == expr::Condition::Op::kTrue ? nullptr : &tested;
  page.projection = &read.select.projection;
  page.of_statement = true;
}

// Runs the queries in order; their results form one page.
Result<SelectOutcome> RunQueries(const Call& call, const SelectRead& read, engine::Emit emit) {
  SelectOutcome outcome;
  const int64_t limit = read.request.limit.value_or(0);
  int64_t scanned = 0;
  size_t bytes = 0;
  for (uint32_t i = read.position.query; i < read.plan.queries.size(); ++i) {
    const partiql::PlannedQuery& planned = read.plan.queries[i];
    const bool begins = i != read.position.query;
    if (begins && ((limit > 0 && scanned >= limit) || bytes >= kPageBytesMax)) {
      outcome.next = StatementPosition{read.table->id, i};
      break;
    }
    engine::QueryInput query;
    FillStatementPage(read, planned.filter, query);
    query.key_condition = &planned.key;
    query.forward = read.plan.forward;
    query.limit = limit > 0 ? limit - scanned : 0;
    query.bytes_max = kPageBytesMax - bytes;
    if (!begins && read.position.start) query.start = read.position.start->view();
    ASSIGN_OR_RETURN(engine::QueryOutcome page, engine::RunQuery(call.service.db, query, emit, call.access));
    outcome.count += page.count;
    outcome.units.Add(page.units);
    scanned += page.scanned;
    bytes += page.bytes;
    if (page.last_key) {
      outcome.next = StatementPosition{read.table->id, i, std::move(page.last_key)};
      break;
    }
  }
  return outcome;
}

Result<SelectOutcome> RunScan(const Call& call, const SelectRead& read, engine::Emit emit) {
  engine::ScanInput scan;
  FillStatementPage(read, 0, scan);
  scan.limit = read.request.limit.value_or(0);
  if (read.position.start) scan.start = read.position.start->view();
  ASSIGN_OR_RETURN(engine::QueryOutcome page, engine::RunScan(call.service.db, scan, emit, call.access));
  SelectOutcome outcome{page.count, std::move(page.units), std::nullopt};
  if (page.last_key) outcome.next = StatementPosition{read.table->id, 0, std::move(page.last_key)};
  return outcome;
}

Status ExecuteSelect(Call& call, const wire::ExecuteStatementRequest& r, const partiql::Select& select,
                     const StatementFingerprint& fingerprint, std::optional<StatementPosition> position,
                     json::Writer& answer) {
  ASSIGN_OR_RETURN(engine::TablePtr table, FindTable(call, select.table));
  SelectRead read{r, select, std::move(table)};
  ASSIGN_OR_RETURN(read.index, FindIndex(r, select, *read.table));
  ASSIGN_OR_RETURN(read.plan, partiql::PlanSelect(select, read.index ? read.index->key : read.table->key));
  RETURN_IF_ERROR(FiltersAreProjected(read));
  const bool scans = read.plan.queries.empty();
  if (position) {
    RETURN_IF_ERROR(PositionFits(*position, read.table->id, scans ? 1 : read.plan.queries.size()));
    read.position = *std::move(position);
  }

  call.account.is_page = true;
  answer.BeginObject();
  answer.Key("Items");
  answer.BeginArray();
  const auto emit = [&](ItemView item) {
    select.projection.empty() ? wire::Write(answer, item)
                              : wire::Write(answer, partiql::SelectRow(select.projection, item).view());
  };
  ASSIGN_OR_RETURN(const SelectOutcome outcome, scans ? RunScan(call, read, emit) : RunQueries(call, read, emit));
  answer.EndArray();
  if (outcome.next) {
    const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
    answer.Member("NextToken", SealPosition(snapshot->secret, fingerprint, *outcome.next));
    if (outcome.next->start) {
      answer.Key("LastEvaluatedKey");
      wire::Write(answer, outcome.next->start->view());
    }
  }
  call.account.items_returned = outcome.count;
  ReportRead(call, answer, r.return_consumed_capacity, select.table, *read.table, outcome.units);
  answer.EndObject();
  return Ok();
}

Status ExecuteWrite(Call& call, const wire::ExecuteStatementRequest& r, const partiql::Statement& statement,
                    json::Writer& answer) {
  ASSIGN_OR_RETURN(const engine::TablePtr table, FindTable(call, TableOf(statement)));
  ASSIGN_OR_RETURN(const StatementWrite planned,
                   PlanStatementWrite(statement, *table, partiql::StatementUse::kStatement));
  const engine::ItemWrite write = WriteOf(planned, *table, WantsFailedItem(r.return_values_on_condition_check_failure));
  call.account.table = table->name;
  engine::WriteOutcome outcome;
  RETURN_IF_ERROR(engine::WriteItems(call.service.db, {&write, 1}, {&outcome, 1}, call.access));

  answer.BeginObject();
  answer.Key("Items");
  answer.BeginArray();
  if (const std::optional<Item> row = RowReturned(planned, outcome)) wire::Write(answer, row->view());
  answer.EndArray();
  ReportWrite(call, answer, r.return_consumed_capacity, TableOf(statement), *outcome.table, outcome.units);
  answer.EndObject();
  return Ok();
}

}  // namespace

Status ExecuteStatement(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::ExecuteStatementRequest r, wire::Decode<wire::ExecuteStatementRequest>(request));
  ASSIGN_OR_RETURN(const std::vector<Value> parameters, ParametersOf(r.parameters));
  ASSIGN_OR_RETURN(const partiql::Statement statement, partiql::ParseStatement(r.statement, parameters));
  RETURN_IF_ERROR(IsNotExists(statement));
  const StatementFingerprint fingerprint(r.statement, parameters);
  std::optional<StatementPosition> position;
  if (r.next_token) {
    const engine::SnapshotPtr snapshot = call.service.db.catalog.Current();
    ASSIGN_OR_RETURN(position, UnsealPosition(snapshot->secret, fingerprint, *r.next_token));
  }
  if (const auto* select = std::get_if<partiql::Select>(&statement)) {
    return ExecuteSelect(call, r, *select, fingerprint, std::move(position), answer);
  }
  return ExecuteWrite(call, r, statement, answer);
}

}  // namespace keyfold::ops
