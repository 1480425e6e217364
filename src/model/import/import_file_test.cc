#include "model/import/import_file.h"

#include <gtest/gtest.h>

#include "testing/model/model.h"

namespace keyfold::model {
namespace {

// Returns the model text of each table in the file, or the error.
std::vector<std::string> TextsFrom(const std::string& text) {
  json::Parser parser;
  const auto root = parser.Parse(text);
  if (!root) return {"no JSON"};
  const Result<std::vector<ImportSource>> sources = ReadImportFile(*root);
  if (!sources.ok()) return {sources.error().message()};
  std::vector<std::string> out;
  for (const ImportSource& source : *sources) out.push_back(WriteDraft(DraftFrom(source)));
  return out;
}

constexpr std::string_view kWorkbench = R"({
  "ModelName": "Library",
  "ModelMetadata": {"Author": "us", "DateCreated": "", "Description": "", "AWSService": "Amazon DynamoDB", "Version": "3.0"},
  "DataModel": [{
    "TableName": "Library",
    "KeyAttributes": {"PartitionKey": {"AttributeName": "PK", "AttributeType": "S"},
                      "SortKey": {"AttributeName": "SK", "AttributeType": "S"}},
    "NonKeyAttributes": [{"AttributeName": "title", "AttributeType": "S"}, {"AttributeName": "pages", "AttributeType": "N"},
                         {"AttributeName": "tags", "AttributeType": "SS"}, {"AttributeName": "dueOn", "AttributeType": "S"}],
    "TableFacets": [
      {"FacetName": "Book", "KeyAttributeAlias": {"PartitionKeyAlias": "BOOK#isbn", "SortKeyAlias": "META"},
       "NonKeyAttributes": ["title", "pages", "tags"], "DataAccess": {"MySql": {}},
       "TableData": [
         {"PK": {"S": "BOOK#111"}, "SK": {"S": "META"}, "isbn": {"S": "111"}, "title": {"S": "One"}, "pages": {"N": "10"}},
         {"PK": {"S": "BOOK#222"}, "SK": {"S": "META"}, "isbn": {"S": "222"}, "title": {"S": "Two"}, "pages": {"N": "20"}}]},
      {"FacetName": "Loan", "KeyAttributeAlias": {"PartitionKeyAlias": "READER#readerId", "SortKeyAlias": "LOAN#isbn"},
       "NonKeyAttributes": ["dueOn", "tags"], "DataAccess": {"MySql": {}}, "TableData": []}],
    "GlobalSecondaryIndexes": [
      {"IndexName": "ByLoan", "KeyAttributes": {"PartitionKey": {"AttributeName": "SK", "AttributeType": "S"},
       "SortKey": {"AttributeName": "PK", "AttributeType": "S"}},
       "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["dueOn"]}}],
    "DataAccess": {"MySql": {}},
    "BillingMode": "PROVISIONED"
  }]
})";

TEST(ImportFileTest, NoSqlWorkbench) {
  const std::vector<std::string> texts = TextsFrom(std::string(kWorkbench));
  ASSERT_EQ(texts.size(), 1u);
  const Model model = LoadForTest(texts[0]);
  EXPECT_EQ(model.table.name, "Library");
  EXPECT_EQ(model.table.billing, BillingMode::kProvisioned);
  ASSERT_EQ(model.indexes.size(), 1u);
  EXPECT_EQ(model.indexes[0].pk, KeySide{"SK"});
  EXPECT_EQ(model.indexes[0].included, std::vector<std::string>{"dueOn"});
  const Entity* book = model.FindEntity("Book");
  ASSERT_NE(book, nullptr) << texts[0];
  EXPECT_EQ(book->FindKey("PK")->value.text, "BOOK#{isbn}");
  EXPECT_EQ(book->FindKey("SK")->value.text, "META");
  EXPECT_EQ(book->Find("pages")->type, AttributeType::kNumber);
  const Entity* loan = model.FindEntity("Loan");
  ASSERT_NE(loan, nullptr) << texts[0];
  EXPECT_EQ(loan->FindKey("PK")->value.text, "READER#{readerId}");
  EXPECT_EQ(loan->FindKey("SK")->value.text, "LOAN#{isbn}");
  EXPECT_EQ(loan->Find("tags")->type, AttributeType::kList);
  EXPECT_NE(texts[0].find("# guess: the facet has no items"), std::string::npos);
}

TEST(ImportFileTest, CreateTableRequest) {
  const std::vector<std::string> texts = TextsFrom(R"({"TableName": "T", "BillingMode": "PAY_PER_REQUEST",
    "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}, {"AttributeName": "b", "AttributeType": "N"},
                             {"AttributeName": "c", "AttributeType": "S"}],
    "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}, {"AttributeName": "b", "KeyType": "RANGE"}],
    "LocalSecondaryIndexes": [{"IndexName": "L", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"},
      {"AttributeName": "c", "KeyType": "RANGE"}], "Projection": {"ProjectionType": "KEYS_ONLY"}}],
    "StreamSpecification": {"StreamEnabled": true, "StreamViewType": "NEW_IMAGE"}})");
  ASSERT_EQ(texts.size(), 1u);
  const Model model = LoadForTest(texts[0]);
  EXPECT_EQ(model.table.stream, Stream::kNewImage);
  EXPECT_EQ(model.table.billing, BillingMode::kOnDemand);
  ASSERT_EQ(model.indexes.size(), 1u);
  EXPECT_TRUE(model.indexes[0].local);
  EXPECT_EQ(model.indexes[0].project, Project::kKeys);
  EXPECT_EQ(model.entities[0].FindKey("b")->value.type, StoredType::kN);
}

