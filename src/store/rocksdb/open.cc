// Opens the durable store. The folder is inspected and its log is read without changing anything; RocksDB writes to it
// only after every check has passed.
#include <rocksdb/db.h>

#include <cstdarg>

#include "base/bytes.h"
#include "base/log.h"
#include "base/time_text.h"
#include "store/key_encoding.h"
#include "store/rocksdb/durable_store.h"
#include "store/rocksdb/log_scan.h"
#include "store/rocksdb/reserve_fs.h"
#include "store/rocksdb/settings.h"
#include "store/rocksdb/sst_ingest.h"
#include "store/rocksdb/wal_audit.h"

namespace keyfold::store {
namespace {

constexpr Rule<"{}: the database cannot be opened: {}; nothing was changed"> kDamaged{"store-damaged", Kind::kInternal};
constexpr Rule<"{}: opening the database failed: {}"> kOpenFailed{"store-open-failed", Kind::kInternal};
constexpr Rule<
    "{}: the log ends at write {}, but writes up to {} were safely on disk: {} are missing. The log is damaged; "
    "nothing was changed. Restore a backup, or use --accept-data-loss to open the folder without them">
    kLogTooShort{"store-log-too-short", Kind::kInternal};
constexpr Rule<
    "{}: the log was read twice, and ended at write {} the first time and at write {} the second time. The disk or the "
    "memory of this machine is not reliable; nothing was changed. Start again; if it persists, use another machine">
    kReadsDisagree{"store-reads-disagree", Kind::kInternal};
constexpr Rule<
    "{}: the log has a hole after write {}: {} bytes there cannot be used. The machine was not restarted and the disk "
    "was not remounted since, so a power failure does not explain it: the log is damaged; nothing was changed. Restore "
    "a backup, or use --accept-data-loss to open the folder without them">
    kLogHole{"store-log-hole", Kind::kInternal};
constexpr Rule<
    "{}: the last write was at {}, but the clock says {}, more than {} days earlier; nothing was changed. Set the "
    "clock, or use --accept-clock-ahead to open the folder anyway">
    kAheadOfClock{"store-ahead-of-clock", Kind::kInternal};
constexpr Rule<"{}: a record of the catalog does not match its checksum"> kCatalogDamaged{"store-catalog-damaged",
                                                                                          Kind::kInternal};

// Silences RocksDB during the inspection; its findings are reported in one line of Keyfold's own.
class NoLog final : public rocksdb::Logger {
 public:
  using Logger::Logv;
  void Logv(const char*, va_list) override {}
};

// Findings of the inspection.
struct Look {
  uint64_t flushed = 0;    // last sequence number in the tables
  uint64_t recovered = 0;  // the same, including the log that follows them
  CommitStamp stamp;       // stamp of the last commit in the log
  LogScan logs;            // how the logs end
};

bool DatabaseExists(const rocksdb::Options& settings, const std::string& path) {
  return settings.env->FileExists(path + "/CURRENT").ok();
}

Status LoadMeta(rocksdb::DB& db, const std::string& path, Committer::Start& start) {
  auto catalog = std::make_shared<CatalogState>();
  const std::string lower(1, kMetaSpace), upper(1, kMetaSpace + 1);
  const rocksdb::Slice upper_slice(upper);
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper_slice;
  options.total_order_seek = true;
  const std::unique_ptr<rocksdb::Iterator> it(db.NewIterator(options));
  for (it->Seek(lower); it->Valid(); it->Next()) {
    const std::string_view key(it->key().data(), it->key().size());
    std::string_view value;
    CommitNumber commit = 0;
    if (!ReadStamped(key, {it->value().data(), it->value().size()}, value, commit)) return kCatalogDamaged(path);
    if (key.starts_with(CatalogPrefix())) {
      catalog->entries.emplace(key.substr(CatalogPrefix().size()), value);
    } else if (key.starts_with(TallyPrefix())) {
      ByteReader id(key.substr(TallyPrefix().size())), tally(value);
      const TableId table = id.U32();
      const IndexId index = id.U16();
      start.tallies[{table, index}].rows = static_cast<int64_t>(tally.U64());
      start.tallies[{table, index}].bytes = static_cast<int64_t>(tally.U64());
    } else if (key == CatalogVersionKey()) {
      catalog->version = ByteReader(value).U64();
    }
  }
  start.catalog = std::move(catalog);
  if (!it->status().ok()) return kOpenFailed(path, it->status().ToString());
  return Ok();
}

Result<Look> LookAt(const DataFolder& folder, rocksdb::Options settings) {
  if (!DatabaseExists(settings, folder.db_path())) return Look{};
  WalAudit audit(WalAudit::Mode::kLookOnly, 0);
  settings.wal_filter = &audit;
  settings.listeners.clear();
  settings.info_log = std::make_shared<NoLog>();
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status s = rocksdb::DB::OpenForReadOnly(settings, folder.db_path(), &opened);
  if (!s.ok()) return kDamaged(folder.path(), s.ToString());
  const std::unique_ptr<rocksdb::DB> db(opened);
  Look look{.flushed = db->GetLatestSequenceNumber(), .recovered = 0, .stamp = {}, .logs = {}};
  look.recovered = look.flushed;
  // A log that does not continue where the tables end has lost its start, so none of it counts.
  if (audit.first_sequence() == look.flushed + 1) {
    look.recovered = audit.last_sequence();
    look.stamp = audit.last_stamp();
  }
  Committer::Start unused;
  RETURN_IF_ERROR(LoadMeta(*db, folder.path(), unused));  // detects a damaged catalog before anything is written
  rocksdb::FileSystem& fs = *settings.env->GetFileSystem();
  const rocksdb::Status scanned = ScanLogs(fs, folder.db_path(), audit.first_log(), look.flushed, look.logs);
  if (!scanned.ok()) return kDamaged(folder.path(), scanned.ToString());
  // The read-only open stops at the first torn end, although the next log continues from there. The replay then finds
  // the stamp of the last commit.
  if (look.logs.goes_on) look.recovered = std::max(look.recovered, look.logs.last_sequence);
  // If RocksDB got further without a gap in the sequence numbers, nothing is missing.
  if (look.logs.last_sequence < look.recovered) look.logs.has_hole = false;
  return look;
}

Status LogIsLongEnough(DataFolder& folder, const Look& look, bool accept_data_loss) {
  const uint64_t expected = folder.KnownOnDisk();
  if (look.recovered >= expected) return Ok();
  const uint64_t missing = expected - look.recovered;
  if (!accept_data_loss) return kLogTooShort(folder.path(), look.recovered, expected, missing);
  LogWarning("{}: {} writes are lost, as accepted by --accept-data-loss", folder.path(), missing);
  return Ok();
}

Status LogHasNoHole(const DataFolder& folder, const Look& look, const Surroundings& here, bool accept_data_loss) {
  if (!look.logs.has_hole) return Ok();
  const auto& mark = folder.recovered_mark();
  const bool unexplained = mark && mark->written_on.IsSameAs(here);
  if (unexplained && !accept_data_loss) return kLogHole(folder.path(), look.recovered, look.logs.dropped_bytes);
  LogWarning("{}: the log has a hole after write {}{}; {} bytes after it are dropped", folder.path(), look.recovered,
             unexplained ? ", accepted by --accept-data-loss" : ", as a power failure can cause",
             look.logs.dropped_bytes);
  return Ok();
}

// Number of writes by which MARK is behind LEDGER. MARK is always written first.
uint64_t MarkLoweredBy(const DataFolder& folder) {
  const auto& mark = folder.recovered_mark();
  const uint64_t known = folder.KnownOnDisk();
  if (!mark || mark->sequence == known) return 0;
  LogWarning("{}: MARK says that writes up to {} were on disk, LEDGER says {}: MARK was replaced by an older one",
             folder.path(), mark->sequence, known);
  return known - mark->sequence;
}

Micros LastTime(const DataFolder& folder, const Look& look) {
  const auto& mark = folder.recovered_mark();
  return std::max(mark ? mark->time : 0, look.stamp.time);
}

Status ClockIsNotFarBehind(const DataFolder& folder, const Look& look, const Clock& clock,
                           const std::optional<Micros>& ahead_max) {
  const Micros last = LastTime(folder, look), now = clock.Now();
  if (!ahead_max || last - now <= *ahead_max) return Ok();
  return kAheadOfClock(folder.path(), FormatIsoTime(last), FormatIsoTime(now), *ahead_max / kDay);
}

// Replays the log into memory. This retires, removes and flushes nothing, so a folder that is refused here still has
// everything.
Result<std::unique_ptr<rocksdb::DB>> Replay(const DataFolder& folder, const Look& look, rocksdb::Options settings,
                                            WalAudit& audit, LogBridge& log) {
  constexpr uint64_t kMegabyte = uint64_t{1} << 20;
  // RocksDB would flush a full write buffer during recovery and retire the log it came from before the checks below.
  // Rows take more space in memory than in the log, but less than four times as much.
  settings.write_buffer_size = std::max<uint64_t>(settings.write_buffer_size,
                                                  look.logs.log_bytes == 0 ? 0 : 4 * look.logs.log_bytes + kMegabyte);
  settings.wal_filter = &audit;
  log.Mute(true);
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status s = rocksdb::DB::Open(settings, folder.db_path(), &opened);
  log.Mute(false);
  if (!s.ok()) return kOpenFailed(folder.path(), s.ToString());
  std::unique_ptr<rocksdb::DB> db(opened);
  const uint64_t replayed = std::min<uint64_t>(db->GetLatestSequenceNumber(), audit.last_sequence());
  if (replayed != look.recovered || db->GetLatestSequenceNumber() != replayed) {
    return kReadsDisagree(folder.path(), look.recovered, replayed);
  }
  return db;
}

// Whether a flush on opening leaves enough space for the rest of it.
bool HasRoomToFlush(const DataFolder& folder, rocksdb::DB& db) {
  constexpr uint64_t kLeftFree = uint64_t{4} << 20;
  uint64_t bytes = 0;
  db.GetIntProperty(rocksdb::DB::Properties::kCurSizeAllMemTables, &bytes);
  return folder.FreeBytes() >= bytes + kLeftFree;
}

// Flushes what was replayed, so that the logs contain only this run's writes. Returns false if the disk has no space
// for that: then the logs stay, and the next opening reads them before the logs of this run. A log with a hole must not
// stay, because later writes would come after the hole.
Result<bool> RetireLogs(DataFolder& folder, const Look& look, rocksdb::DB& db, uint64_t write_buffer_bytes) {
  // The stamp of the last commit is in the log. If the process is killed after the log is removed and before the mark
  // is set, the folder's time must not go backwards. The surroundings remain those in which the log was written.
  rocksdb::Status s;
  if (const auto& known = folder.recovered_mark(); known && known->time < look.stamp.time) {
    Mark raised = *known;
    raised.time = look.stamp.time;
    s = folder.SetMark(raised);
  }
  if (s.ok() && db.GetOptions().write_buffer_size != write_buffer_bytes) {
    s = db.SetOptions({{"write_buffer_size", std::to_string(write_buffer_bytes)}});
  }
  if (!s.ok()) return kOpenFailed(folder.path(), s.ToString());
  if (look.logs.has_hole || HasRoomToFlush(folder, db)) {
    s = db.Flush(rocksdb::FlushOptions());
    if (s.ok()) return true;
    if (look.logs.has_hole || !s.IsNoSpace()) return kOpenFailed(folder.path(), s.ToString());
  }
  LogWarning("{}: the disk is full; the recovered writes stay in the log until there is space", folder.path());
  return false;
}

// Determines where numbers and times continue. Every number that may have been assigned is below the mark's ceiling.
// Without a mark the wall clock in microseconds serves instead: no store has averaged a million commits a second since
// 1970.
void ResumeNumbers(const DataFolder& folder, const Look& look, const Clock& clock, Committer::Start& start) {
  const auto& mark = folder.recovered_mark();
  start.next = mark ? mark->ceiling : static_cast<CommitNumber>(clock.Now());
  start.next = std::max(start.next, look.stamp.commit + 1);
  start.time = LastTime(folder, look);
  start.ceiling = start.next + (CommitNumber{1} << 20);
}

}  // namespace

Result<std::unique_ptr<Store>> OpenRocksdbStore(const RocksdbOptions& options, const Clock& clock) {
  rocksdb::Options settings = SettingsFor(options);
  auto log = std::make_shared<LogBridge>();
  settings.info_log = log;
  ASSIGN_OR_RETURN(auto folder, DataFolder::Open(settings.env->GetFileSystem(), options.path, options.app_version,
                                                 options.accept_data_loss));
  const Surroundings here = options.surroundings ? *options.surroundings : FindSurroundings(folder->path());
  ASSIGN_OR_RETURN(Look look, LookAt(*folder, settings));
  RETURN_IF_ERROR(ClockIsNotFarBehind(*folder, look, clock, options.ahead_max));
  RETURN_IF_ERROR(LogIsLongEnough(*folder, look, options.accept_data_loss));
  RETURN_IF_ERROR(LogHasNoHole(*folder, look, here, options.accept_data_loss));
  StoreInfo::Recovery recovery;
  if (look.logs.has_hole) recovery.dropped_bytes = look.logs.dropped_bytes;
  recovery.mark_lowered_by = MarkLoweredBy(*folder);

  std::unique_ptr<rocksdb::Env> env = WithReserve(*settings.env);
  settings.env = env.get();
  auto watch = std::make_shared<BackgroundWatch>();
  settings.listeners = {watch};
  WalAudit audit(WalAudit::Mode::kReplay, look.flushed);  // lives as long as RocksDB may write its options
  ASSIGN_OR_RETURN(std::unique_ptr<rocksdb::DB> db, Replay(*folder, look, settings, audit, *log));
  if (look.recovered > look.flushed) look.stamp = audit.last_stamp();
  ASSIGN_OR_RETURN(const bool flushed, RetireLogs(*folder, look, *db, options.write_buffer_bytes));
  RemoveIngests(*settings.env, folder->ingest_path());

  Committer::Start start;
  ResumeNumbers(*folder, look, clock, start);
  RETURN_IF_ERROR(LoadMeta(*db, folder->path(), start));
  if (const uint64_t known = folder->KnownOnDisk(); look.recovered < known) folder->GiveUp(known - look.recovered);
  const Mark mark{
      .sequence = db->GetLatestSequenceNumber(), .ceiling = start.ceiling, .time = start.time, .written_on = here};
  if (const rocksdb::Status s = folder->SetMark(mark); !s.ok()) return kOpenFailed(folder->path(), s.ToString());
  folder->Tighten();
  recovery.given_up_writes = folder->given_up();
  return std::unique_ptr<Store>(std::make_unique<DurableStore>(options, clock, std::move(folder), std::move(env),
                                                               std::move(db), std::move(watch), std::move(start),
                                                               recovery, !flushed));
}

}  // namespace keyfold::store
