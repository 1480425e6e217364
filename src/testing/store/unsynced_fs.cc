#include "testing/store/unsynced_fs.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <thread>

#include "base/check.h"

namespace keyfold::store {

using rocksdb::IODebugContext, rocksdb::IOOptions, rocksdb::IOStatus;

namespace {

constexpr uint64_t kPageBytes = 4096;

std::string FolderOf(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

}  // namespace

// Used by one thread at a time, except for Sync, as RocksDB does.
class UnsyncedFile final : public rocksdb::FSWritableFileOwnerWrapper {
 public:
  UnsyncedFile(UnsyncedFs& fs, std::unique_ptr<rocksdb::FSWritableFile> file,
               std::shared_ptr<UnsyncedFs::Extent> extent)
      : FSWritableFileOwnerWrapper(std::move(file)), fs_(fs), extent_(std::move(extent)) {}

  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, IODebugContext* dbg) override {
    const auto pass = fs_.EnterToChange();
    const IOStatus s = FSWritableFileOwnerWrapper::Append(data, options, dbg);
    std::lock_guard lock(fs_.mutex_);
    if (s.ok()) extent_->written += data.size();
    return s;
  }
  IOStatus Append(const rocksdb::Slice& data, const IOOptions& options, const rocksdb::DataVerificationInfo&,
                  IODebugContext* dbg) override {
    return Append(data, options, dbg);
  }
  IOStatus Truncate(uint64_t size, const IOOptions& options, IODebugContext* dbg) override {
    const auto pass = fs_.EnterToChange();
    const IOStatus s = FSWritableFileOwnerWrapper::Truncate(size, options, dbg);
    std::lock_guard lock(fs_.mutex_);
    extent_->written = size;
    extent_->synced = std::min(extent_->synced, size);
    return s;
  }
  IOStatus Sync(const IOOptions& options, IODebugContext* dbg) override {
    return Synced([&] { return FSWritableFileOwnerWrapper::Sync(options, dbg); });
  }
  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return Synced([&] { return FSWritableFileOwnerWrapper::Fsync(options, dbg); });
  }
  // RangeSync only starts writing back and guarantees nothing.
  IOStatus RangeSync(uint64_t, uint64_t, const IOOptions&, IODebugContext*) override { return IOStatus::OK(); }

 private:
  template <typename F>
  IOStatus Synced(F sync) {
    const auto pass = fs_.EnterToChange();
    uint64_t covered;
    {
      std::lock_guard lock(fs_.mutex_);
      covered = extent_->written;
    }
    const IOStatus s = sync();
    std::lock_guard lock(fs_.mutex_);
    if (s.ok()) extent_->synced = std::max(extent_->synced, std::min(covered, extent_->written));
    return s;
  }

  UnsyncedFs& fs_;
  const std::shared_ptr<UnsyncedFs::Extent> extent_;
};

// Thread-safe.
class UnsyncedFolder final : public rocksdb::FSDirectory {
 public:
  UnsyncedFolder(UnsyncedFs& fs, std::unique_ptr<rocksdb::FSDirectory> folder, std::string path)
      : fs_(fs), folder_(std::move(folder)), path_(std::move(path)) {}

  IOStatus Fsync(const IOOptions& options, IODebugContext* dbg) override {
    return FsyncWithDirOptions(options, dbg, rocksdb::DirFsyncOptions());
  }
  // The real implementation may skip the sync on file systems that do not need it; this simulation always needs it.
  IOStatus FsyncWithDirOptions(const IOOptions& options, IODebugContext* dbg,
                               const rocksdb::DirFsyncOptions& reason) override {
    const auto pass = fs_.EnterToChange();
    const IOStatus s = folder_->FsyncWithDirOptions(options, dbg, reason);
    std::lock_guard lock(fs_.mutex_);
    if (s.ok()) fs_.ForgetNamesOf(path_);
    return s;
  }
  IOStatus Close(const IOOptions& options, IODebugContext* dbg) override { return folder_->Close(options, dbg); }

 private:
  UnsyncedFs& fs_;
  const std::unique_ptr<rocksdb::FSDirectory> folder_;
  const std::string path_;
};

UnsyncedFs::UnsyncedFs(const std::shared_ptr<rocksdb::FileSystem>& base, std::string limbo, uint64_t seed)
    : FileSystemWrapper(base), limbo_(std::move(limbo)), random_(seed) {}

UnsyncedFs::~UnsyncedFs() = default;

