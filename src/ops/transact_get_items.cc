// TransactGetItems: up to 100 items, all as of one moment.
#include <vector>

#include "engine/items/item_read.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/parameters.h"
#include "wire/attribute_value.h"
#include "wire/requests/transactions.h"

namespace keyfold {
namespace {

// One Get of the request, parsed.
struct ParsedGet {
  std::string table;
  Projection projection;
};

Result<Projection> Check(const TransactGet& get) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", get.projection_expression.has_value()}}, {},
                                     get.expression_attribute_names, nullptr));
  RETURN_IF_ERROR(get.key.Check());
  ASSIGN_OR_RETURN(Placeholders placeholders, PlaceholdersOf(get.expression_attribute_names, nullptr));
  ASSIGN_OR_RETURN(Projection projection, ProjectionOf(get.projection_expression, std::nullopt, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return projection;
}

void WriteResponses(Call& call, json::Writer& answer, const std::vector<ParsedGet>& parsed,
                    const std::vector<TransactReadOutcome>& outcomes) {
  answer.Key("Responses");
  answer.BeginArray();
  for (size_t i = 0; i < outcomes.size(); ++i) {
    answer.BeginObject();
    if (outcomes[i].row.exists) {
      answer.Key("Item");
      const ItemView item(outcomes[i].row.value);
      const Projection& projection = parsed[i].projection;
      projection.empty() ? Write(answer, item) : Write(answer, Project(projection, item).view());
      ++call.account.items_returned;
    }
    answer.EndObject();
  }
  answer.EndArray();
}

}  // namespace

Status TransactGetItems(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const TransactGetItemsRequest r, Decode<TransactGetItemsRequest>(request));
  std::vector<ParsedGet> parsed(r.transact_items.size());
  std::vector<TransactRead> reads(parsed.size());
  for (size_t i = 0; i < parsed.size(); ++i) {
    const TransactGet& get = *r.transact_items[i].get;
    ASSIGN_OR_RETURN(parsed[i].projection, Check(get));
    ASSIGN_OR_RETURN(parsed[i].table, TableNameOf(call.service.identity, get.table_name));
    reads[i] = {.table = parsed[i].table, .key = *get.key, .projection = &parsed[i].projection};
  }
  ASSIGN_OR_RETURN(const std::vector<TransactReadOutcome> outcomes,
                   ReadTransaction(call.service.db, reads, call.access));

  answer.BeginObject();
  WriteResponses(call, answer, parsed, outcomes);
  std::vector<Consumed> units(reads.size());
  std::vector<ActionUnits> actions;
  for (size_t i = 0; i < reads.size(); ++i) {
    const Row& row = outcomes[i].row;
    units[i].table = ReadUnits(row.exists ? ItemSize(ItemView(row.value)) : 0, ReadKind::kTransactional);
    actions.push_back({r.transact_items[i].get->table_name, outcomes[i].table.get(), &units[i]});
  }
  ReportTransaction(call, answer, r.return_consumed_capacity, actions, UnitsAre::kReads);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
