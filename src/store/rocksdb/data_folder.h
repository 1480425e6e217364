// The data folder: what stands beside RocksDB's own files, and who may open it.
//
//   FORMAT   what wrote the folder: format version, oldest reader, application, identity. Written once, last of all, so
//            a folder that has it is whole.
//   MARK     how far the log is known to be on disk, which commit numbers may have been given, and on which boot and
//            mount of the machine it was written. Replaced about once a second.
//   LEDGER   a second record of how far the log was known to be on disk, written after MARK, and of the writes that
//            were given up by --accept-data-loss. So a MARK that was lowered shows.
//   LOCK     held by the process that has the folder open.
//   db/      RocksDB.
//   ingest/  table files that RocksDB has not taken over yet.
//
// FORMAT, MARK and LEDGER are short lines of text that end in their own checksum, replaced by writing a new file,
// syncing it, renaming it and syncing the folder. Whatever is refused here is refused before a byte of the folder has
// changed.
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "store/rocksdb/surroundings.h"
#include "store/store.h"

namespace keyfold {

inline constexpr uint32_t kDataFormat = 1;
inline constexpr uint32_t kDataFormatOldestReader = 1;

// The high-water mark.
struct Mark {
  uint64_t sequence = 0;     // RocksDB's, of the last write known to be on disk
  CommitNumber ceiling = 1;  // no commit number from here on has been given
  Micros time = 0;           // no earlier than any commit in a log that has been retired
  Surroundings written_on = {};
  friend bool operator==(const Mark&, const Mark&) = default;
};

struct Ledger {
  uint64_t sequence = 0;  // as Mark's
  uint64_t given_up = 0;  // writes that --accept-data-loss went on without, in all
  friend bool operator==(const Ledger&, const Ledger&) = default;
};

// Thread-safe.
class DataFolder {
 public:
  // Creates the folder where it does not exist or is empty. An unreadable MARK is an error, or with `accept_data_loss`
  // a missing one.
  static Result<std::unique_ptr<DataFolder>> Open(std::shared_ptr<rocksdb::FileSystem> fs, std::string path,
                                                  std::string_view app_version, bool accept_data_loss);
  ~DataFolder();
  DataFolder(const DataFolder&) = delete;

  const std::string& path() const { return path_; }
  std::string db_path() const { return path_ + "/db"; }
  std::string ingest_path() const { return path_ + "/ingest"; }
  uint32_t format() const { return format_; }
  // None: it was unreadable and that was accepted.
  const std::optional<Mark>& recovered_mark() const { return recovered_mark_; }
  // None: a folder of an older version, or it was unreadable; MARK alone counts then.
  const std::optional<Ledger>& recovered_ledger() const { return recovered_ledger_; }
  // How far the log was known to be on disk.
  uint64_t KnownOnDisk() const;
  // Writes given up so far, those of this opening included.
  uint64_t given_up() const { return ledger_.given_up; }

  // Raises the mark, each part by itself, so that threads may come in any order. On disk when it returns; raising
  // nothing costs nothing.
  rocksdb::IOStatus RaiseMark(const Mark& mark);
  // Replaces the mark: on opening, and on a clean stop, when nobody raises it. Without surroundings it keeps those that
  // were written last.
  rocksdb::IOStatus SetMark(Mark mark);
  // Before the mark is set to less than was known to be on disk.
  void GiveUp(uint64_t writes);
  // Lets only the owner in: the folder is 0700 and its files are 0600, but for buckets in it. Warns where the folder is
  // another user's.
  void Tighten() const;
  // UINT64_MAX where the file system cannot tell.
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
  // Needs mark_mutex_.
  rocksdb::IOStatus WriteMark(const Mark& mark);

  const std::shared_ptr<rocksdb::FileSystem> fs_;
  const std::string path_;
  uint32_t format_ = kDataFormat;
  std::optional<Mark> recovered_mark_;
  std::optional<Ledger> recovered_ledger_;
  int lock_fd_ = -1;

  std::mutex mark_mutex_;
  Mark written_mark_;
  Ledger ledger_;
  std::optional<Ledger> written_ledger_;
};

}  // namespace keyfold
