// Updates: what parses, DynamoDB's message for everything else, and the resulting items.
#include "expr/update.h"

#include <gtest/gtest.h>

#include <string>

#include "testing/base/cpu_time.h"
#include "testing/expr/value_notation.h"

namespace keyfold::expr {
namespace {

constexpr std::string_view kUpdateValues =
    "{:s='a', :n=1, :two=2, :bin=x'61', :t=true, :z=null, :ss=<'a'>, :ns=<1>, :bs=<x'61'>, :m={}, :l=[1]}";

std::string UpdateMessage(std::string_view text) {
  PlaceholdersForTest placeholders(kUpdateValues);
  const Result<Update> parsed = ParseUpdate(text, placeholders.get());
  return parsed.ok() ? "" : parsed.error().message();
}

struct UpdateFault {
  std::string_view text, message;
};

TEST(UpdateParse, RefusesWithDynamoDbsMessage) {
  const UpdateFault rows[] = {
      {"", "The expression can not be empty;"},
      // Syntax.
      {"whatever", "Syntax error; token: \"whatever\", near: \"whatever\""},
      {"INVALID SYNTAX HERE", "Syntax error; token: \"INVALID\", near: \"INVALID SYNTAX\""},
      {"HELLO b = :s", "Syntax error; token: \"HELLO\", near: \"HELLO b\""},
      {"set a", "Syntax error; token: \"<EOF>\", near: \"a\""},
      {"SET", "Syntax error; token: \"<EOF>\", near: \"SET\""},
      {"SET a = :s,", "Syntax error; token: \"<EOF>\", near: \",\""},
      {"add a", "Syntax error; token: \"<EOF>\", near: \"a\""},
      {"set a=set", "Syntax error; token: \"set\", near: \"=set\""},
      {"remove a = b", "Syntax error; token: \"=\", near: \"a = b\""},
      {"add a = b", "Syntax error; token: \"=\", near: \"a = b\""},
      {"delete a b", "Syntax error; token: \"b\", near: \"a b\""},
      {"add abort b", "Syntax error; token: \"b\", near: \"abort b\""},
      {"add a if_not_exist(b)", "Syntax error; token: \"if_not_exist\", near: \"a if_not_exist(\""},
      {"remove a b", "Syntax error; token: \"b\", near: \"a b\""},
      {"set :s = b", "Syntax error; token: \":s\", near: \"set :s =\""},
      {"remove :s", "Syntax error; token: \":s\", near: \"remove :s\""},
      {"set a = b / c", "Syntax error; token: \"/\", near: \"b / c\""},
      {"set a[1] = \"eight\"", "Syntax error; token: \"\"\", near: \"= \"eight\""},
      {"set a[1] = 1", "Syntax error; token: \"1\", near: \"= 1\""},
      {"SET a = if_not_exist(a, 100)", "Syntax error; token: \"100\", near: \", 100)\""},
      {"SET if_not_exist(a, b) = a", "Syntax error; token: \"(\", near: \"if_not_exist(a\""},
      {"set (a = (b + c))", "Syntax error; token: \"(\", near: \"set (a\""},
      {"set a = (b.c).d + e", "Syntax error; token: \".\", near: \").d\""},
      {"set a = (b.c)[0] + e", "Syntax error; token: \"[\", near: \")[0\""},
      {"set a = b + c + d", "Syntax error; token: \"+\", near: \"c + d\""},
      {"set a = (b + c) + d", "Syntax error; token: \"+\", near: \") + d\""},
      {"SET c = if_not_exists(c, :n+:two)", "Syntax error; token: \"+\", near: \":n+:two\""},
      {"SET _123 = :s", "Syntax error; token: \"_\", near: \"SET _123\""},
      {"SET 123a = :s", "Syntax error; token: \"123\", near: \"SET 123a\""},
      {"SET hi-there = :s", "Syntax error; token: \"-\", near: \"hi-there\""},
      {"SET hi$there = :s", "Syntax error; token: \"$\", near: \"hi$there\""},
      {"SET # = :s", "Syntax error; token: \"#\", near: \"SET # =\""},
      {"ADD hits : incr", "Syntax error; token: \":\", near: \"hits : incr\""},
      {"SET a[:n] = :s", "Syntax error; token: \":n\", near: \"[:n]\""},
      {"SET a = _f(b)", "Syntax error; token: \"_\", near: \"= _f\""},
      {"SET a.set = :s", "Syntax error; token: \"set\", near: \".set =\""},
      {"SET a = ((:s))", "The expression has redundant parentheses;"},
      // Reserved words, functions, sections, names, values: each kind in turn.
      {" set #x = :x set abOrt = true ", "Attribute name is a reserved keyword; reserved keyword: abOrt"},
      {" remove Absolute ", "Attribute name is a reserved keyword; reserved keyword: Absolute"},
      {"set #x = if_not_exist(:x) set c = d", "Invalid function name; function: if_not_exist"},
      {"SET a = LIST_APPEND(:l, :l)", "Invalid function name; function: LIST_APPEND"},
      {"SET a = size(b)", "The function is not allowed to be used this way in an expression; function: size"},
      {"SET a = list_append(list_append(:l, :l), :l)",
       "The function is not allowed to be used this way in an expression; function: list_append"},
      {"set a = #x set c = :x", "The \"SET\" section can only be used once in an update expression;"},
      {"remove #x set a = b remove e", "The \"REMOVE\" section can only be used once in an update expression;"},
      {"add #x :x set a = b add e :y", "The \"ADD\" section can only be used once in an update expression;"},
      {"delete #x :x set a = b delete #y :y", "The \"DELETE\" section can only be used once in an update expression;"},
      {"SET a = :x, #x = if_not_exists(:y)",
       "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"SET #a = if_not_exists(:x)",
       "An expression attribute value used in expression is not defined; attribute value: :x"},
      // Paths.
      {"set d[1] = a, d.b = a, c[1].a = a, #c = if_not_exists(a)",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, [1], a], "
       "path two: [c]"},
      {"set #c[3].#three = a, #c[3] = a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [c, [3], "
       "[3]], path two: [c, [3]]"},
      {"SET a = :s REMOVE a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path "
       "two: [a]"},
      {"SET #a = :s, a.b = :s",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path "
       "two: [a, b]"},
      {"set #c[3].#three = a, #c.#three[3] = if_not_exists(a)",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [c, [3], "
       "[3]], path two: [c, [3], [3]]"},
      {"remove a.#c set a[1] = #three",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, c], path "
       "two: [a, [1]]"},
      // ADD and DELETE before functions.
      {"set b = list_append(:s, a), c = if_not_exists(a) add a.b :s",
       "Incorrect operand type for operator or function; operator: ADD, operand type: STRING, typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"delete a.b :n",
       "Incorrect operand type for operator or function; operator: DELETE, operand type: NUMBER, typeSet: "
       "ALLOWED_FOR_DELETE_OPERAND"},
      {"add a.b :z",
       "Incorrect operand type for operator or function; operator: ADD, operand type: NULL, typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"add a.b :t",
       "Incorrect operand type for operator or function; operator: ADD, operand type: BOOLEAN, typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"add a.b :bin",
       "Incorrect operand type for operator or function; operator: ADD, operand type: BINARY, typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"add a.b :m",
       "Incorrect operand type for operator or function; operator: ADD, operand type: MAP, typeSet: "
       "ALLOWED_FOR_ADD_OPERAND"},
      {"delete a.b :l",
       "Incorrect operand type for operator or function; operator: DELETE, operand type: LIST, typeSet: "
       "ALLOWED_FOR_DELETE_OPERAND"},
      {"set a = if_not_exists(c)",
       "Incorrect number of operands for operator or function; operator or function: if_not_exists, number of "
       "operands: 1"},
      {"set a = list_append(:l, :l, :l)",
       "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: "
       "3"},
      {"set a = if_not_exists(:s, c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"set a = if_not_exists(if_not_exists(a, b), c)",
       "Operator or function requires a document path; operator or function: if_not_exists"},
      {"set a = list_append(:ss, a)",
       "Incorrect operand type for operator or function; operator or function: list_append, operand type: SS"},
      {"set a = list_append(a, :n)",
       "Incorrect operand type for operator or function; operator or function: list_append, operand type: N"},
      {"set a = :s + :bin",
       "Incorrect operand type for operator or function; operator or function: +, operand type: S"},
      {"set a = a - :ns", "Incorrect operand type for operator or function; operator or function: -, operand type: NS"},
      {"set a = a + :l", "Incorrect operand type for operator or function; operator or function: +, operand type: L"},
  };
  for (const UpdateFault& row : rows) {
    EXPECT_EQ(UpdateMessage(row.text), "Invalid UpdateExpression: " + std::string(row.message)) << row.text;
  }
}

TEST(UpdateParse, Accepts) {
  for (const std::string_view text : {
           "sEt b=:s",
           "  set   b=:s  ",
           "SET #a = :s, b = #b REMOVE c DELETE d :ss ADD e :n, f :ns",
           "REMOVE a[1], a[2]",
           "set a = (b + c)",
           "set a = ((b.c.d)+(e))",
           "set a = (b) - (c)",
           "SET a = if_not_exists(a, b) + b",
           "SET a = if_not_exists(a, if_not_exists(a, b))",
           "SET a = list_append(if_not_exists(a, :l), :l)",
           "set c = list_append (a, b)",
           "SET #dot.b[0] = :s",
           "SET a = a",
           "SET a = setting",
       }) {
    EXPECT_EQ(UpdateMessage(text), "") << text;
  }
}

TEST(UpdateParse, KeepsLimits) {
  const auto repeat = [](std::string_view text, size_t times) {
    std::string out;
    while (times-- > 0) out += text;
    return out;
  };
  const auto sums = [](size_t count) {
    std::string out = "SET ";
    for (size_t i = 0; i < count; ++i) out += (i == 0 ? "a" : ",a") + std::to_string(i) + "=:n+:n";
    return out;
  };
  EXPECT_EQ(UpdateMessage(sums(300)), "");
  EXPECT_EQ(UpdateMessage(sums(301)),
            "Invalid UpdateExpression: The expression contains too many operators; operator count: 301");
  EXPECT_EQ(UpdateMessage("SET a=" + repeat("(", 2000) + ":n" + repeat(")", 2000)),
            "Invalid UpdateExpression: The expression has redundant parentheses;");
  EXPECT_EQ(UpdateMessage("SET a=" + repeat("(", 4000)),
            "Invalid UpdateExpression: Syntax error; token: \"<EOF>\", near: \"(\"");
  EXPECT_EQ(UpdateMessage("SET " + std::string(4096, ' ') + "a = :n"),
            "Invalid UpdateExpression: Expression size has exceeded the maximum allowed size; expression size: 4106");
  EXPECT_EQ(UpdateMessage("SET a=" + repeat("if_not_exists(b,", 200) + ":n" + repeat(")", 200)), "");
}

struct ApplyRow {
  std::string_view old, text, values, expected;  // the new item, or the message
};

void ExpectApplied(std::initializer_list<ApplyRow> rows) {
  for (const ApplyRow& row : rows) {
    PlaceholdersForTest placeholders(row.values);
    const Result<Update> update = ParseUpdate(row.text, placeholders.get());
    ASSERT_TRUE(update.ok()) << row.text << ": " << update.error().message();
    const Item old = ValueNotation::ReadItem(row.old);
    const Result<Item> updated = ApplyUpdate(*update, old);
    if (row.expected[0] != '{') {
      EXPECT_EQ(updated.ok() ? "" : updated.error().message(), row.expected) << row.text;
      continue;
    }
    ASSERT_TRUE(updated.ok()) << row.text << ": " << updated.error().message();
    EXPECT_TRUE(IsWellFormedItem(updated->bytes())) << row.text;
    EXPECT_EQ(ValueNotation::Print(updated->view()), ValueNotation::Print(ValueNotation::ReadItem(row.expected).view()))
        << row.old << " " << row.text;
  }
}

constexpr std::string_view kMissing = "The provided expression refers to an attribute that does not exist in the item";
constexpr std::string_view kWrongType = "An operand in the update expression has an incorrect data type";
constexpr std::string_view kBadPath = "The document path provided in the update expression is invalid for update";

TEST(UpdateApply, Set) {
  ExpectApplied({
      {"{p='k'}", "SET b = :v", "{:v=4}", "{p='k',b=4}"},
      {"{p='k',b='x'}", "SET b = :v", "{:v=4}", "{p='k',b=4}"},
      {"{p='k',a='hi'}", "SET x = :v, y = :v", "{:v=4}", "{p='k',a='hi',x=4,y=4}"},
      {"{p='k',a='hi'}", "SET zz = :v, aa = :v, p1 = :v", "{:v=4}", "{p='k',a='hi',aa=4,p1=4,zz=4}"},
      {"{p='k',a='hi'}", "SET b = a", "{}", "{p='k',a='hi',b='hi'}"},
      {"{p='k',a='hi'}", "SET a = a", "{}", "{p='k',a='hi'}"},
      {"{p='k',a='hi'}", "SET c = z", "{}", kMissing},
      {"{p='k',a='hi'}", "SET x = :v, y = x", "{:v=4}", kMissing},
      {"{p='k',a=1,b=2}", "SET a = b, b = a", "{}", "{p='k',a=2,b=1}"},
      {"{p='k'}", "SET #dot = :v", "{:v=3}", "{p='k',x.y=3}"},
      {"{p='k'}", "SET d = :v", "{:v={a=[], b='', c=<1>}}", "{p='k',d={a=[], b='', c=<1>}}"},
  });
}

TEST(UpdateApply, Arithmetic) {
  ExpectApplied({
      {"{p='k'}", "SET b = :v + :w", "{:v=4, :w=3}", "{p='k',b=7}"},
      {"{p='k'}", "SET b = :v - :w", "{:v=5, :w=7.5}", "{p='k',b=-2.5}"},
      {"{p='k',a=2}", "SET a = a + :v", "{:v=3}", "{p='k',a=5}"},
      {"{p='k',a=2,b=5}", "SET c = (b - a)", "{}", "{p='k',a=2,b=5,c=3}"},
      {"{p='k',a=2}", "SET c = a + a", "{}", "{p='k',a=2,c=4}"},
      {"{p='k',a='x'}", "SET c = a + :v", "{:v=1}", kWrongType},
      {"{p='k'}", "SET c = a + :v", "{:v=1}", kMissing},
      {"{p='k',m={n=[7]}}", "SET m.n[0] = m.n[0] + :v", "{:v=1}", "{p='k',m={n=[8]}}"},
      {"{p='k'}", "SET a = if_not_exists(a, :zero) + :v", "{:v=7, :zero=0}", "{p='k',a=7}"},
      {"{p='k',a=3}", "SET a = if_not_exists(a, :zero) + :v", "{:v=7, :zero=0}", "{p='k',a=10}"},
  });
}

TEST(UpdateApply, NumbersThatDoNotFit) {
  const struct {
    std::string_view values, text;
  } rows[] = {
      {"{:v=9e125, :w=9e125}", "SET a = :v + :w"},
      {"{:v=1e125, :w=1e-130}", "SET a = :v - :w"},
      {"{:v=1e125, :w=1}", "ADD n :v"},
  };
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders(row.values);
    const Result<Update> update = ParseUpdate(row.text, placeholders.get());
    ASSERT_TRUE(update.ok());
    const Result<Item> updated = ApplyUpdate(*update, ValueNotation::ReadItem("{n=1}"));
    ASSERT_FALSE(updated.ok()) << row.text;
    EXPECT_EQ(updated.error().kind(), Kind::kValidation);
  }
}

