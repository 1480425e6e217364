// Tables come, change and go. Requests change the catalog and return; what takes longer (filling a new index, removing
// rows) is done by one background thread, which works from the catalog's state alone, so a restart takes it up where a
// crash left it.
#pragma once

#include <chrono>
#include <mutex>
#include <optional>
#include <string_view>

#include "base/background_task.h"
#include "base/random.h"
#include "engine/background/stream_changes.h"
#include "engine/catalog/database.h"
#include "engine/items/backfill.h"

namespace keyfold {

// Thread-safe.
class TableLifecycle {
 public:
  // Tables stay CREATING, UPDATING or DELETING for `delay` of database time; a table whose indexes change stays
  // UPDATING for at least `index_delay`. New streams have `stream_shards` shards.
  TableLifecycle(const Database& db, Micros delay, uint64_t seed, uint32_t stream_shards = kStreamShards,
                 Micros index_delay = 0);

  void Start() { task_.Start(); }
  void Stop() { task_.Stop(); }

  // `described` has everything but ids, times, status and its stream's label. The answer is the table as created.
  Result<TablePtr> Create(Table described);
  // `beside` adds to the same catalog change, or refuses.
  using Beside = FunctionRef<Status(const CatalogSnapshot& snapshot, Table& created, CatalogEdit& edit)>;
  Result<TablePtr> Create(Table described, Beside beside);

  // `change` turns the present table into the next; it may refuse. New indexes get their ids here, a stream that is
  // turned on its label. A table whose new
  // index is being filled takes one change only: that index may be given up.
  Result<TablePtr> Update(std::string_view name, FunctionRef<Status(const Table& present, Table& next)> change);

  // The answer is the table as it was. Its name is free at once, or after the delay. One with point-in-time recovery
  // leaves a backup: its rows go when that is made.
  Result<TablePtr> Delete(std::string_view name);

  // Changes nothing but what `change` does (tags and the like): no status, no checks but existence.
  Result<TablePtr> Annotate(std::string_view name, FunctionRef<Status(Table& table)> change);

  // Turns time to live on or off: `change` makes the next settings (enabled and attribute) from the present ones, or
  // refuses. A table of few items is swept from here on; the others have their expiry rows added in the background.
  Result<TablePtr> UpdateExpiry(std::string_view name,
                                FunctionRef<Status(const ExpirySettings& present, ExpirySettings& next)> change);

  // Removes every table, stream and backup, and what is noted of exports and imports; for test suites.
  Status Reset();

  // Returns once nothing of the background work is due any more.
  void Finish() { task_.Finish(); }

  // One piece of the background work, on the caller's thread: what the thread of Start() does again and again. Answers
  // when to look again; none: not before the catalog changes.
  std::optional<std::chrono::milliseconds> WorkOnce();

 private:
  std::chrono::milliseconds RestAfter(const Status& work, std::string_view what);
  Status FinishDeletion(const Table& table);
  Status FinishDeparture(TableId id);
  Status FinishPurges(const CatalogSnapshot& snapshot);
  Status FinishIndex(const IndexTask& task, const Index& index);
  Status FinishExpiry(const IndexTask& task, FunctionRef<bool()> stop);

  const Database db_;
  const Micros delay_, index_delay_;
  const uint32_t stream_shards_;

  std::mutex random_mutex_;
  Random random_;  // under random_mutex_

  std::string last_fault_;  // the thread's only
  BackgroundTask task_;     // last: its thread uses the rest
};

}  // namespace keyfold
