// TransactGetItems: up to 100 items, all as of one moment.
#include <vector>

#include "engine/items/item_read.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/parameters.h"
#include "wire/attribute_value.h"
#include "wire/requests/transactions.h"

namespace keyfold::ops {
namespace {

// One Get of the request, parsed.
struct ParsedGet {
  std::string table;
  expr::Projection projection;
};

Result<expr::Projection> CheckTransactGet(const wire::TransactGet& get) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", get.projection_expression.has_value()}}, {},
                                     get.expression_attribute_names, nullptr));
  RETURN_IF_ERROR(get.key.Check());
  ASSIGN_OR_RETURN(expr::Placeholders placeholders, PlaceholdersOf(get.expression_attribute_names, nullptr));
  ASSIGN_OR_RETURN(expr::Projection projection, ProjectionOf(get.projection_expression, std::nullopt, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return projection;
}

void WriteResponses(Call& call, json::Writer& answer, const std::vector<ParsedGet>& parsed,
                    const std::vector<engine::TransactReadOutcome>& outcomes) {
  answer.Key("Responses");
  answer.BeginArray();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    answer.BeginObject();
    if (outcomes[i].row.exists) {
      answer.Key("Item");
      const ItemView item(outcomes[i].row.value);
      const expr::Projection& projection = parsed[i].projection;
      projection.empty() ? wire::Write(answer, item) : wire::Write(answer, expr::Project(projection, item).view());
      ++call.account.items_returned;
    }
    answer.EndObject();
  }
  answer.EndArray();
}

}  // namespace

Status TransactGetItems(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::TransactGetItemsRequest r, wire::Decode<wire::TransactGetItemsRequest>(request));
  std::vector<ParsedGet> parsed(r.transact_items.size());
  std::vector<engine::TransactRead> reads(parsed.size());
  for (size_t i = 0; i < parsed.size(); ++i) {
    const wire::TransactGet& get = *r.transact_items[i].get;
    ASSIGN_OR_RETURN(parsed[i].projection, CheckTransactGet(get));
    ASSIGN_OR_RETURN(parsed[i].table, engine::TableNameOf(call.service.identity, get.table_name));
    reads[i] = {.table = parsed[i].table, .key = *get.key, .projection = &parsed[i].projection};
  }
  ASSIGN_OR_RETURN(const std::vector<engine::TransactReadOutcome> outcomes,
                   engine::ReadTransaction(call.service.db, reads, call.access));

  answer.BeginObject();
  WriteResponses(call, answer, parsed, outcomes);
  std::vector<engine::Consumed> units(reads.size());
  std::vector<ActionUnits> actions;
  for (size_t i = 0; i < reads.size(); ++i) {
    const store::Row& row = outcomes[i].row;
    units[i].table =
        engine::ReadUnits(row.exists ? ItemSize(ItemView(row.value)) : 0, engine::ReadKind::kTransactional);
    actions.push_back({r.transact_items[i].get->table_name, outcomes[i].table.get(), &units[i]});
  }
  ReportTransaction(call, answer, r.return_consumed_capacity, actions, UnitsAre::kReads);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
