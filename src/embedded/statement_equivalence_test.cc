// Runs random PartiQL statements and the equivalent API requests, each on its own engine: the rows, the images, the
// pages and the final data must be the same.
//   KEYFOLD_SEED   repeats a run
#include <gtest/gtest.h>
#include <stdlib.h>

#include <string>

#include "base/random.h"
#include "testing/embedded/test_engine.h"

namespace keyfold::embedded {
namespace {

constexpr int kStatements = 3'000;
constexpr uint64_t kPartitions = 4, kSorts = 8;

uint64_t Seed() {
  const char* text = getenv("KEYFOLD_SEED");
  return text == nullptr ? Random::SeedFromSystem() : strtoull(text, nullptr, 10);
}

// Returns the JSON array, object or string that starts at `begin`. Strings in this test contain no quotes, brackets or
// braces.
std::string JsonAt(const std::string& text, size_t begin) {
  if (text[begin] == '"') return text.substr(begin, text.find('"', begin + 1) + 1 - begin);
  size_t end = begin;
  for (int open = 0; end == begin || open > 0; ++end) {
    open += text[end] == '[' || text[end] == '{' ? 1 : 0;
    open -= text[end] == ']' || text[end] == '}' ? 1 : 0;
  }
  return text.substr(begin, end - begin);
}

// The value of a member of the response; empty if it has none.
std::string MemberOf(const std::string& answer, const std::string& name) {
  const std::string key = "\"" + name + "\":";
  const size_t at = answer.find(key);
  return at == std::string::npos ? "" : JsonAt(answer, at + key.size());
}

// The same text twice: with ? and with :values.
struct Twice {
  std::string statement, expression;
};

class StatementEquivalence : public testing::Test {
 protected:
  void SetUp() override {
    for (TestEngine* engine : {&statements_, &requests_}) {
      engine->Open({}, 1);
      const std::string made =
          Run(*engine, "CreateTable",
              R"({"TableName":"things","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk",)"
              R"("AttributeType":"S"},{"AttributeName":"sk","AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk",)"
              R"("KeyType":"HASH"},{"AttributeName":"sk","KeyType":"RANGE"}]})");
      ASSERT_FALSE(IsError(made)) << made;
    }
  }

  static std::string Run(TestEngine& engine, std::string_view operation, const std::string& body) {
    return engine.Run(*ops::FindOperation(operation), body);
  }
  std::string RunStatement(const std::string& text, const std::string& rest = "") {
    std::string body = R"({"Statement":")" + text + "\"" + rest;
    if (!parameters_.empty()) body += ",\"Parameters\":[" + parameters_ + "]";
    return Run(statements_, "ExecuteStatement", body + "}");
  }
  std::string RunRequest(std::string_view operation, const std::string& rest) {
    std::string body = R"({"TableName":"things")" + rest;
    if (!values_.empty()) body += ",\"ExpressionAttributeValues\":{" + values_ + "}";
    return Run(requests_, operation, body + "}");
  }

