// Statements against keys. Rows whose outcome was never seen from DynamoDB say "assumed".
#include "partiql/plan.h"

#include <gtest/gtest.h>

#include "partiql/statement_notation_for_test.h"

namespace keyfold::partiql {
namespace {

const KeySchema& Composite() {
  static const KeySchema key{{{"pk", Type::kS}}, {{"sk", Type::kS}}};
  return key;
}

const KeySchema& Simple() {
  static const KeySchema key{{{"pk", Type::kN}}, {}};
  return key;
}

Select ReadSelect(const std::string& rest) {
  Result<Statement> statement = ParseStatement("SELECT * FROM t " + rest, {});
  CHECK(statement.ok());
  return std::get<Select>(*std::move(statement));
}

// "query | query ? filter", "down" in front where the sort keys descend; "scan ? filter".
std::string Plan(const std::string& rest, const KeySchema& key) {
  const Result<SelectPlan> plan = PlanSelect(ReadSelect(rest), key);
  if (!plan.ok()) return plan.error().message();
  std::string out = plan->forward ? "" : "down ";
  for (size_t i = 0; i < plan->queries.size(); ++i) out += (i > 0 ? " | " : "") + Print(plan->queries[i]);
  if (plan->queries.empty()) out += "scan";
  return out + (plan->filter.op == Condition::Op::kTrue ? "" : " ? " + Print(plan->filter));
}

struct Row {
  std::string rest, plan;
};

void ExpectPlans(const std::vector<Row>& rows, const KeySchema& key) {
  for (const Row& row : rows) EXPECT_EQ(Plan(row.rest, key), row.plan) << row.rest;
}

TEST(PartiqlPlan, Select) {
  ExpectPlans(
      {
          {"", "scan"},
          {"WHERE a = 1", "scan ? eq(a, 1)"},
          {"WHERE pk > 'a'", "scan ? gt(pk, 'a')"},
          {"WHERE sk = 'a'", "scan ? eq(sk, 'a')"},
          {"WHERE pk = 'a'", "pk='a'"},
          {"WHERE 'a' = pk", "pk='a'"},
          {"WHERE pk = 'a' AND sk = 'b'", "pk='a' sk='b'"},
          {"WHERE sk = 'b' AND pk = 'a' AND c = 1", "pk='a' sk='b' ? eq(c, 1)"},
          {"WHERE pk = 'a' AND (sk = 'b' AND (c = 1 AND d = 2))", "pk='a' sk='b' ? and(eq(c, 1), eq(d, 2))"},
          {"WHERE pk = 'a' AND sk < 'b'", "pk='a' sk<'b'"},
          {"WHERE pk = 'a' AND sk <= 'b'", "pk='a' sk<='b'"},
          {"WHERE pk = 'a' AND 'b' < sk", "pk='a' sk>'b'"},
          {"WHERE pk = 'a' AND 'b' <= sk", "pk='a' sk>='b'"},
          {"WHERE pk = 'a' AND 'b' > sk", "pk='a' sk<'b'"},
          {"WHERE pk = 'a' AND 'b' >= sk", "pk='a' sk<='b'"},
          {"WHERE pk = 'a' AND sk BETWEEN 'b' AND 'c'", "pk='a' skbetween'b'..'c'"},
          {"WHERE pk = 'a' AND begins_with(sk, 'b')", "pk='a' skbegins'b'"},
          {"WHERE pk = 'a' AND sk > 'b' AND sk < 'd'", "pk='a' sk>'b' ? lt(sk, 'd')"},
          // Not ranges of sort keys.
          {"WHERE pk = 'a' AND sk <> 'b'", "pk='a' ? ne(sk, 'b')"},
          {"WHERE pk = 'a' AND NOT sk = 'b'", "pk='a' ? not(eq(sk, 'b'))"},
          {"WHERE pk = 'a' AND sk IN ['b']", "pk='a' ? in(sk, 'b')"},
          {"WHERE pk = 'a' AND sk = c", "pk='a' ? eq(sk, c)"},
          {"WHERE pk = 'a' AND sk.x = 'b'", "pk='a' ? eq(sk.x, 'b')"},
          {"WHERE pk = 'a' AND 'b' BETWEEN sk AND c", "pk='a' ? between('b', sk, c)"},
          {"WHERE pk = 'a' AND begins_with('b', sk)", "pk='a' ? begins('b', sk)"},
          {"WHERE pk = 'a' AND contains(sk, 'b')", "pk='a' ? contains(sk, 'b')"},
          {"WHERE pk = 'a' AND pk = 'b'", "pk='a' ? eq(pk, 'b')"},
          {"WHERE NOT pk = 'a'", "scan ? not(eq(pk, 'a'))"},
          {"WHERE pk.x = 'a'", "scan ? eq(pk.x, 'a')"},
          {"WHERE pk = a", "scan ? eq(pk, a)"},
      },
      Composite());
  ExpectPlans({{"WHERE pk = 1 AND sk = 2", "pk=1 ? eq(sk, 2)"}, {"WHERE pk IN [3, 1]", "pk=3 | pk=1"}}, Simple());
}

TEST(PartiqlPlan, SelectOfSeveralPartitions) {
  ExpectPlans(
      {
          {"WHERE pk IN ['b', 'a']", "pk='b' | pk='a'"},
          {"WHERE pk IN ['b', 'a', 'b']", "pk='b' | pk='a'"},
          {"WHERE pk IN ['b', 'a'] AND sk > 'c' AND d = 1", "pk='b' sk>'c' | pk='a' sk>'c' ? eq(d, 1)"},
          {"WHERE pk IN ['b', c]", "scan ? in(pk, 'b', c)"},
          {"WHERE pk IN []", "scan ? in(pk)"},
          {"WHERE pk = 'b' OR pk = 'a'", "pk='b' | pk='a'"},
          {"WHERE (pk = 'b' OR pk IN ['a']) AND sk = 'c'", "pk='b' sk='c' | pk='a' sk='c'"},
          {"WHERE pk = 'b' OR c = 1", "scan ? or(eq(pk, 'b'), eq(c, 1))"},
          {"WHERE pk = 'b' AND sk = '1' OR pk = 'a'",
           "pk='b' sk='1' | pk='a' ? or(and(eq(pk, 'b'), eq(sk, '1')), eq(pk, 'a'))"},
          {"WHERE pk = 'a' AND c = 1 OR pk = 'a' AND c = 2",
           "pk='a' ? or(and(eq(pk, 'a'), eq(c, 1)), and(eq(pk, 'a'), eq(c, 2)))"},
          {"WHERE pk = 'a' AND sk = '2' OR pk = 'a' AND sk = '1'",
           "pk='a' sk='1' | pk='a' sk='2' ? or(and(eq(pk, 'a'), eq(sk, '2')), and(eq(pk, 'a'), eq(sk, '1')))"},
      },
      Composite());
  const std::string overlapping = "Overlapping conditions with range keys are not supported in where clause";
  const auto either = [](const std::string& left) { return "WHERE " + left + " OR pk = 'a' AND sk = '2'"; };
  ExpectPlans(
      {
          {either("pk = 'a' AND x = '1'"), overlapping},
          {either("pk = 'a' AND x <> '1'"), overlapping},
          {either("pk = 'a'"), overlapping},  // assumed, as are these
          {either("pk = 'a' AND sk = '2' AND x = 1"), overlapping},
          {either("pk = 'a' AND sk >= '2'"), overlapping},
          {either("pk = 'a' AND sk <= '2'"), overlapping},
          {either("pk = 'a' AND sk BETWEEN '1' AND '2'"), overlapping},
          {either("pk = 'a' AND begins_with(sk, '2')"), overlapping},
          {either("pk = 'a' AND begins_with(sk, '')"), overlapping},
      },
      Composite());
  for (const std::string apart : {"sk < '2'", "sk > '2'", "sk = '1'", "begins_with(sk, '1')", "begins_with(sk, '3')",
                                  "sk BETWEEN '21' AND '22'"}) {
    const Result<SelectPlan> plan = PlanSelect(ReadSelect(either("pk = 'a' AND " + apart)), Composite());
    ASSERT_TRUE(plan.ok()) << apart;
    EXPECT_EQ(plan->queries.size(), 2u) << apart;
  }
  // A condition on the sort key that is no range is let through, and one query reads the partition.
  for (const std::string other : {"NOT sk = '1'", "sk <> '1'", "NOT begins_with(sk, 'x')", "NOT sk IN ['1', '3']",
                                  "NOT sk > '5'", "NOT (sk = '1')"}) {
    const Result<SelectPlan> plan = PlanSelect(ReadSelect(either("pk = 'a' AND " + other)), Composite());
    ASSERT_TRUE(plan.ok()) << other;
    ASSERT_EQ(plan->queries.size(), 1u) << other;
    EXPECT_EQ(Print(plan->queries[0]), "pk='a'") << other;
    EXPECT_NE(plan->filter.op, Condition::Op::kTrue) << other;
  }
  EXPECT_EQ(Plan("WHERE pk = 'a' OR pk = 'a' AND NOT sk = '1'", Composite()),
            "pk='a' ? or(eq(pk, 'a'), and(eq(pk, 'a'), not(eq(sk, '1'))))");
}

TEST(PartiqlPlan, Order) {
  ExpectPlans(
      {
          {"WHERE pk = 'o' ORDER BY sk", "pk='o'"},
          {"WHERE pk = 'o' ORDER BY sk ASC", "pk='o'"},
          {"WHERE pk = 'o' ORDER BY sk DESC", "down pk='o'"},
          {"WHERE pk = 'o' ORDER BY pk ASC", "down pk='o'"},
          {"WHERE pk = 'o' ORDER BY pk DESC, sk", "pk='o'"},
          {"WHERE pk IN ['o', 'p'] ORDER BY pk DESC, sk ASC", "pk='p' | pk='o'"},
          {"WHERE pk IN ['p', 'o'] ORDER BY pk, sk DESC", "down pk='o' | pk='p'"},
          {"WHERE pk IN ['p', 'o'] ORDER BY pk", "down pk='o' | pk='p'"},
          {"WHERE pk = 'a' AND sk = '1' OR pk = 'a' AND sk = '2' ORDER BY sk DESC",
           "down pk='a' sk='2' | pk='a' sk='1' ? or(and(eq(pk, 'a'), eq(sk, '1')), and(eq(pk, 'a'), eq(sk, '2')))"},
          {"ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."},
          {"WHERE pk = 'o' ORDER BY Total DESC", "Attribute Total in ORDER BY clause must be part of the primary key"},
          {"WHERE pk > 'a' ORDER BY sk",
           "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."},
          {"WHERE pk IN ['o', 'p'] ORDER BY sk DESC",
           "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."},
          {"WHERE pk IN ['o', 'o'] ORDER BY sk DESC", "down pk='o'"},  // assumed
      },
      Composite());
  ExpectPlans({{"WHERE pk IN [3, 1, 20] ORDER BY pk DESC", "pk=20 | pk=3 | pk=1"}}, Simple());
}

TEST(PartiqlPlan, SelectFaults) {
  const std::string type = "Key attribute's data type should match its data type in table's schema: Key ";
  ExpectPlans(
      {
          {"WHERE pk = 1", type + "pk"},
          {"WHERE pk IN ['a', 1]", type + "pk"},                   // assumed
          {"WHERE pk = 'a' AND sk = 1", type + "sk"},              // assumed
          {"WHERE pk = 'a' AND sk BETWEEN 1 AND 2", type + "sk"},  // assumed
          {"WHERE sk = 1", "scan ? eq(sk, 1)"},                    // assumed
      },
      Composite());
  std::string many = "WHERE pk IN [0";
  for (int i = 1; i < 50; ++i) many += "," + std::to_string(i);
  EXPECT_EQ(PlanSelect(ReadSelect(many + "]"), Simple())->queries.size(), 50u);
  EXPECT_EQ(Plan(many + ",50]", Simple()),
            "The IN operator is provided with too many operands; number of operands: 52");  // assumed
  const std::string several =
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.";
  const KeySchema two_hash{{{"h1", Type::kS}, {"h2", Type::kS}}, {{"r1", Type::kS}}};
  const KeySchema two_range{{{"h1", Type::kS}}, {{"r1", Type::kS}, {"r2", Type::kS}}};
  EXPECT_EQ(Plan("WHERE h1 = 5", two_hash), several);
  EXPECT_EQ(Plan("ORDER BY x", two_range), several);
}

std::string PrintWrite(const Result<KeyedWrite>& write) {
  if (!write.ok()) return write.error().message();
  return ValueNotation::Print(write->key.view()) + (write->condition ? " ? " + Print(*write->condition) : "");
}

TEST(PartiqlPlan, Write) {
  const std::string incomplete = "Where clause does not contain a mandatory equality on all key attributes";
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE pk = 'a' AND sk = 'b'", "{pk='a', sk='b'}"},
           {"WHERE 'b' = sk AND pk = 'a'", "{pk='a', sk='b'}"},
           {"WHERE pk = 'a' AND c = 1 AND (sk = 'b' AND d = 2)", "{pk='a', sk='b'} ? and(eq(c, 1), eq(d, 2))"},
           {"WHERE pk = 'a' AND sk = 'b' AND NOT begins_with(c, 'x')", "{pk='a', sk='b'} ? not(begins(c, 'x'))"},
           {"WHERE pk = 'a' AND sk = 'b' AND pk = 'c'", "{pk='a', sk='b'} ? eq(pk, 'c')"},  // assumed
           {"", incomplete},
           {"WHERE c = 1", incomplete},
           {"WHERE pk = 'a'", incomplete},
           {"WHERE pk = 'a' AND sk > 'b'", incomplete},
           {"WHERE pk IN ['a'] AND sk = 'b'", incomplete},
           {"WHERE pk = 'a' AND sk = 'b' OR c = 1", incomplete},
           {"WHERE NOT (pk = 'a' AND sk = 'b')", incomplete},
           {"WHERE pk = 1 AND sk = 'b'",
            "Key attribute's data type should match its data type in table's schema: Key pk"},  // assumed
       }) {
    EXPECT_EQ(PrintWrite(PlanWrite(ReadSelect(rest).where, Composite())), planned) << rest;
  }
}

