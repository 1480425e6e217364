#include "wire/shape.h"

#include <gtest/gtest.h>

#include "wire/requests/backups.h"
#include "wire/requests/batches.h"
#include "wire/requests/exports.h"
#include "wire/requests/imports.h"
#include "wire/requests/items.h"
#include "wire/requests/reads.h"
#include "wire/requests/tables.h"
#include "wire/requests/tags.h"

namespace keyfold::wire {
namespace {

// "ok", or S (a type error) or V (a ValidationException) and the message.
template <typename R>
std::string ShapeOutcome(std::string_view body) {
  json::Parser parser;
  const std::string text(body);
  Result<json::Value> json = ParseBody(parser, text);
  if (!json.ok()) return "S " + json.error().message();
  const Result<R> request = Decode<R>(*json);
  if (request.ok()) return "ok";
  return (request.error().kind() == Kind::kSerialization ? "S " : "V ") + request.error().message();
}

template <typename R>
R Decoded(std::string_view body) {
  json::Parser parser;
  const std::string text(body);
  Result<R> request = Decode<R>(*parser.Parse(text));
  CHECK(request.ok());
  return *std::move(request);
}

#define FAULT " failed to satisfy constraint: "
#define NOT_NULL FAULT "Member must not be null"
#define PATTERN FAULT "Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+"
#define AT_LEAST(n) FAULT "Member must have length greater than or equal to " #n
#define AT_MOST(n) FAULT "Member must have length less than or equal to " #n
#define ONE "V 1 validation error detected: "
#define TWO "V 2 validation errors detected: "
#define CAST                                                                                                      \
  "S class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class " \
  "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of " \
  "loader "                                                                                                       \
  "'bootstrap')"

struct Row {
  std::string_view body, outcome;
};

template <typename R>
void Expect(std::initializer_list<Row> rows) {
  for (const Row& row : rows) EXPECT_EQ(ShapeOutcome<R>(row.body), row.outcome) << row.body;
}

TEST(Shape, DecodesEveryMember) {
  const PutItemRequest r = Decoded<PutItemRequest>(R"({
      "TableName": "Orders", "Item": {"pk": {"S": "a"}}, "Unknown": {"x": [1]}, "ReturnItemCollectionMetrics": null,
      "Expected": {"a": {"Exists": false}, "b": {"ComparisonOperator": "IN", "AttributeValueList": [{"N": "1"}, {"N": "2"}]}},
      "ReturnValues": "ALL_OLD", "ReturnConsumedCapacity": "INDEXES", "ConditionalOperator": "OR",
      "ConditionExpression": "a = :b", "ExpressionAttributeNames": {"#n": "n", "#m": "m"},
      "ExpressionAttributeValues": {":b": {"BOOL": true}}, "ReturnValuesOnConditionCheckFailure": "NONE"})");
  EXPECT_EQ(r.table_name, "Orders");
  EXPECT_EQ(r.item->Find("pk")->AsText(), "a");
  ASSERT_EQ(r.expected->size(), 2u);
  EXPECT_EQ((*r.expected)[0].first, "a");
  EXPECT_EQ((*r.expected)[0].second.exists, false);
  EXPECT_EQ((*r.expected)[1].second.comparison_operator, ComparisonOperator::kIn);
  EXPECT_EQ((*r.expected)[1].second.attribute_value_list->size(), 2u);
  EXPECT_EQ(r.return_values, ReturnValue::kAllOld);
  EXPECT_EQ(r.return_consumed_capacity, ReturnConsumedCapacity::kIndexes);
  EXPECT_EQ(r.conditional_operator, ConditionalOperator::kOr);
  EXPECT_FALSE(r.return_item_collection_metrics.has_value());
  EXPECT_EQ(r.condition_expression, "a = :b");
  EXPECT_EQ((*r.expression_attribute_names)[1].second, "m");
  EXPECT_TRUE((*r.expression_attribute_values)[0].second->view().AsBool());
  EXPECT_EQ(r.return_values_on_condition_check_failure, ReturnValuesOnConditionCheckFailure::kNone);
}

TEST(Shape, DecodesNestedStructures) {
  const CreateTableRequest r = Decoded<CreateTableRequest>(R"({"TableName": "abc",
      "AttributeDefinitions": [{"AttributeName": "p", "AttributeType": "N"}],
      "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}],
      "GlobalSecondaryIndexes": [{"IndexName": "idx", "KeySchema": [{"AttributeName": "p", "KeyType": "RANGE"}],
        "Projection": {"ProjectionType": "INCLUDE", "NonKeyAttributes": ["x"]},
        "ProvisionedThroughput": {"ReadCapacityUnits": 5, "WriteCapacityUnits": 7.9}}],
      "Tags": [{"Key": "k"}], "DeletionProtectionEnabled": "true", "WarmThroughput": {"ReadUnitsPerSecond": 12000}})");
  EXPECT_EQ(r.attribute_definitions[0].attribute_type, ScalarAttributeType::kN);
  const GlobalSecondaryIndex& index = r.global_secondary_indexes->at(0);
  EXPECT_EQ(index.key_schema[0].key_type, KeyType::kRange);
  EXPECT_EQ(index.projection.projection_type, ProjectionType::kInclude);
  EXPECT_EQ(index.projection.non_key_attributes->at(0), "x");
  EXPECT_EQ(index.provisioned_throughput->read_capacity_units, 5);
  EXPECT_EQ(index.provisioned_throughput->write_capacity_units, 7);
  EXPECT_EQ(r.tags->at(0).key, "k");
  EXPECT_FALSE(r.tags->at(0).value.has_value());
  EXPECT_EQ(r.deletion_protection_enabled, true);
  EXPECT_EQ(r.warm_throughput->read_units_per_second, 12000);

