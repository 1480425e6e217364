// Requests that are statements: ExecuteStatement, BatchExecuteStatement, ExecuteTransaction.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

inline constexpr Constraints kStatementText = {.required = true, .min = 1, .max = 8192};
inline constexpr Constraints kStatementParameters = {.min = 1};

using StatementParameters = std::optional<std::vector<Supplied<Value>>>;

struct ExecuteStatementRequest {
  std::string statement;
  StatementParameters parameters;
  std::optional<bool> consistent_read;
  std::optional<std::string> next_token;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<int32_t> limit;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<ExecuteStatementRequest> {
  using R = ExecuteStatementRequest;
  static constexpr std::string_view kName = "ExecuteStatementInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::statement>("Statement", kStatementText),
      Member<&R::parameters>("Parameters", kStatementParameters),
      Member<&R::limit>("Limit", {.min = 1}),
      Member<&R::next_token>("NextToken", {.min = 1, .max = 32768}),
      Member<&R::consistent_read>("ConsistentRead"),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct BatchStatementRequest {
  std::string statement;
  StatementParameters parameters;
  std::optional<bool> consistent_read;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<BatchStatementRequest> {
  using R = BatchStatementRequest;
  static constexpr std::string_view kName = "BatchStatementRequest";
  static constexpr Field kFields[] = {
      Member<&R::statement>("Statement", kStatementText),
      Member<&R::parameters>("Parameters", kStatementParameters),
      Member<&R::consistent_read>("ConsistentRead"),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct BatchExecuteStatementRequest {
  std::vector<BatchStatementRequest> statements;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
};
template <>
struct ShapeOf<BatchExecuteStatementRequest> {
  using R = BatchExecuteStatementRequest;
  static constexpr std::string_view kName = "BatchExecuteStatementInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::statements>("Statements", {.required = true, .min = 1, .max = 25}),
  };
};

struct ParameterizedStatement {
  std::string statement;
  StatementParameters parameters;
  std::optional<ReturnValuesOnConditionCheckFailure> return_values_on_condition_check_failure;
};
template <>
struct ShapeOf<ParameterizedStatement> {
  using R = ParameterizedStatement;
  static constexpr std::string_view kName = "ParameterizedStatement";
  static constexpr Field kFields[] = {
      Member<&R::statement>("Statement", kStatementText),
      Member<&R::parameters>("Parameters", kStatementParameters),
      Member<&R::return_values_on_condition_check_failure>("ReturnValuesOnConditionCheckFailure"),
  };
};

struct ExecuteTransactionRequest {
  std::vector<ParameterizedStatement> transact_statements;
  std::optional<std::string> client_request_token;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
};
template <>
struct ShapeOf<ExecuteTransactionRequest> {
  using R = ExecuteTransactionRequest;
  static constexpr std::string_view kName = "ExecuteTransactionInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::client_request_token>("ClientRequestToken", {.min = 1, .max = 36}),
      Member<&R::transact_statements>("TransactStatements", {.required = true, .min = 1, .max = 100}),
  };
};

}  // namespace keyfold::wire
