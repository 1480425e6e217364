#include "model/observe/pattern_matcher.h"

#include <gtest/gtest.h>

#include "testing/expr/value_notation.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

using Op = SortRange::Op;

// A read in compact form. Values are in ValueNotation; empty means absent.
struct ReadCase {
  Operation operation;
  std::string index, partition, sort_equal;
  Op op;
  std::string low;
  int64_t limit;
  bool forward;
  std::string pattern;
};

std::string PatternName(const Model& model, std::optional<PatternId> id) {
  return id ? model.patterns[*id].name : "none";
}

std::string Match(const Model& model, const PatternMatcher& matcher, const ReadCase& c) {
  const auto values = [](const std::string& text) {
    return text.empty() ? std::vector<Value>() : std::vector<Value>{expr::ValueNotation::Read(text)};
  };
  const std::vector<Value> partition = values(c.partition), sort = values(c.sort_equal), low = values(c.low);
  std::vector<ValueView> partition_views(partition.begin(), partition.end()), sort_views(sort.begin(), sort.end());
  ReadShape shape{std::nullopt, partition_views, sort_views, c.op, low.empty() ? ValueView() : low[0].view()};
  if (!c.index.empty()) shape.index = static_cast<IndexId>(model.FindIndex(c.index) - model.indexes.data());
  shape.limit = c.limit;
  shape.forward = c.forward;
  return PatternName(model, matcher.OfRead(c.operation, shape));
}

TEST(PatternMatcher, FindsReadsOfTheShop) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const PatternMatcher matcher(shop);
  constexpr auto kGet = Operation::kGetItem, kQuery = Operation::kQuery;
  const ReadCase cases[] = {
      {kGet, "", "'USER#1'", "'PROFILE'", Op::kNone, "", 0, true, "getUser"},
      {kGet, "", "'USER#1'", "'FOLLOWS#2'", Op::kNone, "", 0, true, "doesFollow"},
      {kGet, "", "'USER#1'", "'ADDRESS#home'", Op::kNone, "", 0, true, "none"},
      {kGet, "", "'USER#1#2'", "'PROFILE'", Op::kNone, "", 0, true, "none"},
      {kGet, "", "'USER#'", "'PROFILE'", Op::kNone, "", 0, true, "none"},
      {kGet, "", "'ORDER#00001001'", "'METADATA'", Op::kNone, "", 0, true, "getOrder"},
      {kGet, "", "'ORDER#1001'", "'METADATA'", Op::kNone, "", 0, true, "none"},
      {kQuery, "", "'USER#1'", "", Op::kBeginsWith, "'ORDER#'", 20, false, "userOrders"},
      {kQuery, "", "'USER#1'", "", Op::kBeginsWith, "'ORDER#'", 10, false, "recentOrders"},
      {kQuery, "", "'USER#1'", "", Op::kBeginsWith, "'ORDER'", 10, false, "none"},
      {kQuery, "", "'USER#1'", "", Op::kBetween, "'ORDER#2024'", 0, true, "ordersByDate"},
      {kQuery, "", "'USER#1'", "", Op::kBetween, "'FOLLOWS#1'", 0, true, "none"},
      {kQuery, "", "'USER#1'", "", Op::kGreater, "'ORDER#2024'", 0, true, "none"},
      {kQuery, "", "'USER#1'", "", Op::kNone, "", 0, true, "userWithAll"},
      {kQuery, "", "'USER#1'", "", Op::kNone, "", 5, false, "userWithAll"},
      {kQuery, "", "7", "", Op::kNone, "", 0, true, "none"},
      {kQuery, "GSI1", "'EMAIL#a@b.c'", "'PROFILE'", Op::kNone, "", 0, true, "getUserByEmail"},
      {kQuery, "GSI1", "'EMAIL#a@b.c'", "", Op::kNone, "", 0, true, "getUserByEmail"},
      {kQuery, "GSI1", "'EMAIL#A@b.c'", "'PROFILE'", Op::kNone, "", 0, true, "none"},
      {kQuery, "GSI1", "'CATEGORY#toys'", "", Op::kNone, "", 0, true, "byCategory"},
      {kQuery, "GSI2", "'STATUS#pending#9'", "", Op::kNone, "", 0, false, "pendingOrders"},
      {kQuery, "GSI2", "'STATUS#pending#10'", "", Op::kNone, "", 0, false, "none"},
      {kQuery, "", "'ORG#o'", "", Op::kBeginsWith, "'DEPT#d#USER#'", 0, true, "deptUsers"},
      {kQuery, "", "'ORG#o'", "", Op::kBeginsWith, "'DEPT#d'", 0, true, "none"},
  };
  for (const ReadCase& c : cases) EXPECT_EQ(Match(shop, matcher, c), c.pattern) << c.partition << " " << c.low;
}

TEST(PatternMatcher, DistinguishesUpdatesByWhatTheyChange) {
  const Model model = LoadForTest(ModelText(
      "{Job: {keys: {PK: 'JOB#{id}', SK: JOB}, attributes: {id: string, state: string, owner: string, note: string}}}",
      "{take: {update: Job, by: [id], set: [owner, state]}, comment: {update: Job, by: [id], set: [note]}, make: {put: "
      "Job}, drop: {delete: Job, by: [id]}, swap: {transact: [put Job, delete Job]}}"));
  const PatternMatcher matcher(model);
  const auto update = [&](std::vector<std::string_view> changed) {
    const WriteShape shape{Verb::kUpdate, 0, false, std::move(changed)};
    return PatternName(model, matcher.OfWrites(Operation::kUpdateItem, {&shape, 1}));
  };
  EXPECT_EQ(update({"owner", "state"}), "take");
  EXPECT_EQ(update({"state"}), "take");
  EXPECT_EQ(update({"note"}), "comment");
  EXPECT_EQ(update({"note", "state"}), "none");
  const WriteShape put{Verb::kPut, 0, false, {}}, drop{Verb::kDelete, 0, false, {}};
  EXPECT_EQ(PatternName(model, matcher.OfWrites(Operation::kPutItem, {&put, 1})), "make");
  EXPECT_EQ(PatternName(model, matcher.OfWrites(Operation::kDeleteItem, {&drop, 1})), "drop");
  const WriteShape both[] = {drop, put, put};
  EXPECT_EQ(PatternName(model, matcher.OfWrites(Operation::kTransactWriteItems, both)), "swap");
  EXPECT_EQ(PatternName(model, matcher.OfWrites(Operation::kTransactWriteItems, {&put, 1})), "none");
  EXPECT_EQ(PatternName(model, matcher.OfWrites(Operation::kBatchWriteItem, both)), "none");
}

}  // namespace
}  // namespace keyfold::model