TEST(UpdateApply, Functions) {
  ExpectApplied({
      {"{p='k'}", "SET a = list_append(:v, :w)", "{:v=[4, 'hello'], :w=['hi', 7]}", "{p='k',a=[4,'hello','hi',7]}"},
      {"{p='k',a=['hi']}", "SET a = list_append(a, :v)", "{:v=[4]}", "{p='k',a=['hi',4]}"},
      {"{p='k',a=['hi']}", "SET a = list_append(:v, a)", "{:v=[4]}", "{p='k',a=[4,'hi']}"},
      {"{p='k',a=['hi'],b=[]}", "SET c = list_append(a, b)", "{}", "{p='k',a=['hi'],b=[],c=['hi']}"},
      {"{p='k'}", "SET a = list_append(b, :v)", "{:v=[4]}", kMissing},
      {"{p='k'}", "SET a = list_append(:v, b)", "{:v=[4]}", kMissing},
      {"{p='k',b=7}", "SET a = list_append(b, :v)", "{:v=[4]}", kWrongType},
      {"{p='k',b=<1>}", "SET a = list_append(:v, b)", "{:v=[4]}", kWrongType},
      {"{p='k'}", "SET a = list_append(if_not_exists(a, :e), :v)", "{:e=[], :v=[4]}", "{p='k',a=[4]}"},
      {"{p='k',a=[1]}", "SET a = list_append(if_not_exists(a, :e), :v)", "{:e=[], :v=[4]}", "{p='k',a=[1,4]}"},
      {"{p='k'}", "SET a = if_not_exists(a, :v)", "{:v=2}", "{p='k',a=2}"},
      {"{p='k',a=1}", "SET a = if_not_exists(a, :v)", "{:v=2}", "{p='k',a=1}"},
      {"{p='k',a=1}", "SET b = if_not_exists(c, :v)", "{:v=2}", "{p='k',a=1,b=2}"},
      {"{p='k',a=1,b=9}", "SET b = if_not_exists(a, :v)", "{:v=2}", "{p='k',a=1,b=1}"},
      {"{p='k',a=3}", "SET x = if_not_exists(b, if_not_exists(a, :v))", "{:v=4}", "{p='k',a=3,x=3}"},
      {"{p='k',a=3}", "SET x = if_not_exists(b, q)", "{}", kMissing},
      {"{p='k',m={n=1}}", "SET m.o = if_not_exists(m.o, :v)", "{:v=4}", "{p='k',m={n=1,o=4}}"},
  });
}