  const UpdateTableRequest u = Decoded<UpdateTableRequest>(R"({"TableName": "abc", "GlobalSecondaryIndexUpdates": [
      {"Create": {"IndexName": "idx", "KeySchema": [{"AttributeName": "p", "KeyType": "HASH"}], "Projection": {}}},
      {"Delete": {"IndexName": "old"}}, {"Update": {"IndexName": "upd", "OnDemandThroughput": {"MaxReadRequestUnits": -1}}}]})");
  EXPECT_EQ(u.global_secondary_index_updates->at(0).create->index_name, "idx");
  EXPECT_EQ(u.global_secondary_index_updates->at(0).create->key_schema[0].attribute_name, "p");
  EXPECT_EQ(u.global_secondary_index_updates->at(1).remove->index_name, "old");
  EXPECT_EQ(u.global_secondary_index_updates->at(2).update->on_demand_throughput->max_read_request_units, -1);
}

TEST(Shape, TheLastOfRepeatedMembersCounts) {
  const PutItemRequest r = Decoded<PutItemRequest>(
      R"({"TableName":"x","TableName":"abc","Item":{"a":{"S":"1"}},"Item":{"a":{"S":"2"}},
          "ExpressionAttributeNames":{"#a":"1","#b":"2","#a":"3"}})");
  EXPECT_EQ(r.table_name, "abc");
  EXPECT_EQ(r.item->Find("a")->AsText(), "2");
  EXPECT_EQ(*r.expression_attribute_names, (ExpressionAttributeNames{{"#b", "2"}, {"#a", "3"}}));
}

TEST(Shape, ManyRepeatedMembersTakeNoLongerThanOthers) {
  std::string body = R"({"TableName":"abc","Item":{},"ExpressionAttributeNames":{"#0":"first")";
  for (int i = 0; i < 200000; ++i) body.append(",\"#" + std::to_string(i % 100000) + "\":\"n\"");
  const PutItemRequest r = Decoded<PutItemRequest>(body + "}}");
  EXPECT_EQ(r.expression_attribute_names->size(), 100000u);
  EXPECT_EQ(r.expression_attribute_names->at(0), (std::pair<std::string, std::string>("#0", "n")));
}

TEST(Shape, TypeErrorsByPlace) {
  Expect<PutItemRequest>({
      {"", "S "},
      {"hi", "S "},
      {"null", "S Unexpected value type in payload"},
      {"7", "S Unexpected value type in payload"},
      {"[]", "S Unrecognized collection type class com.amazonaws.dynamodb.v20120810.PutItemInput"},
      {R"({"TableName":true})", "S TRUE_VALUE cannot be converted to String"},
      {R"({"TableName":23})", "S NUMBER_VALUE cannot be converted to String"},
      {R"({"TableName":34.5})", "S DECIMAL_VALUE cannot be converted to String"},
      {R"({"TableName":[]})", "S Unrecognized collection type class java.lang.String"},
      {R"({"TableName":{}})", "S Start of structure or map found where not expected"},
      {R"({"ReturnValues":1})", "S NUMBER_VALUE cannot be converted to String"},
      {R"({"Item":23})", "S Unexpected field type"},
      {R"({"Item":[]})",
       "S Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"Item":{"a":"x"}})", "S Unexpected value type in payload"},
      {R"({"Expected":[]})",
       "S Unrecognized collection type java.util.Map<java.lang.String, "
       "com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue>"},
      {R"({"Expected":{"a":7}})", "S Unexpected value type in payload"},
      {R"({"Expected":{"a":[]}})",
       "S Unrecognized collection type class com.amazonaws.dynamodb.v20120810.ExpectedAttributeValue"},
      {R"({"Expected":{"a":{"Value":7}}})", "S Unexpected field type"},
      {R"({"Expected":{"a":{"Exists":"x"}}})", "S Unexpected token received from parser"},
      {R"({"Expected":{"a":{"AttributeValueList":7}}})", "S Unexpected field type"},
      {R"({"ExpressionAttributeNames":[]})",
       "S Unrecognized collection type java.util.Map<java.lang.String, java.lang.String>"},
      {R"({"ExpressionAttributeNames":{"#a":7}})", "S NUMBER_VALUE cannot be converted to String"},
  });
  Expect<BatchGetItemRequest>({
      {R"({"RequestItems":{"abc":7}})", "S Unexpected value type in payload"},
      {R"({"RequestItems":{"abc":{"Keys":{}}}})", "S Start of structure or map found where not expected"},
      {R"({"RequestItems":{"abc":{"Keys":[7]}}})", CAST},
  });
  Expect<BatchWriteItemRequest>({
      {R"({"RequestItems":[]})",
       "S Unrecognized collection type java.util.Map<java.lang.String, "
       "java.util.List<com.amazonaws.dynamodb.v20120810.WriteRequest>>"},
      {R"({"RequestItems":{"abc":"x"}})", CAST},
      {R"({"RequestItems":{"abc":{}}})", "S Start of structure or map found where not expected"},
      {R"({"RequestItems":{"abc":[{"PutRequest":1}]}})", "S Unexpected field type"},
  });
  Expect<QueryRequest>({
      {R"({"Limit":"23"})", "S STRING_VALUE cannot be converted to Integer"},
      {R"({"Limit":true})", "S TRUE_VALUE cannot be converted to Integer"},
      {R"({"Limit":[]})", "S Unrecognized collection type class java.lang.Integer"},
      {R"({"Limit":{}})", "S Start of structure or map found where not expected"},
      {R"({"Limit":2147483648})", "S Numeric value (2147483648) out of range of int"},
      {R"({"Limit":1e300})", "S Numeric value (1e+300) out of range of int"},
      {R"({"AttributesToGet":["a",1]})", "S NUMBER_VALUE cannot be converted to String"},
  });
  Expect<CreateTableRequest>({
      {R"({"ProvisionedThroughput":{"ReadCapacityUnits":"1"}})", "S STRING_VALUE cannot be converted to Long"},
      {R"({"ProvisionedThroughput":"x"})", "S Unexpected field type"},
      {R"({"KeySchema":"x"})", "S Unexpected field type"},
      {R"({"KeySchema":["x"]})", "S Unexpected value type in payload"},
      {R"({"ProvisionedThroughput":{"ReadCapacityUnits":18446744073709551615}})",
       "S Numeric value (18446744073709551615) out of range of long"},
  });
}

TEST(Shape, TypesComeBeforeFaultsAndInDocumentOrder) {
  Expect<PutItemRequest>({
      {R"({"ReturnValues":"hi","TableName":7,"Item":8})", "S NUMBER_VALUE cannot be converted to String"},
      {R"({"Item":8,"TableName":7})", "S Unexpected field type"},
  });
}

TEST(Shape, FaultsAreReportedTogether) {
  Expect<PutItemRequest>({
      {"{}", TWO "Value null at 'tableName'" NOT_NULL "; Value null at 'item'" NOT_NULL},
      {R"({"TableName":"abc","Item":null})", ONE "Value null at 'item'" NOT_NULL},
      {R"({"TableName":"abc","ReturnConsumedCapacity":"hi","ReturnItemCollectionMetrics":"hi","ReturnValues":"hi"})",
       "V 4 validation errors detected: Value 'hi' at 'returnConsumedCapacity'" FAULT
       "Member must satisfy enum value set: [INDEXES, TOTAL, NONE]; Value null at 'item'" NOT_NULL
       "; Value 'hi' at 'returnValues'" FAULT
       "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]; "
       "Value 'hi' at 'returnItemCollectionMetrics'" FAULT "Member must satisfy enum value set: [SIZE, NONE]"},
      {R"({"TableName":"abc","Item":{},"Expected":{"a":{"ComparisonOperator":"x"}}})",
       ONE "Value 'x' at 'expected.a.member.comparisonOperator'" FAULT
           "Member must satisfy enum value set: [IN, NULL, BETWEEN, LT, NOT_CONTAINS, EQ, GT, NOT_NULL, NE, LE, "
           "BEGINS_WITH, GE, CONTAINS]"},
  });
  Expect<QueryRequest>({
      {R"({"TableName":"abc","AttributesToGet":[],"IndexName":"a;","Select":"hi","Limit":-1,"KeyConditions":{"a":{}}})",
       "V 6 validation errors detected: Value 'hi' at 'select'" FAULT
       "Member must satisfy enum value set: [SPECIFIC_ATTRIBUTES, COUNT, ALL_ATTRIBUTES, ALL_PROJECTED_ATTRIBUTES]; "
       "Value 'a;' at 'indexName'" PATTERN
       "; Value 'a;' at 'indexName'" AT_LEAST(3) "; Value '[]' at 'attributesToGet'" AT_LEAST(
           1) "; Value at 'Limit'" FAULT "Member must have value greater than or equal to 1; "
              "Value null at 'keyConditions.a.member.comparisonOperator'" NOT_NULL},
  });
  Expect<ScanRequest>({
      {R"({"TableName":"abc","Segment":-1,"TotalSegments":1000001})",
       TWO "Value '1000001' at 'totalSegments'" FAULT "Member must have value less than or equal to 1000000; "
           "Value '-1' at 'segment'" FAULT "Member must have value greater than or equal to 0"},
  });
  Expect<ListTablesRequest>({
      {"{}", "ok"},
      {R"({"Limit":0})", ONE "Value '0' at 'limit'" FAULT "Member must have value greater than or equal to 1"},
      {R"({"Limit":101})", ONE "Value '101' at 'limit'" FAULT "Member must have value less than or equal to 100"},
      {R"({"ExclusiveStartTableName":""})",
       TWO "Value '' at 'exclusiveStartTableName'" PATTERN "; Value '' at 'exclusiveStartTableName'" AT_LEAST(3)},
  });
}

TEST(Shape, AtMostTenFaultsAreListed) {
  const std::string outcome = ShapeOutcome<CreateTableRequest>(R"({"TableName":"abc","AttributeDefinitions":[],
      "KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"LocalSecondaryIndexes":[{},{},{},{},{}]})");
  EXPECT_EQ(outcome.substr(0, 34), "V 10 validation errors detected: V");
  EXPECT_TRUE(outcome.ends_with("; Value null at 'localSecondaryIndexes.4.member.indexName'" NOT_NULL)) << outcome;
}

TEST(Shape, PathsAndPrintedValues) {
  Expect<CreateTableRequest>({
      {R"({"TableName":"abc","AttributeDefinitions":[{"AttributeName":"b","AttributeType":"SS"}],"KeySchema":[]})",
       TWO "Value 'SS' at 'attributeDefinitions.1.member.attributeType'" FAULT
           "Member must satisfy enum value set: [B, N, S]; Value '[]' at 'keySchema'" AT_LEAST(1)},
      {R"({"TableName":"abc","AttributeDefinitions":[null],
           "KeySchema":[{"KeyType":"HASH"},{"AttributeName":"a"},{"KeyType":"Woop","AttributeName":"b"}]})",
       "V 6 validation errors detected: Value null at 'attributeDefinitions.1.member.attributeName'" NOT_NULL
       "; Value null at 'attributeDefinitions.1.member.attributeType'" NOT_NULL
       "; Value '[KeySchemaElement(attributeName=null, keyType=HASH), KeySchemaElement(attributeName=a, keyType=null), "
       "KeySchemaElement(attributeName=b, keyType=Woop)]' at 'keySchema'" AT_MOST(
           2) "; Value null at 'keySchema.1.member.attributeName'" NOT_NULL
              "; Value null at 'keySchema.2.member.keyType'" NOT_NULL
              "; Value 'Woop' at 'keySchema.3.member.keyType'" FAULT
              "Member must satisfy enum value set: [HASH, RANGE]"},
      {R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
           "SSESpecification":{"KMSMasterKeyId":""},"StreamSpecification":{"StreamViewType":""},"ProvisionedThroughput":{"ReadCapacityUnits":0}})",
       "V 5 validation errors detected: Value null at 'provisionedThroughput.writeCapacityUnits'" NOT_NULL
       "; Value '0' at 'provisionedThroughput.readCapacityUnits'" FAULT
       "Member must have value greater than or equal to 1"
       "; Value null at 'streamSpecification.streamEnabled'" NOT_NULL
       "; Value '' at 'streamSpecification.streamViewType'" FAULT
       "Member must satisfy enum value set: [OLD_IMAGE, KEYS_ONLY, NEW_AND_OLD_IMAGES, NEW_IMAGE]"
       "; Value '' at 'sSESpecification.kMSMasterKeyId'" AT_LEAST(1)},
      {R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
           "GlobalSecondaryIndexes":[{"IndexName":"idx","KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],
             "Projection":{"NonKeyAttributes":["x",""]}}]})",
       ONE "Value '[x, ]' at 'globalSecondaryIndexes.1.member.projection.nonKeyAttributes'" FAULT
           "Member must satisfy constraint: [Member must have length less than or equal to 255, Member must have "
           "length greater than or equal to 1]"},
  });
  Expect<UpdateTableRequest>({
      {R"({"TableName":"abc","GlobalSecondaryIndexUpdates":[{"Update":{"IndexName":"a","ProvisionedThroughput":{}}}]})",
       "V 3 validation errors detected: Value 'a' at 'globalSecondaryIndexUpdates.1.member.update.indexName'" AT_LEAST(
           3) "; Value null at "
              "'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.writeCapacityUnits'" NOT_NULL
              "; Value null at "
              "'globalSecondaryIndexUpdates.1.member.update.provisionedThroughput.readCapacityUnits'" NOT_NULL},
  });
}

