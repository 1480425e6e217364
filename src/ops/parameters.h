// Parameters that many requests share: expressions and their placeholders, the legacy ones they replaced, and the rule
// that the two do not mix. Trees come out; what they were written in does not matter below.
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

namespace keyfold {

// A parameter by the name a request knows it by, and whether it was given.
struct Given {
  std::string_view name;
  bool given = false;
};

// Expression and non-expression parameters exclude each other; names and values need an expression that can use them.
Status ParametersDoNotMix(std::initializer_list<Given> expressions, std::initializer_list<Given> legacy,
                          const std::optional<ExpressionAttributeNames>& names,
                          const std::optional<ExpressionAttributeValues>* values);

// Names and values, checked; borrowed from the request.
Result<Placeholders> PlaceholdersOf(const std::optional<ExpressionAttributeNames>& names,
                                    const std::optional<ExpressionAttributeValues>* values);

// ConditionExpression, or Expected with ConditionalOperator; nothing where there is neither.
Result<std::optional<Condition>> ConditionOf(const std::optional<std::string>& expression,
                                             const std::optional<OrderedMap<ExpectedAttributeValue>>& expected,
                                             std::optional<ConditionalOperator> join, Placeholders& placeholders);

// QueryFilter or ScanFilter with ConditionalOperator; nothing where there is none.
Result<std::optional<Condition>> LegacyFilterOf(const std::optional<OrderedMap<AttributeCondition>>& filter,
                                                std::optional<ConditionalOperator> join);

Result<std::vector<LegacyCondition>> LegacyConditionsOf(const OrderedMap<AttributeCondition>& conditions);

// ProjectionExpression, or AttributesToGet; empty where there is neither.
Result<Projection> ProjectionOf(const std::optional<std::string>& expression,
                                const std::optional<std::vector<std::string>>& attributes_to_get,
                                Placeholders& placeholders);

// No attribute is named twice in AttributesToGet.
Status AttributesToGetAreDistinct(const std::optional<std::vector<std::string>>& attributes_to_get);

// A ConditionalOperator has something to join.
Status ConditionalOperatorHasUse(std::optional<ConditionalOperator> join, size_t conditions);

}  // namespace keyfold