TEST(UpdateApply, Remove) {
  ExpectApplied({
      {"{p='k',a='x',b='y'}", "REMOVE a", "{}", "{p='k',b='y'}"},
      {"{p='k',a='x'}", "REMOVE q", "{}", "{p='k',a='x'}"},
      {"{p='k',a='x'}", "REMOVE a SET b = a", "{}", "{p='k',b='x'}"},
      {"{p='k',a={b=1}}", "REMOVE a.b", "{}", "{p='k',a={}}"},
      {"{p='k',a={b=1}}", "REMOVE a.c", "{}", "{p='k',a={b=1}}"},
      {"{p='k',a=[1]}", "REMOVE a[0]", "{}", "{p='k',a=[]}"},
      {"{p='k',a=[4,5,6]}", "REMOVE a[17]", "{}", "{p='k',a=[4,5,6]}"},
      {"{p='k',a=[0,1,2,3,4]}", "REMOVE a[1], a[3], a[0]", "{}", "{p='k',a=[2,4]}"},
      {"{p='k',a={b=3,c=['hi',{x={y=[3,5,7]},q=2}]}}", "REMOVE a.c[1].x.y[1], a.c[1].q", "{}",
       "{p='k',a={b=3,c=['hi',{x={y=[3,7]}}]}}"},
      {"{p='k',a='x',b=['y']}", "REMOVE a.c", "{}", kBadPath},
      {"{p='k',a='x',b=['y']}", "REMOVE b.c", "{}", kBadPath},
      {"{p='k',a='x',b=['y']}", "REMOVE c.c", "{}", kBadPath},
      {"{p='k',a='x',b=['y']}", "REMOVE a[0]", "{}", kBadPath},
      {"{p='k',a='x',b=['y']}", "REMOVE b[5].c", "{}", kBadPath},
  });
}

