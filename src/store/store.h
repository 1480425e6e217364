// Store is the only interface between the database engine and storage. Everything specific to DynamoDB is above it;
// everything about bytes and disks is below it. No iterator, snapshot or type of a storage library crosses this header.
//
// A store holds four kinds of data:
//   rows      key-value pairs of tables and indexes, ordered by RowKey
//   log       change records per table, in commit order
//   tallies   the number and size of the rows of each table and index
//   catalog   a few named blobs (table descriptions) under one version number
//
// Writes. Every DynamoDB write names the keys of its items up front, so there are no general transactions. Mutate locks
// the named rows, passes them to a `decide` callback, and applies the changes that the callback returns atomically.
//
// Durability. A call that takes an Access raises the request's Horizon to the highest commit number on which its result
// depends, whether the result is a hit, a miss, a page or a failed condition. The response may be sent only after
// Durable() has reached that number (see WhenDurable). So a client never sees anything that a power failure could still
// undo. A store without persistence (memory), or one that does not wait for the disk (relaxed), leaves the horizon
// unchanged.
//
// Waiting. Calls that take an Access never wait for the log to be synced. With Wait::kNever they also do not wait for
// disk reads, for locked rows or for a write stall: they return kWouldBlock instead, have applied nothing, and the
// caller must run them again where waiting is allowed. Rows that were already visited are then visited again. After
// calls with Wait::kNever the caller must call SyncSoon, so that a thread with several requests lets them share one
// sync. Calls without an Access may block.
//
// Work. A caller may pass a Pace (base/pace.h). A call that would read more than the Pace allows also returns
// kWouldBlock and must run again with a Pace that takes turns.
//
// Errors. store/rules.h has the errors that stores return: kStale and kWouldBlock, which callers handle, and the errors
// for a failed read, a write stall and a full disk, which clients see.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "base/function_ref.h"
#include "base/pace.h"
#include "store/row_key.h"

namespace keyfold::store {

// Commits are numbered in log order: a later commit has a higher number and a time that is not earlier. A number is
// never used twice, not even after a restart.
using CommitNumber = uint64_t;

// The number and time that a commit gets when it is added to the log. The time is the clock's, or the previous commit's
// if the clock was set back, so times never decrease along the log.
struct CommitStamp {
  CommitNumber commit = 0;
  Micros time = 0;
  bool operator==(const CommitStamp&) const = default;
};

// The highest commit on which a response depends. There is one per request. Used by one thread at a time.
class Horizon {
 public:
  void Raise(CommitNumber n) {
    if (n > number_) number_ = n;
  }
  CommitNumber number() const { return number_; }

 private:
  CommitNumber number_ = 0;
};

// Whether a call may block; see "Waiting" above.
enum class Wait : uint8_t { kNever, kAllowed };

// The context of a request, passed to each store call.
struct Access {
  Horizon& horizon;
  Wait wait = Wait::kAllowed;
  // Limits the work of the call. Null: no limit.
  Pace* pace = nullptr;
  // The write deletes items, so what it puts is accepted even if the disk has room for deletes only.
  bool for_delete = false;
};

// A row without its own bytes. The views are valid only during the callback that gets them, or as long as the Row from
// which they were made.
struct RowView {
  std::string_view key;    // RowKey::bytes()
  std::string_view value;  // as passed to Changes::Put or Ingest::Add
  CommitNumber commit = 0;
};

// The state of a row that Mutate or Get has read. If it does not exist, `value` is empty.
struct Row {
  bool exists = false;
  std::string value;
  CommitNumber commit = 0;  // the commit that wrote the row
};

// A record of a table's change log. The store adds the stamp of its commit.
struct LogRecord {
  TableId table = 0;
  Slot slot = 0;
  std::string body;
};

// A position in the log: directly after a record of a commit.
struct LogPosition {
  CommitNumber commit = 0;
  // Number of the record within its commit. The records of all tables and slots are numbered together.
  uint16_t ordinal = 0;
  auto operator<=>(const LogPosition&) const = default;  // NOLINT: clang-tidy sees a null pointer
  // The position after all records of the commit.
  static LogPosition AfterCommit(CommitNumber commit) { return {commit, UINT16_MAX}; }
};

// A record passed to a VisitLog callback. The body is valid only during the callback.
struct LogView {
  LogPosition at;  // the position directly after this record
  Slot slot = 0;
  Micros time = 0;  // the time of its commit
  std::string_view body;
};

// The records of slots first..last of a table that come after `after` and belong to commits up to `through`.
struct LogRange {
  TableId table = 0;
  Slot first = 0, last = kSlots - 1;
  LogPosition after = {};
  CommitNumber through = UINT64_MAX;
};

// The number of rows of a table or index, and their size as DynamoDB counts it.
struct Tally {
  int64_t rows = 0;
  int64_t bytes = 0;
};

// The changes that a Decide callback returns. The store applies them in one atomic commit. Used by one thread at a
// time.
class Changes {
 public:
  struct Write {
    RowKey key;
    bool put = false;  // false: delete
    std::string value;
  };
  // A change of the tally of a table or index. It is relative and may be negative.
  struct Count {
    TableId table;
    IndexId index;
    Tally by;
  };

  // Sets the value of a row, whether it exists or not.
  void Put(RowKey key, std::string value) { writes.push_back({std::move(key), true, std::move(value)}); }
  // Deletes a row. Has no effect if it does not exist.
  void Delete(RowKey key) { writes.push_back({std::move(key), false, {}}); }
  // Appends a record to the log of its table.
  void Log(LogRecord record) { log.push_back(std::move(record)); }
  // Adds to the tally of a table or index. The store does not count rows itself.
  void AddTally(TableId table, IndexId index, int64_t rows, int64_t bytes) {
    if (rows != 0 || bytes != 0) counts.push_back({table, index, {rows, bytes}});
  }
  bool empty() const { return writes.empty() && log.empty() && counts.empty(); }
  void Clear() {
    writes.clear();
    log.clear();
    counts.clear();
  }

  std::vector<Write> writes;
  std::vector<LogRecord> log;
  std::vector<Count> counts;
};

// Decides what a Mutate changes. `rows` has the current state of the keys passed to Mutate, in the same order. `now` is
// the clock's time, to be compared with expiry times; the stamp of the commit may be later (see CommitStamp). Fills
// `changes`, or returns an error, in which case nothing is applied.
//
// It must depend on its arguments only and be safe to repeat, because it may run several times. It runs while the rows
// are locked, so it must be short and must not call the store.
using Decide = FunctionRef<Status(Micros now, std::span<const Row> rows, Changes& changes)>;

// Called for each row, in order. Returns false to end the visit. Must not call the store.
using Visit = FunctionRef<bool(const RowView& row)>;

// Called for each log record, in order. Returns false to end the visit before this record. Must not call the store.
using VisitLog = FunctionRef<bool(const LogView& record)>;

enum class Direction : uint8_t { kForward, kBackward };

// The rows of one partition of a table or index whose encoded sort key is in [lower, upper). An empty `upper` means no
// upper bound.
struct PartitionRange {
  TableId table = 0;
  IndexId index = 0;
  std::string partition = {};  // encoded partition key
  std::string lower = {}, upper = {};
  Direction direction = Direction::kForward;
  // Starts after this RowKey::bytes(), in the given direction. The row need not exist. Empty: starts at the first row.
  std::string after = {};
};

// The rows of slots first..last of a table or index, in ascending order of their keys.
struct SlotRange {
  TableId table = 0;
  IndexId index = 0;
  Slot first = 0, last = kSlots - 1;
  std::string after = {};  // as in PartitionRange
  bool passing = false;    // part of a pass over a whole table, whose rows should not displace others from caches
};

using CatalogVersion = uint64_t;

// The catalog: named blobs (table descriptions) under one version number, which every change increments. The version
// fences writers: a Mutate that was planned with an older version returns kStale.
struct CatalogState {
  CatalogVersion version = 0;
  std::map<std::string, std::string> entries;
};
struct CatalogChange {
  std::string name;
  std::optional<std::string> value;  // nullopt: remove the entry
};

// The space on the store's disk. Both are zero if the store is not on a disk or the system does not report its space.
struct DiskSpace {
  uint64_t free_bytes = 0;
  uint64_t reserve_bytes = 0;  // with less than this free, the store accepts only deletes
};

struct StoreInfo {
  std::string_view name;        // "memory", "rocksdb"
  std::string_view durability;  // "always", "relaxed", "none"
  uint32_t format = 0;          // version of the data format
  std::string path = {};        // the data folder; empty if there is none
  Micros last_time = 0;         // time of the last commit; no later commit has an earlier time
  // Findings of the recovery when the store was opened.
  struct Recovery {
    uint64_t dropped_bytes = 0;    // bytes of the log after a hole, which were dropped
    uint64_t mark_lowered_by = 0;  // writes that LEDGER says were on disk and that MARK no longer includes
    uint64_t given_up_writes = 0;  // writes lost with --accept-data-loss, over the lifetime of the folder
  };
  Recovery recovery = {};
};

// Loads rows into a table that no request can name yet, bypassing locks and log. It is the only way to add rows besides
// Mutate. If it is destroyed without Finish, the store is unchanged. The store must outlive it. Used by one thread at a
// time.
class Ingest {
 public:
  virtual ~Ingest() = default;

  // Adds a row. Keys are RowKey::bytes(), in strictly ascending order. Returns kDiskFull if the disk has no room.
  virtual Status Add(std::string_view key, std::string_view value) = 0;

  // Makes the rows visible and adds `tallies`. If it returns Ok, both are durable. Call it once. A crash during the
  // call may leave some of the rows: the caller must purge the table and start again with another table id.
  virtual Status Finish(std::span<const Changes::Count> tallies) = 0;
};

// Thread-safe. Callbacks run on the calling thread unless stated otherwise.
class Store {
 public:
  virtual ~Store() = default;

  // Locks the rows of `keys`, which must be distinct but may be in any order, calls `decide` with their state, and
  // applies the changes it returns in one atomic commit. Mutates are serializable over their keys. `decide` may also
  // change rows that are derived from those of `keys`, such as index rows. If it returns no changes, there is no
  // commit.
  //
  // `catalog` is the catalog version with which the write was planned. Returns kStale, and applies nothing, if the
  // catalog has changed since. Returns the error of `decide` if there is one. Returns kDiskFull, kNoRoom or kWriteStall
  // if the disk is full or cannot keep up. Nothing is applied if an error is returned.
  virtual Status Mutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access) = 0;

  // Reads rows. Sets `rows` to one entry per key, in the order of `keys`. Each row is current, but different rows may
  // be read at different points in time.
  virtual Status Get(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) = 0;
  // As Get, but reads all rows at the same point in time.
  virtual Status GetAtomic(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) = 0;

  // Visits the rows of `range` as of one point in time, until `visit` returns false.
  virtual Status Range(const PartitionRange& range, Visit visit, Access access) = 0;

  // As Range over an index, but `visit` also gets the base row that `base_key` names, read at the same point in time.
  // If there is no such row, it gets an empty RowView.
  using BaseKey = FunctionRef<RowKey(const RowView& row)>;
  using VisitPair = FunctionRef<bool(const RowView& row, const RowView& base)>;
  virtual Status RangeWithBase(const PartitionRange& range, BaseKey base_key, VisitPair visit, Access access) = 0;

  // Visits the rows of `range` as of one point in time, until `visit` returns false.
  virtual Status ScanSlots(const SlotRange& range, Visit visit, Access access) = 0;

  // Visits the records of `range` in commit order, up to LogEnd(), until `visit` returns false. It may also stop before
  // that, after a large number of records of any slot. Returns the position up to which all records of `range` have
  // been visited. To continue, set `range.after` to it. If `visit` has not returned false and the position is still
  // `range.after`, the end is reached.
  virtual Result<LogPosition> ReadLog(const LogRange& range, VisitLog visit) = 0;

  // Removes the table's log records with a time before `before`. The removal is durable when this returns. A crash
  // during the call may leave some of them: the caller repeats it.
  virtual Status TrimLog(TableId table, Micros before) = 0;

  // Returns the catalog. Waits until its last change is durable.
  virtual CatalogState ReadCatalog() = 0;

  // Applies the changes that `make` returns if the catalog's version is `expected`, and increments the version. The
  // change is durable when this returns. Returns kStale, and changes nothing, if the version is not `expected`.
  //
  // `make` gets the stamp of this change: every Mutate with a lower commit number was planned with an earlier version,
  // and every Mutate with a higher number with this version or a later one. It must have no side effects, because it
  // may run again with another stamp, and must not call the store.
  using MakeCatalogChanges = FunctionRef<std::vector<CatalogChange>(CommitStamp stamp)>;
  virtual Status WriteCatalog(CatalogVersion expected, MakeCatalogChanges make) = 0;

  // Returns the current tally of a table or index; zeros if it has none.
  virtual Tally ReadTally(TableId table, IndexId index) = 0;

  // Visits every row of the table or index until `visit` returns false, and returns the tally, both as of the same
  // point in time. Does not fill caches with the rows.
  virtual Result<Tally> ScanWithTally(TableId table, IndexId index, Visit visit, Access access) = 0;

  // Starts loading rows into a table that is not in the catalog yet. See Ingest.
  virtual Result<std::unique_ptr<Ingest>> BeginIngest() = 0;

  // Removes all rows and the tally of an index, or, if `index` is kBaseTable, of a table and all its indexes. The log
  // stays. There must be no more writes to them. The removal is durable when this returns. A crash during the call may
  // leave rows that no request can name: after a restart the caller repeats it for ids that are no longer in use.
  virtual Status Purge(TableId table, IndexId index) = 0;

  // The durable mark: all commits up to this number are on disk. A store without persistence returns its last commit.
  virtual CommitNumber Durable() const = 0;

  // ReadLog visits all records up to this commit, and none after it yet.
  virtual CommitNumber LogEnd() const { return Durable(); }

  // Calls `done` as soon as Durable() has reached `number`; at once, on this thread, if it already has. Otherwise
  // `done` runs on another thread and must be short.
  virtual void WhenDurable(CommitNumber number, std::function<void()> done) = 0;

  // Starts a sync of the log and blocks until Durable() has reached `number`.
  void WaitUntilDurable(CommitNumber number);

  // Starts a sync of the log. Must be called soon after calls with Wait::kNever: without it the durable mark may not
  // reach their commits.
  virtual void SyncSoon() {}

  // The space on the store's disk.
  virtual DiskSpace Disk() const { return {}; }

  // Checks whether `bytes` of other files may be written to the store's disk. They must leave the store's reserve free,
  // and some more space for items. Returns kDiskFull if they would not.
  virtual Status HasRoomForFiles(uint64_t bytes) const { return static_cast<void>(bytes), Ok(); }

  virtual StoreInfo Info() const = 0;

  // Why the store refuses writes, for /health; empty while it accepts them. The reason stays until writes are accepted
  // again.
  virtual std::string LastError() const = 0;
};

// Returns an empty store without persistence. `clock` must outlive it.
std::unique_ptr<Store> MakeMemoryStore(const Clock& clock);

}  // namespace keyfold::store
