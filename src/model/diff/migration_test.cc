#include "model/diff/migration.h"

#include <gtest/gtest.h>

#include "json/document.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

// Prices that make arithmetic easy: one dollar per million of each unit.
PriceFile Prices() {
  PriceFile prices;
  prices.name = "test";
  prices.effective = "2026-01-01";
  for (const char* usage : {"WriteRequestUnits", "ReadRequestUnits"}) {
    PriceRow row;
    row.usage_type = usage;
    row.usd = 1e-6;
    prices.rows.push_back(row);
  }
  return prices;
}

constexpr const char* kMigratedIndexes = "{GSI1: {pk: GSI1PK, sk: GSI1SK}}";

std::string User(const std::string& keys, const std::string& more = "") {
  return "{U: {keys: {PK: \"U#{id}\", SK: P" + keys +
         "}, attributes: {id: string, e: string, n: number}, size: {avg: 1500}, count: 1000}" + more + "}";
}

std::string Edited(std::string text, std::string_view from, std::string_view to) {
  const size_t at = text.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

Migration MigrationBetween(const std::string& before, const std::string& after) {
  static Model old_model, new_model;  // static because a migration does not own them
  old_model = LoadForTest(before);
  new_model = LoadForTest(after);
  return MigrationFrom(old_model, new_model, Prices());
}

// "dual_write backfill create_index …"
std::string Kinds(const Migration& migration) {
  std::string out;
  for (const MigrationStep& step : migration.steps) (out += out.empty() ? "" : " ") += NameOf(step.kind);
  return out;
}

TEST(MigrationTest, Orders) {
  const std::string plain = ModelText(User(""), "{}", kMigratedIndexes);
  const std::string keyed = ModelText(User(", GSI1PK: \"E#{e}\", GSI1SK: P"), "{}", kMigratedIndexes);
  const struct {
    std::string_view what;
    std::string before;
    std::string after;
    std::string kinds;
  } cases[] = {
      {"the same", plain, plain, ""},
      {"a native index", plain, ModelText(User(""), "{}", "{GSI1: {pk: GSI1PK, sk: GSI1SK}, ByE: {pk: e}}"),
       "create_index verify"},
      {"an index with keys to write", ModelText(User(""), "{}", "{}"), keyed,
       "dual_write backfill create_index verify"},
      {"keys into an index that is there", plain, keyed, "dual_write backfill"},
      {"an index less", keyed, ModelText(User(""), "{}", "{}"), "delete_index"},
      {"a projection", keyed,
       ModelText(User(", GSI1PK: \"E#{e}\", GSI1SK: P"), "{}", "{GSI1: {pk: GSI1PK, sk: GSI1SK, project: keys}}"),
       "note create_index verify cut_over delete_index"},
      {"an entity's key", plain,
       ModelText("{U: {keys: {PK: \"USER#{id}\", SK: P}, attributes: {id: string}, count: 1000}}", "{}",
                 kMigratedIndexes),
       "dual_write backfill verify cut_over delete_items"},
      {"an entity more", plain,
       ModelText(User("", ", V: {keys: {PK: \"V#{id}\", SK: V}, attributes: {id: string}}"), "{}", kMigratedIndexes),
       "note"},
      {"a required attribute", plain, Edited(plain, "e: string", "e: string, m: bool"), "dual_write backfill"},
      {"an attribute with a default", plain, Edited(plain, "e: string", "e: string, m: {type: bool, default: false}"),
       "dual_write backfill"},
      {"an optional attribute", plain, Edited(plain, "e: string", "e: string, m: {type: bool, optional: true}"),
       "note"},
      {"a new name", plain, Edited(plain, "e: string", "mail: string"), "dual_write backfill cut_over"},
      {"now required", Edited(plain, "e: string", "e: {type: string, optional: true}"), plain, "dual_write backfill"},
      {"now optional", plain, Edited(plain, "e: string", "e: {type: string, optional: true}"), ""},
      {"a key of an attribute that no item has", plain,
       Edited(Edited(plain, "U#{id}", "R#{r}"), "e: string", "e: string, r: string"),
       "dual_write backfill note dual_write backfill verify cut_over delete_items"},
      {"a copy more", plain,
       ModelText(User("", ", C: {copy_of: {entity: U, attributes: [n]}, keys: {PK: \"E#{e}\", SK: C}, count: 1000}"),
                 "{}", kMigratedIndexes),
       "dual_write backfill verify"},
      {"an entity less",
       ModelText(User("", ", V: {keys: {PK: \"V#{id}\", SK: V}, attributes: {id: string}, count: 5}"), "{}",
                 kMigratedIndexes),
       plain, "delete_items"},
      {"settings", plain, ModelText(User(""), "{}", kMigratedIndexes, ", ttl: n, stream: new_image"),
       "call_api call_api"},
  };
  for (const auto& c : cases) EXPECT_EQ(Kinds(MigrationBetween(c.before, c.after)), c.kinds) << c.what;
}

TEST(MigrationTest, ATableWithAnotherKeyIsReplaced) {
  const std::string before =
      "model: 1\ntable: {name: T, key: {pk: PK}}\nentities: {U: {keys: {PK: \"U#{id}\"}, "
      "attributes: {id: string}, count: 10}}\n";
  const std::string after = ModelText(User(""), "{}", kMigratedIndexes);
  const Migration migration = MigrationBetween(before, after);
  EXPECT_EQ(Kinds(migration), "create_table dual_write backfill verify cut_over delete_table");
  EXPECT_NE(migration.steps[0].body.find("\"T-v2\""), std::string::npos);
}

TEST(MigrationTest, SaysWhereValuesComeFrom) {
  const std::string plain = ModelText(User(""), "{}", "{}");
  const struct {
    std::string after;
    size_t step;
    std::string_view part;
  } cases[] = {
      {Edited(plain, "e: string", "e: string, m: bool"), 1, "this needs new data"},
      {Edited(plain, "e: string", "e: string, m: {type: bool, default: false}"), 1, "set m = false on every U"},
      {Edited(plain, "e: string", "mail: string"), 1, "set mail of every U from e"},
      {Edited(Edited(plain, "U#{id}", "R#{r}"), "e: string", "e: string, r: string"), 2, "r is in the key"},
  };
  for (const auto& c : cases) {
    const Migration migration = MigrationBetween(plain, c.after);
    ASSERT_GT(migration.steps.size(), c.step);
    const MigrationStep& step = migration.steps[c.step];
    const std::string text = step.title + (step.details.empty() ? "" : " " + step.details[0]);
    EXPECT_NE(text.find(c.part), std::string::npos) << text;
  }
}

// Setting one attribute writes only the indexes that project it.
TEST(MigrationTest, CostOfAnAttribute) {
  const std::string entity = User(", GSI1PK: \"E#{e}\", GSI1SK: P");
  for (const auto& [project, units] : {std::pair("all", 4000.0), std::pair("keys", 2000.0)}) {
    const std::string before =
        ModelText(entity, "{}", std::string("{GSI1: {pk: GSI1PK, sk: GSI1SK, project: ") + project + "}}");
    const Migration migration = MigrationBetween(before, Edited(before, "e: string", "e: string, m: bool"));
    ASSERT_EQ(migration.steps.size(), 2u);
    EXPECT_EQ(migration.steps[1].write_units, units) << project;
  }
}

TEST(MigrationTest, Costs) {
  const Migration migration = MigrationBetween(
      ModelText(User(""), "{}", "{}"), ModelText(User(", GSI1PK: \"E#{e}\", GSI1SK: P"), "{}", kMigratedIndexes));
  ASSERT_EQ(migration.steps.size(), 4u);
  const MigrationStep& backfill = migration.steps[1];
  EXPECT_EQ(backfill.items, 1000.0);
  EXPECT_EQ(backfill.write_units, 2000);  // 1,500 bytes are two units, and the index does not exist yet
  EXPECT_EQ(backfill.read_units, 183.5);  // 1.5 MB in steps of 4 KB, half a unit each
  const MigrationStep& index = migration.steps[2];
  EXPECT_EQ(index.items, 1000.0);
  EXPECT_EQ(index.write_units, 2000);
  EXPECT_EQ(index.operation, "UpdateTable");
  EXPECT_NEAR(migration.Usd(), (2000 + 183.5 + 2000) * 1e-6, 1e-12);
}

TEST(MigrationTest, UncountedItemsAreReported) {
  const std::string before = ModelText("{U: {keys: {PK: \"U#{id}\", SK: P}, attributes: {id: string}}}", "{}", "{}");
  const std::string after = ModelText("{U: {keys: {PK: \"V#{id}\", SK: P}, attributes: {id: string}}}", "{}", "{}");
  const Migration migration = MigrationBetween(before, after);
  EXPECT_TRUE(migration.steps[1].uncounted);
  EXPECT_NE(MigrationText(migration).find("number of items unknown"), std::string::npos);
}

TEST(MigrationTest, JsonHasEveryStep) {
  const Migration migration = MigrationBetween(
      ModelText(User(""), "{}", "{}"), ModelText(User(", GSI1PK: \"E#{e}\", GSI1SK: P"), "{}", kMigratedIndexes));
  json::Parser parser;
  const auto document = parser.Parse(MigrationJson(migration));
  ASSERT_TRUE(document);
  EXPECT_EQ(json::Find(*document, "steps")->CountElements(), migration.steps.size());
  EXPECT_EQ(json::Find(*json::Find(*document, "total"), "writeUnits")->AsDouble(), 4000);
}

}  // namespace
}  // namespace keyfold::model