TEST(UpdateApply, Nested) {
  ExpectApplied({
      {"{p='k',a={b=3,c=4},d=5}", "SET a.c = :v", "{:v=7}", "{p='k',a={b=3,c=7},d=5}"},
      {"{p='k',a={b=3,c=4},d=5}", "SET a.d = :v, a.a = :v", "{:v=7}", "{p='k',a={a=7,b=3,c=4,d=7},d=5}"},
      {"{p='k',a=['1','2','3']}", "SET a[1] = :v", "{:v='x'}", "{p='k',a=['1','x','3']}"},
      {"{p='k',a=['1']}", "SET a[7] = :v", "{:v='x'}", "{p='k',a=['1','x']}"},
      {"{p='k',a=['0']}", "SET a[84] = :a, a[37] = :b, a[17] = :c, a[50] = :d", "{:a=1, :b=2, :c=3, :d=4}",
       "{p='k',a=['0',3,2,4,1]}"},
      {"{p='k',a=[2,3,4,5,6,7]}", "REMOVE a[1] SET a[3] = :v", "{:v=17}", "{p='k',a=[2,4,17,6,7]}"},
      {"{p='k',a=[2,3,4,5,6,7]}", "SET a[3] = :v, a[9] = :w REMOVE a[1]", "{:v=17, :w=18}",
       "{p='k',a=[2,4,17,6,7,18]}"},
      {"{p='k',a={b=3,c=['hi',{x={y=[3,5,7]}}]}}", "SET a.c[1].x.y[1] = :v", "{:v=9}",
       "{p='k',a={b=3,c=['hi',{x={y=[3,9,7]}}]}}"},
      {"{p='k',a={c={one=1}}}", "SET a.c = :v", "{:v=7}", "{p='k',a={c=7}}"},
      {"{p='k',a={x=3,y=4,c={y=3}},b={x=1,y=2}}", "SET a.b = :a, a.c.d = :b, b.x = :c REMOVE a.x, b.y",
       "{:a=10, :b='dog', :c=17}", "{p='k',a={y=4,b=10,c={y=3,d='dog'}},b={x=17}}"},
      {"{p='k',a=[[1,2],[3]]}", "SET a[0][1] = :v, a[1][4] = :v", "{:v=9}", "{p='k',a=[[1,9],[3,9]]}"},
      {"{p='k',a='x',b=['y']}", "SET a.c = :v", "{:v=7}", kBadPath},
      {"{p='k',a='x',b=['y']}", "SET b.c = :v", "{:v=7}", kBadPath},
      {"{p='k',a='x',b=['y']}", "SET c.c = :v", "{:v=7}", kBadPath},
      {"{p='k',a='x',b=['y']}", "SET a[0] = :v", "{:v=7}", kBadPath},
      {"{p='k',a='x',b=['y']}", "SET b[3].q = :v", "{:v=7}", kBadPath},
      {"{p='k',m={}}", "ADD m.n :v", "{:v=7}", "{p='k',m={n=7}}"},
      {"{p='k',m={n=1}}", "ADD m.n :v", "{:v=7}", "{p='k',m={n=8}}"},
      {"{p='k',l=[1]}", "ADD l[0] :v, l[5] :v", "{:v=7}", "{p='k',l=[8,7]}"},
      {"{p='k',l=[<1,2>,3]}", "DELETE l[0] :v", "{:v=<1,2>}", "{p='k',l=[3]}"},
      {"{p='k',m={s=<'a','b'>}}", "DELETE m.s :v", "{:v=<'a'>}", "{p='k',m={s=<'b'>}}"},
  });
}

