// GetItem.
#include "engine/items/item_read.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/parameters.h"
#include "wire/attribute_value.h"
#include "wire/requests/items.h"

namespace keyfold::ops {
namespace {

Result<expr::Projection> CheckGetItem(const wire::GetItemRequest& r) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", r.projection_expression.has_value()}},
                                     {{"AttributesToGet", r.attributes_to_get.has_value()}},
                                     r.expression_attribute_names, nullptr));
  RETURN_IF_ERROR(r.key.Check());
  RETURN_IF_ERROR(AttributesToGetAreDistinct(r.attributes_to_get));
  ASSIGN_OR_RETURN(expr::Placeholders placeholders, PlaceholdersOf(r.expression_attribute_names, nullptr));
  ASSIGN_OR_RETURN(expr::Projection projection,
                   ProjectionOf(r.projection_expression, r.attributes_to_get, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return projection;
}

}  // namespace

Status GetItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::GetItemRequest r, wire::Decode<wire::GetItemRequest>(request));
  ASSIGN_OR_RETURN(const expr::Projection projection, CheckGetItem(r));
  ASSIGN_OR_RETURN(const std::string table, engine::TableNameOf(call.service.identity, r.table_name));
  const ItemView key = *r.key;
  ASSIGN_OR_RETURN(const engine::ItemsRead read,
                   engine::ReadItems(call.service.db, table, {&key, 1}, projection, call.access));
  const store::Row& row = read.rows.front();

  answer.BeginObject();
  if (row.exists) {
    answer.Key("Item");
    const ItemView item(row.value);
    projection.empty() ? wire::Write(answer, item) : wire::Write(answer, expr::Project(projection, item).view());
    call.account.items_returned = 1;
  }
  engine::Consumed units;
  const engine::ReadKind kind =
      r.consistent_read.value_or(false) ? engine::ReadKind::kConsistent : engine::ReadKind::kEventual;
  call.account.item_bytes = row.exists ? ItemSize(ItemView(row.value)) : 0;
  units.table = engine::ReadUnits(call.account.item_bytes, kind);
  ReportRead(call, answer, r.return_consumed_capacity, r.table_name, *read.table, units);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
