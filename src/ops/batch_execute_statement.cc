// BatchExecuteStatement: up to 25 statements, all reads or all writes, each independent: a failed statement has the
// error in its own response.
#include <algorithm>
#include <utility>

#include "engine/items/item_read.h"
#include "engine/items/key.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/item_answer.h"
#include "ops/statement_request.h"
#include "value/error_detail.h"
#include "wire/attribute_value.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Read and write requests together in the same batch is not supported."> kMixedBatch{
    "partiql-batch-mixed", Kind::kValidation};

// A statement can have hundreds of operators, each of which may read a whole item, so the work of a batch is bounded:
// after this many steps the remaining statements are refused and can be sent again in another batch.
constexpr uint64_t kStepsMax = 700'000'000;
constexpr Rule<"The statements before this one took too long. Send this one in another request."> kBatchTooLong{
    "partiql-batch-too-long", Kind::kThrottling};

// One statement of the batch and its outcome.
struct BatchedStatement {
  const wire::BatchStatementRequest* request = nullptr;
  std::optional<partiql::Statement> statement;  // nullopt if it is malformed
  engine::TablePtr table;
  Item key;                             // for SELECT
  std::optional<StatementWrite> write;  // for the other statements
  std::optional<Error> fault;
  bool shows_table = false;  // the error response names the table
  std::optional<Item> row;
  engine::Consumed units;

  bool runs() const { return statement && !fault; }
};

// The code for a failure of a single statement; empty for failures of the whole request.
std::string_view CodeOf(Kind kind) {
  switch (kind) {
    case Kind::kValidation:
      return "ValidationError";
    case Kind::kConditionalCheckFailed:
      return "ConditionalCheckFailed";
    case Kind::kDuplicateItem:
      return "DuplicateItem";
    case Kind::kResourceNotFound:
      return "ResourceNotFound";
    case Kind::kItemCollectionSizeLimitExceeded:
      return "ItemCollectionSizeLimitExceeded";
    case Kind::kAccessDenied:
      return "AccessDenied";
    case Kind::kThrottling:
      return "ThrottlingError";
    default:
      return {};
  }
}

// Records a failure of the member's own and returns ok; returns other failures.
Status Keep(Status failure, bool shows_table, BatchedStatement& member) {
  if (failure.ok()) return Ok();
  if (CodeOf(failure.kind()).empty()) return failure;
  member.fault = std::move(failure).TakeError();
  member.shows_table = shows_table;
  return Ok();
}

Status ParseBatched(BatchedStatement& member) {
  ASSIGN_OR_RETURN(const std::vector<Value> parameters, ParametersOf(member.request->parameters));
  ASSIGN_OR_RETURN(partiql::Statement statement, partiql::ParseStatement(member.request->statement, parameters));
  RETURN_IF_ERROR(IsNotExists(statement));
  member.statement = std::move(statement);
  return Ok();
}

Status PlanBatched(BatchedStatement& member) {
  if (const auto* select = std::get_if<partiql::Select>(&*member.statement)) {
    ASSIGN_OR_RETURN(member.key, partiql::PlanRead(*select, member.table->key, partiql::StatementUse::kBatch));
    return Ok();
  }
  ASSIGN_OR_RETURN(member.write, PlanStatementWrite(*member.statement, *member.table, partiql::StatementUse::kBatch));
  return Ok();
}

Status PlanBatch(const Call& call, std::vector<BatchedStatement>& members) {
  for (BatchedStatement& member : members) {
    if (!member.runs()) continue;
    Result<engine::TablePtr> table = FindTable(call, TableOf(*member.statement));
    if (!table.ok()) {
      RETURN_IF_ERROR(Keep(std::move(table).TakeError(), true, member));
      continue;
    }
    member.table = *std::move(table);
    RETURN_IF_ERROR(Keep(PlanBatched(member), false, member));
  }
  return Ok();
}

Status AreAllReadsOrAllWrites(const std::vector<BatchedStatement>& members) {
  size_t reads = 0, writes = 0;
  for (const BatchedStatement& member : members) {
    if (member.statement) ++(IsRead(*member.statement) ? reads : writes);
  }
  if (reads > 0 && writes > 0) return kMixedBatch();
  return Ok();
}

// Keys that do not fit their table fail individually later.
Status ItemsAreDistinct(const std::vector<BatchedStatement>& members) {
  std::vector<std::string> rows;
  for (const BatchedStatement& member : members) {
    if (!member.runs()) continue;
    const ItemView item = member.write ? member.write->item() : member.key.view();
    const bool whole = member.write && member.write->whole;
    const Status fits = whole ? engine::ItemFitsTable(*member.table, item) : engine::KeyFitsTable(*member.table, item);
    if (fits.ok()) rows.push_back(engine::RowKeyOf(*member.table, item).bytes());
  }
  return NoItemIsNamedTwice({rows.begin(), rows.end()});
}