TEST(ImportFileTest, CloudFormation) {
  const std::vector<std::string> texts = TextsFrom(R"({"Resources": {
    "Queue": {"Type": "AWS::SQS::Queue", "Properties": {}},
    "Orders": {"Type": "AWS::DynamoDB::Table", "Properties": {"TableName": {"Ref": "Name"},
      "AttributeDefinitions": [{"AttributeName": "id", "AttributeType": "S"}],
      "KeySchema": [{"AttributeName": "id", "KeyType": "HASH"}],
      "TimeToLiveSpecification": {"AttributeName": "gone", "Enabled": true},
      "PointInTimeRecoverySpecification": {"PointInTimeRecoveryEnabled": true},
      "StreamSpecification": {"StreamViewType": "KEYS_ONLY"}}}}})");
  ASSERT_EQ(texts.size(), 1u);
  const Model model = LoadForTest(texts[0]);
  EXPECT_EQ(model.table.name, "Orders");
  EXPECT_EQ(model.table.ttl, "gone");
  EXPECT_TRUE(model.table.pitr);
  EXPECT_EQ(model.table.stream, Stream::kKeysOnly);
}

TEST(ImportFileTest, Refusals) {
  const struct {
    std::string text;
    std::string says;
  } cases[] = {
      {"[1]", "neither NoSQL Workbench JSON"},
      {"{}", "neither NoSQL Workbench JSON"},
      {R"({"DataModel": []})", "NoSQL Workbench version unsaid"},
      {R"({"DataModel": [], "ModelMetadata": {"Version": "1.0"}})", "NoSQL Workbench version 1.0"},
      {R"({"DataModel": [{"TableName": "T"}], "ModelMetadata": {"Version": "3.0"}})", "table T: KeyAttributes"},
      {R"({"Resources": {}})", "no AWS::DynamoDB::Table"},
      {R"({"TableName": "T", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
           "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
           "GlobalSecondaryIndexes": [{"KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}]})",
       "table T: IndexName is missing"},
      {R"({"TableName": "T", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}],
           "AttributeDefinitions": [{"AttributeName": "a", "AttributeType": "S"}],
           "GlobalSecondaryIndexes": [
             {"IndexName": "I", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]},
             {"IndexName": "I", "KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}]}]})",
       "table T: two indexes are named I"},
      {R"({"KeySchema": [{"AttributeName": "a", "KeyType": "HASH"}], "AttributeDefinitions": []})", "a has no type"},
      {R"({"KeySchema": [], "AttributeDefinitions": []})", "no HASH"},
  };
  for (const auto& c : cases) {
    const std::vector<std::string> got = TextsFrom(c.text);
    ASSERT_EQ(got.size(), 1u);
    EXPECT_NE(got[0].find(c.says), std::string::npos) << c.text << "\n" << got[0];
  }
}

TEST(SampledItemTest, SizesAreDynamoDbs) {
  const struct {
    std::string json;
    uint64_t bytes;
  } cases[] = {
      {R"({"a": {"S": "xyz"}})", 4},
      {R"({"a": {"N": "12.50"}})", 4},
      {R"({"a": {"B": "AAEC"}})", 4},
      {R"({"a": {"BOOL": true}, "b": {"NULL": true}})", 4},
      {R"({"a": {"L": [{"S": "x"}, {"S": "yz"}]}})", 9},
      {R"({"a": {"M": {"k": {"S": "x"}}}})", 7},
      {R"({"a": {"SS": ["x", "yz"]}})", 4},
  };
  for (const auto& c : cases) {
    json::Parser parser;
    const auto item = ReadSampledItem(*parser.Parse(c.json));
    ASSERT_TRUE(item) << c.json;
    EXPECT_EQ(item->bytes, c.bytes) << c.json;
  }
  for (const std::string bad : {R"({"a": 1})", R"({"a": {"X": "1"}})", R"({"a": {"N": "x"}})", "[]"}) {
    json::Parser parser;
    EXPECT_FALSE(ReadSampledItem(*parser.Parse(bad))) << bad;
  }
}

}  // namespace
}  // namespace keyfold::model
