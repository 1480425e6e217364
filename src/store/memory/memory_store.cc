// A store that persists nothing: ordered maps under one lock. It serves --in-memory, and random tests compare the
// durable store with it, so it favors simplicity over speed.
#include <tuple>

#include "base/fair_shared_mutex.h"
#include "base/mutex.h"
#include "store/key_encoding.h"
#include "store/rules.h"
#include "store/store.h"

namespace keyfold::store {
namespace {

// Thread-safe.
class MemoryStore final : public Store {
 public:
  explicit MemoryStore(const Clock& clock) : clock_(clock) {}

  Status Mutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access) override;
  Status Get(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) override;
  Status GetAtomic(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) override {
    return Get(keys, rows, access);
  }
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
  CommitNumber Durable() const override;
  void WhenDurable(CommitNumber number, std::function<void()> done) override { done(); }
  StoreInfo Info() const override { return {.name = "memory", .durability = "none"}; }
  std::string LastError() const override { return {}; }

 private:
  struct Stored {
    std::string value;
    CommitNumber commit;
  };
  struct Logged {
    Slot slot;
    Micros time;
    std::string body;
  };
  using RowMap = std::map<std::string, Stored, std::less<>>;
  using LogKey = std::tuple<TableId, LogPosition>;
  class MapIngest;

  Status CopyRows(std::span<const RowKey> keys, std::vector<Row>& rows, Pace* pace) const REQUIRES_SHARED(mutex_);
  CommitStamp NextStamp() REQUIRES(mutex_);
  void Apply(Changes& changes) REQUIRES(mutex_);
  RowView Find(std::string_view key) const REQUIRES_SHARED(mutex_);
  // Visits the rows of `range`, in its direction, until `visit` returns false.
  void Walk(const PartitionRange& range, Visit visit) const REQUIRES_SHARED(mutex_);
  void WalkSlots(const SlotRange& range, Visit visit) const REQUIRES_SHARED(mutex_);
  Tally FindTally(TableId table, IndexId index) const REQUIRES_SHARED(mutex_);

  const Clock& clock_;

  mutable FairSharedMutex mutex_;
  RowMap rows_ GUARDED_BY(mutex_);
  std::map<LogKey, Logged> log_ GUARDED_BY(mutex_);
  std::map<std::pair<TableId, IndexId>, Tally> tallies_ GUARDED_BY(mutex_);
  CatalogState catalog_ GUARDED_BY(mutex_);
  CommitNumber last_commit_ GUARDED_BY(mutex_) = 0;
  Micros last_time_ GUARDED_BY(mutex_) = 0;
};

RowView View(const auto& entry) {
  return {.key = entry.first, .value = entry.second.value, .commit = entry.second.commit};
}

// The common prefix of all row keys of the table or index.
std::string Header(TableId table, IndexId index) {
  std::string bytes;
  AppendU32(bytes, table);
  AppendU16(bytes, index);
  return bytes;
}

Status MemoryStore::CopyRows(std::span<const RowKey> keys, std::vector<Row>& rows, Pace* pace) const {
  rows.assign(keys.size(), {});
  for (size_t i = 0; i < keys.size(); ++i) {
    const auto it = rows_.find(keys[i].bytes());
    if (it == rows_.end()) continue;
    rows[i] = {true, it->second.value, it->second.commit};
    if (pace && !pace->Reads(it->second.value.size())) return kTooMuchHere();
  }
  return Ok();
}

CommitStamp MemoryStore::NextStamp() {
  last_time_ = std::max(last_time_, clock_.Now());
  return {++last_commit_, last_time_};
}

void MemoryStore::Apply(Changes& changes) {
  const CommitNumber commit = NextStamp().commit;
  for (auto& write : changes.writes) {
    if (write.put) {
      rows_.insert_or_assign(write.key.bytes(), Stored{std::move(write.value), commit});
    } else {
      rows_.erase(write.key.bytes());
    }
  }
  uint16_t ordinal = 0;
  for (auto& record : changes.log) {
    log_.emplace(LogKey{record.table, {commit, ordinal++}}, Logged{record.slot, last_time_, std::move(record.body)});
  }
  for (const auto& count : changes.counts) {
    Tally& tally = tallies_[{count.table, count.index}];
    tally.rows += count.by.rows;
    tally.bytes += count.by.bytes;
  }
}

Status MemoryStore::Mutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access) {
  MutexLock lock(mutex_);
  if (catalog != catalog_.version) return kCatalogMoved();
  std::vector<Row> rows;
  RETURN_IF_ERROR(CopyRows(keys, rows, access.pace));
  Changes changes;
  RETURN_IF_ERROR(decide(clock_.Now(), rows, changes));
  if (!changes.empty()) Apply(changes);
  return Ok();
}

Status MemoryStore::Get(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) {
  SharedLock lock(mutex_);
  return CopyRows(keys, rows, access.pace);
}

RowView MemoryStore::Find(std::string_view key) const {
  const auto it = rows_.find(key);
  return it == rows_.end() ? RowView{} : View(*it);
}

void MemoryStore::Walk(const PartitionRange& range, Visit visit) const {
  const std::string partition = RowKey(range.table, range.index, range.partition, {}).bytes();
  auto begin = rows_.lower_bound(partition + range.lower);
  auto end = rows_.lower_bound(range.upper.empty() ? AfterPrefix(partition) : partition + range.upper);
  const bool forward = range.direction == Direction::kForward;
  if (!range.after.empty()) {
    if (forward && range.after >= partition + range.lower) begin = rows_.upper_bound(range.after);
    if (!forward && (end == rows_.end() || range.after < end->first)) end = rows_.lower_bound(range.after);
  }
  // The bounds may cross: `upper` below `lower`, or `after` past either end.
  if (begin == rows_.end() || (end != rows_.end() && begin->first >= end->first)) return;
  if (forward) {
    while (begin != end && visit(View(*begin))) ++begin;
  } else {
    while (begin != end && visit(View(*--end))) {
    }
  }
}

