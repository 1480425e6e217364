#include "model/sample/sample.h"

#include <gtest/gtest.h>

#include "model/diff/definition.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

std::vector<SampleObject> MakeForTest(const Model& model, SampleOptions options = {}) {
  options.now_ms = kSamplePresentMs;
  return Sampler(model, options).MakeAll();
}

std::string LinesOf(const Model& model, const std::vector<SampleObject>& objects) {
  std::string lines;
  for (const SampleObject& object : objects) lines += JsonOf(ItemOf(model, object, kSamplePresentMs)) + '\n';
  return lines;
}

std::set<std::string> ValuesOf(const Model& model, const std::vector<SampleObject>& objects, std::string_view entity,
                               std::string_view attribute) {
  std::set<std::string> all;
  for (const SampleObject& object : objects) {
    if (model.entities[object.entity].name == entity) all.insert(object.Find(attribute).value_or("(none)"));
  }
  return all;
}

bool Within(const std::set<std::string>& some, const std::set<std::string>& all) {
  return std::includes(all.begin(), all.end(), some.begin(), some.end());
}

TEST(Sample, SameSeedSameData) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  EXPECT_EQ(LinesOf(shop, MakeForTest(shop, {.seed = 5})), LinesOf(shop, MakeForTest(shop, {.seed = 5})));
  EXPECT_NE(LinesOf(shop, MakeForTest(shop, {.seed = 5})), LinesOf(shop, MakeForTest(shop, {.seed = 6})));
}

TEST(Sample, CountIsApproximate) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  for (const uint64_t count : {300, 2'000}) {
    const double made = static_cast<double>(MakeForTest(shop, {.items = count}).size());
    EXPECT_NEAR(made, static_cast<double>(count), static_cast<double>(count) * 0.35);
  }
}

// A reference to another entity has the value of one of its objects.
TEST(Sample, ObjectsJoin) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const std::vector<SampleObject> objects = MakeForTest(shop);
  struct Row {
    const char *entity, *attribute, *owner, *key;
  };
  constexpr Row kRows[] = {
      {"Address", "userId", "User", "userId"},      {"Order", "userId", "User", "userId"},
      {"Follow", "follower", "User", "userId"},     {"Session", "userId", "User", "userId"},
      {"Member", "userId", "User", "userId"},       {"Member", "dept", "Dept", "dept"},
      {"OrderItem", "orderId", "Order", "orderId"}, {"OrderItem", "sku", "Product", "sku"},
      {"EmailGuard", "email", "User", "email"},     {"OrderHeader", "total", "Order", "total"},
  };
  for (const Row& row : kRows) {
    const std::set<std::string> some = ValuesOf(shop, objects, row.entity, row.attribute);
    EXPECT_FALSE(some.empty()) << row.entity;
    EXPECT_TRUE(Within(some, ValuesOf(shop, objects, row.owner, row.key))) << row.entity << '.' << row.attribute;
  }
}

// Items have the declared size, each is in the table once, and each is in an index only if the sparse rule holds.
TEST(Sample, Items) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  std::set<std::string> keys;
  for (const SampleObject& object : MakeForTest(shop)) {
    const Entity& entity = shop.entities[object.entity];
    const SampleItem item = ItemOf(shop, object, kSamplePresentMs);
    EXPECT_TRUE(keys.insert(KeyJsonOf(shop, item)).second) << JsonOf(item);
    const bool pending = entity.name == "Order" && object.Find("status") == "pending";
    EXPECT_EQ(Find(item, "GSI2PK") != nullptr, pending) << JsonOf(item);
    size_t bytes = 0;
    for (const ItemAttribute& one : item) bytes += one.name.size() + one.text.size();
    EXPECT_NEAR(static_cast<double>(bytes), entity.size_avg, 60) << entity.name;
  }
}

// The shard is FNV-1a of the number in its template's format.
TEST(Sample, ShardOfHash) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  for (const SampleObject& object : MakeForTest(shop)) {
    const SampleItem item = ItemOf(shop, object, kSamplePresentMs);
    const ItemAttribute* key = Find(item, "GSI2PK");
    if (key == nullptr) continue;
    const std::string padded = FormatValue(Format::kPad, 8, AttributeType::kNumber, *object.Find("orderId"));
    EXPECT_EQ(key->text, "STATUS#pending#" + std::to_string(ShardOf(padded, 10)));
  }
}

