// The requests that a pattern makes: an Access and what it is called with, as bodies of DynamoDB's API. Fan-out,
// calendar buckets and batches become several; following pages and merging is the caller's.
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

// By the input's name. Texts as FormatValue takes them; a binary as its bytes, a list or map as the JSON of its
// content. The input `shard` is the random shard of an item that is put.
using InputValues = std::map<std::string, std::string, std::less<>>;

struct CallInputs {
  InputValues values;
  // What each element of a write with times > 1 gives beside `values`, by write; of BatchGetItem what each key does, by
  // read. Nothing: one element that gives nothing.
  std::vector<std::vector<InputValues>> elements;
  int64_t now_ms = 0;
};

struct ApiRequest {
  Operation operation = Operation::kGetItem;
  std::string body;
};

struct RequestOptions {
  std::optional<uint64_t> page_items;  // instead of the pattern's limit
  bool consumed_capacity = false;      // ask for it
};

// In the order of shards, and before that of buckets, the last bucket first where the order is descending. Empty where
// the bounds name no bucket or too many of them.
std::vector<ApiRequest> RequestsOf(const Model&, const Access&, const CallInputs&, const RequestOptions& = {});

// The same request from where a page ended; `key` is the JSON of its LastEvaluatedKey.
std::string FollowPage(std::string_view body, std::string_view key);

// {"S":"text"}
void WriteValue(json::Writer&, StoredType, std::string_view text);

inline constexpr size_t kBucketsMax = 1'000;  // that one call reads

}  // namespace keyfold::model
