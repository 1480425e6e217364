// PutItem.
#include "engine/item_write.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/item_answer.h"
#include "ops/parameters.h"
#include "value/limits.h"
#include "wire/requests/items.h"

namespace keyfold {
namespace {

struct Parsed {
  std::optional<Condition> condition;
};

Result<Parsed> Check(const PutItemRequest& r) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"ConditionExpression", r.condition_expression.has_value()}},
                                     {{"Expected", r.expected.has_value()}, {"ConditionalOperator", r.conditional_operator.has_value()}},
                                     r.expression_attribute_names, &r.expression_attribute_values));
  RETURN_IF_ERROR(r.item.Check());
  if (!r.item->empty()) RETURN_IF_ERROR(AttributeNameIsGiven((*r.item->view().entries().begin()).name));
  RETURN_IF_ERROR(ReturnsOldOrNothing(r.return_values));
  RETURN_IF_ERROR(ItemFits(*r.item));
  ASSIGN_OR_RETURN(Placeholders placeholders, PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  Parsed parsed;
  ASSIGN_OR_RETURN(parsed.condition, ConditionOf(r.condition_expression, r.expected, r.conditional_operator, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return parsed;
}

}  // namespace

Status PutItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const PutItemRequest r, Decode<PutItemRequest>(request));
  ASSIGN_OR_RETURN(const Parsed parsed, Check(r));
  ASSIGN_OR_RETURN(const std::string table, TableNameOf(call.service.identity, r.table_name));
  ItemWrite write{.action = ItemWrite::Action::kPut, .table = table, .item = *r.item};
  write.condition = parsed.condition ? &*parsed.condition : nullptr;
  write.failed_item = r.return_values_on_condition_check_failure == ReturnValuesOnConditionCheckFailure::kAllOld;
  write.keep_old = r.return_values == ReturnValue::kAllOld;
  call.account.table = table;
  WriteOutcome outcome;
  RETURN_IF_ERROR(WriteItems(call.service.db, {&write, 1}, {&outcome, 1}, call.access));

  answer.BeginObject();
  if (write.keep_old && outcome.existed) WriteAttributes(answer, outcome.old_item);
  ReportWrite(call, answer, r.return_consumed_capacity, r.table_name, *outcome.table, outcome.units);
  ReportCollection(answer, r.return_item_collection_metrics, outcome, *r.item);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
