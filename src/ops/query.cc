// Query.
#include "engine/items/query.h"

#include "ops/handlers.h"
#include "ops/parameters.h"
#include "ops/query_answer.h"
#include "wire/requests/reads.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"Either the KeyConditions or KeyConditionExpression parameter must be specified in the request.">
    kNoKeyCondition{"no-key-condition", Kind::kValidation};

struct ParsedQuery : ParsedPage {
  expr::KeyCondition key_condition;
};

Result<expr::KeyCondition> KeyConditionOf(const wire::QueryRequest& r, expr::Placeholders& placeholders) {
  if (r.key_condition_expression) return expr::ParseKeyCondition(*r.key_condition_expression, placeholders);
  ASSIGN_OR_RETURN(const std::vector<expr::LegacyCondition> legacy, LegacyConditionsOf(*r.key_conditions));
  if (legacy.empty()) return expr::kKeyConditionCount();
  return expr::KeyConditionOfLegacy(legacy);
}

Result<ParsedQuery> CheckQuery(const wire::QueryRequest& r) {
  // KeyConditions may be combined with other expressions, but not with KeyConditionExpression.
  const bool key_conditions_mix = r.key_conditions && r.key_condition_expression;
  RETURN_IF_ERROR(ParametersDoNotMix({{"ProjectionExpression", r.projection_expression.has_value()},
                                      {"FilterExpression", r.filter_expression.has_value()},
                                      {"KeyConditionExpression", r.key_condition_expression.has_value()}},
                                     {{"AttributesToGet", r.attributes_to_get.has_value()},
                                      {"QueryFilter", r.query_filter.has_value()},
                                      {"ConditionalOperator", r.conditional_operator.has_value()},
                                      {"KeyConditions", key_conditions_mix}},
                                     r.expression_attribute_names, &r.expression_attribute_values));
  ParsedQuery parsed;
  ASSIGN_OR_RETURN(parsed.filter, LegacyFilterOf(r.query_filter, r.conditional_operator));
  RETURN_IF_ERROR(AttributesToGetAreDistinct(r.attributes_to_get));
  RETURN_IF_ERROR(StartKeyIsWellFormed(r.exclusive_start_key));
  if (!r.key_conditions && !r.key_condition_expression) return kNoKeyCondition();
  ASSIGN_OR_RETURN(parsed.selection, SelectionOf(r));
  ASSIGN_OR_RETURN(expr::Placeholders placeholders,
                   PlaceholdersOf(r.expression_attribute_names, &r.expression_attribute_values));
  ASSIGN_OR_RETURN(parsed.key_condition, KeyConditionOf(r, placeholders));
  RETURN_IF_ERROR(ParseShown(r, placeholders, parsed));
  return parsed;
}

}  // namespace

Status Query(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::QueryRequest r, wire::Decode<wire::QueryRequest>(request));
  ASSIGN_OR_RETURN(const ParsedQuery parsed, CheckQuery(r));
  ASSIGN_OR_RETURN(const std::string table, engine::TableNameOf(call.service.identity, r.table_name));
  engine::QueryInput query;
  FillPage(r, table, parsed, query);
  query.legacy_filter = r.query_filter.has_value();
  query.key_condition = &parsed.key_condition;
  query.legacy_key_condition = r.key_conditions.has_value();
  query.forward = r.scan_index_forward.value_or(true);
  return WritePage(call, answer, parsed.selection, r.return_consumed_capacity, r.table_name,
                   [&](engine::Emit emit) { return engine::RunQuery(call.service.db, query, emit, call.access); });
}

}  // namespace keyfold::ops