#define KEYS                                                                                                \
  FAULT                                                                                                     \
  "Map keys must satisfy constraint: [Member must have length less than or equal to 255, Member must have " \
  "length greater than or equal to 3, Member must satisfy regular expression pattern: [a-zA-Z0-9_.-]+]"
#define VALUES                                                                                              \
  FAULT                                                                                                     \
  "Map value must satisfy constraint: [Member must have length less than or equal to 25, Member must have " \
  "length greater than or equal to 1]"

TEST(Shape, FaultsOfBatches) {
  Expect<BatchGetItemRequest>({
      {"{}", ONE "Value null at 'requestItems'" NOT_NULL},
      {R"({"RequestItems":{}})", "ok"},
      {R"({"RequestItems":{"aa;":{}}})",
       TWO "Value '{aa;=KeysAndAttributes(keys=null, attributesToGet=null, consistentRead=null, "
           "projectionExpression=null, expressionAttributeNames=null)}' at 'requestItems'" KEYS
           "; Value null at 'requestItems.aa;.member.keys'" NOT_NULL},
      {R"({"RequestItems":{"abc":{"Keys":[]}}})", ONE "Value at 'RequestItems.abc.member.Keys'" AT_LEAST(1)},
      {R"({"RequestItems":{"abc":null}})", ONE "Value null at 'requestItems.abc.member.keys'" NOT_NULL},
      {R"({"RequestItems":{"arn:aws:dynamodb:us-east-1:123456789012:table/abc":{"Keys":[{}]}}})", "ok"},
  });
  Expect<BatchWriteItemRequest>({
      {R"({"RequestItems":{"abc":[]}})", ONE "Value '{abc=[]}' at 'requestItems'" VALUES},
      {R"({"RequestItems":{"abc":null}})", ONE "Value '{abc=null}' at 'requestItems'" VALUES},
      {R"({"RequestItems":{"abc":[{"PutRequest":{},"DeleteRequest":{}}]}})",
       TWO "Value null at 'requestItems.abc.member.1.member.putRequest.item'" NOT_NULL
           "; Value null at 'requestItems.abc.member.1.member.deleteRequest.key'" NOT_NULL},
      {R"({"RequestItems":{"abc":[null]}})", "ok"},
      {R"({"RequestItems":{"a":[{"PutRequest":{"Item":{"p":{"S":"x"}}}}]}})",
       ONE "Value '{a=[WriteRequest(putRequest=PutRequest(item={p=com.amazonaws.dynamodb.v20120810.AttributeValue}), "
           "deleteRequest=null)]}' at 'requestItems'" KEYS},
  });
  std::string many = R"({"RequestItems":{"abc":[{})";
  for (int i = 0; i < 25; ++i) many.append(",{}");
  const std::string outcome = ShapeOutcome<BatchWriteItemRequest>(many + "]}}");
  EXPECT_EQ(outcome.substr(outcome.find(" at 'request")), " at 'requestItems'" VALUES);
}

