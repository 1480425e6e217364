// Parses statements to lowered trees or messages. Rows whose message was never observed in DynamoDB are marked
// "assumed".
#include "partiql/statement.h"

#include <gtest/gtest.h>

#include "testing/partiql/statement_notation.h"

namespace keyfold::partiql {
namespace {

std::string Parse(std::string_view statement, std::string_view parameters = "[]") {
  const Result<Statement> parsed = ParseStatement(statement, ReadParameters(parameters));
  return parsed.ok() ? Print(*parsed) : parsed.error().message();
}

struct StatementRow {
  std::string statement, expected;
  std::string_view parameters = "[]";
};

void ExpectAll(const std::vector<StatementRow>& rows) {
  for (const StatementRow& row : rows) EXPECT_EQ(Parse(row.statement, row.parameters), row.expected) << row.statement;
}

// Rows of WHERE clauses: the lowered condition, or the error message.
void ExpectClauses(const std::vector<StatementRow>& rows, bool lowered) {
  for (const StatementRow& row : rows) {
    const std::string before = lowered ? "select from t where " : "";
    EXPECT_EQ(Parse("SELECT * FROM t WHERE " + row.statement, row.parameters), before + row.expected) << row.statement;
  }
}

// Rows of syntax errors: the text after their common sentence.
void ExpectMalformed(const std::vector<StatementRow>& rows) {
  for (const StatementRow& row : rows) {
    EXPECT_EQ(Parse(row.statement), "Statement wasn't well formed, can't be processed: " + row.expected)
        << row.statement;
  }
}

std::string Repeat(std::string_view text, size_t times) {
  std::string out;
  for (size_t i = 0; i < times; ++i) out += text;
  return out;
}

TEST(PartiqlStatement, Select) {
  ExpectAll({
      {"SELECT * FROM t", "select from t"},
      {"select * from \"my-table\"", "select from my-table"},
      {"SELECT * FROM \"t\".\"i\"", "select from t/i"},
      {"SELECT * FROM t.i", "select from t/i"},
      {"SELECT ALL * FROM t", "select from t"},
      {"SELECT a, b.c, d[0], \"e.f\".g[1][2] FROM t", "select a b.c d[0] e.f.g[1][2] from t"},
      {"SELECT * FROM t;", "select from t"},
      {"-- note\nSELECT /* note */ * FROM t -- note", "select from t"},
      {"SELECT * FROM t WHERE a = 1 ORDER BY pk", "select from t where eq(a, 1) by pk"},
      {"SELECT * FROM t WHERE a = 1 ORDER BY pk DESC, \"sk\" ASC", "select from t where eq(a, 1) by pk down by sk"},
      {"EXISTS(SELECT * FROM t WHERE a = 1)", "exists select from t where eq(a, 1)"},
      {"exists (select * from t)", "exists select from t"},
  });
}

TEST(PartiqlStatement, Literals) {
  const std::string before = "select from t where eq(a, ";
  for (const auto& [literal, printed] : std::initializer_list<std::pair<std::string, std::string>>{
           {"'x'", "'x'"},
           {"''", "''"},
           {"'it''s'", "'it's'"},
           {"'\xC3\xBC?'", "'\xC3\xBC?'"},
           {"5", "5"},
           {"-5", "-5"},
           {"+5", "5"},
           {"- - 5", "5"},
           {"-(5)", "-5"},
           {"-0", "0"},
           {"2.50", "2.5"},
           {".73e1", "7.3"},
           {"-.73e1", "-7.3"},
           {"1.", "1"},
           {"7.31E6", "7310000"},
           {"73100000e-1", "7310000"},
           {"007", "7"},
           {"true", "true"},
           {"FALSE", "false"},
           {"Null", "null"},
           {"[]", "[]"},
           {"[1, 'b', [null]]", "[1, 'b', [null]]"},
           {"(1, 2)", "[1, 2]"},
           {"{}", "{}"},
           {"{'k': 1, 'a': {'b': []}}", "{a={b=[]}, k=1}"},
           {"{'k': 1, 'k': 2}", "{k=2}"},
           {"<<'b', 'a'>>", "<'a', 'b'>"},
           {"<<3, -1.5, 2>>", "<-1.5, 2, 3>"},
       }) {
    EXPECT_EQ(Parse("SELECT * FROM t WHERE a = " + literal), before + printed + ")") << literal;
  }
}

TEST(PartiqlStatement, LiteralFaults) {
  const std::string overflow =
      "Number overflow. Attempting to store a number with magnitude larger than supported range";
  const std::string underflow =
      "Number underflow. Attempting to store a number with magnitude smaller than supported range";
  const std::string deepest = Repeat("[", 32) + Repeat("]", 32), too_deep = Repeat("[", 32) + "1" + Repeat("]", 32);
  ExpectAll({
      {"SELECT * FROM t WHERE a = 1e126", overflow + " under root"},
      {"SELECT * FROM t WHERE a = -1e126", overflow + " under root"},
      {"SELECT * FROM t WHERE a = 1e-131", underflow + " under root"},
      {"SELECT * FROM t WHERE a = 123456789012345678901234567890123456789",
       "Attempting to store more than 38 significant digits in a Number under root"},
      {"INSERT INTO t VALUE {'pk': 1e126}", overflow + " under root"},
      {"INSERT INTO t VALUE {'pk': 1, 'm': {'x': 1e126}}", overflow + " under root.x"},
      {"INSERT INTO t VALUE {'pk': 1, 'l': [1, 1e126]}", overflow + " under root[1]"},
      {"INSERT INTO t VALUE {'pk': 1, 'l': [1, {'x': [0, 1e126]}]}", overflow + " under root[1].x[1]"},
      {"UPDATE t SET a = 1e-131 WHERE pk = 1", underflow + " under root"},
      {"INSERT INTO t VALUE {'s': <<>>}", "Empty bags are not supported"},
      {"INSERT INTO t VALUE {'s': <<1, 'a'>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"INSERT INTO t VALUE {'s': <<true>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags"},
      {"INSERT INTO t VALUE {'s': <<?>>}",
       "Unsupported data type in Bag. DynamoDB only supports either numbers or strings in bags", "['a']"},
      {"INSERT INTO t VALUE {'s': <<'a', 'a'>>}",
       "One or more parameter values were invalid: Input collection [a, a] contains duplicates."},
      {"INSERT INTO t VALUE {'s': <<1, -2, 1.0>>}",
       "One or more parameter values were invalid: Input collection [1, -2, 1.0] contains duplicates! under root"},
      // A parameter must be a whole value.
      {"INSERT INTO t VALUE {'l': [?]}", "Unsupported data type: Parameter under key root[0] at 1:28:1", "['a']"},
      {"INSERT INTO t VALUE {'m': {'x': ?}}", "Unsupported data type: Parameter under key root.x at 1:33:1", "['a']"},
      {"INSERT INTO t VALUE {'ss': set_add(<<'a'>>, <<'b'>>)}",
       "Unsupported data type: set_add under key root at 1:28:7"},
      {"INSERT INTO t VALUE {'a': b}", "Unsupported data type: Id under key root at 1:27:1"},             // assumed
      {"INSERT INTO t VALUE {'a': 1 + 1}", "Unsupported data type: Plus under key root at 1:29:1"},       // assumed
      {"INSERT INTO t VALUE {'a': MISSING}", "Unsupported data type: Missing under key root at 1:27:7"},  // assumed
      {"INSERT INTO t VALUE {a: 1}", "Unsupported data type: Id under key root at 1:22:1"},               // assumed
      {"INSERT INTO t VALUE ?", "Unsupported data type: Parameter under key root at 1:21:1", "[{a=1}]"},  // assumed
      {"INSERT INTO t VALUE {'a': " + deepest + "}", "insert t {a=" + deepest + "}"},
      {"INSERT INTO t VALUE {'a': " + too_deep + "}",
       "Nesting Levels have exceeded supported limits under root" + Repeat("[0]", 32)},
  });
}

TEST(PartiqlStatement, Conditions) {
  ExpectClauses(
      {
          {"a = 1", "eq(a, 1)"},
          {"1 = a", "eq(1, a)"},
          {"a <> 1", "ne(a, 1)"},
          {"a != 1", "ne(a, 1)"},
          {"a < 1", "lt(a, 1)"},
          {"a <= 1", "le(a, 1)"},
          {"a > 1", "gt(a, 1)"},
          {"a >= 1", "ge(a, 1)"},
          {"a = b", "eq(a, b)"},
          {"a.b[0].\"c d\" = 1", "eq(a.b[0].c d, 1)"},
          {"(a).b = 1", "eq(a.b, 1)"},
          {"a = 1 AND b = 2 AND c = 3", "and(eq(a, 1), eq(b, 2), eq(c, 3))"},
          {"a = 1 OR b = 2 AND c = 3", "or(eq(a, 1), and(eq(b, 2), eq(c, 3)))"},
          {"(a = 1 OR b = 2) AND c = 3", "and(or(eq(a, 1), eq(b, 2)), eq(c, 3))"},
          {"NOT a = 1 AND b = 2", "and(not(eq(a, 1)), eq(b, 2))"},
          {"NOT NOT (a = 1)", "not(not(eq(a, 1)))"},
          {"a BETWEEN 1 AND 2 AND b = 3", "and(between(a, 1, 2), eq(b, 3))"},
          {"a NOT BETWEEN 1 AND 2", "not(between(a, 1, 2))"},
          {"a IN [1, 'b', c]", "in(a, 1, 'b', c)"},
          {"a IN (1, 2)", "in(a, 1, 2)"},
          {"a IN (1)", "in(a, 1)"},
          {"a NOT IN [1]", "not(in(a, 1))"},
          {"NOT a IN [1]", "not(in(a, 1))"},
          {"a IN []", "in(a)"},
          {"a IS MISSING", "not_exists(a)"},
          {"a IS NOT MISSING", "not(not_exists(a))"},
          {"a is null", "type(a, 'NULL')"},
          {"a IS NOT NULL", "not(type(a, 'NULL'))"},
          {"a IS BOOL", "type(a, 'BOOL')"},
          {"a IS STRING", "type(a, 'S')"},
          {"a IS DOUBLE PRECISION", "type(a, 'N')"},                            // assumed
          {"a IS DECIMAL(3, 2)", "type(a, 'N')"},                               // assumed
          {"a IS BAG", "or(type(a, 'SS'), type(a, 'NS'), type(a, 'BS'))"},      // assumed
          {"a IS CHARACTER VARYING AND b = 1", "and(type(a, 'S'), eq(b, 1))"},  // assumed
          {"begins_with(a, 'x')", "begins(a, 'x')"},
          {"BEGINS_WITH(\"a\", 'x')", "begins(a, 'x')"},
          {"contains(a.b, 1)", "contains(a.b, 1)"},
          {"attribute_type(a, 'SS')", "type(a, 'SS')"},
          {"attribute_exists(a)", "exists(a)"},
          {"ATTRIBUTE_NOT_EXISTS(a.b)", "not_exists(a.b)"},
          {"size(a) > 3", "gt(size(a), 3)"},
          {"3 < SIZE(a)", "lt(3, size(a))"},
          {"size('abc') = size(a)", "eq(size('abc'), size(a))"},
          {"size(a) BETWEEN 1 AND 2", "between(size(a), 1, 2)"},
          // Conditions are true or false, and never equal to anything else.
          {"attribute_exists(a) = true", "exists(a)"},
          {"attribute_exists(a) = false", "not(exists(a))"},
          {"true = attribute_exists(a)", "exists(a)"},
          {"attribute_exists(a) <> true", "not(exists(a))"},
          {"attribute_exists(a) = 1", "not(true)"},
          {"attribute_exists(a) <> 1", "true"},
          {"(a = 1) = true", "eq(a, 1)"},
          {"attribute_exists(a) = b", "or(and(exists(a), eq(b, true)), and(not(exists(a)), eq(b, false)))"},
          {"b <> (a = 1)", "not(or(and(eq(a, 1), eq(b, true)), and(not(eq(a, 1)), eq(b, false))))"},
          {"(a = 1) = (b = 2)", "or(and(eq(a, 1), eq(b, 2)), and(not(eq(a, 1)), not(eq(b, 2))))"},
          {"(a = 1) IN [true, 1]", "eq(a, 1)"},
          {"(a = 1) IN [false]", "not(eq(a, 1))"},
          {"(a = 1) IN [true, false]", "true"},
          {"(a = 1) IN ['x']", "not(true)"},
      },
      true);
}

TEST(PartiqlStatement, ConditionFaults) {
  const std::string count = "Incorrect number of operands for operator or function; operator or function: ";
  const std::string type = "Incorrect operand type for operator or function; operator or function: ";
  const std::string path = "Operator or function requires a document path; operator or function: ";
  const std::string operation = "Unsupported operator in Condition Expression. Operator: ";
  ExpectClauses(
      {
          {"attribute_exists('a')", path + "attribute_exists"},
          {"attribute_exists(?)", path + "attribute_exists", "['a']"},
          {"attribute_exists()", count + "attribute_exists, number of operands: 0"},
          {"attribute_exists(a, b)", count + "attribute_exists, number of operands: 2"},
          {"begins_with(a)", count + "begins_with, number of operands: 1"},
          {"size() = 1", count + "size, number of operands: 0"},
          {"begins_with(a, 1)", type + "begins_with, operand type: N"},
          {"attribute_type(a, 'X')",
           "Invalid attribute type name found; type: X, valid types: {N,BS,L,B,NULL,M,S,SS,NS,BOOL}"},
          {"attribute_type(a, 1)", type + "attribute_type, operand type: N"},
          {"attribute_type(a, b)", type + "attribute_type, operand type: {NS,SS,L,BS,N,M,B,BOOL,NULL,S}"},  // assumed
          {"size(1) = 1", type + "size, operand type: N"},
          {"size(size(a)) = 1", type + "size, operand type: N"},
          {"a < true", type + "<, operand type: BOOL"},
          {"a <= null", type + "<=, operand type: NULL"},
          {"a > [1]", type + ">, operand type: L"},
          {"a >= {'b': 1}", type + ">=, operand type: M"},
          {"a < <<'x'>>", type + "<, operand type: SS"},
          {"a < ?", type + "<, operand type: BS", "[<x'01'>]"},
          {"a < 'x'", "select from t where lt(a, 'x')"},
          {"a BETWEEN true AND false", type + "BETWEEN, operand type: BOOL"},
          {"attribute_exists(a) < true", type + "<, operand type: BOOL"},
          {"attribute_exists(a) BETWEEN 1 AND 2", type + "BETWEEN, operand type: BOOL"},
          {"a BETWEEN 1 AND 'x'",
           "The BETWEEN operator requires same data type for lower and upper bounds; lower bound operand: "
           "AttributeValue: {N:1}, upper bound operand: AttributeValue: {S:x}"},
          {"a BETWEEN 2 AND 1",
           "The BETWEEN operator requires upper bound to be greater than or equal to lower bound; lower bound operand: "
           "AttributeValue: {N:2}, upper bound operand: AttributeValue: {N:1}"},
          {"a = a",
           "The first operand must be distinct from the remaining operands for this operator or function; operator: =, "
           "first operand: [a]"},
          {"begins_with(a.b[0], a.b[0])",
           "The first operand must be distinct from the remaining operands for this operator or function; operator: "
           "begins_with, first operand: [a, b, [0]]"},
          {"EXISTS(a)", "Unrecognized function: exists at 1:23:6"},
          {"set_add(a, <<'x'>>) = a", "Unrecognized function: set_add at 1:23:7"},
          {"Nope(a)", "Unrecognized function: Nope at 1:23:4"},
          {"size(a)", "The function is not allowed to be used this way in an expression; function: size"},  // assumed
          {"size(begins_with(c, 'x')) = 1",
           "The function is not allowed to be used this way in an expression; function: begins_with"},  // assumed
          {"a + 1 > 2", operation + "+"},                                                               // assumed
          {"a = -b", operation + "-"},
          {"a LIKE 'x%'", operation + "LIKE"},                // assumed
          {"a || b = 'x'", operation + "||"},                 // assumed
          {"(a = b) = (c = (d = e))", operation + "="},       // assumed
          {"(a = b) = size(c)", operation + "="},             // assumed
          {"(a = b) IN [c]", operation + "IN"},               // assumed
          {"a", "Unsupported operation: Id"},                 // assumed
          {"a.b", "Unsupported operation: Path"},             // assumed
          {"true", "Unsupported operation: Lit"},             // assumed
          {"a = MISSING", "Unsupported operation: Missing"},  // assumed
          {"a IN b", "Unsupported operation: InCollection"},  // assumed
          {"a IS SYMBOL", "Unsupported operation: IsType"},   // assumed
          {"1 IS NULL", path + "IS"},                         // assumed
          {"a IN [" + Repeat("1,", 99) + "1]", "select from t where in(a" + Repeat(", 1", 100) + ")"},
          {"a IN [" + Repeat("1,", 100) + "1]",
           "The IN operator is provided with too many operands; number of operands: 101"},
          {"a[-1] = 1", "List index is not within the allowable range; index: [-1] at 1:26:1"},
          {"a[2147483647] = 1", "select from t where eq(a[2147483647], 1)"},
          {"a[2147483648] = 1", "List index is not within the allowable range; index: [2147483648] at 1:25:10"},
          {"a[99999999999] = 1", "List index is not within the allowable range; index: [99999999999] at 1:25:11"},
          {"a['b'] = 1", "Unexpected path component at 1:25:3"},       // assumed
          {"a[1.5] = 1", "Unexpected path component at 1:25:3"},       // assumed
          {"a[?] = 1", "Unexpected path component at 1:25:1", "[1]"},  // assumed
          {"a.* = 1", "Unexpected path component at 1:25:1"},          // assumed
          {"'x'.a = 1", "Unexpected path component at 1:23:3"},        // assumed
          {"\"\" = 1", "Path component cannot be an empty string"},    // assumed
          {"a" + Repeat(".b", 31) + " = 1", "select from t where eq(a" + Repeat(".b", 31) + ", 1)"},
          {"a" + Repeat(".b", 32) + " = 1",
           "The document path has too many nesting levels; nesting levels: 33"},  // assumed
      },
      false);
}

TEST(PartiqlStatement, Insert) {
  ExpectAll({
      {"INSERT INTO \"t\" VALUE {'pk': 'a', 'n': 1, 'm': {'x': [1, <<'s'>>]}}",
       "insert t {m={x=[1, <'s'>]}, n=1, pk='a'}"},
      {"insert into t value {}", "insert t {}"},
      {"INSERT INTO t VALUE {'a': ?, 'b': ?}", "insert t {a=x'01', b=<x'02'>}", "[x'01', <x'02'>]"},
      {"INSERT INTO t.i VALUE {'a': 1}", "FROM clause may only contain a single table name"},
      {"INSERT INTO \"\" VALUE {'a': 1}", "Path component cannot be an empty string"},
      {"INSERT INTO t VALUE [1]", "Unsupported data type: List under key root at 1:21:1"},  // assumed
      {"INSERT INTO t {'a': 1}", "Unsupported operation: Insert"},                          // assumed
      {"INSERT INTO t VALUE {'a': 1} RETURNING ALL OLD *",
       "RETURNING clause is not supported in INSERT statements."},  // assumed
  });
}

TEST(PartiqlStatement, Update) {
  ExpectAll({
      {"UPDATE t SET a = 1 WHERE pk = 'x'", "update t SET a=1 where eq(pk, 'x')"},
      {"UPDATE t SET a = 1, b = 'c' SET d.e[0] = f REMOVE g REMOVE h[1] WHERE pk = 'x'",
       "update t SET a=1 SET b='c' SET d.e[0]=f REMOVE g REMOVE h[1] where eq(pk, 'x')"},
      {"UPDATE t SET n = n + 100 SET m = 1 - m WHERE pk = 'x'",
       "update t SET n=plus(n, 100) SET m=minus(1, m) where eq(pk, 'x')"},
      {"UPDATE t SET n = n+1+2 WHERE pk = 'x'", "update t SET n=plus(plus(n, 1), 2) where eq(pk, 'x')"},  // assumed
      {"UPDATE t SET l = LIST_APPEND(l, [4, <<'a'>>]) WHERE pk = 'x'",
       "update t SET l=list_append(l, [4, <'a'>]) where eq(pk, 'x')"},
      {"UPDATE t SET l = list_append(?, m.l) WHERE pk = 'x'", "update t SET l=list_append([1], m.l) where eq(pk, 'x')",
       "[[1]]"},
      {"UPDATE t SET s = set_add(s, <<1, 2>>) SET u.v = SET_DELETE(u.v, <<'a'>>) WHERE pk = 'x'",
       "update t ADD s <1, 2> DELETE u.v <'a'> where eq(pk, 'x')"},
      {"UPDATE t SET s = set_add(s, ?) WHERE pk = ?", "update t ADD s <x'01'> where eq(pk, 'x')", "[<x'01'>, 'x']"},
      {"UPDATE t SET a = null WHERE pk = 'x'", "update t SET a=null where eq(pk, 'x')"},
      {"UPDATE t SET a = 1 WHERE pk = 'x' RETURNING ALL OLD *", "update t SET a=1 where eq(pk, 'x') all old"},
      {"UPDATE t SET a = 1 WHERE pk = 'x' returning modified old *", "update t SET a=1 where eq(pk, 'x') modified old"},
      {"UPDATE t SET a = 1 WHERE pk = 'x' RETURNING ALL NEW *", "update t SET a=1 where eq(pk, 'x') all new"},
      {"UPDATE t SET a = 1 WHERE pk = 'x' RETURNING MODIFIED NEW *", "update t SET a=1 where eq(pk, 'x') modified new"},
      {"UPDATE t SET a = 1", "update t SET a=1 where true"},
      {"FROM t WHERE pk = 'x' SET a = 1 REMOVE b RETURNING ALL NEW *",
       "update t SET a=1 REMOVE b where eq(pk, 'x') all new"},
      {"FROM t REMOVE b", "update t REMOVE b where true"},
  });
}

TEST(PartiqlStatement, UpdateFaults) {
  const std::string type = "Incorrect operand type for operator or function; operator or function: ";
  ExpectAll({
      {"UPDATE t SET u = set_add(s, <<'x'>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"UPDATE t SET s = set_add(<<'a'>>, <<'b'>>)",
       "The first argument to SET_ADD must equal the assignment value at 1:18:7"},
      {"UPDATE t SET s = set_add(s, 'x')", "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"UPDATE t SET s = set_add(s, ['x'])", "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"UPDATE t SET s = set_add(s, u)", "The second argument to SET_ADD must be a value with type SET at 1:26:1"},
      {"UPDATE t SET s = set_add(s)", "SET_ADD must have exactly two arguments at 1:18:7"},
      {"UPDATE t SET s = set_add(s, <<'x'>>, <<'y'>>)", "SET_ADD must have exactly two arguments at 1:18:7"},
      {"UPDATE t SET s = set_add(s, <<>>)", "Empty bags are not supported"},
      {"UPDATE t SET u = set_delete(s, <<'x'>>)",
       "The first argument to SET_DELETE must equal the assignment value at 1:18:10"},
      {"UPDATE t\nSET s = set_delete(s, 'x')",
       "The second argument to SET_DELETE must be a value with type SET at 2:20:1"},
      {"UPDATE t SET a = a + 'x'", type + "+, operand type: S"},
      {"UPDATE t SET a = 'x' - a", type + "-, operand type: S"},
      {"UPDATE t SET a = list_append(a, 'x')", type + "list_append, operand type: S"},  // assumed
      {"UPDATE t SET a = list_append(a)",
       "Incorrect number of operands for operator or function; operator or function: list_append, number of operands: "
       "1"},                                                                                        // assumed
      {"UPDATE t SET a = if_not_exists(a, 1)", "Unrecognized function: if_not_exists at 1:18:13"},  // assumed
      {"UPDATE t SET a = size(b)", "Unrecognized function: size at 1:18:4"},                        // assumed
      {"UPDATE t SET a = b * 2", "Unsupported operator in Update Expression. Operator: *"},         // assumed
      {"UPDATE t SET a = b = 2", "Unsupported operator in Update Expression. Operator: ="},         // assumed
      {"UPDATE t SET a = 1, a = 2",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path "
       "two: [a]"},  // assumed
      {"UPDATE t SET a.b = 1 REMOVE a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path "
       "two: [a, b]"},  // assumed
      {"UPDATE t SET a.b = 1 SET a[0] = 1",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [0]], "
       "path two: [a, b]"},  // assumed
      {"UPDATE t SET a.b = 1 SET a.c = 2 REMOVE ab", "update t SET a.b=1 SET a.c=2 REMOVE ab where true"},
      {"UPDATE t.i SET a = 1", "This operation is not supported on an index"},
      {"UPDATE t SET a = 1 RETURNING ALL OLD a", "Only one RETURNING element with * is supported."},  // assumed
      {"UPDATE t SET a = 1 RETURNING ALL OLD *, ALL NEW *",
       "Only one RETURNING element with * is supported."},  // assumed
  });
}

TEST(PartiqlStatement, Delete) {
  const std::string only = ". Only RETURNING ALL OLD * is allowed in DELETE statements.";
  ExpectAll({
      {"DELETE FROM t WHERE pk = 'x'", "delete t where eq(pk, 'x')"},
      {"delete from \"t\"", "delete t where true"},
      {"DELETE FROM t WHERE pk = 'x' RETURNING ALL OLD *", "delete t where eq(pk, 'x') all old"},
      {"DELETE FROM t WHERE pk = 'x' RETURNING MODIFIED OLD *",
       "Invalid returning clause: RETURNING MODIFIED OLD *" + only},
      {"DELETE FROM t WHERE pk = 'x' RETURNING ALL NEW *", "Invalid returning clause: RETURNING ALL NEW *" + only},
      {"DELETE FROM t WHERE pk = 'x' RETURNING MODIFIED NEW *",
       "Invalid returning clause: RETURNING MODIFIED NEW *" + only},
      {"DELETE FROM t.i WHERE pk = 'x'", "This operation is not supported on an index"},
  });
}

TEST(PartiqlStatement, Parameters) {
  const std::string count = "Number of parameters in request and statement don't match.";
  ExpectAll({
      {"SELECT * FROM t WHERE a = ? AND b IN [?, ?]", "select from t where and(eq(a, 1), in(b, 2, 'c'))",
       "[1, 2, 'c']"},
      {"UPDATE t SET a = ? WHERE pk = ?", "update t SET a=1 where eq(pk, 'x')", "[1, 'x']"},
      {"FROM t WHERE pk = ? SET a = ?", "update t SET a=1 where eq(pk, 'x')", "['x', 1]"},
      {"SELECT * FROM t WHERE a = '?'", "select from t where eq(a, '?')"},
      {"SELECT * FROM t WHERE a = ?", count},
      {"UPDATE t SET a = ?, b = ? WHERE pk = ?", count, "[1, 2]"},
      {"SELECT * FROM t WHERE a = ?", "select from t where eq(a, 1)", "[1, 2]"},
      {"SELECT * FROM t WHERE a = 1", "select from t where eq(a, 1)", "[1]"},
      {"SELECT * FROM ?", "Unexpected from source", "['t']"},  // assumed
  });
}

TEST(PartiqlStatement, SelectFaults) {
  ExpectAll({
      {"SELECT * FROM t u WHERE pk = 'x'", "Aliasing is not supported"},
      {"SELECT * FROM t AS u WHERE pk = 'x'", "Aliasing is not supported"},
      {"SELECT a AS b FROM t", "Aliasing is not supported"},
      {"SELECT a b FROM t", "Aliasing is not supported"},
      {"UPDATE t u SET a = 3 WHERE pk = 'x'", "Aliasing is not supported"},
      {"DELETE FROM t u WHERE pk = 'x'", "Aliasing is not supported"},
      {"SELECT a, a FROM t", "Duplicate identifiers in select clause: a"},
      {"SELECT a.z, b.z FROM t", "Duplicate identifiers in select clause: z"},
      {"SELECT a[0], b.a[0] FROM t", "Duplicate identifiers in select clause: a[0]"},
      {"SELECT attribute_exists(a) FROM t", "Unexpected path component at 1:8:16"},
      {"SELECT COUNT(*) FROM t", "Unexpected path component at 1:8:5"},  // assumed
      {"SELECT 1 FROM t", "Unexpected path component at 1:8:1"},         // assumed
      {"SELECT a.* FROM t", "Unexpected path component at 1:10:1"},      // assumed
      {"SELECT id FROM dbimp_page LIMIT 5", "Unsupported clause: LIMIT at 1:33:1"},
      {"SELECT * FROM t OFFSET 5", "Unsupported clause: OFFSET at 1:24:1"},               // assumed
      {"SELECT * FROM t GROUP BY a", "Unsupported clause: GROUP BY at 1:26:1"},           // assumed
      {"SELECT * FROM t HAVING a = 1", "Unsupported clause: HAVING at 1:26:1"},           // assumed
      {"SELECT DISTINCT a FROM t", "Unsupported clause: DISTINCT at 1:8:8"},              // assumed
      {"SELECT VALUE a FROM t", "Unsupported clause: SELECT VALUE at 1:8:5"},             // assumed
      {"SELECT * FROM t ORDER BY a NULLS FIRST", "Unsupported clause: NULLS at 1:26:1"},  // assumed
      {"SELECT * FROM t ORDER BY a.b", "Unexpected path component at 1:26:1"},            // assumed
      {"SELECT * FROM t.i.j", "A path may contain at most 2 components in the FROM clause"},
      {"SELECT * FROM \"t\".\"\"", "Path component cannot be an empty string"},
      {"SELECT * FROM a-b", "Unexpected from source"},
      {"SELECT * FROM t[0]", "Unexpected from source"},  // assumed
      {"SELECT * FROM 't'", "Unexpected from source"},   // assumed
      // Expressions that are not statements.
      {"x IS INT4", "Unsupported operation: IsType"},
      {"x IS DOUBLE PRECISION", "Unsupported operation: IsType"},
      {"x IS CHARACTER VARYING", "Unsupported operation: IsType"},
      {"x", "Unsupported operation: Id"},            // assumed
      {"EXISTS(a)", "Unsupported operation: Call"},  // assumed
  });
}

TEST(PartiqlStatement, Malformed) {
  const std::string left_over = "Unexpected token after expression";
  const std::string right_side = "Missing right-hand side expression of infix operator";
  ExpectMalformed({
      {"SELECT * FROM t WHERE pk = 1 foo", left_over},
      {"SELECT * FROM t WHERE pk = 1 e5", left_over},
      {"INSERT INTO t VALUE {'pk': 1} foo", left_over},
      {"UPDATE t SET a = 9 WHERE pk = 1 foo", left_over},
      {"DELETE FROM t WHERE pk = 1 foo", left_over},
      {"SELECT * FROM t WHERE pk = 1)", left_over},
      {"DELETE FROM t WHERE pk = 1 ORDER BY pk", left_over},
      {"SELECT * FROM t ORDER BY pk WHERE pk = 1", left_over},
      {"INSERT INTO t u VALUE {'pk': 'x'}", left_over},
      {"FROM t SET c = 1 WHERE pk = 'x'", left_over},
      {"FROM t SET c = 1 WHERE pk = 'x' SET d = 2", left_over},
      {"UPDATE t REMOVE a, b WHERE pk = 1", left_over},
      {"UPSERT INTO t VALUE {'pk': 1}", left_over},
      {"SELECT * FROM t WHERE", "Unexpected term"},
      {"SELECT * FROM t WHERE;", "Unexpected term"},
      {"SELECT * FROM t WHERE   ", "Unexpected term"},
      {"UPDATE t SET a = 1 WHERE", "Unexpected term"},
      {"DELETE FROM t WHERE", "Unexpected term"},
      {"SELECT * FROM t WHERE NOT", "Unexpected term"},
      {"SELECT * FROM t WHERE (", "Unexpected term"},
      {"SELECT * FROM t WHERE ()", "Unexpected term"},
      {"SELECT * FROM", "Unexpected term"},
      {"", "Unexpected term"},
      {" -- nothing", "Unexpected term"},
      {"SELECT * FROM t WHERE pk = 1 AND", right_side},
      {"SELECT * FROM t WHERE pk = 1 OR", right_side},
      {"SELECT * FROM t WHERE pk =", right_side},
      {"SELECT * FROM t WHERE ORDER BY pk", "Unexpected keyword"},
      {"INSERT INTO t (key, v) VALUES (?, ?)", "Unexpected keyword"},
      {"SELECT * FROM t WHERE pad = 'none'", "Unexpected keyword"},
      {"BEGIN TRANSACTION", "Unexpected keyword"},
      {"CREATE TABLE t", "Unexpected keyword"},                                // assumed
      {"SELECT * FROM t WHERE a IN (SELECT b FROM u)", "Unexpected keyword"},  // assumed
      {"SELECT * FROM t WHERE a IS FOO", "Expected type name"},
      {"SELECT * FROM t WHERE IS NULL", "Unexpected operator"},
      {"SELECT * FROM t WHERE pk = LIKE", "Unexpected operator"},
      {"SELECT * FROM t WHERE = 1", "Unexpected operator"},
      {"SELECT * FROM t WHERE a = @b", "Unexpected operator"},  // assumed
      {"DELETE FROM", "Expected identifier for simple path"},
      {"DELETE FROM   ", "Expected identifier for simple path"},
      {"DELETE FROM;", "Expected identifier for simple path"},
      {"DELETE FROM WHERE pk = 'a'", "Expected identifier for simple path"},
      {"DELETE t WHERE pk = 'a'", "Expected FROM after DELETE"},
      {"SLECT * FROM t WHERE pk = 'a'", "Expected data manipulation"},
      {"UPDATE a-b SET c = 1", "Expected data manipulation"},
      {"UPDATE t WHERE pk = 1", "Expected data manipulation"},
      {"FROM t WHERE pk = 1", "Expected data manipulation"},
      {"SELECT * FROM t WHERE attribute_exists(m.inner)", "Invalid path dot component"},
      {"UPDATE t SET m.inner = 1", "Invalid path dot component"},
      {"UPDATE t SET m.* = 1", "Invalid path dot component for simple path"},  // assumed
      {"UPDATE t SET a[b.c] = 1", "Invalid path component for simple path"},   // assumed
      {"UPDATE t SET a", "Expected '='"},                                      // assumed
      {"SELECT FROM t", "Expected identifier or an expression but found unexpected keyword 'from' in a select list."},
      {"SELECT * t", "Expected FROM after SELECT list"},  // assumed
      {"SELECT *, a FROM t",
       "Other expressions may not be present in the select list when '*' is used without dot notation."},  // assumed
      {"SELECT max(*) FROM t", "max(*) is not allowed"},                                                   // assumed
      {"SELECT a AS FROM t", "Expected identifier for AS-alias"},                                          // assumed
      {"SELECT * FROM t WHERE (a = 1", "Expected RIGHT_PAREN"},                                            // assumed
      {"SELECT * FROM t WHERE a = [1", "Expected RIGHT_BRACKET"},                                          // assumed
      {"SELECT * FROM t WHERE a = <<1", "Expected RIGHT_DOUBLE_ANGLE_BRACKET"},                            // assumed
      {"INSERT INTO t VALUE {'a': 1", "Expected RIGHT_CURLY"},                                             // assumed
      {"INSERT INTO t VALUE {'a'}", "Expected COLON"},                                                     // assumed
      {"SELECT * FROM t WHERE a BETWEEN 1", "Expected AND keyword"},                                       // assumed
      {"SELECT * FROM t WHERE a BETWEEN 1 AND", "Expected expression after AND"},                          // assumed
      {"SELECT * FROM t ORDER pk", "Expected BY"},                                                         // assumed
      {"SELECT * FROM t WHERE a = 1; SELECT * FROM t",
       "Unexpected token after semicolon. (Only one query is allowed.)"},                       // assumed
      {"SELECT * FROM t;;", "Unexpected token after semicolon. (Only one query is allowed.)"},  // assumed
      {"DELETE FROM t RETURNING OLD *",
       "Expected ( MODIFIED | ALL ) ( NEW | OLD ) in each returning element."},  // assumed
      // Lexical errors come before syntax errors.
      {"SELEC nonsense # note", ""},
      {"SELECT * FROM t WHERE pk = 1e99999999999", ""},
      {"SELECT * FROM t WHERE pk = 1 /* note", ""},
  });
}

TEST(PartiqlStatement, BoundsDepth) {
  const std::string deep = "Expression nests too deeply";  // assumed
  ExpectMalformed({
      {"SELECT * FROM t WHERE " + Repeat("(", 4000), deep},
      {"SELECT * FROM t WHERE " + Repeat("NOT ", 2000) + "a = 1", deep},
      {"SELECT * FROM t WHERE a = " + Repeat("- ", 4000) + "1", deep},
      {"SELECT * FROM t WHERE a = " + Repeat("[", 4000), deep},
      {"SELECT * FROM t WHERE a = " + Repeat("{'a':", 1500), deep},
      {"SELECT * FROM t WHERE " + Repeat("f(", 3000), deep},
      {"SELECT * FROM t WHERE " + Repeat("a[", 3000), deep},
      {"UPDATE t SET a = 1" + Repeat("+1", 4000), deep},
      {Repeat("FROM ", 1500), deep},
  });
  EXPECT_EQ(Parse("SELECT * FROM t WHERE " + Repeat("(", 90) + "a = 1" + Repeat(")", 90)),
            "select from t where eq(a, 1)");
  // A long chain is not a deep one.
  EXPECT_EQ(Parse("SELECT * FROM t WHERE a=1" + Repeat(" OR a=1", 1000)),
            "select from t where or(eq(a, 1)" + Repeat(", eq(a, 1)", 1000) + ")");
}

TEST(PartiqlStatement, Rows) {
  const Item item = expr::ValueNotation::ReadItem("{pk='p', m={k=[1, 'two', {z=3}], z='last'}, l=[7, 8]}");
  for (const auto& [columns, row] : std::initializer_list<std::pair<std::string, std::string>>{
           {"pk", "{pk='p'}"},
           {"m.k[1], l[0], m.z", "{k[1]='two', l[0]=7, z='last'}"},
           {"m.k[2].z", "{z=3}"},
           {"nope, m.none, l[9], pk.x", "{}"},
           {"\"m.z\"", "{}"},
       }) {
    const auto statement = ParseStatement("SELECT " + columns + " FROM t", {});
    ASSERT_TRUE(statement.ok()) << columns;
    const Item selected = SelectRow(std::get<Select>(*statement).projection, item);
    EXPECT_EQ(expr::ValueNotation::Print(selected.view()), row) << columns;
  }
}

TEST(PartiqlStatement, NestedColumnsAreLimited) {
  EXPECT_TRUE(ParseStatement("SELECT a, a.b, a.b.c, a.b.c.d, a.x, a.b.y, a.b.c.z, q FROM t", {}).ok());
  const auto nested = ParseStatement("SELECT a.b.c.d.e, a.b.c.d, a.b.c, q, a.b, a FROM t", {});
  ASSERT_FALSE(nested.ok());
  EXPECT_EQ(nested.error().rule(), "expression-paths-overlap");
}

}  // namespace
}  // namespace keyfold::partiql