TEST(UpdateApply, AddAndDelete) {
  ExpectApplied({
      {"{p='k',a=3}", "ADD a :v", "{:v=4}", "{p='k',a=7}"},
      {"{p='k'}", "ADD a :v", "{:v=-4}", "{p='k',a=-4}"},
      {"{p='k',a=4}", "ADD a :v", "{:v=-4}", "{p='k',a=0}"},
      {"{p='k',a='x'}", "ADD a :v", "{:v=4}", kWrongType},
      {"{p='k',a=<'dog'>}", "ADD a :v", "{:v=<'pig','dog','ant'>}", "{p='k',a=<'ant','dog','pig'>}"},
      {"{p='k'}", "ADD a :v", "{:v=<1>}", "{p='k',a=<1>}"},
      {"{p='k',a=<10,9>}", "ADD a :v", "{:v=<9.0,-1>}", "{p='k',a=<-1,9,10>}"},
      {"{p='k',a=<x'00'>}", "ADD a :v", "{:v=<x'ff'>}", "{p='k',a=<x'00',x'ff'>}"},
      {"{p='k',a=<1>}", "ADD a :v", "{:v=<'1'>}", kWrongType},
      {"{p='k',a=[1]}", "ADD a :v", "{:v=<1>}", kWrongType},
      {"{p='k',a=<'x','y'>,b=1}", "DELETE a :v", "{:v=<'x','q'>}", "{p='k',a=<'y'>,b=1}"},
      {"{p='k',a=<'x','y'>,b=1}", "DELETE a :v", "{:v=<'x','y'>}", "{p='k',b=1}"},
      {"{p='k',a=<'x','y'>}", "DELETE a :v", "{:v=<'q'>}", "{p='k',a=<'x','y'>}"},
      {"{p='k'}", "DELETE a :v", "{:v=<'q'>}", "{p='k'}"},
      {"{p='k',a='x'}", "DELETE a :v", "{:v=<'x'>}", kWrongType},
      {"{p='k',a=<1>}", "DELETE a :v", "{:v=<'1'>}", kWrongType},
  });
}