void UnsyncedFs::CutAfter(uint64_t changes, std::function<void()> then) {
  then_ = std::move(then);
  cut_at_.store(changes_.load() + changes);
}

UnsyncedFs::Pass UnsyncedFs::EnterToLook() {
  while (dark_.load()) std::this_thread::sleep_for(std::chrono::hours(1));
  return Pass(gate_);
}

UnsyncedFs::Pass UnsyncedFs::EnterToChange() {
  if (changes_.fetch_add(1) + 1 == cut_at_.load()) {
    dark_.store(true);
    std::unique_lock all(gate_);
    PowerCut();
    then_();
    CHECK(false);  // `then` ends the process
  }
  return EnterToLook();
}

std::string UnsyncedFs::SaveAside(const std::string& path) {
  if (access(path.c_str(), F_OK) != 0) return {};
  const std::string saved = limbo_ + "/" + std::to_string(saved_count_++);
  unlink(saved.c_str());
  CHECK(link(path.c_str(), saved.c_str()) == 0);
  return saved;
}

void UnsyncedFs::ForgetNamesOf(const std::string& folder) {
  std::erase_if(names_, [&](const NameChange& change) {
    if (FolderOf(change.path) != folder) return false;
    if (!change.saved.empty()) unlink(change.saved.c_str());
    return true;
  });
}

IOStatus UnsyncedFs::NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                     std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* dbg) {
  const auto pass = EnterToChange();
  std::lock_guard lock(mutex_);
  const std::string saved = SaveAside(path);
  // A new file rather than a truncated one, so that the old content survives in limbo.
  if (!saved.empty()) unlink(path.c_str());
  std::unique_ptr<rocksdb::FSWritableFile> real;
  const IOStatus s = target()->NewWritableFile(path, options, &real, dbg);
  if (!s.ok()) return s;
  names_.push_back({NameChange::Kind::kCreated, path, {}, saved});
  auto extent = extents_[path] = std::make_shared<Extent>();
  *file = std::make_unique<UnsyncedFile>(*this, std::move(real), std::move(extent));
  return s;
}

IOStatus UnsyncedFs::ReopenWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                        std::unique_ptr<rocksdb::FSWritableFile>* file, IODebugContext* dbg) {
  const auto pass = EnterToChange();
  std::lock_guard lock(mutex_);
  std::unique_ptr<rocksdb::FSWritableFile> real;
  const IOStatus s = target()->ReopenWritableFile(path, options, &real, dbg);
  if (!s.ok()) return s;
  auto& extent = extents_[path];
  if (extent == nullptr) {
    const uint64_t size = std::filesystem::file_size(path);
    extent = std::make_shared<Extent>(Extent{size, size});
  }
  *file = std::make_unique<UnsyncedFile>(*this, std::move(real), extent);
  return s;
}

IOStatus UnsyncedFs::NewDirectory(const std::string& path, const IOOptions& options,
                                  std::unique_ptr<rocksdb::FSDirectory>* folder, IODebugContext* dbg) {
  std::unique_ptr<rocksdb::FSDirectory> real;
  const IOStatus s = target()->NewDirectory(path, options, &real, dbg);
  if (s.ok()) *folder = std::make_unique<UnsyncedFolder>(*this, std::move(real), FolderOf(path + "/x"));
  return s;
}

IOStatus UnsyncedFs::DeleteFile(const std::string& path, const IOOptions& options, IODebugContext* dbg) {
  const auto pass = EnterToChange();
  std::lock_guard lock(mutex_);
  const std::string saved = SaveAside(path);
  const IOStatus s = target()->DeleteFile(path, options, dbg);
  if (!s.ok()) return s;
  names_.push_back({NameChange::Kind::kDeleted, path, {}, saved});
  extents_.erase(path);
  return s;
}

IOStatus UnsyncedFs::RenameFile(const std::string& from, const std::string& to, const IOOptions& options,
                                IODebugContext* dbg) {
  const auto pass = EnterToChange();
  std::lock_guard lock(mutex_);
  const std::string saved = SaveAside(to);
  const IOStatus s = target()->RenameFile(from, to, options, dbg);
  if (!s.ok()) return s;
  names_.push_back({NameChange::Kind::kRenamed, to, from, saved});
  extents_.erase(to);
  if (auto moved = extents_.extract(from)) {
    moved.key() = to;
    extents_.insert(std::move(moved));
  }
  return s;
}

