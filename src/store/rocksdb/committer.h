// Committer: the log-order section. Under one short lock a commit gets its number and time, is checked against the
// catalog version, updates the tallies, and is written to RocksDB. So number order, log order and time order are the
// same. docs/design/durability.md describes the whole path.
#pragma once

#include <rocksdb/db.h>

#include <map>
#include <memory>

#include "base/adaptive_mutex.h"
#include "base/clock.h"
#include "base/mutex.h"
#include "store/rocksdb/commit_batch.h"
#include "store/rocksdb/data_folder.h"
#include "store/rocksdb/periodic_task.h"
#include "store/rocksdb/syncer.h"
#include "store/rocksdb/visibility.h"

namespace keyfold::store {

// Thread-safe.
class Committer {
 public:
  using Tallies = std::map<std::pair<TableId, IndexId>, Tally>;
  // What recovery found.
  struct Start {
    CommitNumber next = 1;
    CommitNumber ceiling = 1;  // numbers below it are reserved on disk
    Micros time = 0;
    std::shared_ptr<const CatalogState> catalog;
    Tallies tallies;
  };
  enum class Outcome : uint8_t {
    kApplied,
    kStale,    // not applied: the catalog has another version
    kStalled,  // not applied: RocksDB asks writers to slow down
    kRefused,  // not applied: RocksDB refuses writes until its background error is resolved
  };

  Committer(rocksdb::DB& db, DataFolder& folder, const Clock& clock, Visibility& visibility, Syncer& syncer,
            Start start);

  // `batch` holds the writes and log records of `changes`. Sets `number` to the commit's own number if it was applied,
  // and to the last catalog commit's if it is stale.
  Outcome Commit(CatalogVersion expected, CommitBatch& batch, const Changes& changes, CommitNumber& number);
  Outcome CommitCatalog(CatalogVersion expected, Store::MakeCatalogChanges make, CommitNumber& number);
  // `batch` deletes log records only.
  Outcome CommitTrim(CommitBatch& batch, CommitNumber& number);
  // Also deletes the tally of the index, or with `kBaseTable` all tallies of the table.
  Outcome CommitPurge(CommitBatch& batch, TableId table, IndexId index, CommitNumber& number);

  CatalogVersion catalog_version() const { return catalog_version_.load(std::memory_order_acquire); }
  // Returns a copy of the catalog and sets `number` to the commit that last changed it.
  std::shared_ptr<const CatalogState> catalog(CommitNumber& number) const;
  Tally tally(TableId table, IndexId index) const;
  Micros last_time() const { return last_time_.load(std::memory_order_relaxed); }

  // Reserves more numbers if over half of them are used. Returns false if MARK could not be written.
  bool ReserveNumbers();
  // The mark to write while commits continue, and the one to write after the last commit.
  Mark CurrentMark() const;
  Mark FinalMark() const;

 private:
  static constexpr CommitNumber kNumbersReserved = CommitNumber{1} << 20;

  CommitStamp NextStamp() REQUIRES(mutex_);
  Outcome Write(CommitBatch& batch, CommitStamp stamp) REQUIRES(mutex_);
  Tallies MovedTallies(const Changes& changes) const REQUIRES(mutex_);

  rocksdb::DB& db_;
  DataFolder& folder_;
  const Clock& clock_;
  Visibility& visibility_;
  Syncer& syncer_;
  std::atomic<CatalogVersion> catalog_version_;
  std::atomic<Micros> last_time_;

  mutable AdaptiveMutex mutex_;  // the log-order lock
  CommitNumber next_ GUARDED_BY(mutex_);
  CommitNumber ceiling_ GUARDED_BY(mutex_);
  CatalogState catalog_ GUARDED_BY(mutex_);
  CommitNumber catalog_commit_ GUARDED_BY(mutex_) = 0;
  Tallies tallies_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::store
