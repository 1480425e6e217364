#include "cli/commands/imported_table.h"

#include <gtest/gtest.h>

namespace keyfold::cli {
namespace {

std::string Describe(const Result<ImportedTable>& table) {
  if (!table.ok()) return "refused: " + table.error().message();
  return table->parameters + (table->note.empty() ? "" : " (" + table->note + ")");
}

struct KeysCase {
  ImportedTableOptions options;
  const char* reported;
};

const KeysCase kKeys[] = {
    {{.key = "pk:S"},
     R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"})"},
    {{.key = "a:b:B", .sort_key = "s:N"},
     R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"a:b","AttributeType":"B"},)"
     R"({"AttributeName":"s","AttributeType":"N"}],"KeySchema":[{"AttributeName":"a:b","KeyType":"HASH"},)"
     R"({"AttributeName":"s","KeyType":"RANGE"}],"BillingMode":"PAY_PER_REQUEST"})"},
    {{.key = "pk:S", .indexes = {"one:g:N", "two:g:N,pk:S"}},
     R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"g","AttributeType":"N"},)"
     R"({"AttributeName":"pk","AttributeType":"S"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
     R"("BillingMode":"PAY_PER_REQUEST","GlobalSecondaryIndexes":[{"IndexName":"one","KeySchema":)"
     R"([{"AttributeName":"g","KeyType":"HASH"}],"Projection":{"ProjectionType":"ALL"}},{"IndexName":"two",)"
     R"("KeySchema":[{"AttributeName":"g","KeyType":"HASH"},{"AttributeName":"pk","KeyType":"RANGE"}],)"
     R"("Projection":{"ProjectionType":"ALL"}}]})"},
    {{.key = "pk"}, "refused: pk is not a key of the form pk:S, with S, N or B as its type"},
    {{.key = ":S"}, "refused: :S is not a key of the form pk:S, with S, N or B as its type"},
    {{.key = "pk:s"}, "refused: pk:s is not a key of the form pk:S, with S, N or B as its type"},
    {{.key = "pk:S", .sort_key = "x:SS"}, "refused: x:SS is not a key of the form pk:S, with S, N or B as its type"},
    {{.key = "pk:S", .sort_key = "pk:N"}, "refused: pk is given two types"},
    {{.key = "pk:S", .indexes = {"one"}}, "refused: one is not an index of the form NAME:pk:S or NAME:pk:S,sk:N"},
    {{.key = "pk:S", .indexes = {":g:S"}}, "refused: :g:S is not an index of the form NAME:pk:S or NAME:pk:S,sk:N"},
    {{.key = "pk:S", .indexes = {"one:g"}}, "refused: g is not a key of the form pk:S, with S, N or B as its type"},
    {{.key = "pk:S", .indexes = {"one:pk:N"}}, "refused: pk is given two types"},
};

TEST(ImportedTable, ByItsKeys) {
  for (const KeysCase& c : kKeys) EXPECT_EQ(Describe(TableByKeys("t", c.options)), c.reported);
}

struct DescriptionCase {
  const char* json;
  const char* reported;
};

const DescriptionCase kDescriptions[] = {
    {R"({"TableName":"other","AttributeDefinitions": [{"AttributeName":"pk","AttributeType":"S"}],)"
     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST","Tags":[]})",
     R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"})"},
    // Attributes used only by a local index are left out with it.
    {R"({"AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"S"},)"
     R"({"AttributeName":"l","AttributeType":"N"},{"AttributeName":"g","AttributeType":"N"}],)"
     R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],)"
     R"("LocalSecondaryIndexes":[{"IndexName":"x","KeySchema":[{"AttributeName":"p","KeyType":"HASH"},)"
     R"({"AttributeName":"l","KeyType":"RANGE"}],"Projection":{"ProjectionType":"ALL"}}],)"
     R"("GlobalSecondaryIndexes":[{"IndexName":"y","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)"
     R"("Projection":{"ProjectionType":"KEYS_ONLY"}}],)"
     R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2}})",
     R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},)"
     R"({"AttributeName":"s","AttributeType":"S"},{"AttributeName":"g","AttributeType":"N"}],)"
     R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],)"
     R"("ProvisionedThroughput":{"ReadCapacityUnits":1,"WriteCapacityUnits":2},)"
     R"("GlobalSecondaryIndexes":[{"IndexName":"y","KeySchema":[{"AttributeName":"g","KeyType":"HASH"}],)"
     R"("Projection":{"ProjectionType":"KEYS_ONLY"}}]} (local indexes are left out: an import cannot create them))"},
    // As DescribeTable returns it.
    {R"({"Table":{"TableName":"other","TableStatus":"ACTIVE","ItemCount":3,"TableSizeBytes":9,)"
     R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingModeSummary":{"BillingMode":"PAY_PER_REQUEST"},)"
     R"("ProvisionedThroughput":{"ReadCapacityUnits":0,"WriteCapacityUnits":0},"DeletionProtectionEnabled":true}})",
     R"({"TableName":"t","AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}],)"
     R"("KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],"BillingMode":"PAY_PER_REQUEST"})"},
    {"{", "refused: it is not valid JSON"},
    {"[]", "refused: it has no members of CreateTable: KeySchema is missing"},
    {R"({"TableName":"t"})", "refused: it has no members of CreateTable: KeySchema is missing"},
};

TEST(ImportedTable, ByADescription) {
  for (const DescriptionCase& c : kDescriptions) EXPECT_EQ(Describe(TableByDescription("t", c.json)), c.reported);
}

}  // namespace
}  // namespace keyfold::cli