// {:v=<0, 2, 4, …>}: numbers from `first` on, every `step`-th.
std::string NumberSet(int first, int step, int count) {
  std::string text = "<";
  for (int i = 0; i < count; ++i) text += (i > 0 ? ", " : "") + std::to_string(first + i * step);
  return text + ">";
}

Result<Item> Apply(std::string_view item, std::string_view update_text, const std::string& values) {
  PlaceholdersForTest placeholders(values);
  const Result<Update> update = ParseUpdate(update_text, placeholders.get());
  CHECK(update.ok());
  return ApplyUpdate(*update, ValueNotation::ReadItem(item));
}

// With a cost of the product of both sets' sizes this takes minutes.
TEST(UpdateApply, AddsAndDeletesLargeSets) {
  constexpr int kElements = 20'000;
  constexpr double kLinearSeconds = 20;  // without optimization and with sanitizers
  const std::string even = "{p='k',a=" + NumberSet(0, 2, kElements) + "}";
  const std::string odd = "{:v=" + NumberSet(1, 2, kElements) + "}";
  const std::string all = "{:v=" + NumberSet(0, 1, 2 * kElements) + "}";
  const std::string thirds = "{:v=" + NumberSet(0, 3, kElements) + "}";
  const double start = ThreadCpuSeconds();
  const Result<Item> added = Apply(even, "ADD a :v", odd);
  EXPECT_EQ(added->Find("a")->bytes(), ValueNotation::Read(NumberSet(0, 1, 2 * kElements)).view().bytes());
  EXPECT_EQ(Apply(even, "DELETE a :v", odd)->bytes(), ValueNotation::ReadItem(even).bytes());
  EXPECT_FALSE(Apply(even, "DELETE a :v", all)->Find("a").has_value());
  const Result<Item> rest = Apply(even, "DELETE a :v", thirds);
  EXPECT_EQ(rest->Find("a")->count(), kElements - (2 * kElements + 5) / 6);
  EXPECT_FALSE(rest->Find("a")->Contains(ValueNotation::Read("6").view().AsEncodedNumber()));
  EXPECT_TRUE(rest->Find("a")->Contains(ValueNotation::Read("8").view().AsEncodedNumber()));
  EXPECT_LT(ThreadCpuSeconds() - start, kLinearSeconds);
}

