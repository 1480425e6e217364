// Creates, changes and deletes tables. Requests change the catalog and return. Longer work (filling a new index,
// removing rows) is done by one background thread, which derives its work from the catalog's state alone, so a restart
// resumes it after a crash.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "base/background_task.h"
#include "base/mutex.h"
#include "base/random.h"
#include "engine/background/stream_changes.h"
#include "engine/catalog/database.h"
#include "engine/items/backfill.h"

namespace keyfold::engine {

// Thread-safe.
class TableLifecycle {
 public:
  // Tables stay CREATING, UPDATING or DELETING for `delay` of database time; a table whose indexes change stays
  // UPDATING for at least `index_delay`. New streams have `stream_shards` shards.
  TableLifecycle(const Database& db, Micros delay, uint64_t seed, uint32_t stream_shards = kStreamShards,
                 Micros index_delay = 0);

  void Start() { task_.Start(); }
  void Stop() { task_.Stop(); }

  // `described` has everything except ids, times, status and its stream's label. Returns the table as created.
  Result<TablePtr> Create(Table described);
  // `beside` adds to the same catalog change, or rejects it.
  using Beside = FunctionRef<Status(const CatalogSnapshot& snapshot, Table& created, CatalogEdit& edit)>;
  Result<TablePtr> Create(Table described, Beside beside);

  // `change` turns the present table into the next, or returns an error. This function assigns the ids of new indexes
  // and the label of a stream that is turned on. While a new index is being filled, the only change a table accepts is
  // the removal of that index.
  Result<TablePtr> Update(std::string_view name, FunctionRef<Status(const Table& present, Table& next)> change);

  // Returns the table as it was. Its name is free immediately, or after the delay. A table with point-in-time recovery
  // leaves a backup; its rows are removed when the backup is complete.
  Result<TablePtr> Delete(std::string_view name);

  // Makes only the changes that `change` makes (tags and the like): the status stays the same, and the table need only
  // exist.
  Result<TablePtr> Annotate(std::string_view name, FunctionRef<Status(Table& table)> change);

  // Turns time to live on or off. `change` makes the next settings (enabled and attribute) from the present ones, or
  // returns an error. A table with few items is ready for the sweep when this returns; a larger one gets its expiry
  // rows in the background.
  Result<TablePtr> UpdateExpiry(std::string_view name,
                                FunctionRef<Status(const ExpirySettings& present, ExpirySettings& next)> change);

  // Removes all tables, streams and backups, and all notes about exports and imports. For test suites.
  Status Reset();

  // Returns when no background work is due.
  void Finish() { task_.Finish(); }

  // Does one piece of the background work on the caller's thread; the thread of Start() calls it in a loop. Returns the
  // delay until the next call, or nullopt if there is no work until the catalog changes.
  std::optional<std::chrono::milliseconds> WorkOnce();

 private:
  std::chrono::milliseconds RestAfter(const Status& work, std::string_view what);
  Status FinishDeletion(const Table& table);
  Status FinishDeparture(store::TableId id);
  Status FinishPurges(const CatalogSnapshot& snapshot);
  Status FinishIndex(const IndexTask& task, const Index& index);
  Status FinishExpiry(const IndexTask& task, FunctionRef<bool()> stop);

  const Database db_;
  const Micros delay_, index_delay_;
  const uint32_t stream_shards_;

  Mutex random_mutex_;
  Random random_ GUARDED_BY(random_mutex_);

  std::string last_fault_;  // used only by the background thread
  BackgroundTask task_;     // last member: its thread uses the others
};

}  // namespace keyfold::engine
