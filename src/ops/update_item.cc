// UpdateItem.
#include "engine/items/item_write.h"
#include "ops/consumed.h"
#include "ops/handlers.h"
#include "ops/item_answer.h"
#include "ops/parameters.h"
#include "wire/requests/items.h"

namespace keyfold {
namespace {

struct Parsed {
  std::optional<Update> update;
  std::optional<Condition> condition;
};

Result<std::optional<Update>> UpdateOf(const UpdateItemRequest& r, Placeholders& placeholders) {
  if (r.update_expression) {
    ASSIGN_OR_RETURN(Update update, ParseUpdate(*r.update_expression, placeholders));
    return std::optional(std::move(update));
  }
  if (!r.attribute_updates || r.attribute_updates->empty()) return std::optional<Update>();
  std::vector<LegacyUpdate> legacy;
  for (const auto& [attribute, u] : *r.attribute_updates) {
    LegacyUpdate one;
    RETURN_IF_ERROR(AttributeNameIsGiven(attribute));
    one.attribute = attribute;
    if (u.action) one.action = NameOf(*u.action);
    if (u.value) {
      RETURN_IF_ERROR(u.value->Check());
      one.value = **u.value;
    }
    legacy.push_back(std::move(one));
  }
  ASSIGN_OR_RETURN(Update update, UpdateOfLegacy(legacy));
  return std::optional(std::move(update));
}

Result<Parsed> Check(const UpdateItemRequest& r) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"UpdateExpression", r.update_expression.has_value()},
                                      {"ConditionExpression", r.condition_expression.has_value()}},
                                     {{"AttributeUpdates", r.attribute_updates.has_value()},
                                      {"Expected", r.expected.has_value()},
                                      {"ConditionalOperator", r.conditional_operator.has_value()}},
                                     r.expression_attribute_names, &r.expression_attribute_values));
  RETURN_IF_ERROR(r.key.Check());
  ASSIGN_OR_RETURN(Placeholders placeholders,
                   PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  Parsed parsed;
  ASSIGN_OR_RETURN(parsed.update, UpdateOf(r, placeholders));
  ASSIGN_OR_RETURN(parsed.condition,
                   ConditionOf(r.condition_expression, r.expected, r.conditional_operator, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return parsed;
}

void WriteReturnValues(json::Writer& out, ReturnValue wanted, const Parsed& parsed, const WriteOutcome& outcome) {
  switch (wanted) {
    case ReturnValue::kNone:
      return;
    case ReturnValue::kAllOld:
      if (outcome.existed) WriteAttributes(out, outcome.old_item);
      return;
    case ReturnValue::kAllNew:
      if (outcome.exists) WriteAttributes(out, outcome.new_item);
      return;
    case ReturnValue::kUpdatedOld:
    case ReturnValue::kUpdatedNew: {
      if (!parsed.update) return;
      const Item part =
          UpdatedPart(*parsed.update, wanted == ReturnValue::kUpdatedOld ? outcome.old_item : outcome.new_item);
      if (!part.empty()) WriteAttributes(out, part);
      return;
    }
  }
}

}  // namespace

Status UpdateItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const UpdateItemRequest r, Decode<UpdateItemRequest>(request));
  ASSIGN_OR_RETURN(const Parsed parsed, Check(r));
  ASSIGN_OR_RETURN(const std::string table, TableNameOf(call.service.identity, r.table_name));
  const ReturnValue wanted = r.return_values.value_or(ReturnValue::kNone);
  ItemWrite write{.action = ItemWrite::Action::kUpdate, .table = table, .item = *r.key};
  write.update = parsed.update ? &*parsed.update : nullptr;
  write.condition = parsed.condition ? &*parsed.condition : nullptr;
  write.failed_item = r.return_values_on_condition_check_failure == ReturnValuesOnConditionCheckFailure::kAllOld;
  write.keep_old = wanted == ReturnValue::kAllOld || wanted == ReturnValue::kUpdatedOld;
  write.keep_new = wanted == ReturnValue::kAllNew || wanted == ReturnValue::kUpdatedNew;
  call.account.table = table;
  WriteOutcome outcome;
  RETURN_IF_ERROR(WriteItems(call.service.db, {&write, 1}, {&outcome, 1}, call.access));

  answer.BeginObject();
  WriteReturnValues(answer, wanted, parsed, outcome);
  ReportWrite(call, answer, r.return_consumed_capacity, r.table_name, *outcome.table, outcome.units);
  ReportCollection(answer, r.return_item_collection_metrics, outcome, *r.key);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold
