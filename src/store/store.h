// The one seam: everything DynamoDB is above it, everything about bytes and disks below. Every DynamoDB write names its
// item keys up front, so there are no general transactions: Mutate locks the named rows, shows them to `decide`, and
// applies what it decided, all or nothing. No iterator, snapshot or type of a storage library crosses this header.
//
// Durability. Every call takes the request's Horizon and raises it to the highest commit number its answer rests on: a
// hit, a miss, a page, a failed condition. The answer may leave only when Durable() has reached that number
// (WhenDurable tells). A store that keeps nothing (memory) or that was asked not to wait (relaxed) leaves the horizon
// alone.
//
// Waiting. No call waits for the log. With Wait::kNever a call that would have to read from disk, or wait out a write
// stall, returns kWouldBlock, has done nothing, and is to be run again where waiting is allowed (rows a visit has seen
// by then are seen again). Such a caller also says when the log is to go to disk (SyncSoon), so that a thread with more
// requests at hand lets them share a sync.
//
// Work. A caller may bring a Pace. A read of more than it allows is kWouldBlock too, to be run again where turns are
// taken.
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

namespace keyfold {

// Commits are numbered in log order; later in the log means a higher number and a time that is not earlier. Never given
// twice, restarts included.
using CommitNumber = uint64_t;

// What a commit gets when it takes its place in the log. Its time is the clock's, or the last commit's where the clock
// was set back: times never fall along the log.
struct CommitStamp {
  CommitNumber commit = 0;
  Micros time = 0;
  bool operator==(const CommitStamp&) const = default;
};

// The highest commit an answer rests on. One per request; one thread at a time.
class Horizon {
 public:
  void Raise(CommitNumber n) {
    if (n > number_) number_ = n;
  }
  CommitNumber number() const { return number_; }

 private:
  CommitNumber number_ = 0;
};

enum class Wait : uint8_t { kNever, kAllowed };

class RequestObserver;

// What a request hands to each store call.
struct Access {
  Horizon& horizon;
  Wait wait = Wait::kAllowed;
  RequestObserver* observer = nullptr;  // the engine's (engine/items/request_observer.h); null: nobody watches
  Pace* pace = nullptr;                 // null: whatever it takes
  bool for_delete = false;              // a delete needs what is written: it is taken where only deletes are
};

// A row as a call shows it; the bytes live only as long as the callback or the Rows that hold them.
struct RowView {
  std::string_view key;    // RowKey::bytes()
  std::string_view value;  // what Put was given
  CommitNumber commit = 0;
};

// An optional row of Mutate's and Get's answers.
struct Row {
  bool exists = false;
  std::string value;
  CommitNumber commit = 0;
};

// A change-log record: the store stamps commit and time. Kept per table and slot, read in commit order.
struct LogRecord {
  TableId table = 0;
  Slot slot = 0;
  std::string body;
};
// A place in the log: behind this record of this commit.
struct LogPosition {
  CommitNumber commit = 0;
  uint16_t ordinal = 0;  // of several records of one commit, whatever their table and slot
  auto operator<=>(const LogPosition&) const = default;
  // Behind everything of the commit.
  static LogPosition AfterCommit(CommitNumber commit) { return {commit, UINT16_MAX}; }
};
// A record as ReadLog shows it; the body lives only as long as the call.
struct LogView {
  LogPosition at;
  Slot slot = 0;
  Micros time = 0;
  std::string_view body;
};
// Records of one table and slot range behind `after`, of commits up to `through`.
struct LogRange {
  TableId table = 0;
  Slot first = 0, last = kSlots - 1;
  LogPosition after = {};
  CommitNumber through = UINT64_MAX;
};

// How many rows, and how many bytes by DynamoDB's arithmetic, a table or index holds.
struct Tally {
  int64_t rows = 0;
  int64_t bytes = 0;
};

// What `decide` wants done; filled by decide, applied by the store in one step.
class Changes {
 public:
  struct Write {
    RowKey key;
    bool put = false;
    std::string value;
  };
  struct Count {
    TableId table;
    IndexId index;
    Tally by;
  };
  void Put(RowKey key, std::string value) { writes.push_back({std::move(key), true, std::move(value)}); }
  void Delete(RowKey key) { writes.push_back({std::move(key), false, {}}); }
  void Log(LogRecord record) { log.push_back(std::move(record)); }
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

// `now` is the clock's time, to which what expires is compared; a commit's stamp may be later (see CommitStamp). Rows
// are in the order of the keys given to Mutate. Pure: may run again, sees nothing but its arguments. An error applies
// nothing.
using Decide = FunctionRef<Status(Micros now, std::span<const Row> rows, Changes& changes)>;

// Called per row, in order; false ends the visit. Must not call the store.
using Visit = FunctionRef<bool(const RowView& row)>;

using VisitLog = FunctionRef<bool(const LogView& record)>;

enum class Direction : uint8_t { kForward, kBackward };

// The rows of one partition of a table or index whose sort bytes lie in [lower, upper); an empty upper is no bound.
struct PartitionRange {
  TableId table = 0;
  IndexId index = 0;
  std::string partition = {};
  std::string lower = {}, upper = {};
  Direction direction = Direction::kForward;
  // RowKey::bytes() to start behind, in the direction of travel; empty: from the start. Need not exist.
  std::string after = {};
};

// The rows of slots first..last of a table or index, ascending by row key.
struct SlotRange {
  TableId table = 0;
  IndexId index = 0;
  Slot first = 0, last = kSlots - 1;
  std::string after = {};
  bool passing = false;  // a pass over all of it: what it reads is not worth a place in a cache
};

using CatalogVersion = uint64_t;

// Named blobs (table descriptions) that change together under one version. The version fences writers: a Mutate planned
// under an older one returns kStale.
struct CatalogState {
  CatalogVersion version = 0;
  std::map<std::string, std::string> entries;
};
struct CatalogChange {
  std::string name;
  std::optional<std::string> value;  // none: remove
};

// The disk that a store is on; zeros where it is on none, or where the system does not say.
struct DiskSpace {
  uint64_t free_bytes = 0;
  uint64_t reserve_bytes = 0;  // with less than this free only deletes are taken
};

struct StoreInfo {
  std::string_view name;        // "memory", "rocksdb"
  std::string_view durability;  // "always", "relaxed", "none"
  uint32_t format = 0;
  std::string path = {};
  Micros last_time = 0;  // of the last commit: no later one has an earlier time
  // What opening found.
  struct Recovery {
    uint64_t dropped_bytes = 0;    // of the log, behind a hole
    uint64_t mark_lowered_by = 0;  // writes that were once known to be on disk, and that MARK no longer spoke of
    uint64_t given_up_writes = 0;  // by --accept-data-loss, in the folder's life
  };
  Recovery recovery = {};
};

// Rows for a table that nobody can name yet, past locks, stripes and log: the one way in beside Mutate. One thread at a
// time. Without Finish nothing has happened.
class Ingest {
 public:
  virtual ~Ingest() = default;
  // RowKey::bytes(), in ascending order, none twice.
  virtual Status Add(std::string_view key, std::string_view value) = 0;
  // The rows and tallies are there, and durable, when it is ok. A crash in it may leave rows: the caller purges the
  // table and begins again under another id.
  virtual Status Finish(std::span<const Changes::Count> tallies) = 0;
};

// Thread-safe.
class Store {
 public:
  virtual ~Store() = default;

