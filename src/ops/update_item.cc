// UpdateItem.
#include "ops/handlers.h"
#include "ops/one_item_write.h"
#include "wire/requests/items.h"

namespace keyfold::ops {
namespace {

struct ParsedUpdateItem {
  std::optional<expr::Update> update;
  std::optional<expr::Condition> condition;
};

Result<std::optional<expr::Update>> UpdateOf(const wire::UpdateItemRequest& r, expr::Placeholders& placeholders) {
  if (r.update_expression) {
    ASSIGN_OR_RETURN(expr::Update update, expr::ParseUpdate(*r.update_expression, placeholders));
    return std::optional(std::move(update));
  }
  if (!r.attribute_updates || r.attribute_updates->empty()) return std::optional<expr::Update>();
  std::vector<expr::LegacyUpdate> legacy;
  for (const auto& [attribute, u] : *r.attribute_updates) {
    expr::LegacyUpdate one;
    RETURN_IF_ERROR(wire::AttributeNameIsGiven(attribute));
    one.attribute = attribute;
    if (u.action) one.action = wire::NameOf(*u.action);
    if (u.value) {
      RETURN_IF_ERROR(u.value->Check());
      one.value = **u.value;
    }
    legacy.push_back(std::move(one));
  }
  ASSIGN_OR_RETURN(expr::Update update, expr::UpdateOfLegacy(legacy));
  return std::optional(std::move(update));
}

Result<ParsedUpdateItem> CheckUpdateItem(const wire::UpdateItemRequest& r) {
  RETURN_IF_ERROR(ParametersDoNotMix({{"UpdateExpression", r.update_expression.has_value()},
                                      {"ConditionExpression", r.condition_expression.has_value()}},
                                     {{"AttributeUpdates", r.attribute_updates.has_value()},
                                      {"Expected", r.expected.has_value()},
                                      {"ConditionalOperator", r.conditional_operator.has_value()}},
                                     r.expression_attribute_names, &r.expression_attribute_values));
  RETURN_IF_ERROR(r.key.Check());
  ASSIGN_OR_RETURN(expr::Placeholders placeholders,
                   PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  ParsedUpdateItem parsed;
  ASSIGN_OR_RETURN(parsed.update, UpdateOf(r, placeholders));
  ASSIGN_OR_RETURN(parsed.condition,
                   ConditionOf(r.condition_expression, r.expected, r.conditional_operator, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return parsed;
}

void WriteReturnValues(json::Writer& out, wire::ReturnValue wanted, const ParsedUpdateItem& parsed,
                       const engine::WriteOutcome& outcome) {
  switch (wanted) {
    case wire::ReturnValue::kNone:
      return;
    case wire::ReturnValue::kAllOld:
      if (outcome.existed) WriteAttributes(out, outcome.old_item);
      return;
    case wire::ReturnValue::kAllNew:
      if (outcome.exists) WriteAttributes(out, outcome.new_item);
      return;
    case wire::ReturnValue::kUpdatedOld:
    case wire::ReturnValue::kUpdatedNew: {
      if (!parsed.update) return;
      const Item part = expr::UpdatedPart(
          *parsed.update, wanted == wire::ReturnValue::kUpdatedOld ? outcome.old_item : outcome.new_item);
      if (!part.empty()) WriteAttributes(out, part);
      return;
    }
  }
}

}  // namespace

Status UpdateItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::UpdateItemRequest r, wire::Decode<wire::UpdateItemRequest>(request));
  ASSIGN_OR_RETURN(const ParsedUpdateItem parsed, CheckUpdateItem(r));
  const wire::ReturnValue wanted = r.return_values.value_or(wire::ReturnValue::kNone);
  engine::ItemWrite write{.action = engine::ItemWrite::Action::kUpdate, .table = {}, .item = *r.key};
  write.update = parsed.update ? &*parsed.update : nullptr;
  write.keep_old = wanted == wire::ReturnValue::kAllOld || wanted == wire::ReturnValue::kUpdatedOld;
  write.keep_new = wanted == wire::ReturnValue::kAllNew || wanted == wire::ReturnValue::kUpdatedNew;
  return WriteOneItem(call, r, write, parsed.condition, answer,
                      [&](const engine::WriteOutcome& outcome) { WriteReturnValues(answer, wanted, parsed, outcome); });
}

}  // namespace keyfold::ops
