// The durable store's calls: reads, and the path of a write down to the committer. Opening and recovery are in open.cc.
#include "store/rocksdb/durable_store.h"

#include <fmt/format.h>
#include <rocksdb/convenience.h>
#include <rocksdb/snapshot.h>

#include <chrono>
#include <thread>

#include "base/bytes.h"
#include "base/log.h"
#include "base/text/hex.h"
#include "store/key_encoding.h"
#include "store/rocksdb/end_process.h"
#include "store/rocksdb/partition_prefix.h"
#include "store/rocksdb/settings.h"
#include "store/rocksdb/sst_ingest.h"

namespace keyfold::store {
namespace {

using rocksdb::PinnableSlice, rocksdb::ReadOptions, rocksdb::Slice;

constexpr std::chrono::milliseconds kStallWaitMax{1000}, kStallPause{2};
constexpr std::chrono::milliseconds kRelaxedFlushPeriod{100};
constexpr std::chrono::milliseconds kRoomPeriod{5};  // too short for a writer to fill the reserve; spans several syncs
constexpr uint64_t kFreeBytesToWrite = uint64_t{32} << 20;
// Enough to flush every write buffer even if all are full; with more than this free their sizes are not checked.
constexpr uint64_t kFreeBytesAmple = uint64_t{512} << 20;
constexpr uint64_t kFreeBytesToDelete = uint64_t{4} << 20;
// Files outside the store leave this much more free than items do. So space that an operator frees is available to
// items first, and several writers that have just checked do not use up the reserve together.
constexpr uint64_t kFreeBytesAboveFiles = uint64_t{16} << 20;
constexpr int kWarmReadsMax = 3;
constexpr uint64_t kDeletedSkippedMax = 1000;  // deleted rows skipped to find the next one, with Wait::kNever
constexpr size_t kPurgedAtOnce = 1000;
constexpr size_t kLogRecordsAtOnce = 10'000;

std::string DbKey(const RowKey& key) {
  std::string bytes;
  bytes.reserve(1 + key.bytes().size());
  bytes.push_back(kRowSpace);
  return bytes.append(key.bytes());
}

std::string_view ViewOf(const Slice& s) { return {s.data(), s.size()}; }

ReadOptions OptionsFor(Wait wait) {
  ReadOptions options;
  options.read_tier = wait == Wait::kNever ? rocksdb::kBlockCacheTier : rocksdb::kReadAllTier;
  options.ignore_range_deletions = true;  // there are none, and looking for them is slow
  if (wait == Wait::kNever) options.max_skippable_internal_keys = kDeletedSkippedMax;
  return options;
}

// As db.Get. With kBlockCacheTier, RocksDB 7.8 reports rows of files it has not opened yet as found and empty. Stored
// values are never empty.
rocksdb::Status GetStored(rocksdb::DB& db, const ReadOptions& options, const std::string& key, PinnableSlice& stored) {
  const rocksdb::Status s = db.Get(options, db.DefaultColumnFamily(), key, &stored);
  if (s.ok() && stored.empty() && options.read_tier == rocksdb::kBlockCacheTier) return rocksdb::Status::Incomplete();
  return s;
}

// The bytes in hex for messages, truncated if long.
std::string HexStart(std::string_view bytes) {
  constexpr size_t kBytesShown = 64;
  return Hex(bytes.substr(0, kBytesShown)) + (bytes.size() > kBytesShown ? "…" : "");
}

Error Corrupt(std::string_view key) {
  LogError("a stored value does not match its checksum; key {}", HexStart(key));
  return kStoreFailure();
}

Status StatusOfRead(const rocksdb::Status& s) {
  if (s.ok()) return Ok();
  if (s.IsIncomplete()) return kNotInMemory();
  LogError("a read failed: {}", s.ToString());
  return kStoreFailure();
}

Status ToRow(const rocksdb::Status& s, std::string_view key, const PinnableSlice& stored, Row& row) {
  if (s.IsNotFound()) return Ok();
  if (!s.ok()) return StatusOfRead(s);
  std::string_view value;
  if (!ReadStamped(key, ViewOf(stored), value, row.commit)) return Corrupt(key);
  row.exists = true;
  row.value.assign(value);
  return Ok();
}

Status ToView(std::string_view key, std::string_view stored, RowView& view) {
  if (!ReadStamped(key, stored, view.value, view.commit)) return Corrupt(key);
  view.key = key.substr(1);
  return Ok();
}

// The key range [lower, upper) of an iteration. Owns the bytes that the slices point to.
struct Walk {
  std::string lower, upper;
  bool one_prefix = false;  // all keys share one PartitionPrefix, and the direction is forward
  Slice lower_slice = {}, upper_slice = {};

  void Bound(ReadOptions& options) {
    lower_slice = lower;
    upper_slice = upper;
    options.iterate_lower_bound = &lower_slice;
    options.iterate_upper_bound = &upper_slice;
    options.total_order_seek = !one_prefix;
  }
  bool empty() const { return lower >= upper; }
};

// The smallest key greater than `key`.
std::string Behind(std::string key) {
  key.push_back('\0');
  return key;
}

Walk WalkOf(const PartitionRange& range) {
  const std::string partition = DbKey(RowKey(range.table, range.index, range.partition, {}));
  Walk walk{.lower = partition + range.lower,
            .upper = range.upper.empty() ? AfterPrefix(partition) : partition + range.upper,
            .one_prefix = range.direction == Direction::kForward && PartitionPrefix::Names(partition)};
  if (range.after.empty()) return walk;
  const std::string after = kRowSpace + range.after;
  if (range.direction == Direction::kForward) {
    walk.lower = std::max(walk.lower, Behind(after));
  } else {
    walk.upper = std::min(walk.upper, after);
  }
  return walk;
}

Walk WalkOf(const SlotRange& range) {
  std::string lower(1, kRowSpace), upper(1, kRowSpace);
  for (std::string* bound : {&lower, &upper}) {
    AppendU32(*bound, range.table);
    AppendU16(*bound, range.index);
  }
  AppendU16(lower, range.first);
  if (range.last == kSlots - 1) {
    upper = AfterPrefix(upper);
  } else {
    AppendU16(upper, static_cast<Slot>(range.last + 1));
  }
  if (!range.after.empty()) lower = std::max(lower, Behind(kRowSpace + range.after));
  return {.lower = std::move(lower), .upper = std::move(upper)};
}

// Visits the rows of `walk` as of one point in time: the snapshot in `options` if it has one, else the time of the
// call.
Status VisitRows(rocksdb::DB& db, Walk walk, ReadOptions options, Direction direction,
                 FunctionRef<Status(RowView&, bool&)> visit) {
  if (walk.empty()) return Ok();
  walk.Bound(options);
  const std::unique_ptr<rocksdb::Iterator> it(db.NewIterator(options));
  const bool forward = direction == Direction::kForward;
  bool more = true;
  for (forward ? it->SeekToFirst() : it->SeekToLast(); more && it->Valid(); forward ? it->Next() : it->Prev()) {
    RowView row;
    RETURN_IF_ERROR(ToView(ViewOf(it->key()), ViewOf(it->value()), row));
    RETURN_IF_ERROR(visit(row, more));
    if (!more) return Ok();
  }
  return StatusOfRead(it->status());
}

}  // namespace

DurableStore::DurableStore(const RocksdbOptions& options, const Clock& clock, std::unique_ptr<DataFolder> folder,
                           std::unique_ptr<rocksdb::Env> env, std::unique_ptr<rocksdb::DB> db,
                           std::shared_ptr<BackgroundWatch> watch, Committer::Start start, StoreInfo::Recovery recovery,
                           bool flush_owed)
    : relaxed_(options.relaxed),
      keep_period_(options.keep_period_ms),
      clock_(clock),
      recovery_(recovery),
      folder_(std::move(folder)),
      watch_(std::move(watch)),
      env_(std::move(env)),
      db_(std::move(db)),
      cache_(RowCacheBytes(options)),
      visibility_(start.next - 1),
      flush_owed_(flush_owed),
      periodic_(relaxed_ ? std::min(kRelaxedFlushPeriod, keep_period_) : keep_period_, [this] { return Keep(); }),
      syncer_(
          start.next - 1, !relaxed_, [this] { Sync(); }, [this] { periodic_.Schedule(); }),
      committer_(*db_, *folder_, clock, visibility_, syncer_, std::move(start)) {
  watch_->Attach(*folder_, committer_, [this] { periodic_.Schedule(); });
  if (LookForRoom() != Room::kEnough || flush_owed || watch_->wants_room()) periodic_.Schedule();
}

DurableStore::~DurableStore() {
  periodic_.Stop();
  syncer_.Stop();
  // Flushing the write buffer makes the next start fast. If it fails, the log still has everything. It must not use up
  // the space that a start needs.
  if (folder_->FreeBytes() < kFreeBytesAmple && folder_->FreeBytes() < kFreeBytesToDelete + BytesToFlush()) {
    LogWarning("{}: the write buffer was not flushed and stays in the log: the disk is full", folder_->path());
  } else if (const rocksdb::Status s = db_->Flush(rocksdb::FlushOptions()); !s.ok()) {
    LogWarning("{}: the write buffer was not flushed and stays in the log: {}", folder_->path(), s.ToString());
  }
  Sync();
  watch_->Detach();
  if (const rocksdb::Status s = folder_->SetMark(committer_.FinalMark()); !s.ok()) {
    LogWarning("{}: cannot write MARK: {}", folder_->path(), s.ToString());
  }
  if (const rocksdb::Status s = db_->Close(); !s.ok()) {
    LogWarning("{}: closing the database failed: {}", folder_->path(), s.ToString());
  }
}

void DurableStore::Sync() {
  if (const rocksdb::Status s = db_->FlushWAL(/*sync=*/true); !s.ok()) EndProcess("syncing the log", s);
  // A fast writer could fill the reserve within one period of periodic_.
  const auto now = std::chrono::steady_clock::now();
  if (now - last_looked_ < kRoomPeriod) return;
  last_looked_ = now;
  LookForRoom();
}

uint64_t DurableStore::BytesToFlush() const {
  uint64_t bytes = 0;
  db_->GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &bytes);
  return bytes;
}

DurableStore::Room DurableStore::RoomOnDisk() const {
  const uint64_t free = folder_->FreeBytes();
  if (free < kFreeBytesToDelete) return Room::kNone;
  return free < kFreeBytesAmple && free < kFreeBytesToWrite + BytesToFlush() ? Room::kForDeletes : Room::kEnough;
}

DiskSpace DurableStore::Disk() const {
  const uint64_t free = folder_->FreeBytes();
  if (free == UINT64_MAX) return {};
  return {.free_bytes = free, .reserve_bytes = kFreeBytesToWrite + BytesToFlush()};
}

Status DurableStore::HasRoomForFiles(uint64_t bytes) const {
  const uint64_t free = folder_->FreeBytes();
  const uint64_t needed = kFreeBytesToWrite + kFreeBytesAboveFiles + BytesToFlush() + bytes;
  return free < needed || watch_->wants_room() ? kDiskFull() : Ok();
}

DurableStore::Room DurableStore::LookForRoom() {
  Room room = RoomOnDisk();
  if (room == Room::kEnough && watch_->wants_room()) room = Room::kForDeletes;
  const bool enough = room == Room::kEnough;
  if (const Room before = room_.exchange(room); (before == Room::kEnough) != enough) {
    LogWarning("{}: the disk {}", folder_->path(), enough ? "has free space again" : "is full");
  }
  return room;
}

DurableStore::Room DurableStore::CurrentRoom() {
  const Room room = room_.load(std::memory_order_relaxed);
  return room == Room::kEnough ? room : LookForRoom();  // RocksDB's background work uses and frees space too
}

bool DurableStore::Keep() {
  const auto now = std::chrono::steady_clock::now();
  if (relaxed_) {
    if (const rocksdb::Status s = db_->FlushWAL(/*sync=*/false); !s.ok()) EndProcess("writing the log", s);
    LookForRoom();
    if (now - last_kept_ < keep_period_) return true;
    WaitUntilDurable(syncer_.applied());
  }
  last_kept_ = now;
  const rocksdb::Status s = folder_->RaiseMark(committer_.CurrentMark());
  if (!s.ok()) LogWarning("{}: cannot write MARK: {}", folder_->path(), s.ToString());
  if (!committer_.ReserveNumbers()) LogWarning("{}: cannot reserve commit numbers", folder_->path());
  const bool waits = GoOn();
  // While the disk is full there are no writes, so nothing else would wake this task to notice free space.
  return LookForRoom() != Room::kEnough || waits;
}

