// Tables come, change and go. Requests change the catalog and return; what takes longer (filling a new index, removing rows) is done by one
// background thread, which works from the catalog's state alone, so a restart takes it up where a crash left it.
#pragma once

#include <condition_variable>
#include <mutex>
#include <string_view>
#include <thread>

#include "base/random.h"
#include "engine/database.h"

namespace keyfold {

// "This index of this table", as it was when work on it began.
struct IndexTask {
  std::string table;
  TableId table_id = 0;
  IndexId index_id = 0;
};

// Thread-safe.
class TableLifecycle {
 public:
  // Tables stay CREATING, UPDATING or DELETING for `delay` of database time.
  TableLifecycle(const Database& db, Micros delay, uint64_t seed);
  ~TableLifecycle();  // stops

  void Start();
  void Stop();

  // `described` has everything but ids, times and status. The answer is the table as created.
  Result<TablePtr> Create(Table described);

  // `change` turns the present table into the next; it may refuse. New indexes get their ids here.
  Result<TablePtr> Update(std::string_view name, FunctionRef<Status(const Table& present, Table& next)> change);

  // The answer is the table as it was.
  Result<TablePtr> Delete(std::string_view name);

  // Changes nothing but what `change` does (tags and the like): no status, no checks but existence.
  Result<TablePtr> Annotate(std::string_view name, FunctionRef<Status(Table& table)> change);

  // Removes every table; for test suites.
  Status Reset();

 private:
  void Run();
  bool WorkOnce();  // false: nothing left to do now
  bool FinishDeletions(const CatalogSnapshot& snapshot);
  bool FinishPurges(const CatalogSnapshot& snapshot);
  bool FinishIndexes(const CatalogSnapshot& snapshot);
  Result<bool> FinishIndex(const IndexTask& task, const Index& index);
  void Wake();

  const Database db_;
  const Micros delay_;

  std::mutex random_mutex_;
  Random random_;  // under random_mutex_

  std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false, stopping_ = false;  // under mutex_
  std::thread thread_;
};

// Writes the missing rows of an index that writers already keep. Returns false where the task no longer exists or `stop` said so.
Result<bool> BackfillIndex(const Database& db, const IndexTask& task, FunctionRef<bool()> stop);

}  // namespace keyfold
