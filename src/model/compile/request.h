// The requests of a pattern: combines an Access with a call's inputs into bodies of DynamoDB's API. Fan-out, calendar
// buckets and batches give several requests; the caller follows pages and merges.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/writer.h"
#include "model/compile/access.h"

namespace keyfold::model {

// Values by the input's name: texts as FormatValue takes them, a binary as its bytes, a list or map as the JSON of its
// content. The input `shard` is the random shard of a put.
using InputValues = std::map<std::string, std::string, std::less<>>;

struct CallInputs {
  InputValues values;
  // The values that each element gives in addition to `values`, by write with times > 1, or for BatchGetItem's keys by
  // read. Empty means one element without values of its own.
  std::vector<std::vector<InputValues>> elements;
  int64_t now_ms = 0;
};

struct ApiRequest {
  Operation operation = Operation::kGetItem;
  std::string body;
};

struct RequestOptions {
  std::optional<uint64_t> page_items;  // replaces the pattern's limit
  bool consumed_capacity = false;      // request it
};

// Ordered by bucket, then by shard; the last bucket comes first if the order is descending. Empty if the bounds name no
// bucket or too many, and without the requests whose range of keys is empty.
std::vector<ApiRequest> RequestsOf(const Model&, const Access&, const CallInputs&, const RequestOptions& = {});

// Returns the same request, continued after a page; `key` is the JSON of its LastEvaluatedKey.
std::string FollowPage(std::string_view body, std::string_view key);

// Writes {"S":"text"}.
void WriteValue(json::Writer&, StoredType, std::string_view text);

inline constexpr size_t kBucketsMax = 1'000;  // read by one call

}  // namespace keyfold::model
