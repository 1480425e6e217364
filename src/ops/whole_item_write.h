// Shared by PutItem and DeleteItem: their requests have the same members except for the item, and both replace or
// remove the whole item.
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

// Writes, and returns the old image if the request asks for it.
template <typename R>
Status WriteWholeItem(Call& call, const R& r, engine::ItemWrite::Action action, ItemView item,
                      const std::optional<expr::Condition>& condition, json::Writer& answer) {
  ASSIGN_OR_RETURN(const std::string table, engine::TableNameOf(call.service.identity, r.table_name));
  engine::ItemWrite write{.action = action, .table = table, .item = item};
  write.condition = condition ? &*condition : nullptr;
  write.failed_item = r.return_values_on_condition_check_failure == wire::ReturnValuesOnConditionCheckFailure::kAllOld;
  write.keep_old = r.return_values == wire::ReturnValue::kAllOld;
  call.account.table = table;
  engine::WriteOutcome outcome;
  RETURN_IF_ERROR(engine::WriteItems(call.service.db, {&write, 1}, {&outcome, 1}, call.access));

  answer.BeginObject();
  if (write.keep_old && outcome.existed) WriteAttributes(answer, outcome.old_item);
  ReportWrite(call, answer, r.return_consumed_capacity, r.table_name, *outcome.table, outcome.units);
  ReportCollection(answer, r.return_item_collection_metrics, outcome, item);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
