// Transactions: TransactWriteItems, TransactGetItems.
#pragma once

#include "value/limits.h"
#include "wire/shapes.h"

namespace keyfold::wire {

struct TransactConditionCheck {
  Supplied<Item> key;
  std::string table_name;
  std::string condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<TransactConditionCheck> {
  using R = TransactConditionCheck;
  static constexpr std::string_view kName = "ConditionCheck";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kTransactTableName),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::condition_expression>("ConditionExpression", {.required = true}),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct TransactPut {
  Supplied<Item> item;
  std::string table_name;
  std::optional<std::string> condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<TransactPut> {
  using R = TransactPut;
  static constexpr std::string_view kName = "Put";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kTransactTableName),
      Member<&R::item>("Item", {.required = true}),
      Member<&R::condition_expression>("ConditionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct TransactDelete {
  Supplied<Item> key;
  std::string table_name;
  std::optional<std::string> condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<TransactDelete> {
  using R = TransactDelete;
  static constexpr std::string_view kName = "Delete";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kTransactTableName),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::condition_expression>("ConditionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct TransactUpdate {
  Supplied<Item> key;
  std::string update_expression;
  std::string table_name;
  std::optional<std::string> condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<TransactUpdate> {
  using R = TransactUpdate;
  static constexpr std::string_view kName = "Update";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kTransactTableName),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::update_expression>("UpdateExpression", {.required = true}),
      Member<&R::condition_expression>("ConditionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct TransactWriteItem {
  std::optional<TransactConditionCheck> condition_check;
  std::optional<TransactPut> put;
  std::optional<TransactDelete> remove;
  std::optional<TransactUpdate> update;
};
template <>
struct ShapeOf<TransactWriteItem> {
  static constexpr std::string_view kName = "TransactWriteItem";
  static constexpr Field kFields[] = {
      Member<&TransactWriteItem::condition_check>("ConditionCheck"),
      Member<&TransactWriteItem::put>("Put"),
      Member<&TransactWriteItem::remove>("Delete"),
      Member<&TransactWriteItem::update>("Update"),
  };
};

struct TransactWriteItemsRequest {
  std::vector<TransactWriteItem> transact_items;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<ReturnItemCollectionMetrics> return_item_collection_metrics;
  std::optional<std::string> client_request_token;
};
template <>
struct ShapeOf<TransactWriteItemsRequest> {
  using R = TransactWriteItemsRequest;
  static constexpr std::string_view kName = "TransactWriteItemsInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::return_item_collection_metrics>("ReturnItemCollectionMetrics"),
      Member<&R::client_request_token>("ClientRequestToken", {.min = 1, .max = 36}),
      Member<&R::transact_items>("TransactItems", {.required = true, .min = 1, .max = kTransactionActionsMax}),
  };
};

struct TransactGet {
  Supplied<Item> key;
  std::string table_name;
  std::optional<std::string> projection_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
};
template <>
struct ShapeOf<TransactGet> {
  using R = TransactGet;
  static constexpr std::string_view kName = "Get";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", kTransactTableName),
      Member<&R::key>("Key", {.required = true}),
      Member<&R::projection_expression>("ProjectionExpression"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
  };
};

struct TransactGetItem {
  std::optional<TransactGet> get;
};
template <>
struct ShapeOf<TransactGetItem> {
  static constexpr std::string_view kName = "TransactGetItem";
  static constexpr Field kFields[] = {Member<&TransactGetItem::get>("Get", {.required = true})};
};

struct TransactGetItemsRequest {
  std::vector<TransactGetItem> transact_items;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
};
template <>
struct ShapeOf<TransactGetItemsRequest> {
  using R = TransactGetItemsRequest;
  static constexpr std::string_view kName = "TransactGetItemsInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::transact_items>("TransactItems", {.required = true, .min = 1, .max = kTransactionActionsMax}),
  };
};

}  // namespace keyfold::wire
