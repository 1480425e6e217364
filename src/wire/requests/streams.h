// Requests of DynamoDB Streams: ListStreams, DescribeStream, GetShardIterator, GetRecords.
#pragma once

#include "wire/shapes.h"

namespace keyfold::wire {

enum class ShardIteratorType : uint8_t { kAfterSequenceNumber, kLatest, kAtSequenceNumber, kTrimHorizon };
template <>
struct EnumOf<ShardIteratorType> {
  static constexpr std::string_view kName = "ShardIteratorType";
  static constexpr std::string_view kValues[] = {"AFTER_SEQUENCE_NUMBER", "LATEST", "AT_SEQUENCE_NUMBER",
                                                 "TRIM_HORIZON"};
};

enum class ShardFilterType : uint8_t { kChildShards };
template <>
struct EnumOf<ShardFilterType> {
  static constexpr std::string_view kName = "ShardFilterType";
  static constexpr std::string_view kValues[] = {"CHILD_SHARDS"};
};

inline constexpr Constraints kStreamArn = {.required = true, .min = 37, .max = 1024};
inline constexpr Constraints kShardId = {.required = true, .min = 28, .max = 65};

struct ListStreamsRequest {
  std::optional<std::string> table_name;
  std::optional<int32_t> limit;
  std::optional<std::string> exclusive_start_stream_arn;
};
template <>
struct ShapeOf<ListStreamsRequest> {
  using R = ListStreamsRequest;
  static constexpr std::string_view kName = "ListStreamsInput";
  static constexpr Field kFields[] = {
      Member<&R::table_name>("TableName", {.min = 3, .max = 255, .pattern = Pattern::kName}),
      Member<&R::limit>("Limit", {.min = 1, .max = 100}),
      Member<&R::exclusive_start_stream_arn>("ExclusiveStartStreamArn", {.min = 37, .max = 1024}),
  };
};

struct ShardFilter {
  std::optional<ShardFilterType> type;
  std::string shard_id;
};
template <>
struct ShapeOf<ShardFilter> {
  static constexpr std::string_view kName = "ShardFilter";
  static constexpr Field kFields[] = {
      Member<&ShardFilter::type>("Type", {.required = true}),
      Member<&ShardFilter::shard_id>("ShardId", kShardId),
  };
};

struct DescribeStreamRequest {
  std::string stream_arn;
  std::optional<int32_t> limit;
  std::optional<std::string> exclusive_start_shard_id;
  std::optional<ShardFilter> shard_filter;
};
template <>
struct ShapeOf<DescribeStreamRequest> {
  using R = DescribeStreamRequest;
  static constexpr std::string_view kName = "DescribeStreamInput";
  static constexpr Field kFields[] = {
      Member<&R::stream_arn>("StreamArn", kStreamArn),
      Member<&R::limit>("Limit", {.min = 1, .max = 100}),
      Member<&R::exclusive_start_shard_id>("ExclusiveStartShardId", {.min = 28, .max = 65}),
      Member<&R::shard_filter>("ShardFilter"),
  };
};

struct GetShardIteratorRequest {
  std::string stream_arn;
  std::string shard_id;
  ShardIteratorType shard_iterator_type = ShardIteratorType::kLatest;
  std::optional<std::string> sequence_number;
};
template <>
struct ShapeOf<GetShardIteratorRequest> {
  using R = GetShardIteratorRequest;
  static constexpr std::string_view kName = "GetShardIteratorInput";
  static constexpr Field kFields[] = {
      Member<&R::stream_arn>("StreamArn", kStreamArn),
      Member<&R::shard_id>("ShardId", kShardId),
      Member<&R::shard_iterator_type>("ShardIteratorType", {.required = true}),
      Member<&R::sequence_number>("SequenceNumber", {.min = 21, .max = 40}),
  };
};

struct GetRecordsRequest {
  std::string shard_iterator;
  std::optional<int32_t> limit;
};
template <>
struct ShapeOf<GetRecordsRequest> {
  static constexpr std::string_view kName = "GetRecordsInput";
  static constexpr Field kFields[] = {
      Member<&GetRecordsRequest::shard_iterator>("ShardIterator", {.required = true, .min = 1, .max = 2048}),
      Member<&GetRecordsRequest::limit>("Limit", {.min = 1, .max = 1000}),
  };
};

}  // namespace keyfold::wire
