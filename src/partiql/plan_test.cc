// Plans statements against keys. Rows whose outcome was never observed in DynamoDB are marked "assumed".
#include "partiql/plan.h"

#include <gtest/gtest.h>

#include "testing/partiql/statement_notation.h"

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

// "query | query ? filter", with a filter after the last query that has it; "down" first if the sort keys descend; or
// "scan ? filter".
std::string Plan(const std::string& rest, const KeySchema& key) {
  const Result<SelectPlan> plan = PlanSelect(ReadSelect(rest), key);
  if (!plan.ok()) return plan.error().message();
  std::string out = plan->forward ? "" : "down ";
  const auto filter = [&](size_t which) {
    const expr::Condition& tested = plan->filters[which];
    return tested.op == expr::Condition::Op::kTrue ? "" : " ? " + Print(tested);
  };
  if (plan->queries.empty()) return out + "scan" + filter(0);
  for (size_t i = 0; i < plan->queries.size(); ++i) {
    const PlannedQuery& query = plan->queries[i];
    out += (i > 0 ? " | " : "") + Print(query.key);
    if (i + 1 == plan->queries.size() || plan->queries[i + 1].filter != query.filter) out += filter(query.filter);
  }
  return out;
}

struct PlanRow {
  std::string rest, plan;
};