bool DurableStore::GoOn() {
  if (!flush_owed_ && !watch_->wants_room()) return false;
  if (RoomOnDisk() != Room::kEnough) return true;
  if (watch_->wants_room()) {
    watch_->TryToResume(*db_, folder_->FreeBytes(), std::chrono::steady_clock::now());
    return true;  // check the outcome in the next period
  }
  rocksdb::FlushOptions options;
  options.wait = false;
  flush_owed_ = !db_->Flush(options).ok();
  return flush_owed_;
}

void DurableStore::Raise(Access access, CommitNumber number) const {
  if (!relaxed_) access.horizon.Raise(number);
}

void DurableStore::RaiseTo(Access access, std::span<const RowKey> keys) {
  for (const RowKey& key : keys) Raise(access, visibility_.At(key));
}

Status DurableStore::ReadRows(std::span<const RowKey> keys, const ReadOptions& options, std::vector<Row>& rows,
                              Pace* pace) {
  // One Get per key: with kBlockCacheTier, RocksDB 7.8's MultiGet may report a row as found and empty when it merely
  // could not rule it out.
  rows.assign(keys.size(), {});
  PinnableSlice stored;
  for (size_t i = 0; i < keys.size(); ++i) {
    // The cache holds the newest version; a snapshot may need an older one.
    const bool cached = options.snapshot == nullptr && RowCache::Keeps(keys[i]);
    RowCache::Miss miss;
    if (!cached || !cache_.Find(keys[i], rows[i], miss)) {
      const std::string key = DbKey(keys[i]);
      RETURN_IF_ERROR(ToRow(GetStored(*db_, options, key, stored), key, stored, rows[i]));
      stored.Reset();
      if (cached) cache_.Insert(keys[i], rows[i], miss);
    }
    if (pace && !pace->Reads(rows[i].value.size())) return kTooMuchHere();
  }
  return Ok();
}

DurableStore::Attempt DurableStore::TryMutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide,
                                              Access access, Wait read_wait, Status& status) {
  const LockTable::Hold hold(locks_, keys, access.wait == Wait::kAllowed);
  if (!hold.held()) return Attempt::kNotInMemory;
  std::vector<Row> rows;
  status = ReadRows(keys, OptionsFor(read_wait), rows, access.pace);
  RaiseTo(access, keys);
  if (!status.ok()) return status.kind() == Kind::kWouldBlock ? Attempt::kNotInMemory : Attempt::kDone;
  if (catalog != committer_.catalog_version()) {
    status = Stale(access);
    return Attempt::kDone;
  }
  Changes changes;
  status = decide(clock_.Now(), rows, changes);
  if (!status.ok() || changes.empty()) return Attempt::kDone;
  status = HasRoomFor(changes, access);
  if (!status.ok()) return Attempt::kDone;
  CommitBatch batch(changes);
  CommitNumber number = 0;
  RowCache::Writing writing(cache_, changes.writes);
  const Committer::Outcome outcome = committer_.Commit(catalog, batch, changes, number);
  if (outcome == Committer::Outcome::kApplied) writing.Applied(number);
  if (outcome == Committer::Outcome::kStalled) return Attempt::kStalled;
  status = Finish(outcome);
  Raise(access, number);
  return Attempt::kDone;
}

Status DurableStore::Stale(Access access) {
  CommitNumber number = 0;
  (void)committer_.catalog(number);
  Raise(access, number);
  return kCatalogMoved();
}

bool DurableStore::HasPut(const Changes& changes) {
  for (const auto& write : changes.writes) {
    if (write.put) return true;
  }
  return false;
}

Status DurableStore::HasRoomFor(const Changes& changes, Access access) {
  const Room room = CurrentRoom();
  if (room == Room::kNone) return kNoRoom();
  if (room == Room::kForDeletes && !access.for_delete && HasPut(changes)) return kDiskFull();
  return Ok();
}