TEST(Shape, PrintedValuesAreBounded) {
  std::string body = R"({"RequestItems":{"abc":[{})";
  for (int i = 0; i < 100000; ++i) body.append(",{}");
  const std::string outcome = ShapeOutcome<BatchWriteItemRequest>(body + "]}}");
  EXPECT_LT(outcome.size(), 10000u);
  EXPECT_NE(outcome.find(", ...]}' at 'requestItems'"), outcome.npos);
}

TEST(Shape, TableNamesOfItemOperationsAreReportedAlone) {
  const std::string long_name(256, 'a');
  Expect<GetItemRequest>({
      {R"({"TableName":""})", ONE "Value '' at 'tableName'" AT_LEAST(1)},
      {R"({"TableName":"xx","ReturnConsumedCapacity":"hi"})", ONE "Value 'xx' at 'tableName'" AT_LEAST(3)},
      {R"({"TableName":"abc;","ReturnConsumedCapacity":"hi"})", ONE "Value 'abc;' at 'tableName'" PATTERN},
      {R"({"TableName":"a;"})", TWO "Value 'a;' at 'tableName'" PATTERN "; Value 'a;' at 'tableName'" AT_LEAST(3)},
      {R"({"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/abc","Key":{}})", "ok"},
  });
  EXPECT_EQ(ShapeOutcome<GetItemRequest>(R"({"TableName":")" + long_name + "\"}"),
            ONE "Value '" + long_name + "' at 'tableName'" AT_MOST(255));
  const std::string longer_name(1025, ';');
  EXPECT_EQ(ShapeOutcome<GetItemRequest>(R"({"TableName":")" + longer_name + "\"}"),
            ONE "Value '" + longer_name + "' at 'tableName'" AT_MOST(1024));
  const std::string long_arn = "arn:aws:dynamodb:us-east-1:123456789012:table/" + std::string(1000, 'a');
  EXPECT_EQ(ShapeOutcome<GetItemRequest>(R"({"TableName":")" + long_arn + "\"}"),
            ONE "Value '" + long_arn + "' at 'tableName'" AT_MOST(1024));
}