IOStatus UnsyncedFs::LinkFile(const std::string& from, const std::string& to, const IOOptions& options,
                              IODebugContext* dbg) {
  const auto pass = EnterToChange();
  std::lock_guard lock(mutex_);
  const IOStatus s = target()->LinkFile(from, to, options, dbg);
  if (!s.ok()) return s;
  names_.push_back({NameChange::Kind::kCreated, to, {}, {}});
  if (const auto it = extents_.find(from); it != extents_.end()) extents_[to] = it->second;
  return s;
}

IOStatus UnsyncedFs::CreateDirIfMissing(const std::string& path, const IOOptions& options, IODebugContext* dbg) {
  const auto pass = EnterToChange();
  std::lock_guard lock(mutex_);
  const bool fresh = access(path.c_str(), F_OK) != 0;
  const IOStatus s = target()->CreateDirIfMissing(path, options, dbg);
  if (s.ok() && fresh) names_.push_back({NameChange::Kind::kCreatedFolder, path, {}, {}});
  return s;
}

IOStatus UnsyncedFs::NewRandomAccessFile(const std::string& path, const rocksdb::FileOptions& options,
                                         std::unique_ptr<rocksdb::FSRandomAccessFile>* file, IODebugContext* dbg) {
  const auto pass = EnterToLook();
  return target()->NewRandomAccessFile(path, options, file, dbg);
}

IOStatus UnsyncedFs::GetFileSize(const std::string& path, const IOOptions& options, uint64_t* bytes,
                                 IODebugContext* dbg) {
  const auto pass = EnterToLook();
  return target()->GetFileSize(path, options, bytes, dbg);
}

void UnsyncedFs::DamagePages(const std::string& path, const Extent& extent) {
  const int fd = open(path.c_str(), O_RDWR | O_CLOEXEC);
  if (fd < 0) return;
  const uint64_t keep_one_in = 1 + random_.Below(4), garble_one_in = 1 + random_.Below(4);
  for (uint64_t at = extent.synced; at < extent.written;) {
    const uint64_t end = std::min(extent.written, (at / kPageBytes + 1) * kPageBytes);
    std::string page(end - at, '\0');
    if (random_.OneIn(garble_one_in)) {
      for (char& c : page) c = static_cast<char>(random_.Next());
    }
    if (!random_.OneIn(keep_one_in)) {
      CHECK(pwrite(fd, page.data(), page.size(), static_cast<off_t>(at)) == static_cast<ssize_t>(page.size()));
    }
    at = end;
  }
  close(fd);
}

void UnsyncedFs::DamageFile(const std::string& path, const Extent& extent) {
  if (extent.written <= extent.synced) return;
  uint64_t left = extent.written;
  switch (random_.Below(4)) {
    case 0:
      return;  // everything reached the disk
    case 1:
      left = extent.synced;
      break;
    case 2:
      left = extent.synced + random_.Below(extent.written - extent.synced + 1);
      break;
    default:
      DamagePages(path, extent);
      if (random_.OneIn(2)) left = extent.synced + random_.Below(extent.written - extent.synced + 1);
  }
  CHECK(truncate(path.c_str(), static_cast<off_t>(left)) == 0 || errno == ENOENT);
}

void UnsyncedFs::Undo(const NameChange& change) {
  switch (change.kind) {
    case NameChange::Kind::kCreatedFolder:
      std::filesystem::remove_all(change.path);
      return;
    case NameChange::Kind::kCreated:
      unlink(change.path.c_str());
      break;
    case NameChange::Kind::kRenamed:
      std::rename(change.path.c_str(), change.from.c_str());
      break;
    case NameChange::Kind::kDeleted:
      break;
  }
  if (!change.saved.empty()) std::rename(change.saved.c_str(), change.path.c_str());
}

bool UnsyncedFs::TouchedByAnother(size_t change) const {
  const std::string& path = names_[change].path;
  for (size_t i = 0; i < names_.size(); ++i) {
    if (i != change && (names_[i].path == path || names_[i].from == path)) return true;
  }
  return false;
}

void UnsyncedFs::PowerCut() {
  for (const auto& [path, extent] : extents_) DamageFile(path, *extent);
  // Journals keep name changes in order: everything after some point is lost. Some file systems guarantee less, so a
  // single new file may be lost too.
  const size_t kept = random_.Below(names_.size() + 1);
  while (names_.size() > kept) {
    Undo(names_.back());
    names_.pop_back();
  }
  for (size_t i = 0; i < names_.size(); ++i) {
    const bool alone = names_[i].kind == NameChange::Kind::kCreated && !TouchedByAnother(i);
    if (alone && random_.OneIn(8)) Undo(names_[i]);
  }
}

}  // namespace keyfold::store