TEST(PartiqlPlan, Exists) {
  const std::string form = "EXISTS() must contain a single item read with additional condition";
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE pk = 'a' AND sk = 'b' AND c IS MISSING", "{pk='a', sk='b'} ? not_exists(c)"},
           {"WHERE pk = 'a' AND sk = 'b'", form},
           {"WHERE pk = 'a' AND c = 1", form},
           {"WHERE pk IN ['a'] AND sk = 'b' AND c = 1", form},
           {"", form},
       }) {
    EXPECT_EQ(PrintWrite(PlanExists(ReadSelect(rest), Composite())), planned) << rest;
  }
  EXPECT_EQ(PrintWrite(PlanExists(ReadSelect(".i WHERE pk = 'a' AND sk = 'b' AND c = 1"), Composite())), form);
}

TEST(PartiqlPlan, Read) {
  const std::string form =
      "Select statements within BatchExecuteStatement must specify the primary key in the where clause.";
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE sk = 'b' AND pk = 'a'", "{pk='a', sk='b'}"},
           {"WHERE pk = 'a' AND sk = 'b' AND attribute_exists(c)", form},
           {"WHERE pk = 'a'", form},
           {"", form},
           {".i WHERE pk = 'a' AND sk = 'b'", form},
       }) {
    const Result<Item> key = PlanRead(ReadSelect(rest), Composite(), "BatchExecuteStatement");
    EXPECT_EQ(key.ok() ? ValueNotation::Print(key->view()) : key.error().message(), planned) << rest;
  }
}

}  // namespace
}  // namespace keyfold::partiql
