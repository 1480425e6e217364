#include "model/observe/pattern_matcher.h"

#include <gtest/gtest.h>

#include <deque>

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
  std::string high = "";
};

std::string PatternName(const Model& model, std::optional<PatternId> id) {
  return id ? model.patterns[*id].name : "none";
}

std::string Match(const Model& model, const PatternMatcher& matcher, const ReadCase& c) {
  const auto values = [](const std::string& text) {
    return text.empty() ? std::vector<Value>() : std::vector<Value>{expr::ValueNotation::Read(text)};
  };
  const std::vector<Value> partition = values(c.partition), sort = values(c.sort_equal), low = values(c.low),
                           high = values(c.high);
  std::vector<ValueView> partition_views(partition.begin(), partition.end()), sort_views(sort.begin(), sort.end());
  ReadShape shape{std::nullopt,
                  partition_views,
                  sort_views,
                  c.op,
                  low.empty() ? ValueView() : low[0].view(),
                  high.empty() ? ValueView() : high[0].view()};
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

// Writes in compact form: "put Job", or an update such as "update Job SET a = :n". Values are :n, a number, :s, a set,
// and :l, a list.
class Writes {
 public:
  Writes(const Model& model, std::initializer_list<std::string_view> texts) {
    for (const std::string_view text : texts) Add(model, text);
  }
  std::span<const WriteShape> shapes() const { return shapes_; }

 private:
  void Add(const Model& model, std::string_view text) {
    const size_t verb = text.find(' '), name = text.find(' ', verb + 1);
    const std::string entity(text.substr(verb + 1, name == std::string_view::npos ? name : name - verb - 1));
    WriteShape& shape = shapes_.emplace_back();
    shape.verb = text.starts_with("put") ? Verb::kPut : text.starts_with("update") ? Verb::kUpdate : Verb::kDelete;
    shape.entity = model.entity_ids.at(entity);
    if (name == std::string_view::npos) return;
    expr::Placeholders placeholders;
    placeholders.AddValue(":n", number_.view());
    placeholders.AddValue(":s", set_.view());
    placeholders.AddValue(":l", list_.view());
    for (size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
      const size_t end = std::min(text.find_first_of(" ,)", at), text.size());
      placeholders.AddName(text.substr(at, end - at), text.substr(at + 1, end - at - 1));
    }
    Result<expr::Update> parsed = expr::ParseUpdate(text.substr(name + 1), placeholders);
    ASSERT_TRUE(parsed.ok()) << text << ": " << parsed.error().message();
    shape.update = &updates_.emplace_back(*std::move(parsed));
  }

  const Value number_ = expr::ValueNotation::Read("7"), set_ = expr::ValueNotation::Read("<'x'>"),
              list_ = expr::ValueNotation::Read("['x']");
  std::deque<expr::Update> updates_;
  std::vector<WriteShape> shapes_;
};

TEST(PatternMatcher, DistinguishesUpdatesByWhatTheyChange) {
  const Model model = LoadForTest(ModelText(
      "{Job: {keys: {PK: 'JOB#{id}', SK: JOB}, attributes: {id: string, state: string, owner: string, note: string}}}",
      "{take: {update: Job, by: [id], set: [owner, state]}, comment: {update: Job, by: [id], set: [note]}, make: {put: "
      "Job}, drop: {delete: Job, by: [id]}, swap: {transact: [put Job, delete Job]}}"));
  const PatternMatcher matcher(model);
  const auto match = [&](Operation operation, std::initializer_list<std::string_view> texts) {
    return PatternName(model, matcher.OfWrites(operation, Writes(model, texts).shapes()));
  };
  constexpr auto kUpdate = Operation::kUpdateItem, kTransact = Operation::kTransactWriteItems;
  EXPECT_EQ(match(kUpdate, {"update Job SET #owner = :n, #state = :n"}), "take");
  EXPECT_EQ(match(kUpdate, {"update Job SET #state = :n"}), "none");
  EXPECT_EQ(match(kUpdate, {"update Job SET note = :n"}), "comment");
  EXPECT_EQ(match(kUpdate, {"update Job REMOVE note"}), "none");
  EXPECT_EQ(match(kUpdate, {"update Job SET note = :n, #state = :n"}), "none");
  EXPECT_EQ(match(Operation::kPutItem, {"put Job"}), "make");
  EXPECT_EQ(match(Operation::kDeleteItem, {"delete Job"}), "drop");
  EXPECT_EQ(match(kTransact, {"delete Job", "put Job", "put Job"}), "swap");
  EXPECT_EQ(match(kTransact, {"put Job"}), "none");
  EXPECT_EQ(match(Operation::kBatchWriteItem, {"delete Job", "put Job", "put Job"}), "none");
}

TEST(PatternMatcher, MatchesEveryKindOfChange) {
  const Model model = LoadForTest(ModelText(
      "{User: {keys: {PK: 'USER#{id}', SK: USER, GSI1PK: 'MAIL#{mail}', GSI1SK: USER}, attributes: {id: string, mail: "
      "string, name: string, bio: string, tags: string_set, lines: list, posts: number, version: {type: number, lock: "
      "true}, details: {type: map, fields: {pages: number, city: string}}}}}",
      "{rename: {update: User, by: [id], set: [name]}, patch: {update: User, by: [id], set: ['name?', 'bio = newBio?']}, "
      "mail: {update: User, by: [id], set: [mail], if: version}, tag: {update: User, by: [id], set: ['tags += more']}, "
      "untag: {update: User, by: [id], set: ['tags -= less']}, append: {update: User, by: [id], set: ['lines += more']}, "
      "lines: {update: User, by: [id], set: [lines]}, more: {update: User, by: [id], set: ['posts += n']}, less: "
      "{update: User, by: [id], set: ['posts -= n']}, pages: {update: User, by: [id], set: ['details.pages = n']}, town: "
      "{update: User, by: [id], set: ['details.city = to'], remove: ['details.pages']}}"));
  const PatternMatcher matcher(model);
  const std::pair<const char*, const char*> cases[] = {
      {"SET #name = :n", "rename"},
      {"SET bio = :n", "patch"},
      {"SET #name = :n, bio = :n", "patch"},
      {"SET bio = :n, posts = :n", "none"},
      {"SET mail = :n, GSI1PK = :n, version = version + :n", "mail"},
      {"SET mail = :n", "mail"},
      {"SET GSI1PK = :n", "none"},
      {"ADD tags :s", "tag"},
      {"DELETE tags :s", "untag"},
      {"SET tags = :n", "none"},
      {"SET #lines = list_append(if_not_exists(#lines, :l), :l)", "append"},
      {"SET #lines = :n", "lines"},
      {"SET posts = posts + :n", "more"},
      {"ADD posts :n", "more"},
      {"SET posts = if_not_exists(posts, :n) - :n", "less"},
      {"SET details.pages = :n", "pages"},
      {"SET details.city = :n REMOVE details.pages", "town"},
      {"SET details.city = :n", "none"},
      {"SET details = :n", "none"},
  };
  for (const auto& [update, pattern] : cases) {
    const std::string text = std::string("update User ") + update;
    EXPECT_EQ(PatternName(model, matcher.OfWrites(Operation::kUpdateItem, Writes(model, {text}).shapes())), pattern)
        << text;
  }
}

TEST(PatternMatcher, MatchesTwoActionsOfOneEntity) {
  const Model model = LoadForTest(ModelText(
      "{Account: {keys: {PK: 'ACCOUNT#{id}', SK: ACCOUNT}, attributes: {id: string, balance: number}}, Entry: {keys: "
      "{PK: 'ACCOUNT#{id}', SK: 'ENTRY#{entry}'}, attributes: {id: string, entry: string, amount: number}}}",
      "{deposit: {transact: ['update Account set balance += amount', put Entry]}, transfer: {transact: ['update Account "
      "with id = from set balance -= amount', 'update Account with id = to set balance += amount', 'put Entry with id = "
      "from', 'put Entry with id = to']}}"));
  const PatternMatcher matcher(model);
  const auto match = [&](std::initializer_list<std::string_view> texts) {
    return PatternName(model, matcher.OfWrites(Operation::kTransactWriteItems, Writes(model, texts).shapes()));
  };
  const std::string_view in = "update Account SET balance = balance + :n",
                         out = "update Account SET balance = balance - :n", entry = "put Entry";
  EXPECT_EQ(match({in, out, entry, entry}), "transfer");
  EXPECT_EQ(match({out, in, entry, entry}), "transfer");
  EXPECT_EQ(match({in, entry}), "deposit");
  EXPECT_EQ(match({in, out}), "none");
}

TEST(PatternMatcher, ComparesRepeatedPlaceholders) {
  const Model model = LoadForTest(ModelText(
      "{User: {keys: {PK: 'USER#{id}', SK: 'USER#{id}'}, attributes: {id: string}}, Mark: {keys: {PK: 'USER#{id}', SK: "
      "'MARK#{id|lower}#{at}'}, attributes: {id: string, at: string}}, Follow: {keys: {PK: 'u#{a}#follower', SK: "
      "'u#{b}'}, attributes: {a: string, b: string}}}",
      "{getUser: {get: User, by: [id]}, marks: {query: Mark, by: [id]}, self: {get: Follow, by: ['a = x', 'b = x']}}"));
  const PatternMatcher matcher(model);
  constexpr auto kGet = Operation::kGetItem, kQuery = Operation::kQuery;
  const ReadCase cases[] = {
      {kGet, "", "'USER#a'", "'USER#a'", Op::kNone, "", 0, true, "getUser"},
      {kGet, "", "'USER#a'", "'USER#b'", Op::kNone, "", 0, true, "none"},
      {kGet, "", "'u#1#follower'", "'u#1'", Op::kNone, "", 0, true, "self"},
      {kGet, "", "'u#1#follower'", "'u#2'", Op::kNone, "", 0, true, "none"},
      {kQuery, "", "'USER#A'", "", Op::kBeginsWith, "'MARK#a#'", 0, true, "marks"},
      {kQuery, "", "'USER#A'", "", Op::kBeginsWith, "'MARK#b#'", 0, true, "none"},
  };
  for (const ReadCase& c : cases)
    EXPECT_EQ(Match(model, matcher, c), c.pattern) << c.partition << c.sort_equal << c.low;
}

TEST(PatternMatcher, DistinguishesRanges) {
  const Model model = LoadForTest(ModelText(
      "{Repo: {keys: {PK: 'R#{owner}', SK: REPO}, attributes: {owner: string}}, Issue: {keys: {PK: 'R#{owner}', SK: "
      "'ISSUE#{state}#{at|iso_ms}'}, attributes: {owner: string, state: [open, closed], at: time}}, Star: {keys: {PK: "
      "'R#{owner}', SK: 'STAR#{who}'}, attributes: {owner: string, who: string}}, Tick: {keys: {PK: 'T#{id}', SK: "
      "'{at}'}, attributes: {id: string, at: time}}}",
      "{since: {query: Issue, by: ['owner = user', state], where: 'at >= since'}, after: {query: Issue, by: [owner, "
      "state], where: 'at > since'}, until: {query: Issue, by: [owner, state], where: 'at <= until'}, before: {query: "
      "Issue, by: [owner, state], where: 'at < until'}, window: {query: Issue, by: [owner, state], where: 'at >= since "
      "and at < until'}, latest: {query: [Repo, Issue], by: [owner], from: Repo, order: desc}, stars: {query: [Repo, "
      "Star], by: [owner], from: Repo}, ticks: {query: Tick, by: [id], where: 'at >= since'}, old: {query: Tick, by: "
      "[id], where: 'at < until'}}"));
  const PatternMatcher matcher(model);
  constexpr auto kQuery = Operation::kQuery;
  const std::string start = "'ISSUE#open#", time = "2024-01-15T10:30:00.000Z", top = "\xEF\xBF\xBF'";
  const ReadCase cases[] = {
      {kQuery, "", "'R#o'", "", Op::kBetween, start + time + "'", 0, true, "since", start + top},
      {kQuery, "", "'R#o'", "", Op::kBetween, start + time + top, 0, true, "after", start + top},
      {kQuery, "", "'R#o'", "", Op::kBetween, start + "'", 0, true, "until", start + time + top},
      {kQuery, "", "'R#o'", "", Op::kBetween, start + time + "'", 0, true, "window",
       start + "2024-02-15T10:30:00.000Y" + top},
      {kQuery, "", "'R#o'", "", Op::kBetween, "'ISSUE#'", 0, false, "latest", "'REPO'"},
      {kQuery, "", "'R#o'", "", Op::kBetween, "'REPO'", 0, true, "stars", "'STAR#" + top},
      {kQuery, "", "'R#o'", "", Op::kBetween, "'ISSUE#lost#'", 0, true, "none", start + top},
      {kQuery, "", "'T#1'", "", Op::kGreaterEqual, "'" + time + "'", 0, true, "ticks"},
      {kQuery, "", "'T#1'", "", Op::kLess, "'" + time + "'", 0, true, "old"},
      {kQuery, "", "'T#1'", "", Op::kGreater, "'" + time + "'", 0, true, "none"},
  };
  for (const ReadCase& c : cases) EXPECT_EQ(Match(model, matcher, c), c.pattern) << c.low << ' ' << c.high;
}

}  // namespace
}  // namespace keyfold::model
