// Requests on several tables at once: BatchGetItem, BatchWriteItem.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

// An empty request is not a fault of its shape; it gets this error.
inline constexpr Rule<"The requestItems parameter is required for {}"> kNoRequestItems{"batch-empty",
                                                                                       Kind::kValidation};

// Bounds for table names and ARNs as map keys.
inline constexpr SizeBounds kBatchTableNames = {.min = 3, .max = 255, .pattern = Pattern::kName};

struct BatchGetItemRequest {
  OrderedMap<KeysAndAttributes> request_items;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
};
template <>
struct ShapeOf<BatchGetItemRequest> {
  using R = BatchGetItemRequest;
  static constexpr std::string_view kName = "BatchGetItemInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::request_items>("RequestItems", {.required = true, .max = 100, .keys = kBatchTableNames}),
  };
};

struct BatchWriteItemRequest {
  OrderedMap<std::vector<WriteRequest>> request_items;
  std::optional<ReturnConsumedCapacity> return_consumed_capacity;
  std::optional<ReturnItemCollectionMetrics> return_item_collection_metrics;
};
template <>
struct ShapeOf<BatchWriteItemRequest> {
  using R = BatchWriteItemRequest;
  static constexpr std::string_view kName = "BatchWriteItemInput";
  static constexpr Field kFields[] = {
      Member<&R::return_consumed_capacity>("ReturnConsumedCapacity"),
      Member<&R::return_item_collection_metrics>("ReturnItemCollectionMetrics"),
      Member<&R::request_items>(
          "RequestItems", {.required = true, .max = 25, .elements = {.min = 1, .max = 25}, .keys = kBatchTableNames}),
  };
};

}  // namespace keyfold::wire