  // Serializable over `keys` (distinct; any order). kStale: the catalog is no longer at `catalog`.
  virtual Status Mutate(CatalogVersion catalog, std::span<const RowKey> keys, Decide decide, Access access) = 0;

  // `rows` gets one entry per key, in order; each read by itself.
  virtual Status Get(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) = 0;
  // All as of one moment.
  virtual Status GetAtomic(std::span<const RowKey> keys, std::vector<Row>& rows, Access access) = 0;

  virtual Status Range(const PartitionRange& range, Visit visit, Access access) = 0;
  // As Range over an index; per row also the base row that `base_key` names, read at the same moment (empty RowView:
  // gone).
  using BaseKey = FunctionRef<RowKey(const RowView& row)>;
  using VisitPair = FunctionRef<bool(const RowView& row, const RowView& base)>;
  virtual Status RangeWithBase(const PartitionRange& range, BaseKey base_key, VisitPair visit, Access access) = 0;
  virtual Status ScanSlots(const SlotRange& range, Visit visit, Access access) = 0;

  // Shows records in commit order, never past the durable mark, until `visit` is false; also stops by itself after
  // looking at many records of other slots. Answers with the place up to which everything has been shown: reading goes
  // on behind it.
  virtual Result<LogPosition> ReadLog(const LogRange& range, VisitLog visit) = 0;
  // Removes the table's records of a time before `before`. A crash in between leaves some: the caller repeats it.
  virtual Status TrimLog(TableId table, Micros before) = 0;

  virtual CatalogState ReadCatalog() = 0;
  // Compare and set: kStale unless the catalog is at `expected`; else it is at expected + 1 and durable when this
  // returns. `make` gets the change's own stamp: every Mutate with a lower commit number was planned under an earlier
  // version, every one with a higher number under this one or a later. Pure: may run again with another stamp.
  using MakeCatalogChanges = FunctionRef<std::vector<CatalogChange>(CommitStamp stamp)>;
  virtual Status WriteCatalog(CatalogVersion expected, MakeCatalogChanges make) = 0;

  virtual Tally ReadTally(TableId table, IndexId index) = 0;
  // Shows every row of the table or index until `visit` is false, and answers with the tally, both as of one moment.
  // What it reads has no place in a cache.
  virtual Result<Tally> ScanWithTally(TableId table, IndexId index, Visit visit, Access access) = 0;

  virtual Result<std::unique_ptr<Ingest>> BeginIngest() = 0;

  // Removes all rows and the tally of an index, or with `kBaseTable` of a table and all its indexes; the log stays.
  // Nothing may write there any more. A crash in between leaves rows nobody can name; the caller repeats it at start
  // for ids it no longer knows.
  virtual Status Purge(TableId table, IndexId index) = 0;

  // The durable mark, and a call once it has reached `number` (at once when it has). `done` runs on any thread and must
  // be short.
  virtual CommitNumber Durable() const = 0;
  // How far ReadLog shows: everything up to this commit, and nothing behind it yet.
  virtual CommitNumber LogEnd() const { return Durable(); }
  virtual void WhenDurable(CommitNumber number, std::function<void()> done) = 0;

  // After calls with Wait::kNever, and soon: only from then on does the durable mark move towards them.
  virtual void SyncSoon() {}

  virtual DiskSpace Disk() const { return {}; }
  // Whether `bytes` of files may be written to the store's disk beside its own: they must leave its reserve alone, and
  // some room above it for items. kDiskFull where they may not.
  virtual Status HasRoomForFiles(uint64_t bytes) const { return static_cast<void>(bytes), Ok(); }

  virtual StoreInfo Info() const = 0;
  // Sticky: why the store can no longer take writes, for /health; empty while it can.
  virtual std::string LastError() const = 0;
};

std::unique_ptr<Store> MakeMemoryStore(const Clock& clock);

}  // namespace keyfold
