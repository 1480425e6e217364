// Conditions: what parses, DynamoDB's message for everything else, and the results for items.
#include "expr/condition.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/expr/value_notation.h"
#include "value/limits.h"

namespace keyfold::expr {
namespace {

constexpr std::string_view kConditionValues =
    "{:s='a', :hi='b', :n=1, :two=2, :bin=x'61', :t=true, :z=null, :ss=<'a'>, :ns=<1>, :bs=<x'61'>, :m={}, :l=[], "
    ":S='S', :bad='1', :list=[1, 2]}";

std::string ConditionMessage(std::string_view text) {
  PlaceholdersForTest placeholders(kConditionValues);
  const Result<Condition> parsed = ParseCondition("FilterExpression", text, placeholders.get());
  return parsed.ok() ? "" : parsed.error().message();
}

struct ConditionFault {
  std::string_view text, message;
};

TEST(ConditionParse, RefusesWithDynamoDbsMessage) {
  const ConditionFault rows[] = {
      // Size.
      {"", "The expression can not be empty;"},
      {"  \t", "The expression can not be empty;"},
      // Syntax: the token and its neighbors.
      {"a", "Syntax error; token: \"<EOF>\", near: \"a\""},
      {":s", "Syntax error; token: \"<EOF>\", near: \":s\""},
      {"NOT a", "Syntax error; token: \"<EOF>\", near: \"a\""},
      {"a AND :s", "Syntax error; token: \"AND\", near: \"a AND :s\""},
      {"a = :s OR NOT :s", "Syntax error; token: \"<EOF>\", near: \":s\""},
      {"things are not gonna be ok", "Syntax error; token: \"are\", near: \"things are not\""},
      {"a > 4", "Syntax error; token: \"4\", near: \"> 4\""},
      {"a != :n", "Syntax error; token: \"!\", near: \"a !=\""},
      {"a == :n", "Syntax error; token: \"=\", near: \"== :n\""},
      {"attribute_exists(x-y)", "Syntax error; token: \"-\", near: \"x-y\""},
      {"attribute_exists(\"x.y\")", "Syntax error; token: \"\"\", near: \"(\"x\""},
      {"attribute_exists(x..y)", "Syntax error; token: \".\", near: \"..y\""},
      {"attribute_exists(Pi#ctures.RearView)", "Syntax error; token: \"#ctures\", near: \"Pi#ctures.\""},
      {"attribute_exists(asdf[a])", "Syntax error; token: \"a\", near: \"[a]\""},
      {"attribute_exists()", "Syntax error; token: \")\", near: \"()\""},
      {"a in b, c", "Syntax error; token: \"b\", near: \"in b,\""},
      {"a IN ()", "Syntax error; token: \")\", near: \"()\""},
      {"a in (b,c,)", "Syntax error; token: \")\", near: \",)\""},
      {"a > between", "Syntax error; token: \"between\", near: \"> between\""},
      {"a > :s.stuff", "Syntax error; token: \".\", near: \":s.stuff\""},
      {"b[:n] > a", "Syntax error; token: \":n\", near: \"[:n]\""},
      {"b[#a] > a", "Syntax error; token: \"#a\", near: \"[#a]\""},
      {"b[-1] > a", "Syntax error; token: \"-\", near: \"[-1\""},
      {"b[] > a", "Syntax error; token: \"]\", near: \"[] >\""},
      {"\xC3\xBC > a", "Syntax error; token: \"\xC3\xBC\", near: \"\xC3\xBC >\""},
      {"#$.b > a", "Syntax error; token: \"#\", near: \"#$\""},
      {"a = :", "Syntax error; token: \":\", near: \"= :\""},
      {"_a = :s", "Syntax error; token: \"_\", near: \"_a\""},
      {"1a = :s", "Syntax error; token: \"1\", near: \"1a\""},
      {"(a)between(b.(c.d))and(c)", "Syntax error; token: \"(\", near: \".(c\""},
      {"(a)between(b.c.d)and((c)", "Syntax error; token: \"<EOF>\", near: \")\""},
      {"(a)between(b.c[4.5].#d)and(:n)", "Syntax error; token: \".\", near: \"4.5\""},
      {"size(a).b > a", "Syntax error; token: \".\", near: \").b\""},
      {"(size(a)).b > a", "Syntax error; token: \".\", near: \").b\""},
      {"size(a)[0] > a", "Syntax error; token: \"[\", near: \")[0\""},
      {"(size(a))[0] > a", "Syntax error; token: \"[\", near: \")[0\""},
      {"a = :s)", "Syntax error; token: \")\", near: \":s)\""},
      {"(a = :s", "Syntax error; token: \"<EOF>\", near: \":s\""},
      {"a = :s b = :s", "Syntax error; token: \"b\", near: \":s b =\""},
      {"a = :s AND", "Syntax error; token: \"<EOF>\", near: \"AND\""},
      {"AND a = :s", "Syntax error; token: \"AND\", near: \"AND a\""},
      {"a BETWEEN :s OR :hi", "Syntax error; token: \"OR\", near: \":s OR :hi\""},
      {"a > (b = c)", "Syntax error; token: \"=\", near: \"b = c\""},
      {"(a = b) > c", "Syntax error; token: \">\", near: \") > c\""},
      {"a + :n = :n", "Syntax error; token: \"+\", near: \"a + :n\""},
      // Parentheses.
      {"((a = :s))", "The expression has redundant parentheses;"},
      {"a=:s and a > ((views))", "The expression has redundant parentheses;"},
      {"(a)between(((b.c)).d)and(c)", "The expression has redundant parentheses;"},
      {"a > whatever((:s), ((a)))", "The expression has redundant parentheses;"},
      {"a=a AND ((a=a AND a=a)) AND a=a", "The expression has redundant parentheses;"},
      {"a=a OR ((a=a OR (a=a OR a=a)))", "The expression has redundant parentheses;"},
      {"((a)) = :s", "The expression has redundant parentheses;"},
      {"NOT ((a = :s))", "The expression has redundant parentheses;"},
      // Function names, then their use, before reserved words.
      {"a=a and whatever((:things)) > a", "Invalid function name; function: whatever"},
      {"attRIbute_exIsts((views), #a)", "Invalid function name; function: attRIbute_exIsts"},
      {"dog(a, :n)", "Invalid function name; function: dog"},
      {"a = attribute_exists(b) AND dog(a)", "Invalid function name; function: dog"},
      {"a=a and attribute_exists((views), (#a)) > b",
       "The function is not allowed to be used this way in an expression; function: attribute_exists"},
      {"attribute_not_exists(things) > b",
       "The function is not allowed to be used this way in an expression; function: attribute_not_exists"},
      {"attribute_type(things, :a) > b",
       "The function is not allowed to be used this way in an expression; function: attribute_type"},
      {"begins_with(things, a) > b",
       "The function is not allowed to be used this way in an expression; function: begins_with"},
      {"contains(:things, c) > b",
       "The function is not allowed to be used this way in an expression; function: contains"},
      {"size(contains(a, b)) > a",
       "The function is not allowed to be used this way in an expression; function: contains"},
      {"size(things)", "The function is not allowed to be used this way in an expression; function: size"},
      {"NOT size(things)", "The function is not allowed to be used this way in an expression; function: size"},
      {"(size(things)) AND a = b", "The function is not allowed to be used this way in an expression; function: size"},
      {"a between b and attribute_exists(things)",
       "The function is not allowed to be used this way in an expression; function: attribute_exists"},
      {"a in (b, attribute_exists(things))",
       "The function is not allowed to be used this way in an expression; function: attribute_exists"},
      {"if_not_exists(a, b) = :s",
       "The function is not allowed to be used this way in an expression; function: if_not_exists"},
      {"list_append(a, b) = :s",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      // Reserved words, before faults within one condition.
      {"attribute_exists(views, #x)", "Attribute name is a reserved keyword; reserved keyword: views"},
      {":x < abOrT", "Attribute name is a reserved keyword; reserved keyword: abOrT"},
      {"a = :undefined AND b.size = :s", "Attribute name is a reserved keyword; reserved keyword: size"},
      // Within one condition: undefined names and values first, in textual order.
      {"attribute_exists(#Pictures.RearView, :x) and a=a",
       "An expression attribute name used in the document path is not defined; attribute name: #Pictures"},
      {"begins_with(Pictures.#RearView)",
       "An expression attribute name used in the document path is not defined; attribute name: #RearView"},
      {"(#P between :lo and :up) and (#PC in (:cat1, :cat2))",
       "An expression attribute name used in the document path is not defined; attribute name: #P"},
      {"#4g > a", "An expression attribute name used in the document path is not defined; attribute name: #4g"},
      {"#_ > a", "An expression attribute name used in the document path is not defined; attribute name: #_"},
      {"begins_with(:hello, #x, #y)",
       "An expression attribute value used in expression is not defined; attribute value: :hello"},
      {":a < :b", "An expression attribute value used in expression is not defined; attribute value: :a"},
      {":_ > a", "An expression attribute value used in expression is not defined; attribute value: :_"},
      {"b[99999999999999] = :s", "List index is not within the allowable range; index: [99999999999999]"},
      // Then the number of operands.
      {"attribute_exists(things, a) and a=a",
       "Incorrect number of operands for operator or function; operator or function: attribute_exists, number of "
       "operands: 2"},
      {"attribute_type(things)",
       "Incorrect number of operands for operator or function; operator or function: attribute_type, number of "
       "operands: 1"},
      {"begins_with(things, size(a), b)",
       "Incorrect number of operands for operator or function; operator or function: begins_with, number of operands: "
       "3"},
      {"contains(things)",
       "Incorrect number of operands for operator or function; operator or function: contains, number of operands: 1"},
      {"size(things, a) > b",
       "Incorrect number of operands for operator or function; operator or function: size, number of operands: 2"},
      // Then operands that are equal.
      {"a = a AND #a = b AND :s > a",
       "The first operand must be distinct from the remaining operands for this operator or function; operator: =, "
       "first operand: [a]"},
      {"#a <> a",
       "The first operand must be distinct from the remaining operands for this operator or function; operator: <>, "
       "first operand: [a]"},
      {"((a=a) OR (a=a))",
       "The first operand must be distinct from the remaining operands for this operator or function; operator: =, "
       "first operand: [a]"},
      {"contains(ab.bc[1].a, ab.bc[1].#a)",
       "The first operand must be distinct from the remaining operands for this operator or function; operator: "
       "contains, first operand: [ab, bc, [1], a]"},
      {"attribute_type(ab.bc[1].#a, ab.bc[1].a)",
       "The first operand must be distinct from the remaining operands for this operator or function; operator: "
       "attribute_type, first operand: [ab, bc, [1], a]"},
      // Then types.
      {"attribute_type(a, b)",
       "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: "
       "{NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},
      {"attribute_type(a, size(b)) and a=a",
       "Incorrect operand type for operator or function; operator or function: attribute_type, operand type: N"},
      {"attribute_type(a, :bad)",
       "Invalid attribute type name found; type: 1, valid types: {B,NULL,SS,BOOL,L,BS,N,NS,S,M}"},
      {"attribute_exists(:s) and a=a",
       "Operator or function requires a document path; operator or function: attribute_exists"},
      {"attribute_not_exists(size(:s))",
       "Operator or function requires a document path; operator or function: attribute_not_exists"},
      {"attribute_not_exists(size(:n))",
       "Incorrect operand type for operator or function; operator or function: size, operand type: N"},
      {"size(size(a)) > :n",
       "Incorrect operand type for operator or function; operator or function: size, operand type: N"},
      {"size(:t) > a",
       "Incorrect operand type for operator or function; operator or function: size, operand type: BOOL"},
      {"size(:z) > a",
       "Incorrect operand type for operator or function; operator or function: size, operand type: NULL"},
      {"begins_with(a, size(b)) and a=:n",
       "Incorrect operand type for operator or function; operator or function: begins_with, operand type: N"},
      {"a < :l", "Incorrect operand type for operator or function; operator or function: <, operand type: L"},
      {":m >= a", "Incorrect operand type for operator or function; operator or function: >=, operand type: M"},
      {"a BETWEEN :t AND :t",
       "Incorrect operand type for operator or function; operator or function: BETWEEN, operand type: BOOL"},
      {"a between :n and :s",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: "
       "{N:1}, upper bound operand: AttributeValue: {S:a}"},
      {"a BETWEEN :hi AND :s",
       "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
       "AttributeValue: {S:b}, upper bound operand: AttributeValue: {S:a}"},
      {"a BETWEEN :bin AND :s",
       "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: AttributeValue: "
       "{B:YQ==}, upper bound operand: AttributeValue: {S:a}"},
      // The first faulty condition is reported, not the one with the worst fault.
      {"a < :l AND b = :undefined",
       "Incorrect operand type for operator or function; operator or function: <, operand type: L"},
  };
  for (const ConditionFault& row : rows) {
    EXPECT_EQ(ConditionMessage(row.text), "Invalid FilterExpression: " + std::string(row.message)) << row.text;
  }
}

TEST(ConditionParse, RefusesTypesOfBeginsWithAndAttributeType) {
  for (const auto& [value, type] :
       {std::pair(":n", "N"), std::pair(":t", "BOOL"), std::pair(":z", "NULL"), std::pair(":l", "L"),
        std::pair(":m", "M"), std::pair(":ss", "SS"), std::pair(":ns", "NS"), std::pair(":bs", "BS")}) {
    const std::string v = value, t = type;
    const std::string wrong =
        "Invalid FilterExpression: Incorrect operand type for operator or function; operator or function: ";
    EXPECT_EQ(ConditionMessage("begins_with(a, " + v + ")"), wrong + "begins_with, operand type: " + t);
    EXPECT_EQ(ConditionMessage("begins_with(" + v + ", a)"), wrong + "begins_with, operand type: " + t);
    EXPECT_EQ(ConditionMessage("attribute_type(a, " + v + ")"), wrong + "attribute_type, operand type: " + t);
  }
}

TEST(ConditionParse, Accepts) {
  for (const std::string_view text : {
           "(a = :s)",
           "((a = :s) AND b = :s)",
           "((a = :s) AND (b = :s))",
           "NOT NOT NOT NOT a < b",
           "not a < b",
           "(((a=:s) AND b=:s) OR a=:hi oR a=:n) or NoT b<:n",
           "b BETWEEN a AND c AND a < b",
           "a between #b and #c",
           "(a)between(b.c[45].#c)and(:n)",
           "((a).b) = :s",
           "(a.b).c = :s",
           "(a)[1] = :s",
           "a IN(:s)",
           "a in ((b), :s)",
           "attribute_exists (a)",
           "size((a)) > :n",
           "(size(a)) > :n",
           "whatever_long = :s",
           ":s > :s",
           "a = b[0][1].c",
           "a\n=\t:s\r",
           "begins_with(:s, a)",
           "contains(:l, a)",
           "attribute_type(:n, :S)",
           "NOT(a = :s)",
           "a = :list",
           "size(:l) = :n",
           "andy = :s",
           "not_a = :s",
       }) {
    EXPECT_EQ(ConditionMessage(text), "") << text;
  }
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  while (times-- > 0) out += text;
  return out;
}

TEST(ConditionParse, KeepsLimits) {
  const std::string invalid = "Invalid FilterExpression: ";
  const std::string too_many = invalid + "The expression contains too many operators; operator count: 301";
  const std::string redundant = invalid + "The expression has redundant parentheses;";
  const auto wrap = [](size_t depth) { return Repeat("(", depth) + "a<b" + Repeat(")", depth); };
  const auto nested = [](size_t depth) { return "a<b " + Repeat("or (a<b ", depth) + Repeat(")", depth); };
  EXPECT_EQ(ConditionMessage("a" + std::string(4090, ' ') + "= :s"), "");
  EXPECT_EQ(ConditionMessage("a" + std::string(4092, ' ') + "= :s"),
            invalid + "Expression size has exceeded the maximum allowed size; expression size: 4097");
  EXPECT_EQ(ConditionMessage(nested(149)), "");
  EXPECT_EQ(ConditionMessage(nested(150)), too_many);
  EXPECT_EQ(ConditionMessage(nested(454)), too_many);
  EXPECT_EQ(ConditionMessage(Repeat("not ", 299) + "a<b"), "");
  EXPECT_EQ(ConditionMessage(Repeat("not ", 1000) + "a<b"), too_many);
  EXPECT_EQ(ConditionMessage(std::string(4096, '(')), invalid + "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(ConditionMessage("((("), invalid + "Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(ConditionMessage(wrap(2)), redundant);
  EXPECT_EQ(ConditionMessage(wrap(513)), redundant);
  EXPECT_EQ(ConditionMessage(wrap(2046)), redundant);
  EXPECT_EQ(ConditionMessage(Repeat("(", 600) + "a<b" + Repeat(" or a<b)", 431)),
            invalid + "Syntax error; token: \"<EOF>\", near: \")\"");
  EXPECT_EQ(ConditionMessage(Repeat("(", 514) + "a" + Repeat("<b)", 514) + ")"),
            invalid + "Syntax error; token: \")\", near: \"))\"");
  EXPECT_EQ(ConditionMessage(Repeat("(", 514) + "a" + Repeat("<b)", 514)), too_many);
  EXPECT_EQ(ConditionMessage("a < " + Repeat("f(", 1355) + "b" + Repeat(")", 1355)),
            invalid + "Invalid function name; function: f");
  EXPECT_EQ(ConditionMessage("a < " + Repeat("size(", 680) + "b" + Repeat(")", 680)),
            invalid + "Incorrect operand type for operator or function; operator or function: size, operand type: N");
  EXPECT_EQ(ConditionMessage("a" + Repeat(".b", 31) + " = :s"), "");
  EXPECT_EQ(ConditionMessage("a" + Repeat(".b", 32) + " = :s"),
            invalid + "The document path has too many nesting levels; nesting levels: 33");
  EXPECT_EQ(ConditionMessage("a IN (" + Repeat(":s,", 98) + ":s)"), "");
  EXPECT_EQ(ConditionMessage("a IN (" + Repeat(":s,", 99) + ":s)"),
            invalid + "The IN operator is provided with too many operands; number of operands: 101");
}

constexpr std::string_view kConditionItem =
    "{a=1, b='cat', c=x'636174', t=true, z=null, ss=<'x', 'y'>, ns=<2, 4, 7>, bs=<x'01', x'02'>, l=[2, 'dog', [3, 4]], "
    "m={x=1, y=[-1, 2, {q='deep'}]}, e='', emoji='a\xF0\x9F\x98\x80\xC3\xA9', same=1, and='kept', x.y='dotted', "
    "five=5}";

struct TestRow {
  std::string_view text, values;
  bool expected;
};

void ExpectTests(std::initializer_list<TestRow> rows) {
  const Item item = ValueNotation::ReadItem(kConditionItem);
  for (const TestRow& row : rows) {
    PlaceholdersForTest placeholders(row.values);
    const Result<Condition> condition = ParseCondition("ConditionExpression", row.text, placeholders.get());
    ASSERT_TRUE(condition.ok()) << row.text << ": " << condition.error().message();
    EXPECT_EQ(Test(*condition, item), row.expected) << row.text << " " << row.values;
  }
}

TEST(ConditionTest, Equality) {
  ExpectTests({
      {"a = :v", "{:v=1}", true},
      {"a = :v", "{:v=1.0}", true},
      {"a = :v", "{:v=2}", false},
      {"a = :v", "{:v='1'}", false},
      {"a = same", "{}", true},
      {"a = b", "{}", false},
      {"t = :v", "{:v=true}", true},
      {"t = :v", "{:v=false}", false},
      {"z = :v", "{:v=null}", true},
      {"ss = :v", "{:v=<'y', 'x'>}", true},
      {"ns = :v", "{:v=<7, 4.0, 2>}", true},
      {"ns = :v", "{:v=<7, 4>}", false},
      {"bs = :v", "{:v=<x'02', x'01'>}", true},
      {"l = :v", "{:v=[2, 'dog', [3, 4]]}", true},
      {"l = :v", "{:v=[2, 'dog', [4, 3]]}", false},
      {"m = :v", "{:v={y=[-1, 2, {q='deep'}], x=1}}", true},
      {"absent = :v", "{:v=1}", false},
      {"absent = gone", "{}", false},
      {"a <> :v", "{:v=2}", true},
      {"a <> :v", "{:v=1}", false},
      {"a <> :v", "{:v='1'}", true},
      {"absent <> :v", "{:v=1}", true},
      {"absent <> gone", "{}", true},
      {"ss <> :v", "{:v=<'x', 'y'>}", false},
      {":v = :w", "{:v=1, :w=1}", true},
      {"#and = :v", "{:v='kept'}", true},
      {"#dot = :v", "{:v='dotted'}", true},
  });
}

TEST(ConditionTest, Order) {
  ExpectTests({
      {"a < :v", "{:v=2}", true},
      {"a < :v", "{:v=1}", false},
      {"a < :v", "{:v=-1}", false},
      {"a < :v", "{:v='2'}", false},
      {"a <= :v", "{:v=1}", true},
      {"a <= :v", "{:v=0.999}", false},
      {"a > :v", "{:v=0}", true},
      {"a > :v", "{:v=-1e20}", true},
      {"a >= :v", "{:v=1.0}", true},
      {"a >= :v", "{:v=1e100}", false},
      {"b < :v", "{:v='dog'}", true},
      {"b < :v", "{:v='ca'}", false},
      {"b > :v", "{:v='ca'}", true},
      {"b >= :v", "{:v='cat'}", true},
      {"c < :v", "{:v=x'80'}", true},
      {"c > :v", "{:v=x'7f'}", false},
      {"b < c", "{}", false},
      {"l < :v", "{:v=1}", false},
      {":v < l", "{:v=1}", false},
      {"absent < :v", "{:v=1}", false},
      {":v >= absent", "{:v=1}", false},
      {"t <= same", "{}", false},
      {"a BETWEEN :v AND :w", "{:v=1, :w=1}", true},
      {"a BETWEEN :v AND :w", "{:v=0, :w=2}", true},
      {"a BETWEEN :v AND :w", "{:v=2, :w=7}", false},
      {"a BETWEEN :v AND :w", "{:v='0', :w='2'}", false},
      {"b BETWEEN :v AND :w", "{:v='aardvark', :w='dog'}", true},
      {"c between :v and :w", "{:v=x'00', :w=x'ff'}", true},
      {"a BETWEEN five AND :v", "{:v=9}", false},
      {":v BETWEEN a AND five", "{:v=3}", true},
      {"a BETWEEN :v AND five", "{:v=9}", false},
      {"a BETWEEN l AND m", "{}", false},
      {"absent BETWEEN :v AND :w", "{:v=1, :w=2}", false},
      {"a IN (:v)", "{:v=1}", true},
      {"a IN (:v, :w)", "{:v='dog', :w=1}", true},
      {"a IN (:v, b, same)", "{:v='dog'}", true},
      {"a IN (:v, absent)", "{:v=2}", false},
      {"l IN (:v)", "{:v=[2, 'dog', [3, 4]]}", true},
      {"absent IN (:v, gone)", "{:v=1}", false},
  });
}

TEST(ConditionTest, Functions) {
  ExpectTests({
      {"attribute_exists(a)", "{}", true},
      {"attribute_exists(absent)", "{}", false},
      {"attribute_exists(m.y[2].q)", "{}", true},
      {"attribute_exists(m.y[3])", "{}", false},
      {"attribute_exists(a.b)", "{}", false},
      {"attribute_exists(m[0])", "{}", false},
      {"attribute_exists(l.a)", "{}", false},
      {"attribute_not_exists(absent)", "{}", true},
      {"attribute_not_exists(z)", "{}", false},
      {"attribute_type(a, :v)", "{:v='N'}", true},
      {"attribute_type(b, :v)", "{:v='S'}", true},
      {"attribute_type(c, :v)", "{:v='B'}", true},
      {"attribute_type(t, :v)", "{:v='BOOL'}", true},
      {"attribute_type(z, :v)", "{:v='NULL'}", true},
      {"attribute_type(ss, :v)", "{:v='SS'}", true},
      {"attribute_type(ns, :v)", "{:v='NS'}", true},
      {"attribute_type(bs, :v)", "{:v='BS'}", true},
      {"attribute_type(l, :v)", "{:v='L'}", true},
      {"attribute_type(m, :v)", "{:v='M'}", true},
      {"attribute_type(m, :v)", "{:v='L'}", false},
      {"attribute_type(absent, :v)", "{:v='N'}", false},
      {"attribute_type(:w, :v)", "{:v='N', :w=0}", true},
      {"attribute_type(size(b), :v)", "{:v='N'}", true},
      {"begins_with(b, :v)", "{:v='ca'}", true},
      {"begins_with(b, :v)", "{:v=''}", true},
      {"begins_with(b, :v)", "{:v='cats'}", false},
      {"begins_with(c, :v)", "{:v=x'63'}", true},
      {"begins_with(c, :v)", "{:v='c'}", false},
      {"begins_with(a, :v)", "{:v='1'}", false},
      {"begins_with(:v, b)", "{:v='catalog'}", true},
      {"begins_with(absent, :v)", "{:v='a'}", false},
      {"contains(b, :v)", "{:v='at'}", true},
      {"contains(b, :v)", "{:v='dog'}", false},
      {"contains(b, :v)", "{:v=1}", false},
      {"contains(c, :v)", "{:v=x'6174'}", true},
      {"contains(ss, :v)", "{:v='x'}", true},
      {"contains(ss, :v)", "{:v='xy'}", false},
      {"contains(ns, :v)", "{:v=4.0}", true},
      {"contains(ns, :v)", "{:v='4'}", false},
      {"contains(bs, :v)", "{:v=x'02'}", true},
      {"contains(l, :v)", "{:v='dog'}", true},
      {"contains(l, :v)", "{:v=[3, 4]}", true},
      {"contains(l, :v)", "{:v=3}", false},
      {"contains(m, :v)", "{:v='x'}", false},
      {"contains(ss, :v)", "{:v=<'x'>}", false},
      {"contains(absent, :v)", "{:v='x'}", false},
      {"contains(:v, b)", "{:v=['cat']}", true},
      {"size(b) = :v", "{:v=3}", true},
      {"size(c) = :v", "{:v=3}", true},
      {"size(e) = :v", "{:v=0}", true},
      {"size(emoji) = :v", "{:v=4}", true},
      {"size(ss) = :v", "{:v=2}", true},
      {"size(ns) > :v", "{:v=2}", true},
      {"size(l) = :v", "{:v=3}", true},
      {"size(m) = :v", "{:v=2}", true},
      {"size(a) = :v", "{:v=1}", false},
      {"size(t) <> :v", "{:v=1}", true},
      {"size(z) < :v", "{:v=100}", false},
      {"size(absent) >= :v", "{:v=0}", false},
      {"size(b) = :v", "{:v='dog'}", false},
      {"size(:v) = :w", "{:v='abc', :w=3}", true},
      {"size(b) BETWEEN :v AND :w", "{:v=1, :w=5}", true},
      {"size(b) IN (:v, :w)", "{:v=1, :w=3}", true},
      {"five > size(b)", "{}", true},
  });
}

TEST(ConditionTest, Logic) {
  ExpectTests({
      {"a = :v AND b = :w", "{:v=1, :w='cat'}", true},
      {"a = :v AND b = :w", "{:v=1, :w='dog'}", false},
      {"a = :v OR b = :w", "{:v=2, :w='cat'}", true},
      {"a = :v OR b = :w", "{:v=2, :w='dog'}", false},
      {"a = :v OR b = :w AND t = :v", "{:v=1, :w='dog'}", true},
      {"(a = :v OR b = :w) AND t = :v", "{:v=1, :w='dog'}", false},
      {"NOT a = :v", "{:v=1}", false},
      {"NOT NOT a = :v", "{:v=1}", true},
      {"NOT a = :v AND b = :w", "{:v=1, :w='dog'}", false},
      {"NOT (a = :v AND b = :w)", "{:v=1, :w='dog'}", true},
      {"NOT attribute_exists(absent)", "{}", true},
      {"NOT absent < :v", "{:v=1}", true},
      {"a < five AND five > a AND m.x < m.y[1]", "{}", true},
      {"m.x < m.y[0]", "{}", false},
      {"a BETWEEN :v AND five AND b = :w", "{:v=0, :w='cat'}", true},
  });
}

TEST(ConditionTest, OnAMissingItem) {
  PlaceholdersForTest placeholders("{:v=1}");
  const auto test = [&](std::string_view text) {
    return keyfold::expr::Test(*ParseCondition("ConditionExpression", text, placeholders.get()), ItemView());
  };
  EXPECT_TRUE(test("attribute_not_exists(a)"));
  EXPECT_TRUE(test("a <> :v"));
  EXPECT_FALSE(test("a = :v"));
  EXPECT_TRUE(keyfold::expr::Test(Condition(), ItemView()));
}

TEST(ConditionTest, CollectsTheAttributesItReads) {
  PlaceholdersForTest placeholders("{:v=1}");
  const auto condition =
      ParseCondition("ConditionExpression", "x.y = :v AND (size(#b) > :v OR NOT x[1] IN (:v, q))", placeholders.get());
  std::vector<std::string_view> attributes;
  CollectAttributes(*condition, attributes);
  EXPECT_EQ(attributes, (std::vector<std::string_view>{"x", "b", "q"}));
}

}  // namespace
}  // namespace keyfold::expr