Status DurableStore::Finish(Committer::Outcome outcome) {
  switch (outcome) {
    case Committer::Outcome::kApplied:
      if (relaxed_) periodic_.Schedule();
      return Ok();
    case Committer::Outcome::kStale:
      return kCatalogMoved();
    case Committer::Outcome::kStalled:
      return kWriteStall();
    case Committer::Outcome::kRefused:
      return watch_->wants_room() ? kDiskFull() : kStoreFailure();
  }
  return Ok();
}

Status DurableStore::Mutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access) {
  int warm_reads = 0;
  std::chrono::milliseconds stalled{0};
  for (;;) {
    // The disk is not read while locks are held: a miss reads the rows into the cache without the locks, then tries
    // again.
    const Wait read_wait = warm_reads < kWarmReadsMax ? Wait::kNever : access.wait;
    Status status;
    const Attempt attempt = TryMutate(catalog, keys, decide, access, read_wait, status);
    if (access.wait == Wait::kAllowed) syncer_.Start();
    if (attempt == Attempt::kDone) return status;
    if (access.wait == Wait::kNever) return kNotInMemory();
    if (attempt == Attempt::kNotInMemory) {
      std::vector<Row> rows;
      RETURN_IF_ERROR(ReadRows(keys, OptionsFor(access.wait), rows, access.pace));
      ++warm_reads;
    } else {
      if (stalled >= kStallWaitMax) return kWriteStall();
      std::this_thread::sleep_for(kStallPause);
      stalled += kStallPause;
    }
  }
}

Status DurableStore::Get(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) {
  Status status = ReadRows(keys, OptionsFor(access.wait), rows, access.pace);
  RaiseTo(access, keys);
  return status;
}

Status DurableStore::GetAtomic(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) {
  rocksdb::ManagedSnapshot snapshot(db_.get());
  ReadOptions options = OptionsFor(access.wait);
  options.snapshot = snapshot.snapshot();
  Status status = ReadRows(keys, options, rows, access.pace);
  RaiseTo(access, keys);
  return status;
}

Status DurableStore::Range(const PartitionRange& range, Visit visit, Access access) {
  Status status =
      VisitRows(*db_, WalkOf(range), OptionsFor(access.wait), range.direction, [&](RowView& row, bool& more) {
        more = visit(row);
        return Ok();
      });
  Raise(access, visibility_.At(range.table, range.index, SlotOf(range.partition)));
  return status;
}

Status DurableStore::RangeWithBase(const PartitionRange& range, BaseKey base_key, VisitPair visit, Access access) {
  rocksdb::ManagedSnapshot snapshot(db_.get());
  ReadOptions options = OptionsFor(access.wait);
  options.snapshot = snapshot.snapshot();
  PinnableSlice stored;
  Status status = VisitRows(*db_, WalkOf(range), options, range.direction, [&](RowView& row, bool& more) -> Status {
    const RowKey key = base_key(row);
    const std::string name = DbKey(key);
    stored.Reset();
    const rocksdb::Status s = GetStored(*db_, options, name, stored);
    Raise(access, visibility_.At(key));
    RowView base;
    if (s.ok()) {
      RETURN_IF_ERROR(ToView(name, ViewOf(stored), base));
    } else if (!s.IsNotFound()) {
      return StatusOfRead(s);
    }
    more = visit(row, base);
    return Ok();
  });
  Raise(access, visibility_.At(range.table, range.index, SlotOf(range.partition)));
  return status;
}

Status DurableStore::ScanSlots(const SlotRange& range, Visit visit, Access access) {
  ReadOptions options = OptionsFor(access.wait);
  options.fill_cache = !range.passing;
  Status status = VisitRows(*db_, WalkOf(range), options, Direction::kForward, [&](RowView& row, bool& more) {
    more = visit(row);
    return Ok();
  });
  Raise(access, visibility_.Anywhere());
  return status;
}