void ExpectPlans(const std::vector<PlanRow>& rows, const KeySchema& key) {
  for (const PlanRow& row : rows) EXPECT_EQ(Plan(row.rest, key), row.plan) << row.rest;
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
          // Conditions that are not ranges of sort keys.
          {"WHERE pk = 'a' AND sk <> 'b'", "pk='a' ? ne(sk, 'b')"},
          {"WHERE pk = 'a' AND NOT sk = 'b'", "pk='a' ? not(eq(sk, 'b'))"},
          {"WHERE pk = 'a' AND sk = 'b' AND sk > 'a'", "pk='a' sk='b' ? gt(sk, 'a')"},
          {"WHERE pk = 'a' AND sk > 'a' AND sk = 'b'", "pk='a' sk='b' ? gt(sk, 'a')"},
          {"WHERE pk = 'a' AND sk = 'b' AND sk = 'b'", "pk='a' sk='b'"},
          {"WHERE pk = 'a' AND sk = 'b' AND sk = 'c'", "pk='a' sk='b' ? and(eq(pk, 'a'), eq(sk, 'b'), eq(sk, 'c'))"},
          {"WHERE pk = 'a' AND pk = 'a'", "pk='a'"},
          {"WHERE pk = 'a' AND sk = c", "pk='a' ? eq(sk, c)"},
          {"WHERE pk = 'a' AND sk.x = 'b'", "pk='a' ? eq(sk.x, 'b')"},
          {"WHERE pk = 'a' AND 'b' BETWEEN sk AND c", "pk='a' ? between('b', sk, c)"},
          {"WHERE pk = 'a' AND begins_with('b', sk)", "pk='a' ? begins('b', sk)"},
          {"WHERE pk = 'a' AND contains(sk, 'b')", "pk='a' ? contains(sk, 'b')"},
          {"WHERE pk = 'a' AND pk = 'b'", "scan ? and(eq(pk, 'a'), eq(pk, 'b'))"},
          {"WHERE pk = 'a' AND (c = 1 OR d = 2)", "pk='a' ? or(eq(c, 1), eq(d, 2))"},
          {"WHERE pk = 'a' AND attribute_exists(pk)", "pk='a' ? exists(pk)"},
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
          {"WHERE pk IN ['b', 'a'] AND sk > 'c' AND d = 1", "pk='b' sk>'c' | pk='a' sk>'c' ? eq(d, 1)"},
          {"WHERE pk IN ['b', c]", "scan ? in(pk, 'b', c)"},
          {"WHERE pk IN []", "scan ? in(pk)"},
          {"WHERE pk = 'b' OR pk = 'a'", "pk='b' | pk='a'"},
          {"WHERE (pk = 'b' OR pk IN ['a']) AND sk = 'c'", "pk='b' sk='c' | pk='a' sk='c'"},
          {"WHERE pk = 'b' OR c = 1", "scan ? or(eq(pk, 'b'), eq(c, 1))"},
          {"WHERE pk = 'b' AND sk = '1' OR pk = 'a'", "pk='b' sk='1' | pk='a'"},
          {"WHERE pk = 'b' AND c = 1 OR pk = 'a' AND c = 2", "pk='b' ? eq(c, 1) | pk='a' ? eq(c, 2)"},
          {"WHERE pk = 'a' AND sk = '2' OR pk = 'a' AND sk = '1'", "pk='a' sk='1' | pk='a' sk='2'"},
          {"WHERE pk = 'a' AND (sk = '2' OR sk = '1')", "pk='a' sk='1' | pk='a' sk='2'"},
          {"WHERE pk = 'a' AND (sk < '1' OR sk > '1' OR sk = '1')", "pk='a' sk<'1' | pk='a' sk='1' | pk='a' sk>'1'"},
          {"WHERE pk = 'a' AND sk IN ['b']", "pk='a' sk='b'"},
          {"WHERE pk IN ['b', 'a'] AND sk IN ['2', '1'] AND c = 1",
           "pk='b' sk='1' | pk='b' sk='2' | pk='a' sk='1' | pk='a' sk='2' ? eq(c, 1)"},
          {"WHERE pk = 'a' AND sk > '0' AND sk IN ['1']", "pk='a' sk='1' ? gt(sk, '0')"},
          {"WHERE pk = 'a' AND sk = '1' AND sk IN ['1', '2']", "pk='a' sk='1'"},
          {"WHERE pk = 'a' AND (pk = 'b' OR c = 1)", "scan ? and(eq(pk, 'a'), or(eq(pk, 'b'), eq(c, 1)))"},
      },
      Composite());
  const std::string overlapping = "Overlapping conditions with range keys are not supported in where clause";
  const auto either = [](const std::string& left) { return "WHERE " + left + " OR pk = 'a' AND sk = '2'"; };
  ExpectPlans(
      {
          {either("pk = 'a' AND x = '1'"), overlapping},
          {either("pk = 'a' AND x <> '1'"), overlapping},
          {"WHERE pk IN ['a', 'a']", overlapping},
          {"WHERE pk = 'a' OR pk = 'a'", overlapping},
          {"WHERE pk = 'a' AND (sk > '0' OR sk < '5')", overlapping},
          {"WHERE pk = 'a' AND (sk = '1' OR c = 1)", overlapping},
          {"WHERE pk = 'a' AND c = 1 OR pk = 'a' AND c = 2", overlapping},
          {either("pk = 'a'"), overlapping},  // assumed, as are those below
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
  // A condition on the sort key that is not a range is allowed, and one query reads the partition.
  for (const std::string other : {"NOT sk = '1'", "sk <> '1'", "NOT begins_with(sk, 'x')", "NOT sk IN ['1', '3']",
                                  "NOT sk > '5'", "NOT (sk = '1')"}) {
    const Result<SelectPlan> plan = PlanSelect(ReadSelect(either("pk = 'a' AND " + other)), Composite());
    ASSERT_TRUE(plan.ok()) << other;
    ASSERT_EQ(plan->queries.size(), 1u) << other;
    EXPECT_EQ(Print(plan->queries[0].key), "pk='a'") << other;
    EXPECT_EQ(plan->filters[0].op, expr::Condition::Op::kOr) << other;
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
           "down pk='a' sk='2' | pk='a' sk='1'"},
          {"ORDER BY sk", "Must have WHERE clause in the statement when using ORDER BY clause."},
          {"WHERE pk = 'o' ORDER BY Total DESC", "Attribute Total in ORDER BY clause must be part of the primary key"},
          {"WHERE pk > 'a' ORDER BY sk",
           "Must have at least one non-optional hash key condition in WHERE clause when using ORDER BY clause."},
          {"WHERE pk IN ['o', 'p'] ORDER BY sk DESC",
           "Must have hash key in ORDER BY clause when more than one hash key condition specified in WHERE clause."},
      },
      Composite());
  ExpectPlans({{"WHERE pk IN [3, 1, 20] ORDER BY pk DESC", "pk=20 | pk=3 | pk=1"}}, Simple());
}

