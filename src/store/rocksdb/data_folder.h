// DataFolder: the files next to RocksDB's own, and the checks that decide whether the folder may be opened.
//
//   FORMAT   format version, oldest version that can read it, application, identity. Written once, last of all, so a
//            folder that has it is complete.
//   MARK     how far the log is known to be on disk, which commit numbers may be in use, and on which boot and mount of
//            the machine it was written. Replaced about once a second.
//   LEDGER   a second record of how far the log was known to be on disk, written after MARK, and the number of writes
//            lost with --accept-data-loss. It reveals a MARK that was lowered.
//   LOCK     held by the process that has the folder open.
//   db/      RocksDB.
//   ingest/  table files that RocksDB has not taken over yet.
//
// FORMAT, MARK and LEDGER are short lines of text, each ending in its own checksum. They are replaced by writing a new
// file, syncing it, renaming it and syncing the folder. If opening is refused here, nothing in the folder has changed.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

#include "base/mutex.h"
#include "store/rocksdb/surroundings.h"
#include "store/store.h"

namespace keyfold::store {

inline constexpr uint32_t kDataFormat = 1;
inline constexpr uint32_t kDataFormatOldestReader = 1;

// The high-water mark.
struct Mark {
  uint64_t sequence = 0;     // RocksDB sequence number of the last write known to be on disk
  CommitNumber ceiling = 1;  // no commit number from here on has been assigned
  Micros time = 0;           // not earlier than any commit in a retired log
  Surroundings written_on = {};
  friend bool operator==(const Mark&, const Mark&) = default;
};

struct Ledger {
  uint64_t sequence = 0;  // like Mark::sequence
  uint64_t given_up = 0;  // total of writes lost with --accept-data-loss
  friend bool operator==(const Ledger&, const Ledger&) = default;
};

// Thread-safe.
class DataFolder {
 public:
  // Opens the folder, and creates it if it does not exist or is empty. A missing or damaged MARK is an error, unless
  // `accept_data_loss` is set: then recovered_mark() is nullopt.
  static Result<std::unique_ptr<DataFolder>> Open(std::shared_ptr<rocksdb::FileSystem> fs, std::string path,
                                                  std::string_view app_version, bool accept_data_loss);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string db_path() const { return path_ + "/db"; }
  std::string ingest_path() const { return path_ + "/ingest"; }
  uint32_t format() const { return format_; }
  // nullopt if MARK was missing or damaged and that was accepted.
  const std::optional<Mark>& recovered_mark() const { return recovered_mark_; }
  // The sequence number up to which the log was known to be on disk when the folder was opened.
  uint64_t KnownOnDisk() const;
  // Total of writes lost with --accept-data-loss, including those of this opening.
  uint64_t given_up() const {
    MutexLock lock(mark_mutex_);
    return ledger_.given_up;
  }

  // Raises each part of the mark separately, so threads may call it in any order. The mark is on disk when this
  // returns. Does nothing if no part is raised.
  rocksdb::IOStatus RaiseMark(const Mark& mark);
  // Replaces the mark. Used on opening and on a clean stop, when no thread raises it. If `mark` has no surroundings,
  // those written last are kept.
  rocksdb::IOStatus SetMark(Mark mark);
  // Records that `writes` writes are lost. Call it before setting the mark below what was known to be on disk.
  void GiveUp(uint64_t writes);
  // Restricts access to the owner: sets the folder's mode to 0700 and its files' to 0600, except for the buckets in it.
  // Only logs a warning if the folder belongs to another user.
  void Tighten() const;
  // UINT64_MAX if the file system does not report it.
  uint64_t FreeBytes() const;

 private:
  DataFolder(std::shared_ptr<rocksdb::FileSystem> fs, std::string path) : fs_(std::move(fs)), path_(std::move(path)) {}

  enum class Found { kNothing, kOurs };
  Result<Found> Inspect() const;
  Status CheckFormat(uint32_t& format) const;
  Status TakeLock();
  Status Create(std::string_view app_version);
  Status LoadMark(bool accept_data_loss);
  void LoadLedger();
  rocksdb::IOStatus WriteMark(const Mark& mark) REQUIRES(mark_mutex_);

  const std::shared_ptr<rocksdb::FileSystem> fs_;
  const std::string path_;
  uint32_t format_ = kDataFormat;
  std::optional<Mark> recovered_mark_;
  // nullopt if an older version wrote the folder or LEDGER was damaged; then only MARK counts.
  std::optional<Ledger> recovered_ledger_;
  int lock_fd_ = -1;

  mutable Mutex mark_mutex_;
  Mark written_mark_ GUARDED_BY(mark_mutex_);
  Ledger ledger_ GUARDED_BY(mark_mutex_);
  std::optional<Ledger> written_ledger_ GUARDED_BY(mark_mutex_);
};

}  // namespace keyfold::store
