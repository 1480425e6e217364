// Query.
#include "engine/page.h"
#include "ops/handlers.h"
#include "ops/page_answer.h"
#include "ops/parameters.h"
#include "wire/requests/reads.h"

namespace keyfold {
namespace {

constexpr Rule<"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request."> kNoKeyCondition{
    "no-key-condition", Kind::kValidation};
constexpr Rule<"Conditions can be of length 1 or 2 only"> kKeyConditionCount{"key-condition-count", Kind::kValidation};

struct Parsed {
  Selection selection = Selection::kDefault;
  KeyCondition key_condition;
  std::optional<Condition> filter;
  Projection projection;
};

Result<KeyCondition> KeyConditionOf(const QueryRequest& r, Placeholders& placeholders) {
  if (r.key_condition_expression) return ParseKeyCondition(*r.key_condition_expression, placeholders);
  ASSIGN_OR_RETURN(const std::vector<LegacyCondition> legacy, LegacyConditionsOf(*r.key_conditions));
  if (legacy.empty()) return kKeyConditionCount();
  return KeyConditionOfLegacy(legacy);
}

Result<Parsed> Check(const QueryRequest& r) {
  // KeyConditions may stand beside other expressions, but not beside KeyConditionExpression.
  const bool key_conditions_mix = r.key_conditions && r.key_condition_expression;
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", r.projection_expression.has_value()},
                                      {"FilterExpression", r.filter_expression.has_value()},
                                      {"KeyConditionExpression", r.key_condition_expression.has_value()}},
                                     {{"AttributesToGet", r.attributes_to_get.has_value()},
                                      {"QueryFilter", r.query_filter.has_value()},
                                      {"ConditionalOperator", r.conditional_operator.has_value()},
                                      {"KeyConditions", key_conditions_mix}},
                                     r.expression_attribute_names, &r.expression_attribute_values));
  Parsed parsed;
  ASSIGN_OR_RETURN(parsed.filter, LegacyFilterOf(r.query_filter, r.conditional_operator));
  RETURN_IF_ERROR(AttributesToGetAreDistinct(r.attributes_to_get));
  RETURN_IF_ERROR(StartKeyIsWellFormed(r.exclusive_start_key));
  if (!r.key_conditions && !r.key_condition_expression) return kNoKeyCondition();
  const std::string_view projected_by =
      r.projection_expression ? "ProjectionExpression" : (r.attributes_to_get ? "AttributesToGet" : "");
  ASSIGN_OR_RETURN(parsed.selection, SelectionOf(r.select, projected_by, r.index_name.has_value()));
  ASSIGN_OR_RETURN(Placeholders placeholders, PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  ASSIGN_OR_RETURN(parsed.key_condition, KeyConditionOf(r, placeholders));
  if (r.filter_expression) {
    ASSIGN_OR_RETURN(parsed.filter, ParseCondition("FilterExpression", *r.filter_expression, placeholders));
  }
  ASSIGN_OR_RETURN(parsed.projection, ProjectionOf(r.projection_expression, r.attributes_to_get, placeholders));
  RETURN_IF_ERROR(placeholders.AllUsed());
  return parsed;
}

}  // namespace

Status Query(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const QueryRequest r, Decode<QueryRequest>(request));
  ASSIGN_OR_RETURN(const Parsed parsed, Check(r));
  ASSIGN_OR_RETURN(const std::string table, TableNameOf(call.service.identity, r.table_name));
  PageQuery query;
  query.table = table;
  if (r.index_name) query.index = *r.index_name;
  query.consistent = r.consistent_read.value_or(false);
  query.limit = r.limit.value_or(0);
  if (r.exclusive_start_key) query.start = (*r.exclusive_start_key)->view();
  query.filter = parsed.filter ? &*parsed.filter : nullptr;
  query.legacy_filter = r.query_filter.has_value();
  query.projection = &parsed.projection;
  query.selection = parsed.selection;
  query.key_condition = &parsed.key_condition;
  query.legacy_key_condition = r.key_conditions.has_value();
  query.forward = r.scan_index_forward.value_or(true);
  return WritePage(call, answer, parsed.selection, r.return_consumed_capacity, r.table_name,
                   [&](Emit emit) { return QueryPage(call.service.db, query, emit, call.access); });
}

}  // namespace keyfold