TEST(PartiqlPlan, SelectFaults) {
  const std::string type = "Key attribute's data type should match its data type in table's schema: Key ";
  ExpectPlans(
      {
          {"WHERE pk = 1", type + "pk"},
          {"WHERE pk IN ['a', 1]", type + "pk"},  // assumed
          {"WHERE pk = 1 OR pk = 'a'", type + "pk"},
          {"WHERE pk = 'a' AND sk IN ['1', 2]", type + "sk"},
          {"WHERE pk > 1", "scan ? gt(pk, 1)"},
          {"WHERE pk = 'a' AND sk = 1", type + "sk"},              // assumed
          {"WHERE pk = 'a' AND sk BETWEEN 1 AND 2", type + "sk"},  // assumed
          {"WHERE sk = 1", "scan ? eq(sk, 1)"},                    // assumed
      },
      Composite());
  const auto list = [](int count) {
    std::string values = "[0";
    for (int i = 1; i < count; ++i) values += "," + std::to_string(i);
    return values + "]";
  };
  const KeySchema numbers{{{"pk", Type::kN}}, {{"sk", Type::kN}}};
  const std::string too_many = "Too many decomposed read operations for a given query.";
  EXPECT_EQ(PlanSelect(ReadSelect("WHERE pk IN " + list(50) + " AND c IN " + list(100)), numbers)->queries.size(), 50u);
  EXPECT_EQ(Plan("WHERE pk IN " + list(51), numbers), too_many);
  EXPECT_EQ(Plan("WHERE pk = 1 AND sk IN " + list(51), numbers), too_many);
  EXPECT_EQ(Plan("WHERE pk IN " + list(26) + " AND sk IN [1, 2]", numbers), too_many);
  EXPECT_EQ(PlanSelect(ReadSelect("WHERE pk IN " + list(51) + " OR c = 1"), numbers)->queries.size(), 0u);
  // The branches are counted without being expanded, however many there are.
  std::string ways = "WHERE pk = 1";
  for (int i = 0; i < 100; ++i) ways += " AND (sk = 1 OR sk = 2)";
  EXPECT_EQ(Plan(ways, numbers), too_many);
  const std::string several =
      "PartiQL statements cannot be executed on tables with multi-attribute HASH keys or multi-attribute RANGE keys.";
  const KeySchema two_hash{{{"h1", Type::kS}, {"h2", Type::kS}}, {{"r1", Type::kS}}};
  const KeySchema two_range{{{"h1", Type::kS}}, {{"r1", Type::kS}, {"r2", Type::kS}}};
  EXPECT_EQ(Plan("WHERE h1 = 5", two_hash), several);
  EXPECT_EQ(Plan("ORDER BY x", two_range), several);
}

std::string PrintWrite(const Result<KeyedWrite>& write) {
  if (!write.ok()) return write.error().message();
  return expr::ValueNotation::Print(write->key.view()) + (write->condition ? " ? " + Print(*write->condition) : "");
}

