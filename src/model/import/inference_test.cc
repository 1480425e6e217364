#include "model/import/inference.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "model/file/layout.h"
#include "model/import/import_file.h"
#include "testing/model/items.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

// "PK=USER#{userId} SK=PROFILE", with the keys sorted by name.
std::string PrintedKeys(const Entity& entity) {
  std::set<std::string> keys;
  for (const KeyTemplate& key : entity.keys) keys.insert(key.attribute + "=" + key.value.text);
  std::string out;
  for (const std::string& key : keys) (out += out.empty() ? "" : " ") += key;
  return out;
}

Model Imported(const SampleOf& sample) {
  const std::string text = WriteDraft(InferModel(sample));
  const auto laid = LayOut(text);
  EXPECT_EQ(std::holds_alternative<std::string>(laid) ? std::get<std::string>(laid) : "not laid out", text);
  return LoadForTest(text);
}

TEST(InferenceTest, RecoversTheShopFromItsItems) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const SampleOf sample{DefinitionOf(shop), ItemsForTest(shop, 80), true};
  const Model found = Imported(sample);
  EXPECT_EQ(found.table.separator, "#");
  EXPECT_EQ(found.table.type_attribute, "_et");
  EXPECT_EQ(found.entities.size(), shop.entities.size());
  for (const Entity& entity : shop.entities) {
    const Entity* other = found.FindEntity(entity.name);
    ASSERT_NE(other, nullptr) << entity.name;
    EXPECT_EQ(PrintedKeys(*other), PrintedKeys(entity)) << entity.name;
    for (const Attribute& attribute : entity.attributes) {
      const Attribute* same = other->Find(attribute.name);
      ASSERT_NE(same, nullptr) << entity.name << "." << attribute.name;
      EXPECT_EQ(StoredAs(same->type), StoredAs(attribute.type)) << entity.name << "." << attribute.name;
    }
  }
  const Entity& order = *found.FindEntity("Order");
  ASSERT_TRUE(order.shard);
  EXPECT_EQ(order.shard->n, 10u);
  EXPECT_EQ(order.shard->hash_of, "orderId");
  ASSERT_EQ(order.when.size(), 1u);
  EXPECT_EQ(order.when[0].condition.text, "status = 'pending'");
  EXPECT_EQ(found.FindEntity("Reading")->shard->hash_of, std::nullopt);
  EXPECT_EQ(found.FindEntity("Session")->Find("expiresAt")->type, AttributeType::kEpochSeconds);
}

TEST(InferenceTest, WithoutATypeAttributeKeysDistinguishEntities) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  SampleOf sample{DefinitionOf(shop), ItemsForTest(shop, 80), true};
  for (SampledItem& item : sample.items) {
    std::erase_if(item.attributes, [](const SampledValue& value) { return value.name == "_et"; });
  }
  const Model found = Imported(sample);
  std::set<std::string> wanted, got;
  for (const Entity& entity : shop.entities) wanted.insert(PrintedKeys(entity));
  for (const Entity& entity : found.entities) got.insert(PrintedKeys(entity));
  EXPECT_EQ(got, wanted);
}

// Parses "PK|SK|name=value|name:number".
SampledItem Plain(const std::string& text) {
  SampledItem item;
  size_t at = 0;
  for (int i = 0; at <= text.size(); ++i) {
    const size_t end = std::min(text.find('|', at), text.size());
    const std::string field = text.substr(at, end - at);
    at = end + 1;
    const size_t sign = i < 2 ? std::string::npos : field.find_first_of("=:");
    SampledValue value;
    value.name = i == 0 ? "PK" : i == 1 ? "SK" : field.substr(0, sign);
    value.text = i < 2 ? field : field.substr(sign + 1);
    value.type = i >= 2 && field[sign] == ':' ? Type::kN : Type::kS;
    value.whole = value.type == Type::kN;
    item.bytes += field.size();
    item.attributes.push_back(std::move(value));
  }
  return item;
}

struct TemplateCase {
  std::string_view what;
  std::vector<std::string> items;
  std::string_view keys;  // key templates of the first entity
};

TEST(InferenceTest, Templates) {
  const TemplateCase cases[] = {
      {"an attribute",
       {"USER#a|PROFILE|userId=a", "USER#b|PROFILE|userId=b", "USER#c|PROFILE|userId=c"},
       "PK=USER#{userId} SK=PROFILE"},
      {"a name is made up where there is none",
       {"USER#a1|PROFILE|x=1", "USER#b2|PROFILE|x=2", "USER#c3|PROFILE|x=3"},
       "PK=USER#{userId} SK=PROFILE"},
      {"padding", {"O#0007|M|id:7", "O#0012|M|id:12", "O#0113|M|id:113"}, "PK=O#{id|pad4} SK=M"},
      {"unpadded", {"O#7|M|id:7", "O#12|M|id:12", "O#113|M|id:113"}, "PK=O#{id} SK=M"},
      {"lower case", {"E#ann|M|e=Ann", "E#bob|M|e=bob", "E#cy|M|e=Cy"}, "PK=E#{e|lower} SK=M"},
      {"a month",
       {"D#1#2024-01|M|d=1|at=2024-01-15T10:30:00.000Z", "D#2#2024-02|M|d=2|at=2024-02-15T10:30:00.000Z",
        "D#3#2024-03|M|d=3|at=2024-03-15T10:30:00.000Z"},
       "PK=D#{d}#{at|month} SK=M"},
      {"a time to the second that is a string stays one",
       {"A#1|2024-01-15T10:30:00Z|a=1|t=2024-01-15T10:30:00Z", "A#1|2024-01-16T10:30:00Z|a=1|t=2024-01-16T10:30:00Z",
        "A#2|2024-01-17T10:30:00Z|a=2|t=2024-01-17T10:30:00Z"},
       "PK=A#{a} SK={t}"},
      {"braces", {"{A}#1|M|a=1", "{A}#2|M|a=2", "{A}#3|M|a=3", "{A}#4|M|a=4", "{A}#5|M|a=5"}, "PK={{A}}#{a} SK=M"},
      {"another separator", {"USER/1|P|u=1", "USER/2|P|u=2", "USER/3|P|u=3"}, "PK=USER/{u} SK=P"},
      {"keys without parts", {"u-17|2|n=x", "u-18|3|n=y", "u-19|4|n=z"}, "PK={PK} SK={SK}"},
  };
  for (const TemplateCase& c : cases) {
    SampleOf sample;
    sample.table.name = "T";
    sample.table.key = {{{"PK", StoredType::kS}}, {{"SK", StoredType::kS}}};
    for (const std::string& text : c.items) sample.items.push_back(Plain(text));
    const Model found = Imported(sample);
    ASSERT_FALSE(found.entities.empty()) << c.what;
    EXPECT_EQ(PrintedKeys(found.entities[0]), c.keys) << c.what;
  }
}

