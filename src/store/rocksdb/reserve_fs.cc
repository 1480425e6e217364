#include "store/rocksdb/reserve_fs.h"

#include <rocksdb/file_system.h>

#include <algorithm>
#include <string>
#include <utility>

namespace keyfold::store {
namespace {

using rocksdb::DataVerificationInfo, rocksdb::FileOptions, rocksdb::FSWritableFile, rocksdb::IODebugContext,
    rocksdb::IOOptions, rocksdb::IOStatus, rocksdb::Slice;

constexpr uint64_t kStepBytes = uint64_t{1} << 20;  // requested at a time

// Checks for free space as it grows. Used by one thread at a time.
class TableFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  TableFile(std::unique_ptr<FSWritableFile>&& file, rocksdb::FileSystem& fs, std::string path)
      : FSWritableFileOwnerWrapper(std::move(file)), fs_(fs), path_(std::move(path)) {}

  IOStatus Append(const Slice& data, const IOOptions& options, IODebugContext* debug) override {
    IOStatus s = AskForRoom(data.size());
    return s.ok() ? FSWritableFileOwnerWrapper::Append(data, options, debug) : s;
  }
  IOStatus Append(const Slice& data, const IOOptions& options, const DataVerificationInfo& checksum,
                  IODebugContext* debug) override {
    IOStatus s = AskForRoom(data.size());
    return s.ok() ? FSWritableFileOwnerWrapper::Append(data, options, checksum, debug) : s;
  }
  // RocksDB flushes with IO_HIGH and compacts with other priorities.
  void SetIOPriority(rocksdb::Env::IOPriority priority) override {
    kept_free_ = priority == rocksdb::Env::IO_HIGH ? kFreeBytesToFlush : kFreeBytesToCompact;
    FSWritableFileOwnerWrapper::SetIOPriority(priority);
  }
  // Does not preallocate: RocksDB would claim the size of the largest possible file without checking for space.
  void PrepareWrite(size_t, size_t, const IOOptions&, IODebugContext*) override {}

 private:
  IOStatus AskForRoom(uint64_t bytes) {
    if (granted_ >= bytes) {
      granted_ -= bytes;
      return IOStatus::OK();
    }
    const uint64_t wanted = std::max(bytes, kStepBytes);
    uint64_t free = 0;
    // If the free space is unknown, the write itself will show whether there is enough.
    const IOStatus s = fs_.GetFreeSpace(path_, IOOptions(), &free, nullptr);
    if (s.ok() && free < kept_free_ + wanted) return IOStatus::NoSpace("the rest of the disk is kept free", path_);
    granted_ = wanted - bytes;
    return IOStatus::OK();
  }

  rocksdb::FileSystem& fs_;
  const std::string path_;
  uint64_t kept_free_ = kFreeBytesToCompact;
  uint64_t granted_ = 0;  // bytes that may be written before the next check
};

class ReserveFs final : public rocksdb::FileSystemWrapper {
 public:
  using FileSystemWrapper::FileSystemWrapper;
  const char* Name() const override { return "KeyfoldReserveFs"; }

  IOStatus NewWritableFile(const std::string& path, const FileOptions& options, std::unique_ptr<FSWritableFile>* file,
                           IODebugContext* debug) override {
    std::unique_ptr<FSWritableFile> opened;
    IOStatus s = FileSystemWrapper::NewWritableFile(path, options, &opened, debug);
    if (!s.ok()) return s;
    if (path.ends_with(".sst")) opened = std::make_unique<TableFile>(std::move(opened), *target(), path);
    *file = std::move(opened);
    return s;
  }
};

}  // namespace

std::unique_ptr<rocksdb::Env> WithReserve(rocksdb::Env& base) {
  return rocksdb::NewCompositeEnv(std::make_shared<ReserveFs>(base.GetFileSystem()));
}

}  // namespace keyfold::store
