// Shared by PutItem, UpdateItem and DeleteItem, whose requests have most of their members in common.
#pragma once

#include <optional>
#include <string>

#include "engine/items/item_write.h"
#include "ops/consumed.h"
#include "ops/item_answer.h"
#include "ops/operation.h"
#include "ops/parameters.h"

namespace keyfold::ops {

template <typename R>
Status ConditionParametersDoNotMix(const R& r) {
  return ParametersDoNotMix(
      {{"ConditionExpression", r.condition_expression.has_value()}},
      {{"Expected", r.expected.has_value()}, {"ConditionalOperator", r.conditional_operator.has_value()}},
      r.expression_attribute_names, &r.expression_attribute_values);
}

template <typename R>
Result<std::optional<expr::Condition>> ParseOnlyCondition(const R& r) {
  ASSIGN_OR_RETURN(expr::Placeholders placeholders,
                   PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  ASSIGN_OR_RETURN(std::optional<expr::Condition> condition,
                   ConditionOf(r.condition_expression, r.expected, r.conditional_operator, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return condition;
}

// Executes `write`, of which the action, the item and the images to keep are set, and writes the response.
// `write_images` adds the images that the request asks for.
template <typename R, typename WriteImages>
Status WriteOneItem(Call& call, const R& r, engine::ItemWrite write, const std::optional<expr::Condition>& condition,
                    json::Writer& answer, const WriteImages& write_images) {
  ASSIGN_OR_RETURN(const std::string table, engine::TableNameOf(call.service.identity, r.table_name));
  write.table = table;
  write.condition = condition ? &*condition : nullptr;
  write.failed_item = r.return_values_on_condition_check_failure == wire::ReturnValuesOnConditionCheckFailure::kAllOld;
  call.account.table = table;
  engine::WriteOutcome outcome;
  RETURN_IF_ERROR(engine::WriteItems(call.service.db, {&write, 1}, {&outcome, 1}, call.access));

  answer.BeginObject();
  write_images(outcome);
  ReportWrite(call, answer, r.return_consumed_capacity, r.table_name, *outcome.table, outcome.units);
  ReportCollection(answer, r.return_item_collection_metrics, outcome, write.item);
  answer.EndObject();
  return Ok();
}

// PutItem and DeleteItem: replaces or removes the whole item, and returns the old one if the request asks for it.
template <typename R>
Status WriteWholeItem(Call& call, const R& r, engine::ItemWrite::Action action, ItemView item,
                      const std::optional<expr::Condition>& condition, json::Writer& answer) {
  const bool keep_old = r.return_values == wire::ReturnValue::kAllOld;
  const engine::ItemWrite write{.action = action, .table = {}, .item = item, .keep_old = keep_old};
  return WriteOneItem(call, r, write, condition, answer, [&](const engine::WriteOutcome& outcome) {
    if (keep_old && outcome.existed) WriteAttributes(answer, outcome.old_item);
  });
}

}  // namespace keyfold::ops
