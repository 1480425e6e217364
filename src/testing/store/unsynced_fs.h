// UnsyncedFs: a file system for tests that tracks what a power cut may destroy. It forwards everything to the real one
// and records how far each file was synced, and which names in each folder were created, renamed or removed since the
// folder was synced. PowerCut then does to the real files what a disk may do: it drops, zeroes or garbles unsynced
// bytes page by page, and undoes unsynced name changes.
#pragma once

#include <rocksdb/file_system.h>

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <string>
#include <vector>

#include "base/random.h"

namespace keyfold::store {

// Thread-safe.
class UnsyncedFs final : public rocksdb::FileSystemWrapper {
 public:
  // `limbo` is an existing folder on the same disk, outside everything under test. Replaced files are kept there in
  // case they must be restored.
  UnsyncedFs(const std::shared_ptr<rocksdb::FileSystem>& base, std::string limbo, uint64_t seed);
  ~UnsyncedFs() override;

  // Cuts the power before the n-th change from now, on the thread that requests that change. Then calls `then`, which
  // must end the process: every other thread that touches the file system is blocked forever.
  void CutAfter(uint64_t changes, std::function<void()> then);
  // True if the power is cut: results seen from now on are meaningless.
  bool dark() const { return dark_.load(); }

  const char* Name() const override { return "UnsyncedFs"; }
  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                       std::unique_ptr<rocksdb::FSWritableFile>* file,
                                       rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus NewDirectory(const std::string& path, const rocksdb::IOOptions& options,
                                 std::unique_ptr<rocksdb::FSDirectory>* folder, rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus DeleteFile(const std::string& path, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus RenameFile(const std::string& from, const std::string& to, const rocksdb::IOOptions& options,
                               rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus LinkFile(const std::string& from, const std::string& to, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus CreateDirIfMissing(const std::string& path, const rocksdb::IOOptions& options,
                                       rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSRandomAccessFile>* file,
                                        rocksdb::IODebugContext* dbg) override;
  rocksdb::IOStatus GetFileSize(const std::string& path, const rocksdb::IOOptions& options, uint64_t* bytes,
                                rocksdb::IODebugContext* dbg) override;

 private:
  friend class UnsyncedFile;
  friend class UnsyncedFolder;

  // How much of a file was written, and how much of that is certainly on disk.
  struct Extent {
    uint64_t written = 0;
    uint64_t synced = 0;
  };
  struct NameChange {
    enum class Kind { kCreated, kCreatedFolder, kRenamed, kDeleted } kind;
    std::string path;
    std::string from;   // for kRenamed
    std::string saved;  // in limbo: the previous file at `path`; empty if there was none
  };
  // Held during each call. A power cut waits for the calls in progress and lets no further ones in.
  using Pass = std::shared_lock<std::shared_mutex>;

  Pass EnterToLook();
  Pass EnterToChange();
  // The functions below require mutex_, or that everything else has stopped.
  std::string SaveAside(const std::string& path);
  void ForgetNamesOf(const std::string& folder);
  void PowerCut();
  void DamageFile(const std::string& path, const Extent& extent);
  void DamagePages(const std::string& path, const Extent& extent);
  void Undo(const NameChange& change);
  bool TouchedByAnother(size_t change) const;

  const std::string limbo_;
  Random random_;
  std::shared_mutex gate_;
  std::atomic<bool> dark_ = false;
  std::atomic<uint64_t> changes_ = 0;
  std::atomic<uint64_t> cut_at_ = 0;
  std::function<void()> then_;

  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<Extent>> extents_;
  std::vector<NameChange> names_;
  uint64_t saved_count_ = 0;
};

}  // namespace keyfold::store