Status MemoryStore::Range(const PartitionRange& range, Visit visit, Access) {
  SharedLock lock(mutex_);
  Walk(range, visit);
  return Ok();
}

Status MemoryStore::RangeWithBase(const PartitionRange& range, BaseKey base_key, VisitPair visit, Access) {
  SharedLock lock(mutex_);
  // Walk calls it while the mutex is held, which the analysis cannot see through FunctionRef.
  const auto visit_pair = [&](const RowView& row)
                              NO_THREAD_SAFETY_ANALYSIS { return visit(row, Find(base_key(row).bytes())); };
  Walk(range, visit_pair);
  return Ok();
}

void MemoryStore::WalkSlots(const SlotRange& range, Visit visit) const {
  const std::string header = Header(range.table, range.index);
  std::string first = header;
  AppendU16(first, range.first);
  auto it = range.after.empty() || range.after < first ? rows_.lower_bound(first) : rows_.upper_bound(range.after);
  for (; it != rows_.end() && it->first.starts_with(header); ++it) {
    if (LoadU16(it->first.data() + header.size()) > range.last) break;
    if (!visit(View(*it))) break;
  }
}

Status MemoryStore::ScanSlots(const SlotRange& range, Visit visit, Access) {
  SharedLock lock(mutex_);
  WalkSlots(range, visit);
  return Ok();
}

Result<LogPosition> MemoryStore::ReadLog(const LogRange& range, VisitLog visit) {
  SharedLock lock(mutex_);
  LogPosition reached = range.after;
  const CommitNumber end = std::min(range.through, last_commit_);
  for (auto it = log_.upper_bound({range.table, range.after}); it != log_.end(); ++it) {
    const auto& [table, at] = it->first;
    if (table != range.table || at.commit > end) break;
    const Logged& logged = it->second;
    const bool wanted = logged.slot >= range.first && logged.slot <= range.last;
    if (wanted && !visit({at, logged.slot, logged.time, logged.body})) return reached;
    reached = at;
  }
  return std::max(reached, LogPosition::AfterCommit(end));
}

Status MemoryStore::TrimLog(TableId table, Micros before) {
  MutexLock lock(mutex_);
  auto it = log_.lower_bound({table, {}});
  while (it != log_.end() && std::get<TableId>(it->first) == table && it->second.time < before) it = log_.erase(it);
  return Ok();
}

CatalogState MemoryStore::ReadCatalog() {
  SharedLock lock(mutex_);
  return catalog_;
}

Status MemoryStore::WriteCatalog(CatalogVersion expected, MakeCatalogChanges make) {
  MutexLock lock(mutex_);
  if (expected != catalog_.version) return kCatalogMoved();
  for (const auto& change : make(NextStamp())) {
    if (change.value) {
      catalog_.entries[change.name] = *change.value;
    } else {
      catalog_.entries.erase(change.name);
    }
  }
  ++catalog_.version;
  return Ok();
}

Tally MemoryStore::FindTally(TableId table, IndexId index) const {
  const auto it = tallies_.find({table, index});
  return it == tallies_.end() ? Tally{} : it->second;
}

Tally MemoryStore::ReadTally(TableId table, IndexId index) {
  SharedLock lock(mutex_);
  return FindTally(table, index);
}

Result<Tally> MemoryStore::ScanWithTally(TableId table, IndexId index, Visit visit, Access) {
  SharedLock lock(mutex_);
  WalkSlots({.table = table, .index = index}, visit);
  return FindTally(table, index);
}

// Buffers rows until Finish.
class MemoryStore::MapIngest final : public Ingest {
 public:
  explicit MapIngest(MemoryStore& store) : store_(store), commit_(store.Durable()) {}

  Status Add(std::string_view key, std::string_view value) override {
    rows_.emplace_hint(rows_.end(), key, Stored{std::string(value), commit_});
    return Ok();
  }
  Status Finish(std::span<const Changes::Count> tallies) override {
    MutexLock lock(store_.mutex_);
    store_.rows_.merge(rows_);
    Changes counted;
    counted.counts.assign(tallies.begin(), tallies.end());
    store_.Apply(counted);
    return Ok();
  }

 private:
  MemoryStore& store_;
  const CommitNumber commit_;
  RowMap rows_;
};

Result<std::unique_ptr<Ingest>> MemoryStore::BeginIngest() {
  return std::unique_ptr<Ingest>(std::make_unique<MapIngest>(*this));
}

Status MemoryStore::Purge(TableId table, IndexId index) {
  MutexLock lock(mutex_);
  const bool whole = index == kBaseTable;
  std::string header;
  AppendU32(header, table);
  if (!whole) AppendU16(header, index);
  rows_.erase(rows_.lower_bound(header), rows_.lower_bound(AfterPrefix(header)));
  std::erase_if(tallies_, [&](const auto& tally) {
    return tally.first.first == table && (whole || tally.first.second == index);
  });
  return Ok();
}

CommitNumber MemoryStore::Durable() const {
  SharedLock lock(mutex_);
  return last_commit_;
}

}  // namespace

std::unique_ptr<Store> MakeMemoryStore(const Clock& clock) { return std::make_unique<MemoryStore>(clock); }

}  // namespace keyfold::store
