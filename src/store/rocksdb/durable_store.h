// DurableStore: the Store that OpenRocksdbStore returns. It connects the data folder, RocksDB, the lock table, the
// committer, the syncer and the periodic task; the header of each states what it guarantees.
#pragma once

#include <rocksdb/db.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "store/rocksdb/background_watch.h"
#include "store/rocksdb/committer.h"
#include "store/rocksdb/data_folder.h"
#include "store/rocksdb/lock_table.h"
#include "store/rocksdb/open.h"
#include "store/rocksdb/periodic_task.h"
#include "store/rocksdb/row_cache.h"
#include "store/rocksdb/syncer.h"
#include "store/rocksdb/visibility.h"
#include "store/rules.h"

namespace keyfold::store {

// Thread-safe.
class DurableStore final : public Store {
 public:
  // `flush_owed`: the disk lacked the space to flush the recovered rows; they are flushed as soon as it has some.
  DurableStore(const RocksdbOptions& options, const Clock& clock, std::unique_ptr<DataFolder> folder,
               std::unique_ptr<rocksdb::Env> env, std::unique_ptr<rocksdb::DB> db,
               std::shared_ptr<BackgroundWatch> watch, Committer::Start start, StoreInfo::Recovery recovery,
               bool flush_owed);
  ~DurableStore() override;

  Status Mutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access) override;
  Status Get(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) override;
  Status GetAtomic(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) override;
  Status Range(const PartitionRange& range, Visit visit, Access access) override;
  Status RangeWithBase(const PartitionRange& range, BaseKey base_key, VisitPair visit, Access access) override;
  Status ScanSlots(const SlotRange& range, Visit visit, Access access) override;
  Result<LogPosition> ReadLog(const LogRange& range, VisitLog visit) override;
  Status TrimLog(TableId table, Micros before) override;
  CatalogState ReadCatalog() override;
  Status WriteCatalog(CatalogVersion expected, MakeCatalogChanges make) override;
  Tally ReadTally(TableId table, IndexId index) override;
  Result<Tally> ScanWithTally(TableId table, IndexId index, Visit visit, Access access) override;
  Result<std::unique_ptr<Ingest>> BeginIngest() override;
  Status Purge(TableId table, IndexId index) override;
  CommitNumber Durable() const override { return syncer_.durable(); }
  // A relaxed store does not wait for the disk here either.
  CommitNumber LogEnd() const override { return relaxed_ ? syncer_.applied() : syncer_.durable(); }
  void WhenDurable(CommitNumber number, std::function<void()> done) override {
    syncer_.WhenDurable(number, std::move(done));
  }
  void SyncSoon() override { syncer_.Start(); }
  DiskSpace Disk() const override;
  Status HasRoomForFiles(uint64_t bytes) const override;
  StoreInfo Info() const override;
  std::string LastError() const override;

 private:
  enum class Attempt : uint8_t { kDone, kNotInMemory, kStalled };
  // What the disk has room for. A log write that finds no space ends the process, so writes are refused well before
  // that.
  enum class Room : uint8_t { kEnough, kForDeletes, kNone };

  Attempt TryMutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access, Wait read_wait,
                    Status& status);
  Status ReadRows(std::span<const RowKey> keys, const rocksdb::ReadOptions& options, std::vector<Row>& rows,
                  Pace* pace);
  Status CommitTallies(std::span<const Changes::Count> tallies);
  Status Stale(Access access);
  Status Finish(Committer::Outcome outcome);
  Status CommitDurably(FunctionRef<Committer::Outcome(CommitNumber&)> commit);
  // Steps of a purge: delete every key that starts with `prefix`; delete these keys and the tallies.
  Status DeleteKeys(TableId table, IndexId index, const std::string& prefix);
  Status DeleteSome(TableId table, IndexId index, std::span<const std::string> keys);
  static bool HasPut(const Changes& changes);
  Status HasRoomFor(const Changes& changes, Access access);
  void Raise(Access access, CommitNumber number) const;
  // Call it after reading the rows: see visibility.h.
  void RaiseTo(Access access, std::span<const RowKey> keys);
  void Sync();
  uint64_t BytesToFlush() const;  // upper bound of what flushing the write buffers takes
  Room RoomOnDisk() const;
  Room LookForRoom();
  Room CurrentRoom();  // checks again only if there was not enough
  bool Keep();
  // Tries to resume work that waits for disk space. Returns true if some still waits.
  bool GoOn();

  const bool relaxed_;
  const std::chrono::milliseconds keep_period_;
  const Clock& clock_;
  const StoreInfo::Recovery recovery_;
  const std::unique_ptr<DataFolder> folder_;
  const std::shared_ptr<BackgroundWatch> watch_;
  const std::unique_ptr<rocksdb::Env> env_;  // used by db_
  const std::unique_ptr<rocksdb::DB> db_;
  RowCache cache_;
  std::atomic<uint64_t> ingests_ = 0;  // number begun so far
  LockTable locks_;
  Visibility visibility_;
  std::atomic<Room> room_ = Room::kEnough;
  bool flush_owed_;                                    // periodic_'s thread only
  std::chrono::steady_clock::time_point last_kept_;    // periodic_'s thread only
  std::chrono::steady_clock::time_point last_looked_;  // last check for disk space; syncer_'s thread only
  PeriodicTask periodic_;
  Syncer syncer_;
  Committer committer_;
};

}  // namespace keyfold::store
