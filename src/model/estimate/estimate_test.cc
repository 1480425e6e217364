#include "model/estimate/estimate.h"

#include <gtest/gtest.h>

#include "model/estimate/units.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

const PatternEstimate& EstimateNamed(const Estimate& estimate, std::string_view name) {
  for (const PatternEstimate& pattern : estimate.patterns()) {
    if (estimate.model().patterns[pattern.pattern].name == name) return pattern;
  }
  ADD_FAILURE() << "no pattern " << name;
  return estimate.patterns()[0];
}

struct ItemsRow {
  const char* about;
  std::string entities;
  std::string pattern;
  double items;
  std::optional<double> items_max;
  const char* doubt;  // a part of it, or nullptr if the model says how many
  double read_units;
};

constexpr const char* kUserStart =
    "User: {keys: {PK: 'USER#{userId}', SK: USER}, attributes: {userId: string}, count: ";

// Groups have members, and an index finds the groups of a user.
std::string Groups(const std::string& users) {
  return "{Group: {keys: {PK: 'GROUP#{groupId}', SK: GROUP}, attributes: {groupId: string}, count: 1000}, " + users +
         "Member: {keys: {PK: 'GROUP#{groupId}', SK: 'MEMBER#{userId}', GSI1PK: 'OF#{userId}', GSI1SK: "
         "'{groupId}'}, attributes: {groupId: string, userId: string}, size: {avg: 100}, per: {Group: {avg: 2000, "
         "max: 5000}}}}";
}

// Orders belong to a user and to a shop.
constexpr const char* kOrders =
    "{User: {keys: {PK: 'USER#{userId}', SK: USER}, attributes: {userId: string}, count: 100}, "
    "Shop: {keys: {PK: 'SHOP#{shopId}', SK: SHOP}, attributes: {shopId: string}, count: 1}, "
    "Order: {keys: {PK: 'USER#{userId}', SK: 'ORDER#{status}#{orderId}', GSI1PK: '{shopId}', GSI1SK: '{orderId}'}, "
    "attributes: {userId: string, shopId: string, orderId: string, status: [open, paid, sent, back]}, size: {avg: 100}, "
    "per: {User: {avg: 10, max: 90}, Shop: {avg: 1000}}}}";

// Issues belong to a repository, which belongs to its owner; a user, who need not be the owner, writes them.
constexpr const char* kIssues =
    "{User: {keys: {PK: 'USER#{name}', SK: USER}, attributes: {name: string}, count: 1000}, "
    "Repo: {keys: {PK: 'USER#{owner}', SK: 'REPO#{repo}'}, attributes: {owner: string, repo: string}, "
    "per: {User: {avg: 5, max: 2000}}}, "
    "Issue: {keys: {PK: 'USER#{owner}', SK: 'ISSUE#{repo}#{issue}', GSI1PK: 'BY#{name}', GSI1SK: '{issue}'}, "
    "attributes: {owner: string, repo: string, issue: string, name: string}, size: {avg: 100}, "
    "per: {Repo: {avg: 20, max: 10000}}}}";

std::string Readings(const std::string& more, const std::string& bucket = "") {
  return "{Reading: {keys: {PK: 'DEVICE#{site}#{device}" + bucket +
         "', SK: '{at|iso_ms}'}, attributes: {site: string, device: string, at: time}, size: {avg: 100}, " + more +
         "}}";
}

std::string Inbox(const std::string& partition) {
  return "{Task: {keys: {PK: '" + partition +
         "', SK: '{id}'}, shard: {n: 4, by: hash(who)}, attributes: {who: {type: string, cardinality: 40}, id: string}, "
         "size: {avg: 100}, count: 400}}";
}

