// The legacy parameters: their checks and their translations.
#include "expr/legacy.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/expr/value_notation.h"

namespace keyfold::expr {
namespace {

constexpr std::string_view kLegacyItem =
    "{a=1, b='cat', c=x'636174', t=true, z=null, ns=<2, 4, 7>, l=[2, 4], m={x=1}, d=x'6869'}";

std::vector<Value> ReadValues(std::string_view list) {
  std::vector<Value> values;
  const Value all = ValueNotation::Read(list);
  for (const ValueView value : all.view().values()) values.emplace_back(value);
  return values;
}

struct ComparisonRow {
  std::string attribute, comparison;
  std::string_view values, expected;  // "true", "false" or the message
};

const ComparisonRow kComparisonRows[] = {
    {"a", "EQ", "[1]", "true"},
    {"a", "EQ", "[2]", "false"},
    {"a", "EQ", "['1']", "false"},
    {"l", "EQ", "[[2, 4]]", "true"},
    {"m", "EQ", "[{x=1}]", "true"},
    {"t", "EQ", "[true]", "true"},
    {"ns", "EQ", "[<7, 2, 4>]", "true"},
    {"q", "EQ", "[1]", "false"},
    {"a", "NE", "[2]", "true"},
    {"a", "NE", "['1']", "true"},
    {"a", "NE", "[1]", "false"},
    {"q", "NE", "[1]", "true"},
    {"l", "NE", "[[2]]", "true"},
    {"a", "LE", "[1]", "true"},
    {"a", "LE", "[0]", "false"},
    {"a", "LT", "[2]", "true"},
    {"a", "LT", "['2']", "false"},
    {"b", "GE", "['cat']", "true"},
    {"c", "GT", "[x'00']", "true"},
    {"q", "GT", "[0]", "false"},
    {"l", "GT", "[0]", "false"},
    {"a", "NOT_NULL", "[]", "true"},
    {"z", "NOT_NULL", "[]", "true"},
    {"q", "NOT_NULL", "[]", "false"},
    {"q", "NULL", "[]", "true"},
    {"z", "NULL", "[]", "false"},
    {"b", "CONTAINS", "['at']", "true"},
    {"b", "CONTAINS", "[1]", "false"},
    {"ns", "CONTAINS", "[4]", "true"},
    {"l", "CONTAINS", "[4]", "true"},
    {"d", "CONTAINS", "[x'69']", "true"},
    {"q", "CONTAINS", "[1]", "false"},
    {"b", "NOT_CONTAINS", "['dog']", "true"},
    {"b", "NOT_CONTAINS", "[1]", "true"},
    {"b", "NOT_CONTAINS", "['at']", "false"},
    {"ns", "NOT_CONTAINS", "[1]", "true"},
    {"q", "NOT_CONTAINS", "[1]", "false"},
    {"b", "BEGINS_WITH", "['ca']", "true"},
    {"b", "BEGINS_WITH", "['at']", "false"},
    {"a", "BEGINS_WITH", "['1']", "false"},
    {"a", "IN", "[3, 2, 1]", "true"},
    {"a", "IN", "[3, 2]", "false"},
    {"ns", "IN", "[2, 4]", "false"},
    {"q", "IN", "[2]", "false"},
    {"a", "BETWEEN", "[1, 3]", "true"},
    {"a", "BETWEEN", "[2, 3]", "false"},
    {"a", "BETWEEN", "['1', '3']", "false"},
    {"q", "BETWEEN", "[0, 3]", "false"},
    {"a", "EQ", "[]",
     "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
    {"a", "EQ", "[1, 2]",
     "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
    {"a", "NULL", "[1]",
     "One or more parameter values were invalid: Invalid number of argument(s) for the NULL ComparisonOperator"},
    {"a", "IN", "[]",
     "One or more parameter values were invalid: Invalid number of argument(s) for the IN ComparisonOperator"},
    {"a", "BETWEEN", "[1]",
     "One or more parameter values were invalid: Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
    {"a", "BETWEEN", "[1, 2, 3]",
     "One or more parameter values were invalid: Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
    {"a", "IN", "['b', 1]",
     "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"},
    {"a", "BETWEEN", "[1, 'b']",
     "One or more parameter values were invalid: AttributeValues inside AttributeValueList must be of same type"},
    {"a", "BETWEEN", "[2, 1]",
     "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
    {"a", "LT", "[true]",
     "One or more parameter values were invalid: ComparisonOperator LT is not valid for BOOL AttributeValue type"},
    {"a", "LE", "[[1]]",
     "One or more parameter values were invalid: ComparisonOperator LE is not valid for L AttributeValue type"},
    {"a", "GT", "[<1>]",
     "One or more parameter values were invalid: ComparisonOperator GT is not valid for NS AttributeValue type"},
    {"a", "IN", "[{}]",
     "One or more parameter values were invalid: ComparisonOperator IN is not valid for M AttributeValue type"},
    {"a", "BETWEEN", "[null, null]",
     "One or more parameter values were invalid: ComparisonOperator BETWEEN is not valid for NULL AttributeValue type"},
    {"a", "BEGINS_WITH", "[1]",
     "One or more parameter values were invalid: ComparisonOperator BEGINS_WITH is not valid for N AttributeValue "
     "type"},
    {"a", "CONTAINS", "[<'x'>]",
     "One or more parameter values were invalid: ComparisonOperator CONTAINS is not valid for SS AttributeValue type"},
    {"a", "NOT_CONTAINS", "[[1]]",
     "One or more parameter values were invalid: ComparisonOperator NOT_CONTAINS is not valid for L AttributeValue "
     "type"},
    {"a", "DOG", "[1]", "One or more parameter values were invalid: Unknown comparison operator: DOG"},
};

std::string Outcome(const Result<Condition>& condition) {
  if (!condition.ok()) return condition.error().message();
  return keyfold::expr::Test(*condition, ValueNotation::ReadItem(kLegacyItem)) ? "true" : "false";
}

TEST(Legacy, FiltersAndExpectedCompareAlike) {
  for (const ComparisonRow& row : kComparisonRows) {
    LegacyExpected expected;
    expected.attribute = row.attribute;
    expected.comparison = row.comparison;
    expected.values = ReadValues(row.values);
    EXPECT_EQ(Outcome(ConditionOfFilter({{row.attribute, row.comparison, ReadValues(row.values)}}, LegacyJoin::kAnd)),
              row.expected)
        << row.attribute << " " << row.comparison << " " << row.values;
    EXPECT_EQ(Outcome(ConditionOfExpected({expected}, LegacyJoin::kAnd)), row.expected)
        << row.attribute << " " << row.comparison << " " << row.values;
  }
}

TEST(Legacy, ExpectedTakesValueOrExistsOrOperator) {
  const Value one = ValueNotation::Read("1"), two = ValueNotation::Read("2");
  const std::string invalid = "One or more parameter values were invalid: ";
  const struct {
    LegacyExpected expected;
    std::string outcome;
  } rows[] = {
      {{"a", one, {}, {}, {}}, "true"},
      {{"a", two, {}, {}, {}}, "false"},
      {{"q", one, {}, {}, {}}, "false"},
      {{"a", one, true, {}, {}}, "true"},
      {{"q", {}, false, {}, {}}, "true"},
      {{"a", {}, false, {}, {}}, "false"},
      {{"a", one, {}, "EQ", {}}, "true"},
      {{"q", {}, {}, "NULL", {}}, "true"},
      {{"a", {}, {}, {}, {}}, invalid + "Value must be provided when Exists is null for Attribute: a"},
      {{"a", {}, true, {}, {}}, invalid + "Value must be provided when Exists is true for Attribute: a"},
      {{"a", one, false, {}, {}}, invalid + "Value cannot be used when Exists is false for Attribute: a"},
      {{"a", one, {}, "EQ", {{one}}},
       invalid + "Value and AttributeValueList cannot be used together for Attribute: a"},
      {{"a", {}, false, "EQ", {{one}}},
       invalid + "Exists and ComparisonOperator cannot be used together for Attribute: a"},
      {{"a", {}, {}, "EQ", {}},
       invalid + "Value or AttributeValueList must be used with ComparisonOperator: EQ for Attribute: a"},
      {{"a", {}, {}, {}, {{one}}},
       invalid + "AttributeValueList can only be used with a ComparisonOperator for Attribute: a"},
      {{"a", one, {}, "BETWEEN", {}}, invalid + "Invalid number of argument(s) for the BETWEEN ComparisonOperator"},
      {{"a", one, {}, "NULL", {}}, invalid + "Invalid number of argument(s) for the NULL ComparisonOperator"},
  };
  for (size_t i = 0; i < std::size(rows); ++i) {
    EXPECT_EQ(Outcome(ConditionOfExpected({rows[i].expected}, LegacyJoin::kAnd)), rows[i].outcome) << "row " << i;
  }
}

TEST(Legacy, JoinsConditions) {
  const LegacyCondition yes{"a", "EQ", ReadValues("[1]")}, no{"a", "EQ", ReadValues("[2]")};
  const struct {
    std::vector<LegacyCondition> filter;
    LegacyJoin join;
    std::string_view outcome;
  } rows[] = {
      {{}, LegacyJoin::kAnd, "true"},         {{}, LegacyJoin::kOr, "true"},
      {{yes, no}, LegacyJoin::kAnd, "false"}, {{yes, no}, LegacyJoin::kOr, "true"},
      {{yes, yes}, LegacyJoin::kAnd, "true"}, {{no, no}, LegacyJoin::kOr, "false"},
  };
  for (const auto& row : rows) EXPECT_EQ(Outcome(ConditionOfFilter(row.filter, row.join)), row.outcome);
}

TEST(Legacy, KeyConditionsBecomeTerms) {
  const struct {
    std::string comparison;
    std::string_view values, expected;
  } rows[] = {
      {"EQ", "['x']", ""},
      {"LE", "['x']", ""},
      {"BEGINS_WITH", "['x']", ""},
      {"BETWEEN", "['x', 'y']", ""},
      {"IN", "['x']", "Attempted conditional constraint is not an indexable operation"},
      {"NE", "['x']", "Attempted conditional constraint is not an indexable operation"},
      {"CONTAINS", "['x']", "Attempted conditional constraint is not an indexable operation"},
      {"NOT_CONTAINS", "['x']", "Attempted conditional constraint is not an indexable operation"},
      {"NULL", "[]", "Attempted conditional constraint is not an indexable operation"},
      {"NOT_NULL", "[]", "Attempted conditional constraint is not an indexable operation"},
      {"EQ", "[1]", "One or more parameter values were invalid: Condition parameter type does not match schema type"},
      {"EQ", "[]",
       "One or more parameter values were invalid: Invalid number of argument(s) for the EQ ComparisonOperator"},
      {"BETWEEN", "['y', 'x']",
       "The BETWEEN condition was provided a range where the lower bound is greater than the upper bound"},
  };
  const KeySchema key{{{"p", Type::kS}}, {{"c", Type::kS}}};
  for (const auto& row : rows) {
    const auto terms =
        KeyConditionOfLegacy({{"c", row.comparison, ReadValues(row.values)}, {"p", "EQ", ReadValues("['k']")}});
    if (!terms.ok()) {
      EXPECT_EQ(terms.error().message(), row.expected) << row.comparison;
      continue;
    }
    const auto query = BindKeyCondition(*terms, key, true);
    EXPECT_EQ(query.ok() ? "" : query.error().message(), row.expected) << row.comparison << " " << row.values;
  }
  const auto range = KeyConditionOfLegacy({{"p", "GT", ReadValues("['k']")}});
  EXPECT_EQ(BindKeyCondition(*range, key, true).error().message(), "Query key condition not supported");
}

TEST(Legacy, UpdatesBecomeAnUpdate) {
  const struct {
    std::string_view old;
    std::optional<std::string> action;
    std::string_view value, expected;  // `expected`: the new item, or the message, for an update of attribute a
  } rows[] = {
      {"{p=1}", {}, "3", "{a=3, p=1}"},
      {"{p=1}", "PUT", "3", "{a=3, p=1}"},
      {"{a='x', p=1}", "PUT", "{}", "{a={}, p=1}"},
      {"{a='x', p=1}", "DELETE", "", "{p=1}"},
      {"{p=1}", "DELETE", "", "{p=1}"},
      {"{a=<1, 2, 3>, p=1}", "DELETE", "<2, 9>", "{a=<1, 3>, p=1}"},
      {"{a=<1>, p=1}", "DELETE", "<1>", "{p=1}"},
      {"{p=1}", "DELETE", "<1>", "{p=1}"},
      {"{a='x', p=1}", "DELETE", "<1>", "Type mismatch for attribute to update"},
      {"{a=<1>, p=1}", "DELETE", "<'x'>", "Type mismatch for attribute to update"},
      {"{a=7, p=1}", "ADD", "-3.5", "{a=3.5, p=1}"},
      {"{p=1}", "ADD", "2", "{a=2, p=1}"},
      {"{a=<1>, p=1}", "ADD", "<2>", "{a=<1, 2>, p=1}"},
      {"{a=[1], p=1}", "ADD", "[1, 'x']", "{a=[1, 1, 'x'], p=1}"},
      {"{p=1}", "ADD", "[1]", "{a=[1], p=1}"},
      {"{a=<1>, p=1}", "ADD", "<'x'>", "Type mismatch for attribute to update"},
      {"{a='x', p=1}", "ADD", "1", "Type mismatch for attribute to update"},
      {"{p=1}",
       {},
       "",
       "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
      {"{p=1}", "ADD", "",
       "One or more parameter values were invalid: Only DELETE action is allowed when no attribute value is specified"},
      {"{p=1}", "DELETE", "'x'",
       "One or more parameter values were invalid: DELETE action with value is not supported for the type S"},
      {"{p=1}", "DELETE", "[1]",
       "One or more parameter values were invalid: DELETE action with value is not supported for the type L"},
      {"{p=1}", "ADD", "'x'", "One or more parameter values were invalid: ADD action is not supported for the type S"},
      {"{p=1}", "ADD", "{}", "One or more parameter values were invalid: ADD action is not supported for the type M"},
      {"{p=1}", "NONEXISTENT", "1", "One or more parameter values were invalid: Unknown action: NONEXISTENT"},
  };
  for (const auto& row : rows) {
    LegacyUpdate one{"a", row.action, {}};
    if (!row.value.empty()) one.value = ValueNotation::Read(row.value);
    const auto update = UpdateOfLegacy({one});
    if (!update.ok()) {
      EXPECT_EQ(update.error().message(), row.expected);
      continue;
    }
    const auto updated = ApplyUpdate(*update, ValueNotation::ReadItem(row.old));
    EXPECT_EQ(updated.ok() ? ValueNotation::Print(updated->view()) : updated.error().message(), row.expected)
        << row.old << " " << row.action.value_or("") << " " << row.value;
  }
}

}  // namespace
}  // namespace keyfold::expr
