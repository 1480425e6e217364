#include "copy/table_description.h"

#include <gtest/gtest.h>

namespace keyfold::copy {
namespace {

constexpr char kKeys[] =
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"},{"AttributeName":"n","AttributeType":"N"}],)"
    R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"},{"AttributeName":"n","KeyType":"RANGE"}])";

std::string Answer(const std::string& members) {
  return R"({"Table":{"TableName":"old","TableStatus":"ACTIVE","TableArn":"arn:x","ItemCount":7,)"
         R"("TableSizeBytes":900,)" +
         std::string(kKeys) + members + "}}";
}

std::string Created(const std::string& members, CopiedSettings settings = {}, std::string_view tags = {}) {
  const Result<TableDescription> description = TableDescription::Read(Answer(members));
  return description.ok() ? description->CreateBody("new", settings, tags) : description.error().message();
}

std::string Expected(const std::string& members) {
  return R"({"TableName":"new",)" + std::string(kKeys) + members + "}";
}

TEST(TableDescription, WhatACopyNeedsToKnow) {
  const Result<TableDescription> description = TableDescription::Read(Answer(""));
  ASSERT_TRUE(description.ok()) << description.error().message();
  EXPECT_EQ(description->items(), 7u);
  EXPECT_EQ(description->bytes(), 900u);
  EXPECT_EQ(description->status(), "ACTIVE");
  EXPECT_EQ(description->arn(), "arn:x");
  EXPECT_EQ(NameOf(description->key()), "pk (S), n (N)");
  EXPECT_FALSE(TableDescription::Read("{}").ok());
  EXPECT_FALSE(TableDescription::Read("no JSON").ok());
}

TEST(TableDescription, CreatesAnotherLikeIt) {
  struct Row {
    const char* what;
    std::string described, wanted;
  };
  const std::string on_demand = R"(,"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"})";
  const std::string units = R"(,"ProvisionedThroughput":{"NumberOfDecreasesToday":1,)";
  const std::string zero = units + R"("ReadCapacityUnits":0,"WriteCapacityUnits":0})";
  const std::string some = units + R"("ReadCapacityUnits":5,"WriteCapacityUnits":6})";
  const std::string stream = R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
  const std::string index =
      R"("IndexName":"i","KeySchema":[{"AttributeName":"n","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"})";
  const std::string more = R"(,"IndexStatus":"ACTIVE","IndexSizeBytes":1,"ItemCount":2,"IndexArn":"a")";
  const Row rows[] = {
      {"on demand", on_demand + zero, R"(,"BillingMode":"PAY_PER_REQUEST")"},
      {"on demand, not said", zero, R"(,"BillingMode":"PAY_PER_REQUEST")"},
      {"provisioned", some,
       R"(,"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6})"},
      {"indexes",
       R"(,"LocalSecondaryIndexes":[{)" + index + more + R"(}],"GlobalSecondaryIndexes":[{)" + index + more + some +
           "}]" + some,
       R"(,"LocalSecondaryIndexes":[{)" + index + R"(}],"GlobalSecondaryIndexes":[{)" + index +
           R"(,"ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6}}])"
           R"(,"BillingMode":"PROVISIONED","ProvisionedThroughput":{"ReadCapacityUnits":5,"WriteCapacityUnits":6})"},
      {"indexes on demand", R"(,"GlobalSecondaryIndexes":[{)" + index + more + zero + "}]" + on_demand,
       R"(,"GlobalSecondaryIndexes":[{)" + index + R"(}],"BillingMode":"PAY_PER_REQUEST")"},
      {"limits on demand", on_demand + R"(,"OnDemandThroughput":{"MaxReadRequestUnits":9})",
       R"(,"BillingMode":"PAY_PER_REQUEST","OnDemandThroughput":{"MaxReadRequestUnits":9})"},
      {"class", on_demand + R"(,"TableClassSummary":{"LastUpdate":1,"TableClass":"STANDARD_INFREQUENT_ACCESS"})",
       R"(,"BillingMode":"PAY_PER_REQUEST","TableClass":"STANDARD_INFREQUENT_ACCESS")"},
      {"protection", on_demand + R"(,"DeletionProtectionEnabled":true)",
       R"(,"BillingMode":"PAY_PER_REQUEST","DeletionProtectionEnabled":true)"},
      {"no protection", on_demand + R"(,"DeletionProtectionEnabled":false)", R"(,"BillingMode":"PAY_PER_REQUEST")"},
      {"stream", on_demand + stream + R"(,"LatestStreamArn":"x")", R"(,"BillingMode":"PAY_PER_REQUEST")" + stream},
      {"no stream", on_demand + R"(,"StreamSpecification":{"StreamEnabled":false})",
       R"(,"BillingMode":"PAY_PER_REQUEST")"},
      {"keys and replicas of AWS",
       on_demand + R"(,"SSEDescription":{"Status":"ENABLED"},"Replicas":[{"RegionName":"x"}])",
       R"(,"BillingMode":"PAY_PER_REQUEST")"},
  };
  for (const Row& row : rows) EXPECT_EQ(Created(row.described), Expected(row.wanted)) << row.what;
}

TEST(TableDescription, OnlyTheSettingsThatAreWanted) {
  const std::string stream = R"(,"StreamSpecification":{"StreamEnabled":true,"StreamViewType":"KEYS_ONLY"})";
  const std::string tags = R"([{"Key":"a","Value":"b"}])", billing = R"(,"BillingMode":"PAY_PER_REQUEST")";
  EXPECT_EQ(Created(stream, {}, tags), Expected(billing + stream + R"(,"Tags":)" + tags));
  EXPECT_EQ(Created(stream, {.stream = false}, tags), Expected(billing + R"(,"Tags":)" + tags));
  EXPECT_EQ(Created(stream, {.tags = false}, tags), Expected(billing + stream));
}

}  // namespace
}  // namespace keyfold::copy
