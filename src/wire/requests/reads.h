// Requests that read ranges: Query, Scan.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

struct QueryRequest {
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<Select> select;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<int32_t> limit;
  std::optional<bool> consistent_read;
  std::optional<OrderedMap<AttributeCondition>> key_conditions;
  std::optional<OrderedMap<AttributeCondition>> query_filter;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<bool> scan_index_forward;
  std::optional<Supplied<Item>> exclusive_start_key;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<std::string> projection_expression;
  std::optional<std::string> filter_expression;
  std::optional<std::string> key_condition_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
};
template <>
struct ShapeOf<QueryRequest> {
  using R = QueryRequest;
  static constexpr std::string_view kName = "QueryInput";
  static constexpr Field kFields[] = {
      Member<&R::select>("Select"),
      Member<&R::index_name>("IndexName", kIndexName),
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::query_filter>("QueryFilter", kByAttribute),
      Member<&R::table_name>("TableName", kItemTableName),
      Member<&R::conditional_operator>("ConditionalOperator"),
      Member<&R::attributes_to_get>("AttributesToGet", kAttributesToGet),
      Member<&R::limit>("Limit", {.min = 1, .reporting = Reporting::kByName}),
      Member<&R::key_conditions>("KeyConditions", kByAttribute),
      Member<&R::exclusive_start_key>("ExclusiveStartKey"),
      Member<&R::consistent_read>("ConsistentRead"),
      Member<&R::scan_index_forward>("ScanIndexForward"),
      Member<&R::key_condition_expression>("KeyConditionExpression"),
      Member<&R::filter_expression>("FilterExpression"),
      Member<&R::projection_expression>("ProjectionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
  };
};

struct ScanRequest {
  std::string table_name;
  std::optional<std::string> index_name;
  std::optional<std::vector<std::string>> attributes_to_get;
  std::optional<int32_t> limit;
  std::optional<Select> select;
  std::optional<OrderedMap<AttributeCondition>> scan_filter;
  std::optional<ConditionalOperator> conditional_operator;
  std::optional<Supplied<Item>> exclusive_start_key;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<int32_t> total_segments;
  std::optional<int32_t> segment;
  std::optional<std::string> projection_expression;
  std::optional<std::string> filter_expression;
  std::optional<ExpressionAttributeNames> expression_attribute_names;
  std::optional<ExpressionAttributeValues> expression_attribute_values;
  std::optional<bool> consistent_read;
};
template <>
struct ShapeOf<ScanRequest> {
  using R = ScanRequest;
  static constexpr std::string_view kName = "ScanInput";
  static constexpr Field kFields[] = {
      Member<&R::select>("Select"),
      Member<&R::index_name>("IndexName", kIndexName),
      Member<&R::total_segments>("TotalSegments", {.min = 1, .max = 1000000}),
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::table_name>("TableName", kItemTableName),
      Member<&R::conditional_operator>("ConditionalOperator"),
      Member<&R::scan_filter>("ScanFilter", kByAttribute),
      Member<&R::segment>("Segment", {.min = 0, .max = 999999}),
      Member<&R::limit>("Limit", {.min = 1}),
      Member<&R::attributes_to_get>("AttributesToGet", kAttributesToGet),
      Member<&R::exclusive_start_key>("ExclusiveStartKey"),
      Member<&R::consistent_read>("ConsistentRead"),
      Member<&R::filter_expression>("FilterExpression"),
      Member<&R::projection_expression>("ProjectionExpression"),
      Member<&R::expression_attribute_values>("ExpressionAttributeValues"),
      Member<&R::expression_attribute_names>("ExpressionAttributeNames", kExpressionNames),
  };
};

}  // namespace keyfold::wire