// Similar values that a wrong key would confuse are present with every seed.
TEST(Sample, AwkwardValues) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  for (const uint64_t seed : {1, 2, 3}) {
    const std::vector<SampleObject> objects = MakeForTest(shop, {.seed = seed});
    EXPECT_TRUE(Within({"engineering", "engineering-ops"}, ValuesOf(shop, objects, "Dept", "dept")));
    EXPECT_TRUE(
        Within({"2026-02-28T23:59:59.999Z", "2026-03-01T00:00:00.000Z"}, ValuesOf(shop, objects, "Reading", "at")));
    EXPECT_TRUE(Within({"9", "10"}, ValuesOf(shop, objects, "OrderItem", "line")));
  }
}

// An entry has what the table created by apply projects: no type attribute for KEYS_ONLY.
TEST(Sample, EntriesHoldWhatIsProjected) {
  struct Row {
    const char* project;
    const char* type;
    Project made;
    const char* holds;
  };
  constexpr Row kRows[] = {
      {"keys", ", type_attribute: _et", Project::kKeys, "PK SK GSI1PK "},
      {"[y]", ", type_attribute: _et", Project::kInclude, "PK SK GSI1PK _et y "},
      {"[]", ", type_attribute: _et", Project::kInclude, "PK SK GSI1PK _et "},
      {"[]", "", Project::kKeys, "PK SK GSI1PK "},
      {"all", ", type_attribute: _et", Project::kAll, "PK SK GSI1PK _et a y z "},
  };
  for (const Row& row : kRows) {
    const Model model = LoadForTest(ModelText(
        "{A: {keys: {PK: 'A#{a}', SK: A, GSI1PK: A}, attributes: {a: string, y: string, z: string}, size: {avg: 1}}}",
        "{}", "{GSI1: {pk: GSI1PK, project: " + std::string(row.project) + "}}", row.type));
    const TableDefinition table = DefinitionOf(model);
    EXPECT_EQ(table.indexes[0].project, row.made) << row.project;
    const SampleItem item = ItemOf(model, MakeForTest(model)[0], kSamplePresentMs);
    std::string holds;
    for (const ItemAttribute& one : Projected(model, 0, item)) {
      holds += one.name + ' ';
      const bool key = one.name == "PK" || one.name == "SK" || one.name == "GSI1PK";
      const auto& included = table.indexes[0].included;
      EXPECT_TRUE(key || row.made == Project::kAll ||
                  std::find(included.begin(), included.end(), one.name) != included.end())
          << one.name;
    }
    EXPECT_EQ(holds, row.holds) << row.project << row.type;
  }
}

// A reader that swaps two references of one kind finds other items, or none.
TEST(Sample, ReferencesOfOneKindDiffer) {
  const char* const models[] = {
      "{Follow: {keys: {PK: 'FOLLOWER#{follower}', SK: 'FOLLOWEE#{followee}'}, attributes: {follower: string, followee: "
      "string}}}",
      "{User: {keys: {PK: 'USER#{userId}', SK: USER}, attributes: {userId: string}}, Follow: {keys: {PK: "
      "'FOLLOWS#{follower}', SK: '{followee}', GSI1PK: 'FOLLOWED#{followee}', GSI1SK: '{follower}'}, attributes: "
      "{follower: string, followee: string}}}",
      "{Follow: {keys: {PK: 'FOLLOWS#{follower}#{followee}', SK: FOLLOW}, attributes: {follower: string, followee: "
      "string}}}",
      "{Follow: {keys: {PK: 'FOLLOWS#{follower}', SK: '{followee}'}, attributes: {follower: string, followee: string}}, "
      "Followed: {copy_of: {entity: Follow, attributes: [follower]}, keys: {PK: 'FOLLOWED#{followee}', SK: "
      "'{follower}'}}}",
  };
  for (const char* const text : models) {
    const Model model = LoadForTest(ModelText(text));
    std::set<std::pair<std::string, std::string>> pairs;
    for (const SampleObject& object : MakeForTest(model)) {
      if (model.entities[object.entity].name != "Follow") continue;
      pairs.emplace(*object.Find("follower"), *object.Find("followee"));
    }
    ASSERT_GE(pairs.size(), 5U) << text;
    size_t same = 0, both_ways = 0;
    for (const auto& [follower, followee] : pairs) {
      same += follower == followee ? 1 : 0;
      both_ways += follower != followee && pairs.count({followee, follower}) != 0 ? 1 : 0;
    }
    EXPECT_LE(same * 4, pairs.size()) << text;
    EXPECT_LE(both_ways * 2, pairs.size()) << text;
  }
}