TEST(Items, OfOneValueOfAKey) {
  const std::string users = std::string(kUserStart) + "1000000}, ";
  const ItemsRow kRows[] = {
      {"per in its direction", Groups(users), "{query: Member, by: [groupId]}", 2000, 5000, nullptr, 24.5},
      {"an inverted index", Groups(users), "{query: Member, by: [userId], index: GSI1}", 2, {}, nullptr, 0.5},
      {"nobody counts the users",
       Groups(""),
       "{query: Member, by: [userId], index: GSI1}",
       1,
       {},
       "how many Member have the same userId is not known, and one is assumed",
       0.5},
      {"the count divided by distinct values",
       "{Stock: {keys: {PK: 'PRODUCT#{product}', SK: '{warehouse}', GSI1PK: 'AT#{warehouse}', GSI1SK: '{product}'}, "
       "attributes: {product: string, warehouse: string}, size: {avg: 100}, count: 200000}, Warehouse: {keys: {PK: "
       "'WAREHOUSE#{warehouse}', SK: WAREHOUSE}, attributes: {warehouse: string}, count: 40}}",
       "{query: Stock, by: [warehouse], index: GSI1, paginate: all}",
       5000,
       {},
       nullptr,
       61.5},
      {"the first parent", kOrders, "{query: Order, by: [userId]}", 10, 90, nullptr, 0.5},
      {"the second parent", kOrders, "{query: Order, by: [shopId], index: GSI1}", 1000, {}, nullptr, 12.5},
      {"a part of the sort key with known values", kOrders, "{query: Order, by: [userId, status]}", 2.5, 90, nullptr,
       0.5},
      {"a chain of parents", kIssues, "{query: Issue, by: [owner]}", 100, 2e7, nullptr, 1.5},
      {"a parent that the request names", kIssues, "{query: Issue, by: [owner, repo]}", 20, 10000, nullptr, 0.5},
      {"an index that does not follow the chain",
       kIssues,
       "{query: Issue, by: [name], index: GSI1}",
       100,
       {},
       nullptr,
       1.5},
      {"per by attributes", Readings("per: {'site, device': {avg: 80, max: 900}}"),
       "{query: Reading, by: [site, device]}", 80, 900, nullptr, 1},
      {"per by one of two attributes",
       Readings("per: {site: {avg: 80}}"),
       "{query: Reading, by: [site, device]}",
       80,
       {},
       "how many Reading have one value of device is not known, so up to 80 are counted",
       1},
      {"the range of a read", Readings("per: {'site, device': {avg: 80, max: 900}}"),
       "{query: Reading, by: [site, device], between: {at: [a, b]}}", 80, 900,
       "how many Reading are in the range of at is not known, so all 80 are counted", 1},
      {"a month without rates",
       Readings("per: {'site, device': {avg: 80}}", "#{at|month}"),
       "{query: Reading, by: [site, device], between: {at: ['2024-01', '2024-03']}}",
       80,
       {},
       "how many Reading are in one month of at is not known, so up to 80 are counted",
       1.5},
      {"one shard of a hash", Inbox("INBOX#{shard}"), "{query: Task, by: [who]}", 100, 100, nullptr, 1.5},
      {"the shard of a value", Inbox("INBOX#{who}#{shard}"), "{query: Task, by: [who]}", 10, {}, nullptr, 0.5},
  };
  for (const ItemsRow& row : kRows) {
    SCOPED_TRACE(row.about);
    const Model model = LoadForTest(ModelText(row.entities, "{p: " + row.pattern + "}"));
    const Estimate estimate(model);
    const PatternEstimate& pattern = estimate.pattern(0);
    ASSERT_NE(pattern.access(), nullptr);
    const auto& parts = pattern.volume.parts;
    const auto part = std::find_if(parts.begin(), parts.end(), [](const ReadPart& one) { return one.wanted; });
    ASSERT_NE(part, parts.end());
    EXPECT_NEAR(part->items, row.items, 1e-6);
    EXPECT_EQ(part->items_max, row.items_max);
    EXPECT_EQ(part->doubt.empty(), row.doubt == nullptr) << part->doubt;
    EXPECT_NE(part->doubt.find(row.doubt != nullptr ? row.doubt : ""), std::string::npos) << part->doubt;
    EXPECT_DOUBLE_EQ(pattern.units.read, row.read_units);
  }
}

TEST(Items, OfAMonthFollowFromTheRateOfPuts) {
  const Model model = LoadForTest(ModelText(
      "{Reading: {keys: {PK: 'DEVICE#{device}#{at|month}', SK: '{at|iso_ms}'}, attributes: {device: {type: string, "
      "cardinality: 100}, at: time}, size: {avg: 100}}}",
      "{w: {put: Reading, rps: {avg: 1}}, q: {query: Reading, by: [device], between: {at: ['2024-01', '2024-02']}, "
      "paginate: all}}"));
  const Estimate estimate(model);
  const PatternEstimate& pattern = EstimateNamed(estimate, "q");
  EXPECT_DOUBLE_EQ(pattern.volume.items, 2 * 26280);
  EXPECT_DOUBLE_EQ(pattern.pages, 3);
  EXPECT_DOUBLE_EQ(pattern.calls, 6);
  ASSERT_EQ(estimate.collections().size(), 1u);
  EXPECT_DOUBLE_EQ(estimate.collections()[0].items, 26280);
}

TEST(Items, InASparseIndexAreAsManyAsItsRuleLetsIn) {
  const std::string entities =
      "{Job: {keys: {PK: 'JOB#{id}', SK: JOB, GSI1PK: 'STATUS#{status}', GSI1SK: '{id}'}, when: {GSI1: status = open}, "
      "attributes: {id: string, status: [open, done]}, size: {avg: 100}, count: 1000}}";
  const Model model = LoadForTest(ModelText(entities, "{q: {query: Job, by: [status], index: GSI1}}"));
  const Estimate estimate(model);
  // Half of the jobs are open, and no others are there.
  EXPECT_DOUBLE_EQ(estimate.pattern(0).volume.items, 500);
}

