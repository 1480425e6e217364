// Reads a shard: a page of its records from a given log position on, as the stream's view shows them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/function_ref.h"
#include "engine/catalog/database.h"
#include "engine/catalog/stream.h"
#include "value/item.h"

namespace keyfold::engine {

inline constexpr Rule<"The data you are trying to access has been trimmed"> kDataTrimmed{"data-trimmed",
                                                                                         Kind::kTrimmedDataAccess};

// The position of a reader in a shard.
struct ShardCursor {
  std::string stream;  // StreamName
  store::TableId table_id = 0;
  uint32_t shard = 0;
  store::LogPosition after;
};

// Borrows its views; valid during the call that emits it.
struct StreamRecord {
  enum class Event : uint8_t { kInsert, kModify, kRemove };
  Event event = Event::kInsert;
  bool expired = false;  // removed by time to live
  store::LogPosition at;
  Micros time = 0;
  ItemView keys;
  std::optional<ItemView> old_image, new_image;  // present if the view shows them
  size_t bytes = 0;                              // by DynamoDB's arithmetic
};

struct ShardPage {
  store::LogPosition reached;  // continue after it
  bool ended = false;          // the shard is closed and has no more records
};

using EmitRecord = FunctionRef<void(const Stream& stream, const StreamRecord& record)>;

// Reads at most `limit` records and 1 MB (but always at least one record), none older than a day.
Result<ShardPage> ReadShard(const Database& db, const ShardCursor& cursor, size_t limit, EmitRecord emit,
                            store::Access access);

}  // namespace keyfold::engine
