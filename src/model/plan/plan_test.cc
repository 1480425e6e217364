#include "model/plan/plan.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "json/document.h"
#include "model/core/calendar.h"
#include "model/plan/report.h"
#include "testing/base/repository.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

PriceFile PricesForTest(std::string_view name) {
  for (const EmbeddedPrices& one : AllEmbeddedPrices()) {
    if (one.name != name) continue;
    Result<PriceFile> read = ReadPriceFile(std::string(name), std::string(one.text));
    if (read.ok()) return *std::move(read);
  }
  ADD_FAILURE() << "no prices " << name;
  return {};
}

const PriceFile& Today() {
  static const PriceFile prices = PricesForTest("aws-us-east-1");
  return prices;
}

PlanOptions OptionsForTest() { return {false, *EpochMillis("2026-12-01T00:00:00Z")}; }

const PatternPlan& PatternOf(const Plan& plan, std::string_view name) {
  for (const PatternPlan& pattern : plan.patterns) {
    if (plan.model->patterns[pattern.pattern].name == name) return pattern;
  }
  ADD_FAILURE() << "no pattern " << name;
  return plan.patterns[0];
}

std::vector<std::string> RemarksOf(const Plan& plan, Remark::Kind kind) {
  std::vector<std::string> texts;
  for (const Remark& remark : plan.remarks) {
    if (remark.kind == kind) texts.push_back(remark.text);
  }
  return texts;
}

struct ShopRow {
  const char* name;
  const char* operation;
  const char* index;
  double calls;
  double read_units;
  double write_units;
  double usd;
};

// The documented example: every figure of its table.
constexpr ShopRow kShop[] = {
    {"getUser", "GetItem", "", 1, 0.5, 0, 32.85},
    {"getUserByEmail", "Query", "GSI1", 1, 0.5, 0, 3.28},
    {"createUser", "TransactWriteItems", "", 1, 0, 5, 4.11},
    {"userOrders", "Query", "", 1, 1.5, 0, 49.28},
    {"recentOrders", "Query", "", 1, 1.0, 0, 32.85},
    {"ordersByDate", "Query", "", 1, 1.0, 0, 3.28},
    {"userWithAll", "Query", "", 1, 5.5, 0, 9.03},
    {"getOrder", "GetItem", "", 1, 0.5, 0, 4.93},
    {"orderWithItems", "Query", "", 1, 0.5, 0, 4.93},
    {"pendingOrders", "Query", "GSI2", 10, 50, 0, 0.82},
    {"placeOrder", "TransactWriteItems", "", 1, 0, 18, 8.21},
    {"shipOrder", "TransactWriteItems", "", 1, 0, 9, 4.11},
    {"follow", "PutItem", "", 1, 0, 2, 16.43},
    {"following", "Query", "", 1, 1.5, 0, 4.93},
    {"followers", "Query", "GSI1", 1, 1.0, 0, 6.57},
    {"doesFollow", "GetItem", "", 1, 0.5, 0, 8.21},
    {"byCategory", "Query", "GSI1", 1, 2.0, 0, 32.85},
    {"createSession", "PutItem", "", 1, 0, 2, 65.70},
    {"userSessions", "Query", "GSI1", 1, 1.0, 0, 1.64},
    {"deptUsers", "Query", "", 1, 0.5, 0, 0.82},
    {"putReading", "PutItem", "", 1, 0, 1, 3285.00},
    {"lastHour", "Query", "", 10, 355, 0, 58.31},
};

TEST(PlanShop, EachPatternHasTheFiguresOfTheWorkedExample) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  ASSERT_EQ(plan.patterns.size(), std::size(kShop));
  for (const ShopRow& row : kShop) {
    SCOPED_TRACE(row.name);
    const PatternPlan& pattern = PatternOf(plan, row.name);
    ASSERT_NE(pattern.access(), nullptr);
    EXPECT_EQ(NameOf(pattern.access()->operation), row.operation);
    const auto index = pattern.access()->reads.empty() ? std::nullopt : pattern.access()->read().index;
    EXPECT_EQ(index ? model.indexes[*index].name : "", row.index);
    EXPECT_DOUBLE_EQ(pattern.calls, row.calls);
    EXPECT_DOUBLE_EQ(pattern.units.read, row.read_units);
    EXPECT_DOUBLE_EQ(pattern.units.write, row.write_units);
    EXPECT_NEAR(pattern.usd, row.usd, row.usd * 0.01);
  }
  EXPECT_NEAR(plan.usd, 3638, 36.4);
  EXPECT_TRUE(plan.all_served);
}