Status RunBatchedRead(const Call& call, BatchedStatement& member) {
  const auto& select = std::get<partiql::Select>(*member.statement);
  const ItemView key = member.key;
  ASSIGN_OR_RETURN(const engine::ItemsRead read,
                   engine::ReadItems(call.service.db, member.table->name, {&key, 1}, select.projection, call.access));
  const store::Row& row = read.rows.front();
  const bool consistent = member.request->consistent_read.value_or(false);
  const engine::ReadKind kind = consistent ? engine::ReadKind::kConsistent : engine::ReadKind::kEventual;
  member.units.table = engine::ReadUnits(row.exists ? ItemSize(ItemView(row.value)) : 0, kind);
  if (!row.exists) return Ok();
  const ItemView item(row.value);
  member.row = select.projection.empty() ? Item(item) : partiql::SelectRow(select.projection, item);
  return Ok();
}

Status RunBatchedWrite(const Call& call, BatchedStatement& member) {
  const engine::ItemWrite write =
      WriteOf(*member.write, *member.table, WantsFailedItem(member.request->return_values_on_condition_check_failure));
  engine::WriteOutcome outcome;
  RETURN_IF_ERROR(engine::WriteItems(call.service.db, {&write, 1}, {&outcome, 1}, call.access));
  member.units = std::move(outcome.units);
  member.row = RowReturned(*member.write, outcome);
  return Ok();
}

Status RunBatched(const Call& call, BatchedStatement& member) {
  const Pace* pace = call.access.pace;
  if (pace && pace->takes_turns() && pace->spent() > kStepsMax) return kBatchTooLong();
  return member.write ? RunBatchedWrite(call, member) : RunBatchedRead(call, member);
}

void WriteFault(json::Writer& out, const Error& error) {
  out.Key("Error");
  out.BeginObject();
  out.Member("Code", CodeOf(error.kind()));
  out.Member("Message", error.message());
  if (const auto* failed = dynamic_cast<const FailedItem*>(error.detail())) {
    out.Key("Item");
    wire::Write(out, failed->item.view());
  }
  out.EndObject();
}

void WriteResponse(json::Writer& out, const BatchedStatement& member) {
  out.BeginObject();
  if (member.fault) WriteFault(out, *member.fault);
  if (!member.fault || member.shows_table) out.Member("TableName", TableOf(*member.statement));
  if (member.row) {
    out.Key("Item");
    wire::Write(out, member.row->view());
  }
  out.EndObject();
}

// One entry per table, in the order in which the request names them.
void ReportStatementUnits(Call& call, json::Writer& out, const wire::BatchExecuteStatementRequest& r,
                          const std::vector<BatchedStatement>& members) {
  const wire::ReturnConsumedCapacity wanted = r.return_consumed_capacity.value_or(wire::ReturnConsumedCapacity::kNone);
  std::vector<std::pair<const BatchedStatement*, engine::Consumed>> tables;
  for (const BatchedStatement& member : members) {
    if (!member.runs()) continue;
    (IsRead(*member.statement) ? call.account.read_units : call.account.write_units) += member.units.Total();
    call.account.table = member.table->name;
    const auto same = [&](const auto& entry) { return entry.first->table->id == member.table->id; };
    const auto entry = std::find_if(tables.begin(), tables.end(), same);
    entry == tables.end() ? void(tables.emplace_back(&member, member.units)) : entry->second.Add(member.units);
  }
  if (wanted == wire::ReturnConsumedCapacity::kNone || tables.empty()) return;
  out.Key("ConsumedCapacity");
  out.BeginArray();
  for (const auto& [member, units] : tables) {
    WriteConsumed(out, wanted, TableOf(*member->statement), *member->table, units);
  }
  out.EndArray();
}

}  // namespace

Status BatchExecuteStatement(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::BatchExecuteStatementRequest r,
                   wire::Decode<wire::BatchExecuteStatementRequest>(request));
  std::vector<BatchedStatement> members(r.statements.size());
  for (size_t i = 0; i < members.size(); ++i) {
    members[i].request = &r.statements[i];
    RETURN_IF_ERROR(Keep(ParseBatched(members[i]), false, members[i]));
  }
  RETURN_IF_ERROR(AreAllReadsOrAllWrites(members));
  RETURN_IF_ERROR(PlanBatch(call, members));
  RETURN_IF_ERROR(ItemsAreDistinct(members));
  for (BatchedStatement& member : members) {
    if (!member.runs()) continue;
    RETURN_IF_ERROR(Keep(RunBatched(call, member), true, member));
    call.account.items_returned += member.row ? 1 : 0;
  }

  answer.BeginObject();
  answer.Key("Responses");
  answer.BeginArray();
  for (const BatchedStatement& member : members) {
    WriteResponse(answer, member);
    if (member.fault) call.account.rules.push_back(member.fault->rule());
  }
  answer.EndArray();
  ReportStatementUnits(call, answer, r, members);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