TEST(PartiqlPlan, Write) {
  const std::string incomplete = "Where clause does not contain a mandatory equality on all key attributes";
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE pk = 'a' AND sk = 'b'", "{pk='a', sk='b'}"},
           {"WHERE 'b' = sk AND pk = 'a'", "{pk='a', sk='b'}"},
           {"WHERE pk = 'a' AND c = 1 AND (sk = 'b' AND d = 2)", "{pk='a', sk='b'} ? and(eq(c, 1), eq(d, 2))"},
           {"WHERE pk = 'a' AND sk = 'b' AND NOT begins_with(c, 'x')", "{pk='a', sk='b'} ? not(begins(c, 'x'))"},
           {"WHERE pk = 'a' AND sk = 'b' AND pk = 'c'",
            "Multiple conditions on same key pk. Only single item Update/Insert/Delete are supported"},
           {"WHERE pk = 'a' AND sk = 'b' AND pk = 'a'", "{pk='a', sk='b'}"},
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
    EXPECT_EQ(PrintWrite(PlanWrite(ReadSelect(rest).where, Composite(), StatementUse::kStatement)), planned) << rest;
  }
  // A transaction's key is checked where it is used.
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE pk = 'a' AND sk = 'b'", "{pk='a', sk='b'}"},
           {"WHERE pk = 'a' AND sk > 'b'", "{pk='a'} ? gt(sk, 'b')"},
           {"", "{}"},
           {"WHERE pk = 1 AND sk = 'b'", "{pk=1, sk='b'}"},
       }) {
    EXPECT_EQ(PrintWrite(PlanWrite(ReadSelect(rest).where, Composite(), StatementUse::kTransaction)), planned) << rest;
  }
}

TEST(PartiqlPlan, Exists) {
  const std::string form = "EXISTS() must contain a single item read with additional condition";
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE pk = 'a' AND sk = 'b' AND c IS MISSING", "{pk='a', sk='b'} ? not_exists(c)"},
           {"WHERE pk = 'a' AND sk = 'b' AND pk = 'c'", "{pk='a', sk='b'} ? eq(pk, 'c')"},
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
  const std::string overlapping = "Overlapping conditions with range keys are not supported in where clause";
  const auto outcome = [](const std::string& rest, StatementUse use) {
    const Result<Item> key = PlanRead(ReadSelect(rest), Composite(), use);
    return key.ok() ? expr::ValueNotation::Print(key->view()) : key.error().message();
  };
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE sk = 'b' AND pk = 'a'", "{pk='a', sk='b'}"},
           {"WHERE (sk = 'b') AND pk = 'a' AND pk = 'a'", "{pk='a', sk='b'}"},
           {"WHERE pk IN ['a'] AND sk IN ['b']", "{pk='a', sk='b'}"},
           {"WHERE pk IN ['a'] AND pk = 'a' AND sk = 'b'", "{pk='a', sk='b'}"},
           {"WHERE pk IN ['c'] AND pk = 'a' AND sk = 'b'", form},
           {"WHERE pk = 'a' AND sk = 'b' AND pk = 'c'", form},
           {"WHERE pk IN ['a', 'c'] AND sk = 'b'", form},
           {"WHERE pk IN ['a', 'a'] AND sk = 'b'", overlapping},
           {"WHERE pk = 'a' AND sk = 'b' AND attribute_exists(c)", form},
           {"WHERE pk = 'a' AND sk > 'b'", form},
           {"WHERE pk = 'a'", form},
           {"", form},
           {".i WHERE pk = 'a' AND sk = 'b'", form},
           {"WHERE pk = 1 AND sk = 'b'",
            "Key attribute's data type should match its data type in table's schema: Key pk"},  // assumed
       }) {
    EXPECT_EQ(outcome(rest, StatementUse::kBatch), planned) << rest;
  }
  for (const auto& [rest, planned] : std::initializer_list<std::pair<std::string, std::string>>{
           {"WHERE pk = 'a'",
            "Select statements within ExecuteTransaction must specify the primary key in the where clause."},
           {".i WHERE pk = 'a' AND sk = 'b'", "Reads on indices are not supported within transactions."},
           {"WHERE pk = 1 AND sk = 'b'", "{pk=1, sk='b'}"},
           {"WHERE pk = 'a' AND sk IN ['b', 1]",
            "Select statements within ExecuteTransaction must specify the primary key in the where clause."},
       }) {
    EXPECT_EQ(outcome(rest, StatementUse::kTransaction), planned) << rest;
  }
}

}  // namespace
}  // namespace keyfold::partiql