  uint64_t Below(uint64_t bound) { return random_.Below(bound); }
  std::string Number() { return R"({"N":")" + std::to_string(Below(9)) + "\"}"; }
  std::string Text() { return R"({"S":")" + std::string(1 + Below(2), static_cast<char>('a' + Below(3))) + "\"}"; }
  std::string Partition() { return R"({"S":"p)" + std::to_string(Below(kPartitions)) + "\"}"; }
  std::string Sort() { return R"({"N":")" + std::to_string(Below(kSorts)) + "\"}"; }

  void Forget() { parameters_.clear(), values_.clear(), count_ = 0; }
  void AddParameter(const std::string& value) { parameters_ += (parameters_.empty() ? "" : ",") + value; }
  std::string AddValue(const std::string& value) {
    const std::string name = ":v" + std::to_string(count_++);
    values_ += (values_.empty() ? "\"" : ",\"") + name + "\":" + value;
    AddParameter(value);
    return name;
  }
  Twice Value(const std::string& value) { return {"?", AddValue(value)}; }

  Twice Joined(const Twice& left, const std::string& sign, const Twice& right) {
    return {left.statement + sign + right.statement, left.expression + sign + right.expression};
  }
  Twice Around(const std::string& before, const Twice& inside, const std::string& after) {
    return {before + inside.statement + after, before + inside.expression + after};
  }

  // A condition on f1 (mostly a number), f2 (mostly a string), f3 (a set), f4; an atom or one pair of parentheses.
  Twice Condition(int depth) {
    static const std::string kSigns[] = {" = ", " <> ", " < ", " <= ", " > ", " >= "};
    switch (Below(depth > 0 ? 10 : 7)) {
      case 0:
        return Around("f1" + kSigns[Below(6)], Value(Number()), "");
      case 1:
        return Around("f2" + kSigns[Below(6)], Value(Text()), "");
      case 2:
        return Around("begins_with(f2, ", Value(Text()), ")");
      case 3:
        return Around("contains(f3, ", Value(Text()), ")");
      case 4:
        return random_.OneIn(2) ? Twice{"f4 IS MISSING", "attribute_not_exists(f4)"}
                                : Twice{"f4 IS NOT MISSING", "NOT attribute_not_exists(f4)"};
      case 5: {
        const Twice first = Value(Number());
        const Twice values = Joined(first, ", ", Value(Text()));
        return {"f1 IN [" + values.statement + "]", "f1 IN (" + values.expression + ")"};
      }
      case 6:
        return Around("size(f2) > ", Value(R"({"N":"1"})"), "");
      case 7:
        return Around("NOT ", Condition(depth - 1), "");
      default: {
        const Twice left = Condition(depth - 1);
        return Around("(", Joined(left, random_.OneIn(2) ? " AND " : " OR ", Condition(depth - 1)), ")");
      }
    }
  }

  void Insert() {
    const std::string pk = Partition(), sk = Sort(), f1 = random_.OneIn(5) ? Text() : Number(), f2 = Text();
    std::string item = R"({"pk":)" + pk + ",\"sk\":" + sk + ",\"f1\":" + f1 + ",\"f2\":" + f2;
    std::string literal = "{'pk':?,'sk':?,'f1':?,'f2':?";
    for (const std::string& value : {pk, sk, f1, f2}) AddParameter(value);
    if (random_.OneIn(2)) {
      item += R"(,"f3":{"SS":["a","bb"]},"f4":{"L":[{"N":"1"},{"M":{"x":{"BOOL":true}}}]})";
      literal += ",'f3':<<'bb','a'>>,'f4':[1,{'x':true}]";
    }
    const std::string inserted = RunStatement("INSERT INTO things VALUE " + literal + "}");
    const std::string put =
        RunRequest("PutItem", ",\"Item\":" + item + "},\"ConditionExpression\":\"attribute_not_exists(pk)\"");
    EXPECT_EQ(IsError(inserted), IsError(put)) << inserted << put;
    EXPECT_EQ(IsError(inserted), inserted.find("DuplicateItemException") != std::string::npos) << inserted;
  }

  // Compares the row returned by RETURNING with Attributes; both may be the same error.
  void ExpectSameImage(const std::string& row, const std::string& attributes) {
    if (IsError(row) || IsError(attributes)) {
      EXPECT_EQ(row, attributes);
      return;
    }
    EXPECT_EQ(MemberOf(row, "Items"), "[" + MemberOf(attributes, "Attributes") + "]");
  }

  void Update() {
    static const std::string kImages[][2] = {{"ALL OLD", "ALL_OLD"},
                                             {"ALL NEW", "ALL_NEW"},
                                             {"MODIFIED OLD", "UPDATED_OLD"},
                                             {"MODIFIED NEW", "UPDATED_NEW"}};
    const std::string(&image)[2] = kImages[Below(4)];
    Twice sets = Around("SET f1 = f1 + ", Value(Number()), "");
    if (random_.OneIn(2)) sets = Joined(sets, ", f5 = ", Value(Text()));
    if (random_.OneIn(3)) sets = {sets.statement + " REMOVE f4", sets.expression + " REMOVE f4"};
    const std::string pk = Partition(), sk = Sort();
    AddParameter(pk), AddParameter(sk);
    const Twice condition = Condition(2);
    const std::string updated = RunStatement("UPDATE things " + sets.statement + " WHERE pk = ? AND sk = ? AND " +
                                             condition.statement + " RETURNING " + image[0] + " *");
    ExpectSameImage(updated, RunRequest("UpdateItem",
                                        ",\"Key\":{\"pk\":" + pk + ",\"sk\":" + sk + "},\"UpdateExpression\":\"" +
                                            sets.expression + "\",\"ConditionExpression\":\"attribute_exists(pk) AND " +
                                            condition.expression + "\",\"ReturnValues\":\"" + image[1] + "\""));
  }

  void Delete() {
    const std::string pk = Partition(), sk = Sort();
    AddParameter(pk), AddParameter(sk);
    const Twice condition = Condition(2);
    const std::string deleted =
        RunStatement("DELETE FROM things WHERE pk = ? AND sk = ? AND " + condition.statement + " RETURNING ALL OLD *");
    ExpectSameImage(deleted, RunRequest("DeleteItem", ",\"Key\":{\"pk\":" + pk + ",\"sk\":" + sk +
                                                          "},\"ConditionExpression\":\"attribute_not_exists(pk) OR " +
                                                          condition.expression + "\",\"ReturnValues\":\"ALL_OLD\""));
  }

  // Compares page by page.
  void Read(const std::string& statement, std::string_view operation, const std::string& request) {
    const std::string limit = random_.OneIn(2) ? ",\"Limit\":" + std::to_string(1 + Below(4)) : "";
    std::string token, start;
    for (uint64_t page = 0; page <= kPartitions * kSorts; ++page) {
      const std::string rows = RunStatement(statement, limit + (token.empty() ? "" : ",\"NextToken\":" + token));
      const std::string items =
          RunRequest(operation, request + limit + (start.empty() ? "" : ",\"ExclusiveStartKey\":" + start));
      ASSERT_FALSE(IsError(rows)) << statement << rows;
      ASSERT_FALSE(IsError(items)) << request << items;
      ASSERT_EQ(MemberOf(rows, "Items"), MemberOf(items, "Items")) << statement;
      token = MemberOf(rows, "NextToken");
      start = MemberOf(items, "LastEvaluatedKey");
      ASSERT_EQ(MemberOf(rows, "LastEvaluatedKey"), start) << statement;
      ASSERT_EQ(token.empty(), start.empty()) << statement;
      if (token.empty()) return;
    }
    FAIL() << "no end of " << statement;
  }

  void Select() {
    const bool columns = random_.OneIn(3);
    const std::string head = columns ? "SELECT f2, sk FROM things WHERE " : "SELECT * FROM things WHERE ";
    const std::string shown = columns ? ",\"ProjectionExpression\":\"f2, sk\"" : "";
    if (random_.OneIn(3)) {
      const Twice filter = Condition(2);
      Read(head + filter.statement, "Scan", ",\"FilterExpression\":\"" + filter.expression + "\"" + shown);
      return;
    }
    static const std::string kSigns[] = {" = ", " < ", " <= ", " > ", " >= "};
    Twice key = Around("pk = ", Value(Partition()), "");
    if (random_.OneIn(2)) key = Joined(key, " AND sk" + kSigns[Below(5)], Value(Sort()));
    const Twice filter = Condition(2);
    const bool down = random_.OneIn(2);
    Read(head + key.statement + " AND " + filter.statement + (down ? " ORDER BY sk DESC" : ""), "Query",
         ",\"KeyConditionExpression\":\"" + key.expression + "\",\"FilterExpression\":\"" + filter.expression + "\"" +
             shown + (down ? ",\"ScanIndexForward\":false" : ""));
  }

  const uint64_t seed_ = Seed();
  Random random_{seed_};
  ManualClock clock_{1'700'000'000'000'000};
  TestEngine statements_{"", clock_}, requests_{"", clock_};
  std::string parameters_, values_;  // parts of the current statement
  int count_ = 0;
};

TEST_F(StatementEquivalence, RowsImagesAndPages) {
  SCOPED_TRACE("KEYFOLD_SEED=" + std::to_string(seed_));
  for (int i = 0; i < kStatements && !HasFailure(); ++i) {
    Forget();
    switch (Below(8)) {
      case 0:
      case 1:
        Insert();
        break;
      case 2:
      case 3:
        Update();
        break;
      case 4:
        Delete();
        break;
      default:
        Select();
    }
  }
  Forget();
  EXPECT_EQ(MemberOf(Run(statements_, "Scan", R"({"TableName":"things"})"), "Items"),
            MemberOf(Run(requests_, "Scan", R"({"TableName":"things"})"), "Items"));
}

}  // namespace
}  // namespace keyfold::embedded