Result<LogPosition> DurableStore::ReadLog(const LogRange& range, VisitLog visit) {
  const CommitNumber end = std::min(range.through, LogEnd());
  Walk walk{.lower = Behind(LogKey(range.table, range.after.commit, range.after.ordinal, UINT16_MAX)),
            .upper = LogKey(range.table, end + 1, 0, 0)};
  LogPosition reached = range.after;
  if (walk.empty()) return reached;
  ReadOptions options;
  walk.Bound(options);
  const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(options));
  size_t seen = 0;
  for (it->SeekToFirst(); it->Valid(); it->Next()) {
    LogView record;
    if (!ReadLogRecord(ViewOf(it->key()), ViewOf(it->value()), record)) return Corrupt(ViewOf(it->key()));
    const bool wanted = record.slot >= range.first && record.slot <= range.last;
    if (wanted && !visit(record)) return reached;
    reached = record.at;
    if (++seen == kLogRecordsAtOnce) return reached;
  }
  RETURN_IF_ERROR(StatusOfRead(it->status()));
  return std::max(reached, LogPosition::AfterCommit(end));
}

Status DurableStore::TrimLog(TableId table, Micros before) {
  Walk walk{.lower = LogKey(table, 0, 0, 0), .upper = LogKey(table, UINT64_MAX, UINT16_MAX, UINT16_MAX)};
  while (true) {
    ReadOptions options;
    options.fill_cache = false;
    walk.Bound(options);
    std::vector<std::string> keys;
    const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(options));
    for (it->SeekToFirst(); it->Valid() && keys.size() < kPurgedAtOnce; it->Next()) {
      LogView record;
      if (!ReadLogRecord(ViewOf(it->key()), ViewOf(it->value()), record)) return Corrupt(ViewOf(it->key()));
      if (record.time >= before) break;
      keys.push_back(it->key().ToString());
    }
    RETURN_IF_ERROR(StatusOfRead(it->status()));
    if (keys.empty()) return Ok();
    RETURN_IF_ERROR(CommitDurably([&](CommitNumber& number) {
      CommitBatch batch;
      for (const std::string& key : keys) batch.Delete(key, {});
      return committer_.CommitTrim(batch, number);
    }));
    walk.lower = Behind(std::move(keys.back()));
  }
}

CatalogState DurableStore::ReadCatalog() {
  CommitNumber number = 0;
  const auto catalog = committer_.catalog(number);
  // Waits only between a catalog write and its sync.
  WaitUntilDurable(number);
  return *catalog;
}

Status DurableStore::WriteCatalog(CatalogVersion expected, MakeCatalogChanges make) {
  return CommitDurably([&](CommitNumber& number) { return committer_.CommitCatalog(expected, make, number); });
}

Status DurableStore::CommitDurably(FunctionRef<Committer::Outcome(CommitNumber&)> commit) {
  if (CurrentRoom() == Room::kNone) return kNoRoom();
  CommitNumber number = 0;
  Committer::Outcome outcome = commit(number);
  for (std::chrono::milliseconds stalled{0}; outcome == Committer::Outcome::kStalled && stalled < kStallWaitMax;
       stalled += kStallPause) {
    std::this_thread::sleep_for(kStallPause);
    outcome = commit(number);
  }
  RETURN_IF_ERROR(Finish(outcome));
  WaitUntilDurable(number);
  return Ok();
}

Tally DurableStore::ReadTally(TableId table, IndexId index) { return committer_.tally(table, index); }

// Every commit writes the tallies it changes in the same batch as its rows, so one snapshot covers both.
Result<Tally> DurableStore::ScanWithTally(TableId table, IndexId index, Visit visit, Access access) {
  rocksdb::ManagedSnapshot snapshot(db_.get());
  ReadOptions options = OptionsFor(access.wait);
  options.snapshot = snapshot.snapshot();
  options.fill_cache = false;
  Row row;
  PinnableSlice stored;
  const std::string key = TallyKey(table, index);
  RETURN_IF_ERROR(ToRow(GetStored(*db_, options, key, stored), key, stored, row));
  const SlotRange range{.table = table, .index = index};
  Status status = VisitRows(*db_, WalkOf(range), options, Direction::kForward, [&](RowView& seen, bool& more) {
    more = visit(seen);
    return Ok();
  });
  Raise(access, visibility_.Anywhere());
  if (!status.ok()) return std::move(status).TakeError();
  if (!row.exists) return Tally{};
  ByteReader tally(row.value);
  const auto rows = static_cast<int64_t>(tally.U64()), bytes = static_cast<int64_t>(tally.U64());
  return Tally{.rows = rows, .bytes = bytes};
}

