// Parameters that many requests share: expressions and their placeholders, the legacy parameters that they replaced,
// and the rule that the two do not mix. The result is an expression tree, whichever kind was used.
#pragma once

#include <initializer_list>
#include <optional>
#include <string_view>

#include "expr/condition.h"
#include "expr/key_condition.h"
#include "expr/legacy.h"
#include "expr/placeholders.h"
#include "expr/projection.h"
#include "expr/update.h"
#include "wire/shapes.h"

namespace keyfold::ops {

// A parameter's name in the request, and whether it was given.
struct Given {
  std::string_view name;
  bool given = false;
};

// Expression and non-expression parameters exclude each other; names and values need an expression that can use them.
Status ParametersDoNotMix(std::initializer_list<Given> expressions, std::initializer_list<Given> legacy,
                          const std::optional<wire::ExpressionAttributeNames>& names,
                          const std::optional<wire::ExpressionAttributeValues>* values);

// Returns names and values, checked and borrowed from the request.
Result<expr::Placeholders> PlaceholdersOf(const std::optional<wire::ExpressionAttributeNames>& names,
                                          const std::optional<wire::ExpressionAttributeValues>* values);

// Parses ConditionExpression, or Expected with ConditionalOperator; nullopt if neither is given.
Result<std::optional<expr::Condition>> ConditionOf(
    const std::optional<std::string>& expression,
    const std::optional<wire::OrderedMap<wire::ExpectedAttributeValue>>& expected,
    std::optional<wire::ConditionalOperator> join, expr::Placeholders& placeholders);

// Parses QueryFilter or ScanFilter with ConditionalOperator; nullopt if it is not given.
Result<std::optional<expr::Condition>> LegacyFilterOf(
    const std::optional<wire::OrderedMap<wire::AttributeCondition>>& filter,
    std::optional<wire::ConditionalOperator> join);

Result<std::vector<expr::LegacyCondition>> LegacyConditionsOf(
    const wire::OrderedMap<wire::AttributeCondition>& conditions);

// Parses ProjectionExpression or AttributesToGet; empty if neither is given.
Result<expr::Projection> ProjectionOf(const std::optional<std::string>& expression,
                                      const std::optional<std::vector<std::string>>& attributes_to_get,
                                      expr::Placeholders& placeholders);

// Checks that AttributesToGet names no attribute twice.
Status AttributesToGetAreDistinct(const std::optional<std::vector<std::string>>& attributes_to_get);

// Checks that ConditionalOperator has conditions to join.
Status ConditionalOperatorHasUse(std::optional<wire::ConditionalOperator> join, size_t conditions);

}  // namespace keyfold::ops
