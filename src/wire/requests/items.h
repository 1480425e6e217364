// Requests on one item: PutItem, GetItem, UpdateItem, DeleteItem.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

struct PutItemRequest {
  std::string table_name;
  Supplied<Item> item;
  std::optional<OrderedMap<ExpectedAttributeValue>> expected;
  std::optional<ReturnValue> return_values;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<ReturnItemCollectionMetrics> return_item_collection_metrics;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<std::string> condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<PutItemRequest> {
  using R = PutItemRequest;
  static constexpr std::string_view kName = "PutItemInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::table_name>("TableName", kItemTableName),
      Member<&R::item>("Item", {.required = true}),
      Member<&R::conditional_operator>("ConditionalOperator"),
      Member<&R::expected>("Expected", kByAttribute),
      Member<&R::return_values>("ReturnValues"),
      Member<&R::return_item_collection_metrics>("ReturnItemCollectionMetrics"),
      Member<&R::condition_expression>("ConditionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct GetItemRequest {
  std::string table_name;
  Supplied<Item> key;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<bool> consistent_read;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<std::string> projection_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
};
template <>
struct ShapeOf<GetItemRequest> {
  using R = GetItemRequest;
  static constexpr std::string_view kName = "GetItemInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::attributes_to_get>("AttributesToGet", kAttributesToGet),
      Member<&R::table_name>("TableName", kItemTableName),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::consistent_read>("ConsistentRead"),
      Member<&R::projection_expression>("ProjectionExpression"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
  };
};

struct UpdateItemRequest {
  std::string table_name;
  Supplied<Item> key;
  std::optional<OrderedMap<AttributeValueUpdate>> attribute_updates;
  std::optional<OrderedMap<ExpectedAttributeValue>> expected;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<ReturnValue> return_values;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<ReturnItemCollectionMetrics> return_item_collection_metrics;
  std::optional<std::string> update_expression;
  std::optional<std::string> condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<UpdateItemRequest> {
  using R = UpdateItemRequest;
  static constexpr std::string_view kName = "UpdateItemInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::table_name>("TableName", kItemTableName),
      Member<&R::return_item_collection_metrics>("ReturnItemCollectionMetrics"),
      Member<&R::return_values>("ReturnValues"),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::conditional_operator>("ConditionalOperator"),
      Member<&R::expected>("Expected", kByAttribute),
      Member<&R::attribute_updates>("AttributeUpdates", kByAttribute),
      Member<&R::condition_expression>("ConditionExpression"),
      Member<&R::update_expression>("UpdateExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct DeleteItemRequest {
  std::string table_name;
  Supplied<Item> key;
  std::optional<OrderedMap<ExpectedAttributeValue>> expected;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<ReturnValue> return_values;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<ReturnItemCollectionMetrics> return_item_collection_metrics;
  std::optional<std::string> condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<DeleteItemRequest> {
  using R = DeleteItemRequest;
  static constexpr std::string_view kName = "DeleteItemInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::table_name>("TableName", kItemTableName),
      Member<&R::return_values>("ReturnValues"),
      Member<&R::return_item_collection_metrics>("ReturnItemCollectionMetrics"),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::conditional_operator>("ConditionalOperator"),
      Member<&R::expected>("Expected", kByAttribute),
      Member<&R::condition_expression>("ConditionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

}  // namespace keyfold::wire