TEST(PlanShop, RemarksOnTheFigures) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const struct {
    Remark::Kind kind;
    std::vector<std::string> texts;
  } kRemarks[] = {
      {Remark::Kind::kShardNotNeeded,
       {"the 10 shards of Order in index GSI2 are not needed: 0.28 orders/s x 2 index writes = 0.06 % of 1,000 write "
        "units/s on one key; needed from about 350 orders/s"}},
      {Remark::Kind::kShards,
       {"Reading needs at least 5 shards (3,000 write units/s on one key of the table / 700) and has 10 (30 % heat)"}},
      {Remark::Kind::kGrowth, {"readings add 1,469 GB/month (+$367/month, every month); no TTL is declared"}},
      {Remark::Kind::kWriteShare, {"writes are 93 % of the $3,638 bill"}},
      {Remark::Kind::kProvisionedSaves,
       {"if traffic is steady, provisioned capacity at 70 % utilization saves 58.7 % of the bill"}},
  };
  for (const auto& row : kRemarks) {
    const std::vector<std::string> texts = RemarksOf(plan, row.kind);
    for (const std::string& text : row.texts) {
      EXPECT_NE(std::find(texts.begin(), texts.end(), text), texts.end())
          << text << "\ngot " << ::testing::PrintToString(texts);
    }
  }
}

TEST(PlanShop, ALargestCollectionTakesPages) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const PatternPlan& pattern = PatternOf(plan, "userWithAll");
  ASSERT_TRUE(pattern.largest);
  EXPECT_EQ(model.entities[pattern.largest->entity].name, "Follow");
  EXPECT_DOUBLE_EQ(pattern.largest->items, 100000);
  EXPECT_NEAR(pattern.largest->bytes / 1048576, 19.1, 0.1);
  EXPECT_DOUBLE_EQ(pattern.largest->pages, 20);
  EXPECT_DOUBLE_EQ(pattern.volume.bytes, 41924);
  const std::vector<std::string> texts = RemarksOf(plan, Remark::Kind::kLargeCollection);
  EXPECT_NE(std::find(texts.begin(), texts.end(),
                      "Follow max 100,000 x 200 B makes userWithAll read 19.1 MB = 20 pages, 2,445.5 units"),
            texts.end())
      << ::testing::PrintToString(texts);
}

TEST(PlanShop, BreakEvenFollowsFromThePrices) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const struct {
    const char* mode;
    double break_even;
  } kRows[] = {{"provisioned", 0.289}, {"reserved_1y", 0.133}, {"reserved_3y", 0.0664}};
  ASSERT_EQ(plan.modes.size(), 4u);
  for (size_t i = 0; i < std::size(kRows); ++i) {
    EXPECT_EQ(NameOf(plan.modes[i + 1].mode), kRows[i].mode);
    EXPECT_NEAR(*plan.modes[i + 1].break_even, kRows[i].break_even, kRows[i].break_even * 0.01);
    EXPECT_LT(plan.modes[i + 1].usd, plan.modes[i].usd);
  }
}