TEST(Shape, TableNamesOfTableOperations) {
  constexpr std::string_view kLength = "V TableName must be at least 3 characters long and at most 255 characters long";
  Expect<DeleteTableRequest>({
      {"{}", "V The parameter 'TableName' is required but was not present in the request"},
      {R"({"TableName":""})", kLength},
      {R"({"TableName":"a;"})", kLength},
      {R"({"TableName":"xx"})", kLength},
      {R"({"TableName":"abc;"})", ONE "Value 'abc;' at 'tableName'" PATTERN},
      {R"({"TableName":"abc"})", "ok"},
      {R"({"TableName":"arn:aws:dynamodb:us-east-1:123456789012:table/abc"})", "ok"},
  });
  EXPECT_EQ(ShapeOutcome<DeleteTableRequest>(R"({"TableName":")" + std::string(256, 'a') + "\"}"), kLength);
  Expect<CreateTableRequest>({
      {"{}", "V The parameter 'TableName' is required but was not present in the request"},
      {R"({"TableName":""})", TWO "Value '' at 'tableName'" PATTERN "; Value '' at 'tableName'" AT_LEAST(3)},
      {R"({"TableName":"ab"})", ONE "Value 'ab' at 'tableName'" AT_LEAST(3)},
      {R"({"TableName":"abc;"})", ONE "Value 'abc;' at 'tableName'" PATTERN},
  });
  Expect<DescribeTableRequest>({
      {"{}", ONE "Value null at 'tableName'" NOT_NULL},
      {R"({"TableName":""})", TWO "Value '' at 'tableName'" PATTERN "; Value '' at 'tableName'" AT_LEAST(3)},
      {R"({"TableName":"abc"})", "ok"},
  });
}

TEST(Shape, LengthsCountUtf16Units) {
  const auto index = [](const std::string& name) {
    return ShapeOutcome<CreateTableRequest>(
        R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":")" + name +
        R"(","KeyType":"HASH"}]})");
  };
  std::string name;
  for (int i = 0; i < 127; ++i) name.append("\xF0\x9F\x98\x80");
  EXPECT_EQ(index(name + "a"), "ok");
  EXPECT_NE(index(name + "\xF0\x9F\x98\x80"), "ok");
}

TEST(Shape, RefusedMembersAreTypeCheckedAndNamed) {
  Expect<CreateTableRequest>({
      {R"({"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}],"VectorIndexes":[{}]})",
       "V One or more parameter values were invalid: VectorIndexes is not supported by Keyfold"},
      {R"({"VectorIndexes":{}})", "S Start of structure or map found where not expected"},
      {R"({"ResourcePolicy":1})", "S NUMBER_VALUE cannot be converted to String"},
      {R"({"ResourcePolicy":"{}","TableName":"a"})", ONE "Value 'a' at 'tableName'" AT_LEAST(3)},
  });
  Expect<UpdateTableRequest>({
      {R"({"TableName":"abc","ReplicaUpdates":[]})",
       "V One or more parameter values were invalid: ReplicaUpdates is not supported by Keyfold"},
      {R"({"TableName":"abc","ReplicaUpdates":null})", "ok"},
  });
}

