// What time does to streams and logs: shards that have been open for long are succeeded by a child, what is older than
// a day goes, and with its last shard a stream that was disabled; of a table's log what neither streams nor
// point-in-time recovery nor anybody who holds it need any more. Works from the catalog's state and the clock alone.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <set>
#include <string_view>

#include "base/background_task.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"

namespace keyfold {

// By splitting; readers page through all shards of a stream, the closed ones of the last day included.
inline constexpr size_t kOpenShardsMax = 1024;
inline constexpr Micros kShardAge = Micros{4} * 3600 * 1'000'000;

// Thread-safe.
class StreamRetention {
 public:
  // Shards stay open for `shard_age` of database time.
  explicit StreamRetention(const Database& db, Micros shard_age = kShardAge);

  void Start() { task_.Start(); }
  void Stop() { task_.Stop(); }

  // All that is due at the present database time, on the caller's thread. Answers when to look again.
  std::optional<std::chrono::milliseconds> WorkOnce();

 private:
  Status Work();  // needs work_mutex_
  Status TrimLogs(const CatalogSnapshot& snapshot, Micros now, const std::set<TableId>& ending);
  Status ForgetEndedLogs(const CatalogSnapshot& trimmed);

  const Database db_;
  const Micros shard_age_;

  std::mutex work_mutex_;
  Micros next_trim_ = 0;  // under work_mutex_

  BackgroundTask task_;  // last: its thread uses the rest
};

// Closes an open shard of the stream, or all of them, and gives each two children with half of its slots.
// Refused where more than kOpenShardsMax would be open.
Status SplitShards(const Database& db, const Identity& identity, std::string_view stream_arn,
                   std::optional<std::string_view> shard_id);

}  // namespace keyfold