Result<std::unique_ptr<Ingest>> DurableStore::BeginIngest() {
  const std::string folders = folder_->ingest_path();
  if (const rocksdb::Status s = db_->GetEnv()->CreateDirIfMissing(folders); !s.ok()) return StatusOfRead(s).TakeError();
  IngestHost host{.db = *db_,
                  .folder = fmt::format("{}/{}", folders, ingests_.fetch_add(1)),
                  .commit = Durable(),
                  .has_room = [this](uint64_t bytes) { return HasRoomForFiles(bytes); },
                  .commit_tallies = [this](std::span<const Changes::Count> tallies) { return CommitTallies(tallies); }};
  return std::unique_ptr<Ingest>(std::make_unique<SstIngest>(std::move(host)));
}

Status DurableStore::CommitTallies(std::span<const Changes::Count> tallies) {
  Changes changes;
  changes.counts.assign(tallies.begin(), tallies.end());
  return CommitDurably([&](CommitNumber& number) {
    Committer::Outcome outcome;
    do {
      CommitBatch batch(changes);
      outcome = committer_.Commit(committer_.catalog_version(), batch, changes, number);
    } while (outcome == Committer::Outcome::kStale);
    return outcome;
  });
}

Status DurableStore::Purge(TableId table, IndexId index) {
  std::string prefix(1, kRowSpace);
  AppendU32(prefix, table);
  if (index != kBaseTable) AppendU16(prefix, index);
  // Deleting whole files frees their space at once. It may remove newer versions of a row and leave older ones, so the
  // remaining rows are deleted afterwards, never before.
  const std::string end = AfterPrefix(prefix);
  const Slice from(prefix), to(end);
  const rocksdb::Status s = rocksdb::DeleteFilesInRange(db_.get(), db_->DefaultColumnFamily(), &from, &to, false);
  if (!s.ok())
    LogWarning("{}: only compaction will free the space of a purged table: {}", folder_->path(), s.ToString());
  RETURN_IF_ERROR(DeleteKeys(table, index, prefix));
  if (index == kBaseTable) cache_.Forget(table);
  return DeleteSome(table, index, {});
}

// Deletes key by key: near a range deletion, RocksDB 7.8's iterators lose the error of an unreadable block and end
// early without one.
Status DurableStore::DeleteKeys(TableId table, IndexId index, const std::string& prefix) {
  Walk walk{.lower = prefix, .upper = AfterPrefix(prefix)};
  while (true) {
    ReadOptions options;
    options.fill_cache = false;
    walk.Bound(options);
    std::vector<std::string> keys;
    const std::unique_ptr<rocksdb::Iterator> it(db_->NewIterator(options));
    for (it->SeekToFirst(); it->Valid() && keys.size() < kPurgedAtOnce; it->Next())
      keys.push_back(it->key().ToString());
    RETURN_IF_ERROR(StatusOfRead(it->status()));
    if (keys.empty()) return Ok();
    RETURN_IF_ERROR(DeleteSome(table, index, keys));
    walk.lower = Behind(std::move(keys.back()));
  }
}

Status DurableStore::DeleteSome(TableId table, IndexId index, std::span<const std::string> keys) {
  return CommitDurably([&](CommitNumber& number) {
    CommitBatch batch;
    for (const std::string& key : keys) batch.Delete(key, {});
    return committer_.CommitPurge(batch, table, index, number);
  });
}

StoreInfo DurableStore::Info() const {
  return {.name = "rocksdb",
          .durability = relaxed_ ? "relaxed" : "always",
          .format = folder_->format(),
          .path = folder_->path(),
          .last_time = committer_.last_time(),
          .recovery = recovery_};
}

std::string DurableStore::LastError() const {
  if (room_.load(std::memory_order_relaxed) != Room::kEnough) return folder_->path() + ": the disk is full";
  return watch_->error();
}

}  // namespace keyfold::store
