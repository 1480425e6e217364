#include "ops/parameters.h"

#include <algorithm>
#include <string>

#include "base/text/distinct_texts.h"

namespace keyfold::ops {
namespace {

constexpr Rule<
    "Can not use both expression and non-expression parameters in the same request: Non-expression parameters: {{}} "
    "Expression parameters: {{}}">
    kMixedParameters{"parameters-mixed", Kind::kValidation};
constexpr Rule<"ExpressionAttributeNames can only be specified when using expressions"> kNamesUnneeded{
    "names-unneeded", Kind::kValidation};
constexpr Rule<"ExpressionAttributeValues can only be specified when using expressions: {} {} null"> kValuesUnneeded{
    "values-unneeded", Kind::kValidation};
constexpr Rule<"ExpressionAttributeNames must not be empty"> kNamesEmpty{"names-empty", Kind::kValidation};
constexpr Rule<"ExpressionAttributeValues must not be empty"> kValuesEmpty{"values-empty", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Duplicate value in attribute name: {}"> kAttributeTwice{
    "attribute-twice", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ConditionalOperator cannot be used without Filter or Expected">
    kJoinWithout{"conditional-operator-without", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: ConditionalOperator can only be used when Filter or Expected has two "
    "or more elements">
    kJoinOfOne{"conditional-operator-of-one", Kind::kValidation};

std::string NamesOf(std::initializer_list<Given> parameters, std::string_view separator, bool only_given) {
  std::string names;
  for (const Given& p : parameters) {
    if (only_given && !p.given) continue;
    if (!names.empty()) names += separator;
    names += p.name;
  }
  return names;
}

bool AnyGiven(std::initializer_list<Given> parameters) {
  return std::any_of(parameters.begin(), parameters.end(), [](const Given& p) { return p.given; });
}

expr::LegacyJoin JoinOf(std::optional<wire::ConditionalOperator> join) {
  return join == wire::ConditionalOperator::kOr ? expr::LegacyJoin::kOr : expr::LegacyJoin::kAnd;
}

Result<std::vector<Value>> ValuesOf(const std::vector<wire::Supplied<Value>>& supplied) {
  std::vector<Value> values;
  for (const wire::Supplied<Value>& v : supplied) {
    RETURN_IF_ERROR(v.Check());
    values.push_back(*v);
  }
  return values;
}

Result<expr::LegacyExpected> ExpectedOf(const std::string& attribute, const wire::ExpectedAttributeValue& expected) {
  expr::LegacyExpected out;
  out.attribute = attribute;
  out.exists = expected.exists;
  if (expected.value) {
    RETURN_IF_ERROR(expected.value->Check());
    out.value = **expected.value;
  }
  if (expected.comparison_operator) out.comparison = wire::NameOf(*expected.comparison_operator);
  if (expected.attribute_value_list) {
    ASSIGN_OR_RETURN(out.values, ValuesOf(*expected.attribute_value_list));
  }
  return out;
}

// The syntax of all placeholders is checked before the first value.
Status ValuesAreWellFormed(const wire::ExpressionAttributeValues& values) {
  Status fault = wire::CheckExpressionAttributeValues(values);
  if (fault.ok()) return fault;
  const Value nothing;
  expr::Placeholders names_only;
  for (const auto& [placeholder, value] : values) names_only.AddValue(placeholder, nothing);
  RETURN_IF_ERROR(names_only.Check());
  return fault;
}

}  // namespace

Status ParametersDoNotMix(std::initializer_list<Given> expressions, std::initializer_list<Given> legacy,
                          const std::optional<wire::ExpressionAttributeNames>& names,
                          const std::optional<wire::ExpressionAttributeValues>* values) {
  const bool any = AnyGiven(expressions);
  if (any && AnyGiven(legacy)) return kMixedParameters(NamesOf(legacy, ", ", true), NamesOf(expressions, ", ", true));
  if (names && !any) return kNamesUnneeded();
  if (!values || !*values) return Ok();
  std::string users;  // a projection cannot use values
  size_t count = 0;
  for (const Given& p : expressions) {
    if (p.name == "ProjectionExpression") continue;
    if (p.given) return Ok();
    if (count++ > 0) users += " and ";
    users += p.name;
  }
  return kValuesUnneeded(users, std::string_view(count > 1 ? "are" : "is"));
}

Result<expr::Placeholders> PlaceholdersOf(const std::optional<wire::ExpressionAttributeNames>& names,
                                          const std::optional<wire::ExpressionAttributeValues>* values) {
  expr::Placeholders placeholders;
  if (names) {
    if (names->empty()) return kNamesEmpty();
    placeholders.ReserveNames(names->size());
    for (const auto& [placeholder, name] : *names) placeholders.AddName(placeholder, name);
  }
  if (values && *values) {
    if ((*values)->empty()) return kValuesEmpty();
    RETURN_IF_ERROR(ValuesAreWellFormed(**values));
    placeholders.ReserveValues((*values)->size());
    for (const auto& [placeholder, value] : **values) placeholders.AddValue(placeholder, *value);
  }
  RETURN_IF_ERROR(placeholders.Check());
  return placeholders;
}

Status ConditionalOperatorHasUse(std::optional<wire::ConditionalOperator> join, size_t conditions) {
  if (!join) return Ok();
  if (conditions == 0) return kJoinWithout();
  if (conditions == 1) return kJoinOfOne();
  return Ok();
}

Result<std::optional<expr::Condition>> ConditionOf(
    const std::optional<std::string>& expression,
    const std::optional<wire::OrderedMap<wire::ExpectedAttributeValue>>& expected,
    std::optional<wire::ConditionalOperator> join, expr::Placeholders& placeholders) {
  if (expression) {
    ASSIGN_OR_RETURN(expr::Condition condition, expr::ParseCondition("ConditionExpression", *expression, placeholders));
    return std::optional(std::move(condition));
  }
  RETURN_IF_ERROR(ConditionalOperatorHasUse(join, expected ? expected->size() : 0));
  if (!expected || expected->empty()) return std::optional<expr::Condition>();
  std::vector<expr::LegacyExpected> legacy;
  for (const auto& [attribute, e] : *expected) {
    ASSIGN_OR_RETURN(expr::LegacyExpected one, ExpectedOf(attribute, e));
    legacy.push_back(std::move(one));
  }
  ASSIGN_OR_RETURN(expr::Condition condition, expr::ConditionOfExpected(legacy, JoinOf(join)));
  return std::optional(std::move(condition));
}

Result<std::vector<expr::LegacyCondition>> LegacyConditionsOf(
    const wire::OrderedMap<wire::AttributeCondition>& conditions) {
  std::vector<expr::LegacyCondition> legacy;
  for (const auto& [attribute, c] : conditions) {
    expr::LegacyCondition one;
    one.attribute = attribute;
    one.comparison = wire::NameOf(c.comparison_operator);
    if (c.attribute_value_list) {
      ASSIGN_OR_RETURN(one.values, ValuesOf(*c.attribute_value_list));
    }
    legacy.push_back(std::move(one));
  }
  return legacy;
}

Result<std::optional<expr::Condition>> LegacyFilterOf(
    const std::optional<wire::OrderedMap<wire::AttributeCondition>>& filter,
    std::optional<wire::ConditionalOperator> join) {
  RETURN_IF_ERROR(ConditionalOperatorHasUse(join, filter ? filter->size() : 0));
  if (!filter || filter->empty()) return std::optional<expr::Condition>();
  ASSIGN_OR_RETURN(const std::vector<expr::LegacyCondition> legacy, LegacyConditionsOf(*filter));
  ASSIGN_OR_RETURN(expr::Condition condition, expr::ConditionOfFilter(legacy, JoinOf(join)));
  return std::optional(std::move(condition));
}

Status AttributesToGetAreDistinct(const std::optional<std::vector<std::string>>& attributes_to_get) {
  if (!attributes_to_get) return Ok();
  DistinctTexts seen;
  for (const std::string& name : *attributes_to_get) {
    RETURN_IF_ERROR(wire::AttributeNameIsGiven(name));
    if (!seen.Add(name)) return kAttributeTwice(name);
  }
  return Ok();
}

Result<expr::Projection> ProjectionOf(const std::optional<std::string>& expression,
                                      const std::optional<std::vector<std::string>>& attributes_to_get,
                                      expr::Placeholders& placeholders) {
  if (expression) return expr::ParseProjection(*expression, placeholders);
  if (attributes_to_get) return expr::ProjectionOfAttributes(*attributes_to_get);
  return expr::Projection();
}

}  // namespace keyfold::ops