TEST(Shape, NullElements) {
  Expect<GetItemRequest>({
      {R"({"TableName":"abc","Key":{},"AttributesToGet":["a",null]})",
       ONE "Value '[a, null]' at 'attributesToGet'" FAULT
           "Member must satisfy constraint: [Member must have length less than or equal to 65535]"},
      {R"({"TableName":"abc","Key":{},"ExpressionAttributeNames":{"#a":null}})",
       ONE "Value '{#a=null}' at 'expressionAttributeNames'" FAULT
           "Map value must satisfy constraint: [Member must have length less than or equal to 65535]"},
  });
  Expect<TagResourceRequest>({{R"({"ResourceArn":"x","Tags":[null]})", "ok"}, {"{}", "ok"}});
  Expect<UntagResourceRequest>({
      {R"({"TagKeys":[null]})",
       ONE "Value '[null]' at 'tagKeys'" FAULT "Member must satisfy constraint: [Member must not be null]"},
  });
  const PutItemRequest r =
      Decoded<PutItemRequest>(R"({"TableName":"abc","Item":{},"ExpressionAttributeValues":{":a":null}})");
  EXPECT_FALSE((*r.expression_attribute_values)[0].second.Check().ok());
}

TEST(Shape, RulesOfValuesAreLeftToTheOperation) {
  const PutItemRequest r = Decoded<PutItemRequest>(R"({"TableName":"abc","Item":{"a":{"N":"x"}}})");
  EXPECT_EQ(r.item.Check().message(), "The parameter cannot be converted to a numeric value: x");
  Expect<PutItemRequest>({
      {R"({"Item":{"a":{"N":"x"}},"TableName":"abc","ReturnValues":"hi"})",
       ONE "Value 'hi' at 'returnValues'" FAULT
           "Member must satisfy enum value set: [ALL_NEW, UPDATED_OLD, ALL_OLD, NONE, UPDATED_NEW]"},
  });
}

