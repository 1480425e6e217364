// Opening the durable store: the folder is looked at, its log is read through without a change, and only when all of it
// may be opened does RocksDB write to it.
#include <rocksdb/db.h>

#include <cstdarg>

#include "base/bytes.h"
#include "base/log.h"
#include "store/key_encoding.h"
#include "store/rocksdb/durable_store.h"
#include "store/rocksdb/settings.h"
#include "store/rocksdb/sst_ingest.h"
#include "store/rocksdb/wal_audit.h"

namespace keyfold {
namespace {

constexpr Rule<"{}: the database cannot be opened: {}; nothing was changed"> kDamaged{"store-damaged", Kind::kInternal};
constexpr Rule<"{}: opening the database failed: {}"> kOpenFailed{"store-open-failed", Kind::kInternal};
constexpr Rule<
    "{}: the log ends at write {}, but writes up to {} were safely on disk: {} are missing. The log is damaged; "
    "nothing was changed. "
    "Restore a backup, or open it without them by --accept-data-loss">
    kLogTooShort{"store-log-too-short", Kind::kInternal};
constexpr Rule<"{}: a record of the catalog does not match its checksum"> kCatalogDamaged{"store-catalog-damaged",
                                                                                          Kind::kInternal};

// For the look: what it finds is said in one line of ours.
class NoLog final : public rocksdb::Logger {
 public:
  using Logger::Logv;
  void Logv(const char*, va_list) override {}
};

// What a look at the folder found.
struct Look {
  uint64_t flushed = 0;    // last sequence number in the tables
  uint64_t recovered = 0;  // and with the log that follows them
  CommitStamp stamp;       // of the last commit in the log
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
  Look look{.flushed = db->GetLatestSequenceNumber(), .recovered = 0, .stamp = {}};
  look.recovered = look.flushed;
  // A log that does not take up where the tables end has lost its beginning: none of it counts.
  if (audit.first_sequence() == look.flushed + 1) {
    look.recovered = audit.last_sequence();
    look.stamp = audit.last_stamp();
  }
  Committer::Start unused;
  RETURN_IF_ERROR(LoadMeta(*db, folder.path(), unused));  // a damaged catalog is found before anything is written
  return look;
}

// Where numbering and time go on. Every number that may have been given lies below the mark's ceiling. Without a mark
// the wall clock in microseconds stands in: no store has committed a million times a second since 1970.
void ResumeNumbers(const DataFolder& folder, const Look& look, const Clock& clock, Committer::Start& start) {
  const auto& mark = folder.recovered_mark();
  start.next = mark ? mark->ceiling : static_cast<CommitNumber>(clock.Now());
  start.next = std::max(start.next, look.stamp.commit + 1);
  start.time = std::max(mark ? mark->time : 0, look.stamp.time);
  start.ceiling = start.next + (CommitNumber{1} << 20);
}

}  // namespace

void BackgroundWatch::Attach(DataFolder& folder, Committer& committer) {
  std::lock_guard lock(mutex_);
  folder_ = &folder;
  committer_ = &committer;
}

void BackgroundWatch::Detach() {
  std::lock_guard lock(mutex_);
  folder_ = nullptr;
  committer_ = nullptr;
}

std::string BackgroundWatch::error() const {
  std::lock_guard lock(mutex_);
  return error_;
}

void BackgroundWatch::OnFlushBegin(rocksdb::DB*, const rocksdb::FlushJobInfo&) {
  std::lock_guard lock(mutex_);
  if (folder_ == nullptr) return;
  const rocksdb::Status s = folder_->RaiseMark(committer_->CurrentMark());
  if (!s.ok()) spdlog::warn("{}: cannot write MARK: {}", folder_->path(), s.ToString());
}

void BackgroundWatch::OnBackgroundError(rocksdb::BackgroundErrorReason reason, rocksdb::Status* status) {
  using Reason = rocksdb::BackgroundErrorReason;
  std::lock_guard lock(mutex_);
  error_ = status->ToString();
  spdlog::error("rocksdb's background work failed: {}", error_);
  if (committer_ != nullptr && (reason == Reason::kFlush || reason == Reason::kCompaction)) {
    committer_->SetBackgroundError(true);
  }
}

void BackgroundWatch::OnErrorRecoveryEnd(const rocksdb::BackgroundErrorRecoveryInfo& info) {
  if (!info.new_bg_error.ok()) return;
  std::lock_guard lock(mutex_);
  error_.clear();
  spdlog::warn("rocksdb has recovered from its background error");
  if (committer_ != nullptr) committer_->SetBackgroundError(false);
}

Result<std::unique_ptr<Store>> OpenRocksdbStore(const RocksdbOptions& options, const Clock& clock) {
  rocksdb::Options settings = SettingsFor(options);
  ASSIGN_OR_RETURN(auto folder, DataFolder::Open(settings.env->GetFileSystem(), options.path, options.app_version,
                                                 options.accept_data_loss));
  ASSIGN_OR_RETURN(const Look look, LookAt(*folder, settings));
  const uint64_t expected = folder->recovered_mark() ? folder->recovered_mark()->sequence : 0;
  if (look.recovered < expected) {
    if (!options.accept_data_loss) {
      return kLogTooShort(folder->path(), look.recovered, expected, expected - look.recovered);
    }
    spdlog::warn("{}: {} writes are lost, as accepted", folder->path(), expected - look.recovered);
  }

  // Opening retires the log, and with it the stamp of the last commit. A process that is killed before it sets the mark
  // below must not leave a folder whose time goes back.
  if (const auto& known = folder->recovered_mark(); known && known->time < look.stamp.time) {
    Mark raised = *known;
    raised.time = look.stamp.time;
    const rocksdb::Status marked = folder->SetMark(raised);
    if (!marked.ok()) return kOpenFailed(folder->path(), marked.ToString());
  }

  WalAudit audit(WalAudit::Mode::kReplay, look.flushed);
  auto watch = std::make_shared<BackgroundWatch>();
  settings.wal_filter = &audit;
  settings.listeners = {watch};
  rocksdb::DB* opened = nullptr;
  const rocksdb::Status s = rocksdb::DB::Open(settings, folder->db_path(), &opened);
  if (!s.ok()) return kOpenFailed(folder->path(), s.ToString());
  std::unique_ptr<rocksdb::DB> db(opened);
  RemoveIngests(*settings.env, folder->ingest_path());

  Committer::Start start;
  ResumeNumbers(*folder, look, clock, start);
  RETURN_IF_ERROR(LoadMeta(*db, folder->path(), start));
  const Mark mark{.sequence = db->GetLatestSequenceNumber(), .ceiling = start.ceiling, .time = start.time};
  if (const rocksdb::Status marked = folder->SetMark(mark); !marked.ok()) {
    return kOpenFailed(folder->path(), marked.ToString());
  }
  return std::unique_ptr<Store>(std::make_unique<DurableStore>(options, clock, std::move(folder), std::move(db),
                                                               std::move(watch), std::move(start)));
}

}  // namespace keyfold