TEST(Sample, ExpiredOnlyIfRequested) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const auto expired = [&](bool wanted) {
    size_t count = 0;
    for (const std::string& at :
         ValuesOf(shop, MakeForTest(shop, {.items = 2'000, .expired = wanted}), "Session", "expiresAt")) {
      if (std::stoll(at) * 1000 <= kSamplePresentMs) ++count;
    }
    return count;
  };
  EXPECT_GT(expired(true), 0U);
  EXPECT_EQ(expired(false), 0U);
}

// A parent has an attribute that is in the key of its children. It does not refer to them, or none could be made.
TEST(Sample, ParentsDoNotReferToTheirChildren) {
  const Model model = LoadForTest(
      ModelText("{User: {keys: {PK: \"USER#{userId}\", SK: USER}, attributes: {userId: string, since: number}}, "
                "Course: {keys: {PK: \"USER#{userId}\", SK: \"COURSE#{courseId}#{since}\"}, "
                "attributes: {userId: string, courseId: string, since: number}, per: {User: {avg: 3, max: 9}}}}",
                "{}"));
  uint64_t courses = 0;
  for (const SampleObject& object : MakeForTest(model, {})) courses += object.entity == 1;
  EXPECT_GT(courses, 3U);
}

// Two entities call their ids alike, and neither refers to the other.
TEST(Sample, NewIdsUnderTheNameOfAnother) {
  const Model model =
      LoadForTest(ModelText("{User: {keys: {PK: \"USER#{id}\", SK: USER}, attributes: {id: string}}, "
                            "Product: {keys: {PK: \"PRODUCT#{id}\", SK: PRODUCT}, attributes: {id: string}}}",
                            "{}"));
  Sampler sampler(model, {.now_ms = kSamplePresentMs});
  sampler.MakeAll();
  for (int i = 0; i < 20; ++i) EXPECT_TRUE(sampler.MakeOne(1, {}, false).has_value()) << i;
}

// A child calls its parent's id otherwise, and has an id of its own.
TEST(Sample, ChildrenWithIdsOfTheirOwn) {
  const Model model =
      LoadForTest(ModelText("{Account: {keys: {PK: \"ACCOUNT#{id}\", SK: ACCOUNT}, attributes: {id: string}}, "
                            "Invoice: {keys: {PK: \"ACCOUNT#{accountId}\", SK: \"INVOICE#{id}\"}, "
                            "attributes: {accountId: string, id: string}, per: {Account: {avg: 8, max: 20}}}}",
                            "{}"));
  std::map<std::string, int> invoices;
  for (const SampleObject& object : MakeForTest(model, {})) {
    if (object.entity == 1) ++invoices[*object.Find("accountId")];
  }
  const auto most = std::max_element(invoices.begin(), invoices.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  ASSERT_NE(most, invoices.end());
  EXPECT_GT(most->second, 5);
}

TEST(Sample, StringsAreFreeOfTheSeparator) {
  for (const char* separator : {"#", "-", "e", "@", "."}) {
    SampleValues values(1, separator, kSamplePresentMs);
    Attribute attribute;
    attribute.name = "email";
    for (uint64_t n = 0; n < 100; ++n) {
      EXPECT_EQ(values.Nth(attribute, n).find(separator), std::string::npos) << values.Nth(attribute, n);
    }
  }
}

}  // namespace
}  // namespace keyfold::model