TEST(Shape, Timestamps) {
  const struct {
    std::string_view json;
    Micros micros;
  } rows[] = {
      {"0", 0},
      {"1700000000", 1'700'000'000'000'000},
      {"1700000000.123", 1'700'000'000'123'000},
      {"1.700000000123456E9", 1'700'000'000'123'456},
      {"-1.5", -1'500'000},
      {"1e300", 253'402'300'800'000'000},
      {"-1e300", -253'402'300'800'000'000},
  };
  for (const auto& row : rows) {
    const std::string body = R"({"TimeRangeLowerBound":)" + std::string(row.json) + "}";
    EXPECT_EQ(Decoded<ListBackupsRequest>(body).time_range_lower_bound, Timestamp{row.micros}) << row.json;
  }
  Expect<ListBackupsRequest>({
      {R"({"TimeRangeLowerBound":null})", "ok"},
      {R"({"TimeRangeLowerBound":"2026-01-01"})", "S STRING_VALUE cannot be converted to milliseconds since epoch"},
      {R"({"TimeRangeLowerBound":true})", "S TRUE_VALUE cannot be converted to milliseconds since epoch"},
      {R"({"TimeRangeLowerBound":[]})", "S Unrecognized collection type class java.util.Date"},
      {R"({"TimeRangeLowerBound":{}})", "S Start of structure or map found where not expected"},
  });
}

TEST(Shape, MembersOfABase) {
  const auto r = Decoded<RestoreTableToPointInTimeRequest>(R"({"TargetTableName": "new", "SourceTableName": "old",
      "RestoreDateTime": 5, "BillingModeOverride": "PAY_PER_REQUEST", "GlobalSecondaryIndexOverride": [],
      "OnDemandThroughputOverride": {"MaxReadRequestUnits": 7}})");
  EXPECT_EQ(r.target_table_name, "new");
  EXPECT_EQ(r.source_table_name, "old");
  EXPECT_EQ(r.restore_date_time, Timestamp{5'000'000});
  EXPECT_EQ(r.billing_mode, BillingMode::kPayPerRequest);
  EXPECT_TRUE(r.global_secondary_indexes->empty());
  EXPECT_FALSE(r.local_secondary_indexes.has_value());
  EXPECT_EQ(r.on_demand_throughput->max_read_request_units, 7);
}

#define MATCH FAULT "Member must satisfy regular expression pattern: "

TEST(Shape, Patterns) {
  const auto bucket = [](std::string_view name) {
    return ShapeOutcome<ExportTableToPointInTimeRequest>(R"({"TableArn":"a","S3Bucket":")" + std::string(name) +
                                                         R"("})");
  };
  for (const std::string_view good : {"ab", "a.b-c_D9"}) EXPECT_EQ(bucket(good), "ok") << good;
  for (const std::string bad : {"", "a", "-a", "a-", "a/b", "a b", "a\u00e4b"}) {
    EXPECT_EQ(bucket(bad), ONE "Value '" + bad + R"(' at 's3Bucket')" MATCH R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)");
  }
  Expect<ExportTableToPointInTimeRequest>({
      {R"({"TableArn":"a","S3Bucket":"ab","ClientToken":"a b","S3BucketOwner":"123456789012"})", "ok"},
      {R"({"TableArn":"a","S3Bucket":"ab","ClientToken":"a$"})",
       ONE R"(Value 'a$' at 'clientToken')" MATCH R"(^[^\$]+$)"},
      {R"({"TableArn":"a","S3Bucket":"ab","ClientToken":""})", ONE R"(Value '' at 'clientToken')" MATCH R"(^[^\$]+$)"},
      {R"({"TableArn":"a","S3Bucket":"ab","S3BucketOwner":"12345678901"})",
       ONE "Value '12345678901' at 's3BucketOwner'" MATCH "[0-9]{12}"},
      {R"({"S3BucketOwner":"12345678901x"})",
       "V 3 validation errors detected: Value null at 'tableArn'" NOT_NULL "; Value null at 's3Bucket'" NOT_NULL
       "; Value '12345678901x' at 's3BucketOwner'" MATCH "[0-9]{12}"},
  });
  const std::string token(112, 'a'), odd(113, 'a'), upper(112, 'A');
  Expect<ListImportsRequest>({
      {R"({"NextToken":")" + token + R"("})", "ok"},
      {R"({"NextToken":")" + odd + R"("})", ONE "Value '" + odd + "' at 'nextToken'" MATCH "([0-9a-f]{16})+"},
      {R"({"NextToken":")" + upper + R"("})", ONE "Value '" + upper + "' at 'nextToken'" MATCH "([0-9a-f]{16})+"},
      {R"({"PageSize":26})", ONE "Value '26' at 'pageSize'" FAULT "Member must have value less than or equal to 25"},
  });
  const auto csv = [](const std::string& options) {
    return ShapeOutcome<ImportTableRequest>(
        R"({"S3BucketSource":{"S3Bucket":"ab"},"InputFormat":"CSV","ClientToken":"t",
        "TableCreationParameters":{"TableName":"abc","AttributeDefinitions":[],"KeySchema":[{"AttributeName":"a","KeyType":"HASH"}]},
        "InputFormatOptions":{"Csv":)" +
        options + "}}");
  };
  for (const std::string_view good : {",", ";", ":", "|", "\\t", " "}) {
    EXPECT_EQ(csv(R"({"Delimiter":")" + std::string(good) + R"(","HeaderList":["a b","!#+-~"]})"), "ok") << good;
  }
  EXPECT_EQ(csv(R"({"Delimiter":"/"})"), ONE "Value '/' at 'inputFormatOptions.csv.delimiter'" MATCH R"([,;:|\t ])");
  EXPECT_EQ(csv(R"({"HeaderList":["a","b,c"]})"),
            ONE "Value '[a, b,c]' at 'inputFormatOptions.csv.headerList'" FAULT
                "Member must satisfy constraint: [Member must have length less than or equal to 65536, "
                "Member must have length greater than or equal to 1, Member must satisfy regular expression pattern: "
                R"([\x20-\x21\x23-\x2B\x2D-\x7E]*])");
}

TEST(Shape, OneMissingMemberForOperationsWithEarlierChecks) {
  EXPECT_EQ(MemberIsNull("tags").message(), "1 validation error detected: Value null at 'tags'" NOT_NULL);
}

TEST(Shape, RequestsWithoutMembers) {
  Expect<DescribeLimitsRequest>({{"{}", "ok"},
                                 {R"({"x":1})", "ok"},
                                 {"[]",
                                  "S Unrecognized collection type class "
                                  "com.amazonaws.dynamodb.v20120810.DescribeLimitsInput"}});
  Expect<DescribeEndpointsRequest>({{"{}", "ok"}});
}

}  // namespace
}  // namespace keyfold::wire
