#include "store/rocksdb/committer.h"

#include <algorithm>

#include "store/rocksdb/end_process.h"

namespace keyfold::store {

Committer::Committer(rocksdb::DB& db, DataFolder& folder, const Clock& clock, Visibility& visibility, Syncer& syncer,
                     Start start)
    : db_(db),
      folder_(folder),
      clock_(clock),
      visibility_(visibility),
      syncer_(syncer),
      catalog_version_(start.catalog->version),
      last_time_(start.time),
      next_(start.next),
      ceiling_(start.ceiling),
      catalog_(*start.catalog),
      tallies_(std::move(start.tallies)) {}

CommitStamp Committer::NextStamp() {
  if (next_ >= ceiling_) {
    // ReserveNumbers has fallen a whole block behind: wait for the disk here rather than assign a number twice.
    ceiling_ = next_ + kNumbersReserved;
    const rocksdb::Status s = folder_.RaiseMark({.sequence = 0, .ceiling = ceiling_, .time = 0});
    if (!s.ok()) EndProcess("reserving commit numbers", s);
  }
  const Micros time = std::max(clock_.Now(), last_time_.load(std::memory_order_relaxed));
  last_time_.store(time, std::memory_order_relaxed);
  return {next_++, time};
}

Committer::Outcome Committer::Write(CommitBatch& batch, CommitStamp stamp) {
  batch.Stamp(stamp);
  rocksdb::WriteOptions options;
  options.no_slowdown = true;
  const rocksdb::Status s = db_.Write(options, &batch.batch());
  // Readers may have seen this number published, so it must become durable even if nothing was written under it.
  syncer_.Applied(stamp.commit, db_.GetLatestSequenceNumber());
  if (s.ok()) return Outcome::kApplied;
  if (s.IsIncomplete()) return Outcome::kStalled;
  // While a background error persists, RocksDB refuses writes before it touches the log and returns that error with its
  // severity. An error without a severity is this write's own and may have left half a record in the log.
  if (s.severity() != rocksdb::Status::Severity::kNoError) return Outcome::kRefused;
  EndProcess("writing the log", s);
}

Committer::Tallies Committer::MovedTallies(const Changes& changes) const {
  Tallies moved;
  for (const auto& count : changes.counts) {
    const auto key = std::pair(count.table, count.index);
    auto [it, fresh] = moved.try_emplace(key);
    if (fresh) {
      if (const auto old = tallies_.find(key); old != tallies_.end()) it->second = old->second;
    }
    it->second.rows += count.by.rows;
    it->second.bytes += count.by.bytes;
  }
  return moved;
}

Committer::Outcome Committer::Commit(CatalogVersion expected, CommitBatch& batch, const Changes& changes,
                                     CommitNumber& number) {
  MutexLock lock(mutex_);
  if (expected != catalog_.version) {
    number = catalog_commit_;
    return Outcome::kStale;
  }
  const CommitStamp stamp = NextStamp();
  const Tallies moved = MovedTallies(changes);
  for (const auto& [key, tally] : moved) {
    char value[16];
    StoreU64(value, static_cast<uint64_t>(tally.rows));
    StoreU64(value + 8, static_cast<uint64_t>(tally.bytes));
    batch.Put(TallyKey(key.first, key.second), {}, {value, sizeof value});
  }
  // Before the rows become visible: see visibility.h.
  visibility_.PublishAnywhere(stamp.commit);
  for (const auto& write : changes.writes) visibility_.Publish(write.key, stamp.commit);
  const Outcome outcome = Write(batch, stamp);
  if (outcome != Outcome::kApplied) return outcome;
  for (const auto& [key, tally] : moved) tallies_[key] = tally;
  number = stamp.commit;
  return outcome;
}

Committer::Outcome Committer::CommitCatalog(CatalogVersion expected, Store::MakeCatalogChanges make,
                                            CommitNumber& number) {
  MutexLock lock(mutex_);
  if (expected != catalog_.version) return Outcome::kStale;
  const CommitStamp stamp = NextStamp();
  CommitBatch batch;
  std::vector<CatalogChange> changes = make(stamp);
  for (const CatalogChange& change : changes) {
    if (change.value) {
      batch.Put(CatalogKey(change.name), {}, *change.value);
    } else {
      batch.Delete(CatalogKey(change.name), {});
    }
  }
  char version[8];
  StoreU64(version, expected + 1);
  batch.Put(CatalogVersionKey(), {}, {version, sizeof version});
  const Outcome outcome = Write(batch, stamp);
  if (outcome != Outcome::kApplied) return outcome;
  for (CatalogChange& change : changes) {
    if (change.value) {
      catalog_.entries[change.name] = *std::move(change.value);
    } else {
      catalog_.entries.erase(change.name);
    }
  }
  catalog_.version = expected + 1;
  catalog_version_.store(catalog_.version, std::memory_order_release);
  catalog_commit_ = number = stamp.commit;
  return outcome;
}

Committer::Outcome Committer::CommitPurge(CommitBatch& batch, TableId table, IndexId index, CommitNumber& number) {
  MutexLock lock(mutex_);
  const auto first = tallies_.lower_bound({table, index});
  const auto last = index == kBaseTable ? tallies_.lower_bound({table + 1, 0}) : tallies_.upper_bound({table, index});
  for (auto it = first; it != last; ++it) batch.Delete(TallyKey(it->first.first, it->first.second), {});
  const CommitStamp stamp = NextStamp();
  visibility_.PublishAnywhere(stamp.commit);
  const Outcome outcome = Write(batch, stamp);
  if (outcome != Outcome::kApplied) return outcome;
  tallies_.erase(first, last);
  number = stamp.commit;
  return outcome;
}

Committer::Outcome Committer::CommitTrim(CommitBatch& batch, CommitNumber& number) {
  MutexLock lock(mutex_);
  const CommitStamp stamp = NextStamp();
  const Outcome outcome = Write(batch, stamp);
  if (outcome == Outcome::kApplied) number = stamp.commit;
  return outcome;
}

std::shared_ptr<const CatalogState> Committer::catalog(CommitNumber& number) const {
  MutexLock lock(mutex_);
  number = catalog_commit_;
  return std::make_shared<const CatalogState>(catalog_);
}

Tally Committer::tally(TableId table, IndexId index) const {
  MutexLock lock(mutex_);
  const auto it = tallies_.find({table, index});
  return it == tallies_.end() ? Tally{} : it->second;
}

bool Committer::ReserveNumbers() {
  CommitNumber ceiling;
  {
    MutexLock lock(mutex_);
    if (next_ + kNumbersReserved / 2 <= ceiling_) return true;
    ceiling = next_ + kNumbersReserved;
  }
  if (!folder_.RaiseMark({.sequence = 0, .ceiling = ceiling, .time = 0}).ok()) return false;
  MutexLock lock(mutex_);
  ceiling_ = std::max(ceiling_, ceiling);
  return true;
}

Mark Committer::CurrentMark() const {
  // MARK already has the ceiling, and RaiseMark never lowers it.
  return {.sequence = syncer_.durable_sequence(), .ceiling = 0, .time = last_time()};
}

Mark Committer::FinalMark() const {
  MutexLock lock(mutex_);
  return {.sequence = db_.GetLatestSequenceNumber(), .ceiling = next_, .time = last_time()};
}

}  // namespace keyfold::store