// Reads a file of tests/model/plan.
std::string PlanCase(const std::string& name) {
  std::ifstream in(RepositoryPath("tests/model/plan/" + name), std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

TEST(PlanPrices, TheSameOrdersAtOldAndNewPrices) {
  const Model model = LoadForTest(PlanCase("orders-cost.yaml"));
  const struct {
    const char* prices;
    double write_usd;
    double read_usd;
    double usd;
  } kRows[] = {{"aws-us-east-1-2024-10", 9.00, 4.50, 13.50}, {"aws-us-east-1", 4.50, 2.25, 6.75}};
  for (const auto& row : kRows) {
    const Plan plan = MakePlan(model, PricesForTest(row.prices), OptionsForTest());
    EXPECT_NEAR(PatternOf(plan, "placeOrder").charges.at(0).quantity, 7.2e6, 1);
    EXPECT_NEAR(PatternOf(plan, "readOrder").charges.at(0).quantity, 18e6, 1);
    EXPECT_NEAR(PatternOf(plan, "placeOrder").usd, row.write_usd, 0.0001);
    EXPECT_NEAR(PatternOf(plan, "readOrder").usd, row.read_usd, 0.0001);
    EXPECT_NEAR(plan.usd, row.usd, 0.0001);
  }
}

struct UnitsRow {
  const char* about;
  std::string entities;
  std::string pattern;
  double calls;
  double read_units;
  double write_units;
};

constexpr const char* kA =
    "{A: {keys: {PK: 'A#{id}', SK: A}, attributes: {id: string, x: string, y: string}, size: {avg: ";
std::string Sized(const std::string& bytes) { return kA + bytes + "}}}"; }
std::string Indexed(const std::string& bytes) {
  return "{A: {keys: {PK: 'A#{id}', SK: A, GSI1PK: 'X#{x}', GSI1SK: '{id}'}, attributes: {id: string, x: string, y: "
         "string}, size: {avg: " +
         bytes + "}}}";
}
std::string Chain(const std::string& size) {
  return "{O: {keys: {PK: 'O#{o}', SK: O}, attributes: {o: string}, size: {avg: " + size +
         "}, count: 10}, D: {keys: {PK: 'O#{o}', SK: 'D#{d}#META'}, attributes: {o: string, d: string}, size: {avg: " +
         size +
         "}, per: {O: {avg: 10}}}, M: {keys: {PK: 'O#{o}', SK: 'D#{d}#M#{m}'}, attributes: {o: string, d: "
         "string, m: string}, size: {avg: " +
         size + "}, per: {D: {avg: 20}}}}";
}

TEST(PlanUnits, EachOperation) {
  const UnitsRow kRows[] = {
      {"strong get", Sized("8192"), "{get: A, by: [id], consistent: strong}", 1, 2, 0},
      {"eventual get", Sized("8192"), "{get: A, by: [id]}", 1, 1, 0},
      {"transactional get", Sized("8192"), "{transact_get: [A], by: [id]}", 1, 4, 0},
      {"a batch rounds each item", Sized("100"), "{batch_get: A, by: [id], returns: {items: 250}}", 3, 125, 0},
      {"put", Sized("3072"), "{put: A}", 1, 0, 3},
      {"put in a transaction", Sized("3072"), "{transact: [put A]}", 1, 0, 6},
      {"a check costs as a write", Sized("3072"), "{transact: [check A if exists(x)]}", 1, 0, 6},
      {"delete", Sized("1025"), "{delete: A, by: [id]}", 1, 0, 2},
      {"a batch of writes", Sized("500"), "{batch_write: [put A x30]}", 2, 0, 30},
      {"put into an index", Indexed("600"), "{put: A}", 1, 0, 2},
      {"an index write is not doubled", Indexed("600"), "{transact: [put A]}", 1, 0, 3},
      {"a changed key is written twice", Indexed("600"), "{update: A, by: [id], set: [x]}", 1, 0, 3},
      {"a projected attribute", Indexed("600"), "{update: A, by: [id], set: [y]}", 1, 0, 2},
      {"a removed key", Indexed("600"), "{update: A, by: [id], remove: [x]}", 1, 0, 2},
      {"delete leaves the index", Indexed("600"), "{delete: A, by: [id]}", 1, 0, 2},
      {"query sums", Chain("500"), "{query: [O, D, M], by: [o]}", 1, 13, 0},
      {"per of the parent that is named", Chain("500"), "{query: M, by: [o, d]}", 1, 1.5, 0},
      {"a limit caps the sum", Chain("500"), "{query: [O, D, M], by: [o], limit: 8}", 1, 0.5, 0},
      {"returns counts what is wanted", Chain("500"), "{query: M, by: [o, d], returns: {items: 8}}", 1, 0.5, 0},
      {"one page where none is followed", Chain("10240"), "{query: [O, D, M], by: [o]}", 1, 128, 0},
      {"all pages where they are followed", Chain("10240"), "{query: [O, D, M], by: [o], paginate: all}", 3, 264, 0},
      {"a limit is a page's where they are followed", Chain("500"), "{query: M, by: [o, d], limit: 5, paginate: all}",
       4, 2, 0},
      {"scan of what there is", Chain("500"), "{scan: [O, D, M], paginate: all}", 2, 129, 0},
  };
  for (const UnitsRow& row : kRows) {
    SCOPED_TRACE(row.about);
    const Model model = LoadForTest(ModelText(row.entities, "{p: " + row.pattern + "}"));
    ASSERT_EQ(model.patterns.size(), 1u);
    const Plan plan = MakePlan(model, Today(), OptionsForTest());
    const PatternPlan& pattern = plan.patterns[0];
    EXPECT_NE(pattern.access(), nullptr);
    EXPECT_DOUBLE_EQ(pattern.calls, row.calls);
    EXPECT_DOUBLE_EQ(pattern.units.read, row.read_units);
    EXPECT_DOUBLE_EQ(pattern.units.write, row.write_units);
  }
}

TEST(PlanUnits, UnservedPatternsCostNothingAndAreReported) {
  const Model model = LoadForTest(ModelText(Sized("500"), "{p: {get: A, by: [x], rps: {avg: 10}}}"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  EXPECT_FALSE(plan.all_served);
  EXPECT_EQ(plan.patterns[0].access(), nullptr);
  EXPECT_DOUBLE_EQ(plan.usd, 0);
  EXPECT_EQ(RemarksOf(plan, Remark::Kind::kUnserved).size(), 1u);
}

TEST(PlanUnits, WarnsJustBelowAStep) {
  const struct {
    const char* bytes;
    const char* pattern;
    size_t warnings;
  } kRows[] = {
      {"1024", "{put: A}", 1},
      {"930", "{put: A}", 1},
      {"900", "{put: A}", 0},
      {"1100", "{put: A}", 0},
      {"4000", "{get: A, by: [id]}", 1},
      {"3600", "{get: A, by: [id]}", 0},
  };
  for (const auto& row : kRows) {
    const Model model = LoadForTest(ModelText(Sized(row.bytes), std::string("{p: ") + row.pattern + "}"));
    const Plan plan = MakePlan(model, Today(), OptionsForTest());
    EXPECT_EQ(plan.patterns[0].warnings.size(), row.warnings) << row.bytes << ' ' << row.pattern;
  }
}

TEST(PlanUnits, AtTheLargestSize) {
  const Model model = LoadForTest(ModelText(Sized("1024, max: 5000"), "{g: {get: A, by: [id]}, p: {put: A}}"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  EXPECT_DOUBLE_EQ(PatternOf(plan, "g").units_at_max.read, 1);
  EXPECT_DOUBLE_EQ(PatternOf(plan, "p").units_at_max.write, 5);
}

TEST(PlanBill, ProvisionedByPlaceRoundedUp) {
  const Model model = LoadForTest(ModelText(
      Indexed("600"), "{p: {put: A, rps: {avg: 10, peak: 30}}, q: {query: A, index: GSI1, by: [x], rps: {avg: 1}}}",
      "{GSI1: {pk: GSI1PK, sk: GSI1SK}}", ", billing: {mode: provisioned}"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  ASSERT_EQ(plan.capacity.size(), 2u);
  EXPECT_DOUBLE_EQ(plan.capacity[0].write_units, 15);
  EXPECT_DOUBLE_EQ(plan.capacity[0].write_units_max, 43);
  EXPECT_DOUBLE_EQ(plan.capacity[0].read_units, 1);
  EXPECT_DOUBLE_EQ(plan.capacity[1].write_units, 15);
  EXPECT_DOUBLE_EQ(plan.capacity[1].read_units, 1);
  EXPECT_NEAR(plan.usd, 730 * (30 * 0.00065 + 2 * 0.00013), 1e-9);
  PlanOptions free = OptionsForTest();
  free.free_tier = true;
  EXPECT_NEAR(MakePlan(model, Today(), free).usd, (730 * 30 - 18600) * 0.00065, 1e-9);
}

TEST(PlanBill, ReservedInBlocksOfOneHundred) {
  const Model model = LoadForTest(ModelText(Sized("500"), "{p: {put: A, rps: {avg: 175}}}", "{}"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  ASSERT_EQ(plan.modes.size(), 4u);
  EXPECT_DOUBLE_EQ(plan.modes[2].write_blocks, 2);  // for 250 units
  EXPECT_DOUBLE_EQ(plan.modes[2].read_blocks, 0);
  const double rest = 730 * (50 * 0.00065 + 1 * 0.00013);
  EXPECT_NEAR(plan.modes[2].usd, rest + 2 * (150.0 / 12 + 0.0128 * 730), 1e-9);
  EXPECT_NEAR(plan.modes[3].usd, rest + 2 * (180.0 / 36 + 0.0081 * 730), 1e-9);
}

TEST(PlanBill, StorageAndBackup) {
  const std::string entities =
      "{A: {keys: {PK: 'A#{id}', SK: A, GSI1PK: 'X#{x}', GSI1SK: '{id}'}, attributes: {id: string, x: string}, size: "
      "{avg: 924}, count: 1048576}}";
  const Model model = LoadForTest(
      ModelText(entities, "{}", "{GSI1: {pk: GSI1PK, sk: GSI1SK}}", ", billing: {pitr: true, class: standard_ia}"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  ASSERT_EQ(plan.storage.size(), 2u);
  EXPECT_DOUBLE_EQ(plan.storage[0].bytes, 1073741824);
  EXPECT_NEAR(plan.storage_usd, 2 * 0.10, 1e-9);
  EXPECT_NEAR(plan.backup_usd, 0.20, 1e-9);
  EXPECT_NEAR(plan.all_usd(), 0.40, 1e-9);
}

TEST(PlanPopulation, ByCountParentCopyAndTimeToLive) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Population population(model);
  const struct {
    const char* entity;
    std::optional<double> count;
  } kRows[] = {{"User", 1e6},        {"Address", 3e6},        {"Order", 50e6}, {"OrderHeader", 50e6},
               {"OrderItem", 150e6}, {"Session", 51840000.0}, {"Member", 2e5}, {"Reading", std::nullopt}};
  for (const auto& row : kRows) {
    const std::optional<double> count = population.Count(model.entity_ids.at(row.entity));
    ASSERT_EQ(count.has_value(), row.count.has_value()) << row.entity;
    EXPECT_NEAR(count.value_or(0), row.count.value_or(0), 1) << row.entity;
  }
  // The pattern that reads all pending orders says how many there are.
  EXPECT_NEAR(population.ShareIn(model.index_ids.at("GSI2"), model.entity_ids.at("Order")), 1000 / 50e6, 1e-12);
}

TEST(PlanHeat, MostLoadedKey) {
  const struct {
    const char* attribute;
    const char* rps;
    double write_units;
    double min_shards;
  } kRows[] = {
      {"[pending, paid]", "1000", 500, 1},
      {"[pending, paid]", "2800", 1400, 2},
      {"{type: string, cardinality: 100}", "1000", 10, 1},
      {"{type: string, cardinality: 100, top_share: 0.9}", "1000", 900, 2},
      {"{type: bool}", "3000", 1500, 3},
  };
  for (const auto& row : kRows) {
    const std::string entities = std::string(
                                     "{A: {keys: {PK: 'A#{id}', SK: A, GSI1PK: 'X#{x}', GSI1SK: '{id}'}, "
                                     "attributes: {id: string, x: ") +
                                 row.attribute + "}, size: {avg: 500}, count: 1000000}}";
    const Model model = LoadForTest(ModelText(entities, std::string("{p: {put: A, rps: {avg: ") + row.rps + "}}}"));
    const Plan plan = MakePlan(model, Today(), OptionsForTest());
    ASSERT_EQ(plan.heat.size(), 2u);
    EXPECT_DOUBLE_EQ(plan.heat[1].write_units, row.write_units) << row.attribute;
    EXPECT_DOUBLE_EQ(plan.heat[1].min_shards, row.min_shards) << row.attribute;
    EXPECT_NEAR(plan.heat[0].write_units, std::stod(row.rps) / 1e6, 1e-9);
  }
}

const Collection& CollectionOf(const Plan& plan, std::string_view key) {
  for (const Collection& one : plan.collections) {
    if (one.key == key) return one;
  }
  ADD_FAILURE() << "no collection " << key;
  return plan.collections[0];
}

TEST(PlanCollections, NowLaterAndAtMost) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const Collection& user = CollectionOf(plan, "USER#{userId}");
  EXPECT_DOUBLE_EQ(user.items, 104);
  EXPECT_DOUBLE_EQ(user.bytes, 41924);
  EXPECT_DOUBLE_EQ(*user.bytes_max, 1024 + 20 * 300 + 5000 * 600 + 100000 * 200);
  EXPECT_DOUBLE_EQ(user.pages_max, 22);
  // 0.2778 orders and 5 follows per second, divided by the number of users at that time.
  const double users = 1e6 + 0.5 * kYearSeconds;
  EXPECT_NEAR(user.bytes_1y, 41924 + (0.2778 * 600 + 5 * 200) * kYearSeconds / users, 1);
  EXPECT_GT(user.bytes_3y, user.bytes_1y);
  // Items are written together with their order, so an order's collection grows only by status events.
  const Collection& order = CollectionOf(plan, "ORDER#{orderId|pad8}");
  EXPECT_DOUBLE_EQ(order.bytes, 2700);
  const double orders = 50e6 + 0.2778 * kYearSeconds;
  EXPECT_NEAR(order.bytes_1y, 2700 + 0.2778 * 200 * kYearSeconds / orders, 0.1);
}

TEST(PlanCollections, IndexKeysByTheirValues) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const struct {
    const char* key;
    bool counted;
    double items;
  } kRows[] = {
      {"CATEGORY#{category}", true, 250},       // 50,000 products in 200 categories
      {"STATUS#pending#{shard}", true, 100},    // 1,000 pending orders on ten shards
      {"USER#{userId}#SESSIONS", true, 51.84},  // sessions of a million users
      {"FOLLOWED_BY#{followee}", true, 50},     // per user
      {"{region}, {status}", false, 0},         // the number of regions is unknown
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(CollectionOf(plan, row.key).counted, row.counted) << row.key;
    EXPECT_NEAR(CollectionOf(plan, row.key).items, row.items, 1e-6) << row.key;
  }
  // Orders leave the pending queue as fast as they enter it.
  EXPECT_NEAR(CollectionOf(plan, "STATUS#pending#{shard}").bytes_3y, 40000, 40000);
  for (const Alternative& one : plan.alternatives) {
    EXPECT_TRUE(one.kind != Alternative::Kind::kProjection || one.cheapest == 0) << one.subject;
  }
}

const Alternative* AlternativeOf(const Plan& plan, Alternative::Kind kind, std::string_view subject) {
  for (const Alternative& one : plan.alternatives) {
    if (one.kind == kind && one.subject == subject) return &one;
  }
  return nullptr;
}

TEST(PlanAlternatives, NarrowerProjectionIfLessIsNeeded) {
  const std::string entities =
      "{A: {keys: {PK: 'A#{id}', SK: A, GSI1PK: 'X#{x}', GSI1SK: '{id}'}, attributes: {id: string, x: string, body: "
      "{type: string, avg_bytes: 4000}, name: {type: string, avg_bytes: 20}}, size: {avg: 4100}, count: 1000}}";
  const Model model = LoadForTest(ModelText(entities,
                                            "{p: {put: A, rps: {avg: 10}}, q: {query: A, index: GSI1, by: [x], "
                                            "returns: {items: 10}, needs: [name], rps: {avg: 1}}}"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const Alternative* one = AlternativeOf(plan, Alternative::Kind::kProjection, "index GSI1");
  ASSERT_NE(one, nullptr);
  ASSERT_EQ(one->options.size(), 3u);
  EXPECT_EQ(one->options[0].what, "ALL");
  EXPECT_EQ(one->options[1].what, "INCLUDE name");
  EXPECT_EQ(one->options[2].what, "KEYS_ONLY + GetItem");
  EXPECT_EQ(one->cheapest, 1u);
  // Five units per write instead of one, ten times a second.
  const double month = 2628000;
  EXPECT_NEAR(one->saves(), month * (40 * 0.625e-6 + 5 * 0.125e-6), month * 0.125e-6 + 0.01);
}

TEST(PlanAlternatives, CopyAgainstIndex) {
  const Model model = LoadForTest(ExampleText("shop.yaml"));
  const Plan plan = MakePlan(model, Today(), OptionsForTest());
  const Alternative* copy = AlternativeOf(plan, Alternative::Kind::kCopyOrIndex, "copy OrderHeader");
  ASSERT_NE(copy, nullptr);
  ASSERT_EQ(copy->options.size(), 2u);
  EXPECT_EQ(copy->options[1].what, "GSI on Order");
  const Alternative* index = AlternativeOf(plan, Alternative::Kind::kCopyOrIndex, "index GSI1");
  ASSERT_NE(index, nullptr);
  EXPECT_EQ(index->cheapest, 0u);  // copies by transaction cost at least double
}

TEST(PlanPrices, ReportsOldPrices) {
  const Model model = LoadForTest(ModelText(Sized("500"), "{}"));
  EXPECT_EQ(RemarksOf(MakePlan(model, Today(), OptionsForTest()), Remark::Kind::kPrices).size(), 0u);
  const Plan old = MakePlan(model, Today(), {false, *EpochMillis("2027-11-15T00:00:00Z")});
  EXPECT_EQ(RemarksOf(old, Remark::Kind::kPrices).size(), 1u);
}

}  // namespace
}  // namespace keyfold::model