TEST(Counts, OfEachKindOfPer) {
  const Model model = LoadForTest(ModelText(
      "{User: {keys: {PK: 'U#{user}', SK: U}, attributes: {user: string}, count: 10}, "
      "Shop: {keys: {PK: 'S#{shop}', SK: S}, attributes: {shop: string}, count: 1000}, "
      "Order: {keys: {PK: 'O#{order}', SK: O}, attributes: {order: string, user: string, shop: string}, per: {User: "
      "{avg: 10}, Shop: {avg: 1000}}}, "
      "Door: {keys: {PK: 'D#{door}', SK: '{at|iso_ms}'}, attributes: {door: {type: string, cardinality: 40}, at: time}, "
      "per: {door: {avg: 5}}}, "
      "Visit: {keys: {PK: 'V#{shop}', SK: '{at|iso_ms}'}, attributes: {shop: string, at: time}, per: {shop: {avg: 3}}}, "
      "Settings: {keys: {PK: SETTINGS, SK: SETTINGS}}, "
      "Counter: {keys: {PK: 'COUNTER#{shard}', SK: COUNTER}, shard: {n: 7, by: random}}}"));
  const Population population(model);
  const struct {
    const char* entity;
    double count;
  } kRows[] = {{"Order", 1e6}, {"Door", 200}, {"Visit", 3000}, {"Settings", 1}, {"Counter", 7}};
  for (const auto& row : kRows) EXPECT_EQ(population.Count(model.entity_ids.at(row.entity)), row.count) << row.entity;
  ASSERT_EQ(population.conflicts().size(), 1u);
  EXPECT_EQ(model.entities[population.conflicts()[0].entity].name, "Order");
  EXPECT_DOUBLE_EQ(population.conflicts()[0].low_count, 100);
}

// Parents can form a chain as long as the file allows.
TEST(Counts, OfALongChain) {
  constexpr int kEntities = 5000;
  std::string entities = "{E0: {keys: {PK: 'P#{p}', SK: E0}, attributes: {p: string}, count: 3}";
  for (int i = 1; i < kEntities; ++i) {
    const std::string n = std::to_string(i);
    entities += ", E" + n + ": {keys: {PK: 'P#{p}', SK: 'E" + n +
                "#{id}'}, attributes: {p: string, id: string}, per: {E" + std::to_string(i - 1) +
                ": {avg: 1, max: 1}}}";
  }
  const Model model = LoadForTest(ModelText(entities + "}", "{q: {query: E1, by: [p], paginate: all}}"));
  const Estimate estimate(model);
  EXPECT_EQ(estimate.population().Count(kEntities - 1), 3.0);
  EXPECT_DOUBLE_EQ(estimate.collections()[0].items, kEntities);
}

struct EntryRow {
  const char* project;
  double least, most;  // bytes
};

TEST(Entries, AreAsLargeAsTheirProjection) {
  const EntryRow kRows[] = {
      {"all", 3500, 3500},
      {"keys", 60, 160},
      {"[title]", 140, 260},
      {"[title, body]", 3200, 3500},
  };
  for (const EntryRow& row : kRows) {
    const Model model = LoadForTest(ModelText(
        "{Doc: {keys: {PK: 'DOC#{id}', SK: DOC, GSI1PK: 'TAG#{tag}', GSI1SK: 'DOC#{id}'}, attributes: {id: string, "
        "tag: string, title: {type: string, avg_bytes: 80}, body: string}, size: {avg: 3500}, count: 1000}}",
        "{byTag: {query: Doc, by: [tag], index: GSI1, returns: {items: 20}}, add: {put: Doc}}",
        std::string("{GSI1: {pk: GSI1PK, sk: GSI1SK, project: ") + row.project + "}}"));
    const Estimate estimate(model);
    const double bytes = estimate.population().EntryBytes(0, 0);
    EXPECT_GE(bytes, row.least) << row.project;
    EXPECT_LE(bytes, row.most) << row.project;
    EXPECT_DOUBLE_EQ(EstimateNamed(estimate, "byTag").units.read,
                     ReadUnits(PlanRules(), 20 * bytes, Consistency::kEventual));
    EXPECT_DOUBLE_EQ(EstimateNamed(estimate, "add").units.write, 4 + WriteUnits(PlanRules(), bytes, false));
  }
}

TEST(Entries, OfALocalIndexAreCompletedFromTheTable) {
  const Model model = LoadForTest(ModelText(
      "{Book: {keys: {PK: 'SHELF#{shelf}', SK: 'BOOK#{book}'}, attributes: {shelf: string, book: string, title: string, "
      "text: string}, size: {avg: 5000}, count: 1000}}",
      "{titles: {query: Book, by: [shelf], index: ByTitle, limit: 10, needs: [book, title]}, texts: {query: Book, by: "
      "[shelf], index: ByTitle, limit: 10, needs: [text]}}",
      "{ByTitle: {pk: PK, sk: title, project: keys, local: true}}"));
  const Estimate estimate(model);
  const PatternEstimate& titles = EstimateNamed(estimate, "titles");
  const PatternEstimate& texts = EstimateNamed(estimate, "texts");
  EXPECT_EQ(titles.lines.size(), 1u);
  ASSERT_EQ(texts.lines.size(), 2u);
  EXPECT_EQ(texts.lines[1].rule->id, "read-fetch");
  EXPECT_DOUBLE_EQ(texts.units.read, titles.units.read + 10);  // two units for 5,000 bytes, and half of that
}

}  // namespace
}  // namespace keyfold::model
