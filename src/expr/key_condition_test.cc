// Key conditions: the checks that do not need the table, and binding to a key.
#include "expr/key_condition.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/expr/value_notation.h"

namespace keyfold::expr {
namespace {

constexpr std::string_view kKeyConditionValues =
    "{:s='a', :hi='b', :n=1, :two=2, :bin=x'61', :e='', :eb=x'', :t=true, :S='S'}";

TEST(KeyConditionParse, RefusesWithDynamoDbsMessage) {
  const struct {
    std::string_view text, message;
  } rows[] = {
      {"", "Invalid KeyConditionExpression: The expression can not be empty;"},
      {"a", "Invalid KeyConditionExpression: Syntax error; token: \"<EOF>\", near: \"a\""},
      {"a > 4", "Invalid KeyConditionExpression: Syntax error; token: \"4\", near: \"> 4\""},
      {"((a = :s))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"},
      {"((a=:s) AND ((b=:s)))", "Invalid KeyConditionExpression: The expression has redundant parentheses;"},
      {"attribute_type(a, b)",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: "
       "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"dog(a, :s)", "Invalid KeyConditionExpression: Invalid function name; function: dog"},
      {"a = :s AND begins_with(b, :n)",
       "Invalid KeyConditionExpression: Incorrect operand type for operator or function; operator or function: "
       "begins_with, operand type: N"},
      {"a between :hi and :s",
       "Invalid KeyConditionExpression: The BETWEEN operator requires upper bound to be greater than or equal to lower "
       "bound; lower bound operand: AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
      {"attribute_type(a, :S)", "Invalid operator used in KeyConditionExpression: attribute_type"},
      {"a > b and size(b) > c or a > c", "Invalid operator used in KeyConditionExpression: OR"},
      {"a in (b, size(c), d)", "Invalid operator used in KeyConditionExpression: IN"},
      {"attribute_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_exists"},
      {"attribute_not_exists(a)", "Invalid operator used in KeyConditionExpression: attribute_not_exists"},
      {"contains(a.d, b)", "Invalid operator used in KeyConditionExpression: contains"},
      {"not a > b", "Invalid operator used in KeyConditionExpression: NOT"},
      {"a <> b", "Invalid operator used in KeyConditionExpression: <>"},
      {":s between size(b) and size(a) and b > :s",
       "Invalid condition in KeyConditionExpression: BETWEEN operator must have the key attribute as its first "
       "operand"},
      {"begins_with(:s, b) and a > :s",
       "Invalid condition in KeyConditionExpression: begins_with operator must have the key attribute as its first "
       "operand"},
      {"size(b) > a AND a.b > b AND b > c", "KeyConditionExpressions cannot contain nested operations"},
      {"a > size(b.d)", "KeyConditionExpressions cannot contain nested operations"},
      {"a > size(:s)", "KeyConditionExpressions cannot contain nested operations"},
      {"a between size(b) and size(a)", "KeyConditionExpressions cannot contain nested operations"},
      {"b > a.b", "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"b between c[1] and d",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"a between b and size(a)",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"begins_with(a, b)",
       "Invalid condition in KeyConditionExpression: Multiple attribute names used in one condition"},
      {"b.d > a AND c.d > e.f", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {"b[0] > a", "KeyConditionExpressions cannot have conditions on nested attributes"},
      {":s > :hi AND a < :hi", "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {":s > b AND :s < :hi", "Invalid condition in KeyConditionExpression: No key attribute specified"},
      {"b > :s AND b < :s and c = :s", "KeyConditionExpressions must only contain one condition per key"},
      {"(a > :s and b > :s) and (b > :s and c > :s)",
       "KeyConditionExpressions must only contain one condition per key"},
  };
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders(kKeyConditionValues);
    const auto parsed = ParseKeyCondition(row.text, placeholders.get());
    EXPECT_EQ(parsed.ok() ? "" : parsed.error().message(), row.message) << row.text;
  }
}

// "S" is a single partition attribute of type S; "SN|SB" has partition attributes h1 h2 and sort attributes r1 r2.
KeySchema Key(std::string_view types) {
  const auto type_of = [](char c) { return c == 'S' ? Type::kS : c == 'N' ? Type::kN : Type::kB; };
  KeySchema key;
  const size_t bar = types.find('|');
  for (size_t i = 0; i < types.size(); ++i) {
    if (i == bar) continue;
    const bool sort = i > bar;
    auto& side = sort ? key.sort : key.partition;
    side.push_back({(sort ? "r" : "h") + std::to_string(side.size() + 1), type_of(types[i])});
  }
  return key;
}

std::string PrintOp(KeyTerm::Op op) {
  constexpr std::string_view kNames[] = {"=", "<", "<=", ">", ">=", "BETWEEN", "begins_with", "?"};
  return std::string(kNames[static_cast<size_t>(op)]);
}

std::string Print(const KeyQuery& query) {
  std::string out;
  for (const Value& value : query.partition) out += ValueNotation::Print(value.view()) + " ";
  out += "|";
  for (const Value& value : query.sort_equal) out += " " + ValueNotation::Print(value.view());
  if (!query.range) return out;
  out += " " + PrintOp(query.range->op) + " " + ValueNotation::Print(query.range->first.view());
  if (query.range->op == KeyTerm::Op::kBetween) out += " " + ValueNotation::Print(query.range->second.view());
  return out;
}

TEST(KeyConditionBind, BindsOrRefuses) {
  constexpr std::string_view kType =
      "One or more parameter values were invalid: Condition parameter type does not match schema type";
  constexpr std::string_view kEveryHash =
      "Query key condition not supported: every HASH key attribute must have an equality condition: ";
  constexpr std::string_view kFromTheLeft =
      "Query key condition not supported: RANGE key attributes must be used from left to right, all before the last "
      "with an equality condition: ";
  const struct {
    std::string_view key, text;
    std::string expected;
  } rows[] = {
      // At most one partition attribute and one sort attribute.
      {"S", "h1 = :s", "'a' |"},
      {"S", ":s = h1", "'a' |"},
      {"S|N", "h1 = :s", "'a' |"},
      {"S|N", "h1 = :s AND r1 = :n", "'a' | 1"},
      {"S|N", "((r1=:n) AND (h1=:s))", "'a' | 1"},
      {"S|N", "h1 = :s AND r1 < :n", "'a' | < 1"},
      {"S|N", "h1 = :s AND :n < r1", "'a' | > 1"},
      {"S|N", "h1 = :s AND :n >= r1", "'a' | <= 1"},
      {"S|N", "h1 = :s AND r1 > :n", "'a' | > 1"},
      {"S|N", "h1 = :s AND r1 >= :n", "'a' | >= 1"},
      {"S|N", "h1 = :s AnD r1 BeTwEeN :n aNd :two", "'a' | BETWEEN 1 2"},
      {"S|S", "h1 = :s AND begins_with(r1, :hi)", "'a' | begins_with 'b'"},
      {"N|B", "h1 = :n AND r1 <= :bin", "1 | <= x'61'"},
      {"S", "h1 > :s", "Query key condition not supported"},
      {"S", "begins_with(h1, :s)", "Query key condition not supported"},
      {"S", "h1 between :s and :s", "Query key condition not supported"},
      {"S", "h1 = :s AND b = :s", "Query key condition not supported"},
      {"S", "y = :s and z = :s", "Query key condition not supported"},
      {"S", "attr1 = :s", "Query condition missed key schema element: h1"},
      {"S|N", "r1 = :n", "Query condition missed key schema element: h1"},
      {"S|N", "h1 = :s AND q = :n", "Query condition missed key schema element: r1"},
      {"S|N", "h1 = :s AND r1 = :n AND q = :n", "Conditions can be of length 1 or 2 only"},
      {"S|N", "h1 = :n", std::string(kType)},
      {"S|N", ":n > h1", std::string(kType)},
      {"S|N", "h1 = :s AND r1 = :s", std::string(kType)},
      {"S|N", "h1 = :s AND begins_with(r1, :s)", std::string(kType)},
      {"S|S", "h1 = :e",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
       "string value. Key: h1"},
      {"S|B", "h1 = :s AND r1 = :eb",
       "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty "
       "binary value. Key: r1"},
      // Several of each.
      {"SN", "h2 = :n AND h1 = :s", "'a' 1 |"},
      {"SSSS|NSBS", "h1=:s AND h2=:s AND h3=:hi AND h4=:s AND r2=:hi AND r1=:n AND r3=:bin AND r4 > :s",
       "'a' 'a' 'b' 'a' | 1 'b' x'61' > 'a'"},
      {"SS|SS", "h1=:s AND h2=:s", "'a' 'a' |"},
      {"SS|SS", "h1=:s AND h2=:s AND r1=:s", "'a' 'a' | 'a'"},
      {"SS|SS", "h1=:s AND h2=:s AND r1 > :s", "'a' 'a' | > 'a'"},
      {"SS|SS", "h1=:s AND h2=:s AND r1=:s AND begins_with(r2, :hi)", "'a' 'a' | 'a' begins_with 'b'"},
      {"SS|SS", "h1=:s", std::string(kEveryHash) + "h2"},
      {"SS|SS", "r1=:s AND r2=:s", std::string(kEveryHash) + "h1"},
      {"SS|SS", "h1=:s AND h2 > :s", std::string(kEveryHash) + "h2"},
      {"SS|SS", "h1=:s AND h2 BETWEEN :s AND :hi", std::string(kEveryHash) + "h2"},
      {"SS|SS", "h1=:n AND h2=:s", std::string(kType)},
      {"SS|SS", "h1=:s AND h2=:s AND r2=:s", std::string(kFromTheLeft) + "r1"},
      {"SS|SSS", "h1=:s AND h2=:s AND r1=:s AND r3=:s", std::string(kFromTheLeft) + "r2"},
      {"SS|SS", "h1=:s AND h2=:s AND r1 > :s AND r2=:s", std::string(kFromTheLeft) + "r1"},
      {"SS|SS", "h1=:s AND h2=:s AND begins_with(r1, :s) AND r2 > :s", std::string(kFromTheLeft) + "r1"},
      {"SS|N", "h1=:s AND h2=:s AND q=:n", "Query condition missed key schema element: r1"},
      {"SS|N", "h1=:s AND h2=:s AND r1=:n AND q=:n", "Query key condition not supported"},
      {"SS", "h1=:s AND h2=:s AND q=:n", "Query key condition not supported"},
  };
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders(kKeyConditionValues);
    const auto condition = ParseKeyCondition(row.text, placeholders.get());
    ASSERT_TRUE(condition.ok()) << row.text << ": " << condition.error().message();
    const auto query = BindKeyCondition(*condition, Key(row.key), false);
    EXPECT_EQ(query.ok() ? Print(*query) : query.error().message(), row.expected) << row.key << " " << row.text;
  }
}

TEST(KeyConditionBind, RefusesAnEmptyCondition) {
  const auto query = BindKeyCondition(KeyCondition(), Key("S"), true);
  ASSERT_FALSE(query.ok());
  EXPECT_EQ(query.error().message(), "Conditions can be of length 1 or 2 only");
}

}  // namespace
}  // namespace keyfold::expr