TEST(UpdateApply, ChangesManyMembersOfALargeMapAndList) {
  constexpr int kMembers = 30'000;
  std::string item = "{p='k',m={", list = "l=[", update = "SET p2 = :v", removes = " REMOVE p3";
  for (int i = 0; i < kMembers; ++i) {
    item += "m" + std::to_string(i) + "=" + std::to_string(i) + ", ";
    list += std::to_string(i) + ", ";
  }
  item += "}, " + list + "]}";
  for (int i = 0; i < 80; ++i) {
    const std::string number = std::to_string(kMembers - 1 - i * 7);
    update += ", m.m" + number + " = l[" + number + "], m.n" + number + " = :v";
    removes += ", l[" + number + "]";
  }
  const Result<Item> updated = Apply(item, update + removes, "{:v='new'}");
  ASSERT_TRUE(updated.ok());
  EXPECT_TRUE(IsWellFormedItem(updated->bytes()));
  const ValueView map = *updated->Find("m");
  EXPECT_EQ(map.count(), kMembers + 80u);
  EXPECT_EQ(ValueNotation::Print(*map.Find("n29992")), "'new'");
  EXPECT_EQ(ValueNotation::Print(*map.Find("m29992")), "29992");
  EXPECT_EQ(updated->Find("l")->count(), kMembers - 80u);
  EXPECT_EQ(ValueNotation::Print(*updated->Find("l")->At(kMembers - 81)), "29998");
}