TEST(InferenceTest, StraysAreCountedNotFollowed) {
  SampleOf sample;
  sample.table.name = "T";
  sample.table.key = {{{"PK", StoredType::kS}}, {{"SK", StoredType::kS}}};
  for (int i = 0; i < 99; ++i) {
    sample.items.push_back(Plain(fmt::format("USER#{0}|PROFILE|userId={0}|type=User", i * 7 + 100)));
  }
  sample.items.push_back(Plain("USER#odd#one|PROFILE|userId=odd|type=User"));
  const Draft draft = InferModel(sample);
  ASSERT_EQ(draft.entities.size(), 1u);
  EXPECT_EQ(draft.entities[0].name, "User");
  EXPECT_EQ(draft.entities[0].keys[0].second, "USER#{userId}");
  EXPECT_NE(draft.entities[0].comments[1].find("PK 99.0 %"), std::string::npos) << draft.entities[0].comments[1];
}

TEST(InferenceTest, APartitionWhoseOwnerIsNotInTheSampleCounts) {
  SampleOf sample;
  sample.table.name = "T";
  sample.table.key = {{{"PK", StoredType::kS}}, {{"SK", StoredType::kS}}};
  sample.items.push_back(Plain("USER#10|PROFILE|userId=10"));
  for (int user = 10; user < 14; ++user) {
    sample.items.push_back(Plain(fmt::format("USER#{0}|ORDER#{1}|userId={0}|orderId={1}", user, user * 100)));
  }
  const Model found = Imported(sample);
  EXPECT_EQ(found.FindEntity("Order")->per[0].avg, 1.0);
}

TEST(InferenceTest, AKeyOfAnIndexThatIsAPlainAttributeGivesPartsOfOtherKeys) {
  SampleOf sample;
  sample.table.name = "T";
  sample.table.key = {{{"PK", StoredType::kS}}, {{"SK", StoredType::kS}}};
  sample.table.indexes.resize(1);
  sample.table.indexes[0].name = "ByStatus";
  sample.table.indexes[0].key.pk = {{"status", StoredType::kS}};
  const char* statuses[] = {"paid", "shipped", "lost"};
  for (int i = 0; i < 9; ++i) {
    sample.items.push_back(Plain(fmt::format("ORDER#{0}|STATUS#{1}|orderId={0}|status={1}", 100 + i, statuses[i % 3])));
  }
  const Model found = Imported(sample);
  ASSERT_EQ(found.entities.size(), 1u);
  EXPECT_EQ(PrintedKeys(found.entities[0]), "PK=ORDER#{orderId} SK=STATUS#{status}");
  EXPECT_TRUE(found.entities[0].Has(found.indexes[0]));
}

TEST(InferenceTest, ATableWithoutItemsHasOneEntityWithItsKey) {
  SampleOf sample;
  sample.table.name = "events";
  sample.table.key = {{{"id", StoredType::kS}}, {{"at", StoredType::kN}}};
  const Model found = Imported(sample);
  ASSERT_EQ(found.entities.size(), 1u);
  EXPECT_EQ(PrintedKeys(found.entities[0]), "at={at} id={id}");
}

TEST(InferenceTest, PartitionsWithAnOwnerCountTheirChildren) {
  SampleOf sample;
  sample.table.name = "T";
  sample.table.key = {{{"PK", StoredType::kS}}, {{"SK", StoredType::kS}}};
  for (int user = 10; user < 14; ++user) {
    sample.items.push_back(Plain(fmt::format("USER#{0}|PROFILE|userId={0}", user)));
    for (int order = 0; order < user - 9; ++order) {
      sample.items.push_back(Plain(fmt::format("USER#{0}|ORDER#{1}|userId={0}|orderId={1}", user, user * 100 + order)));
    }
  }
  const Model found = Imported(sample);
  const Entity& order = *found.FindEntity("Order");
  ASSERT_EQ(order.per.size(), 1u);
  EXPECT_EQ(found.entities[*order.per[0].parent].name, "User");
  EXPECT_EQ(order.per[0].avg, 2.5);
  EXPECT_EQ(order.per[0].max, 4.0);
  EXPECT_EQ(found.FindEntity("User")->count, 4.0);
}

}  // namespace
}  // namespace keyfold::model
