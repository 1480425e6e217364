// Committer: the log-order section. One short lock under which a commit gets its number and time, is fenced by the
// catalog's version, moves the tallies, and goes to RocksDB: so number order is log order is time order.
// docs/design/durability.md has the whole path.
#pragma once

#include <rocksdb/db.h>

#include <map>
#include <memory>
#include <mutex>

#include "base/adaptive_mutex.h"
#include "base/clock.h"
#include "store/rocksdb/commit_batch.h"
#include "store/rocksdb/data_folder.h"
#include "store/rocksdb/periodic_task.h"
#include "store/rocksdb/syncer.h"
#include "store/rocksdb/visibility.h"

namespace keyfold {

// Thread-safe.
class Committer {
 public:
  using Tallies = std::map<std::pair<TableId, IndexId>, Tally>;
  // What recovery found.
  struct Start {
    CommitNumber next = 1;
    CommitNumber ceiling = 1;  // the numbers below it are reserved on disk
    Micros time = 0;
    std::shared_ptr<const CatalogState> catalog;
    Tallies tallies;
  };
  enum class Outcome : uint8_t {
    kApplied,
    kStale,    // nothing done
    kStalled,  // nothing done: RocksDB wants writers to slow down
    kRefused,  // nothing done: RocksDB takes no writes until its background error is over
  };

  Committer(rocksdb::DB& db, DataFolder& folder, const Clock& clock, Visibility& visibility, Syncer& syncer,
            Start start);

  // `batch` holds the writes and log records of `changes`. `number`: its own where applied, the catalog's where stale.
  Outcome Commit(CatalogVersion expected, CommitBatch& batch, const Changes& changes, CommitNumber& number);
  Outcome CommitCatalog(CatalogVersion expected, Store::MakeCatalogChanges make, CommitNumber& number);
  // Of log records only.
  Outcome CommitTrim(CommitBatch& batch, CommitNumber& number);
  // With `kBaseTable` all tallies of the table go.
  Outcome CommitPurge(CommitBatch& batch, TableId table, IndexId index, CommitNumber& number);

  CatalogVersion catalog_version() const { return catalog_version_.load(std::memory_order_acquire); }
  // A copy of the catalog, and the commit it rests on.
  std::shared_ptr<const CatalogState> catalog(CommitNumber& number) const;
  Tally tally(TableId table, IndexId index) const;
  Micros last_time() const { return last_time_.load(std::memory_order_relaxed); }

  // Reserves further numbers once half of them are used; false where the disk would not take it.
  bool ReserveNumbers();
  // What may be written to MARK now, and after the last commit.
  Mark CurrentMark() const;
  Mark FinalMark() const;

 private:
  static constexpr CommitNumber kNumbersReserved = CommitNumber{1} << 20;

  // All below need mutex_.
  CommitStamp NextStamp();
  Outcome Write(CommitBatch& batch, CommitStamp stamp);
  Tallies MovedTallies(const Changes& changes) const;

  rocksdb::DB& db_;
  DataFolder& folder_;
  const Clock& clock_;
  Visibility& visibility_;
  Syncer& syncer_;
  std::atomic<CatalogVersion> catalog_version_;
  std::atomic<Micros> last_time_;

  mutable AdaptiveMutex mutex_;  // the log-order lock
  CommitNumber next_;
  CommitNumber ceiling_;
  CatalogState catalog_;
  CommitNumber catalog_commit_ = 0;
  Tallies tallies_;
};

}  // namespace keyfold