TEST(UpdateApply, DoesNotBuildAnItemThatIsFarTooLarge) {
  std::string copies = "SET a0 = a";
  for (int i = 1; i < 300; ++i) copies += ", a" + std::to_string(i) + " = a";
  const std::string item = "{p='k', a='" + std::string(300'000, 'x') + "', l=['" + std::string(90'000, 'x') + "']}";
  const Result<Item> copied = Apply(item, copies, "{:v=1}");
  ASSERT_FALSE(copied.ok());
  EXPECT_EQ(copied.error().rule(), "updated-item-size");
  EXPECT_TRUE(Apply(item, "SET b = a, c = list_append(l, l)", "{:v=1}").ok());  // the engine measures these
}

TEST(UpdateApply, LegacyTakesManyAttributes) {
  Update update;
  update.legacy = true;
  constexpr int kAttributes = 50'000;
  for (int i = 0; i < kAttributes; ++i) update.removes.push_back(Path{"a" + std::to_string(i), {}});
  for (int i = 0; i < 1000; ++i) update.adds.push_back({Path{"n" + std::to_string(i), {}}, ValueNotation::Read("1")});
  std::string item = "{p='k', n7=2, ";
  for (int i = 0; i < 5000; ++i) item += "a" + std::to_string(i * 5) + "=1, ";
  const Result<Item> updated = ApplyUpdate(update, ValueNotation::ReadItem(item + "}"));
  ASSERT_TRUE(updated.ok());
  EXPECT_EQ(updated->view().count(), 1001u);
  EXPECT_EQ(ValueNotation::Print(*updated->Find("n7")), "3");
}

TEST(UpdateApply, NestsAtMost32Levels) {
  const auto deep = [](size_t levels) {
    std::string out;
    for (size_t i = 0; i < levels; ++i) out += "[";
    return out + std::string(levels, ']');
  };
  const auto apply = [&](size_t levels) {
    PlaceholdersForTest placeholders("{:v=" + deep(levels) + "}");
    const auto update = ParseUpdate("SET a.b = :v", placeholders.get());
    const auto updated = ApplyUpdate(*update, ValueNotation::ReadItem("{a={b=1}}"));
    return updated.ok() ? "" : updated.error().message();
  };
  EXPECT_EQ(apply(30), "");
  EXPECT_EQ(apply(31),
            "Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported "
            "limit");
}

TEST(UpdateApply, LeavesKeysAlone) {
  const KeySchema key{{{"p", Type::kS}}, {{"c", Type::kN}}};
  const struct {
    std::string_view text, message;
  } rows[] = {
      {"SET a = p", ""},
      {"SET p = :n",
       "One or more parameter values were invalid: Cannot update attribute p. This attribute is part of the key"},
      {"SET a = :n REMOVE c",
       "One or more parameter values were invalid: Cannot update attribute c. This attribute is part of the key"},
      {"ADD c :n",
       "One or more parameter values were invalid: Cannot update attribute c. This attribute is part of the key"},
      {"DELETE #dot :ss, p.q :ss",
       "One or more parameter values were invalid: Cannot update attribute p. This attribute is part of the key"},
  };
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders(kUpdateValues);
    const auto update = ParseUpdate(row.text, placeholders.get());
    const Status status = UpdateLeavesKeyAlone(*update, key);
    EXPECT_EQ(status.ok() ? "" : status.message(), row.message) << row.text;
  }
}

TEST(UpdateApply, ReturnsTheUpdatedPart) {
  const struct {
    std::string_view text, part;
  } rows[] = {
      {"SET a = :n", "{a={b=1, c=[1, 2, 3]}}"},
      {"SET a.b = :n REMOVE x", "{a={b=1}, x='y'}"},
      {"SET a.c[2] = :n, a.c[0] = :n ADD n :n", "{a={c=[1, 3]}, n=5}"},
      {"REMOVE gone, a.gone", "{}"},
  };
  const Item item = ValueNotation::ReadItem("{p='k',a={b=1,c=[1,2,3]},n=5,x='y'}");
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders(kUpdateValues);
    const auto update = ParseUpdate(row.text, placeholders.get());
    EXPECT_EQ(ValueNotation::Print(UpdatedPart(*update, item).view()), row.part) << row.text;
  }
  EXPECT_TRUE(UpdatedPart(Update(), item).empty());
}

TEST(UpdateApply, RecognizesUpdatesThatOnlyRemove) {
  const struct {
    std::string_view text;
    bool expected;
  } rows[] = {
      {"REMOVE a", true},
      {"DELETE a :ss REMOVE b", true},
      {"SET a = :n REMOVE b", false},
      {"ADD a :n", false},
  };
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders(kUpdateValues);
    EXPECT_EQ(ParseUpdate(row.text, placeholders.get())->OnlyTakesAway(), row.expected) << row.text;
  }
  EXPECT_FALSE(Update().OnlyTakesAway());
}

}  // namespace
}  // namespace keyfold::expr
