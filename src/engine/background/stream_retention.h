// Retention of streams and logs. A shard that has been open for a long time is replaced by a child. A shard that closed
// more than a day ago is dropped, and a disabled stream goes with its last shard. Log records that no stream, no
// point-in-time recovery and no hold needs are trimmed. All work follows from the catalog's state and the clock alone.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <string_view>

#include "base/background_task.h"
#include "base/mutex.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"

namespace keyfold::engine {

// Maximum that splitting can reach. Readers page through all shards of a stream, including those closed within the last
// day.
inline constexpr size_t kOpenShardsMax = 1024;
inline constexpr Micros kShardAge = 4 * kHour;

// Thread-safe.
class StreamRetention {
 public:
  // Shards stay open for `shard_age` of database time.
  explicit StreamRetention(const Database& db, Micros shard_age = kShardAge);

  void Start() { task_.Start(); }
  void Stop() { task_.Stop(); }

  // Does everything that is due at the current database time, on the caller's thread. Returns the delay until the next
  // run.
  std::optional<std::chrono::milliseconds> WorkOnce();

 private:
  Status Work() REQUIRES(work_mutex_);
  Status TrimLogs(const CatalogSnapshot& snapshot, Micros now, const std::set<store::TableId>& ending)
      REQUIRES(work_mutex_);
  Status ForgetEndedLogs(const CatalogSnapshot& trimmed);

  const Database db_;
  const Micros shard_age_;

  Mutex work_mutex_;
  Micros next_trim_ GUARDED_BY(work_mutex_) = 0;

  BackgroundTask task_;  // last member: its thread uses the others
};

// Closes one open shard of the stream, or all of them without `shard_id`, and gives each two children with half of its
// slots. Fails if more than kOpenShardsMax shards would be open.
Status SplitShards(const Database& db, const Identity& identity, std::string_view stream_arn,
                   std::optional<std::string_view> shard_id);

}  // namespace keyfold::engine
