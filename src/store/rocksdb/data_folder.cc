#include "store/rocksdb/data_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <vector>

#include "base/random.h"
#include "store/rocksdb/side_file.h"

namespace keyfold {
namespace {

using rocksdb::IOOptions, rocksdb::IOStatus;

constexpr uint64_t kFreeBytesToOpen = uint64_t{4} << 20;
constexpr char kFormatName[] = "FORMAT", kMarkName[] = "MARK", kLockName[] = "LOCK";

constexpr Rule<"{}: cannot be read: {}"> kUnreadable{"folder-unreadable", Kind::kInternal};
constexpr Rule<
    "{}: is not a Keyfold data folder (it is not empty and has no FORMAT file); name another, or an empty one">
    kForeign{"folder-foreign", Kind::kInternal};
constexpr Rule<"{}: its FORMAT file is damaged; nothing was changed"> kFormatDamaged{"folder-format-damaged",
                                                                                     Kind::kInternal};
constexpr Rule<
    "{}: was written in format {}, which needs a newer Keyfold (this one reads up to format {}); nothing was changed">
    kNewer{"folder-newer", Kind::kInternal};
constexpr Rule<"{}: is in use by another process"> kInUse{"folder-in-use", Kind::kInternal};
constexpr Rule<"{}: cannot be written: {}"> kUnwritable{"folder-unwritable", Kind::kInternal};
constexpr Rule<"{}: the disk is full ({} bytes free, {} are needed to start); nothing was changed"> kNoSpace{
    "folder-no-space", Kind::kInternal};
constexpr Rule<
    "{}: its MARK file is missing or damaged, so it cannot be known whether the log is whole; --accept-data-loss opens "
    "it all the "
    "same">
    kMarkDamaged{"folder-mark-damaged", Kind::kInternal};

template <typename T>
bool ParseField(const SideRecord& record, const std::string& name, T& out) {
  const auto it = record.find(name);
  if (it == record.end()) return false;
  const char* const end = it->second.data() + it->second.size();
  const auto parsed = std::from_chars(it->second.data(), end, out);
  return parsed.ec == std::errc() && parsed.ptr == end;
}

std::optional<Mark> MarkOf(const SideRecord& record) {
  Mark mark;
  const bool whole = ParseField(record, "sequence", mark.sequence) && ParseField(record, "ceiling", mark.ceiling) &&
                     ParseField(record, "time", mark.time);
  return whole ? std::optional(mark) : std::nullopt;
}

SideRecord RecordOf(const Mark& mark) {
  return {{"sequence", std::to_string(mark.sequence)},
          {"ceiling", std::to_string(mark.ceiling)},
          {"time", std::to_string(mark.time)}};
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

// Without "." and "..".
IOStatus ListNames(rocksdb::FileSystem& fs, const std::string& path, std::vector<std::string>& names) {
  const IOStatus s = fs.GetChildren(path, IOOptions(), &names, nullptr);
  std::erase_if(names, [](const std::string& name) { return name == "." || name == ".."; });
  return s;
}

bool IsEmptyFolder(rocksdb::FileSystem& fs, const std::string& path) {
  std::vector<std::string> names;
  return ListNames(fs, path, names).ok() && names.empty();
}

// mkdir -p; each new name is on disk when its parent is synced.
IOStatus CreateFolders(rocksdb::FileSystem& fs, const std::string& path) {
  if (fs.FileExists(path, IOOptions(), nullptr).ok()) return IOStatus::OK();
  const std::string parent = ParentOf(path);
  IOStatus s = CreateFolders(fs, parent);
  if (s.ok()) s = fs.CreateDirIfMissing(path, IOOptions(), nullptr);
  if (s.ok()) s = SyncFolder(fs, parent);
  return s;
}

}  // namespace

Result<DataFolder::Found> DataFolder::Inspect() const {
  if (fs_->FileExists(path_, IOOptions(), nullptr).IsNotFound()) return Found::kNothing;
  std::vector<std::string> names;
  if (const IOStatus s = ListNames(*fs_, path_, names); !s.ok()) return kUnreadable(path_, s.ToString());
  if (std::find(names.begin(), names.end(), kFormatName) != names.end()) return Found::kOurs;
  // A folder that was being created when the machine stopped holds nothing else.
  const auto left_of_creation = [this](const std::string& name) {
    return name == kLockName || name == kMarkName || name == std::string(kMarkName) + ".new" ||
           name == std::string(kFormatName) + ".new" ||
           (path_ + "/" + name == db_path() && IsEmptyFolder(*fs_, db_path()));
  };
  if (!std::all_of(names.begin(), names.end(), left_of_creation)) return kForeign(path_);
  return Found::kNothing;
}

Status DataFolder::CheckFormat(uint32_t& format) const {
  std::optional<SideRecord> record;
  if (const IOStatus s = ReadSideFile(*fs_, path_ + "/" + kFormatName, record); !s.ok()) {
    return kUnreadable(path_, s.ToString());
  }
  uint32_t oldest_reader = 0;
  if (!record || !ParseField(*record, "format", format) || !ParseField(*record, "oldest_reader", oldest_reader)) {
    return kFormatDamaged(path_);
  }
  if (oldest_reader > kDataFormat) return kNewer(path_, format, kDataFormat);
  return Ok();
}

Status DataFolder::TakeLock() {
  // Straight from the operating system: a lock has nothing to do with durability, and it ends with the process.
  lock_fd_ = open((path_ + "/" + kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (lock_fd_ < 0) return kUnwritable(path_, std::strerror(errno));
  if (flock(lock_fd_, LOCK_EX | LOCK_NB) == 0) return Ok();
  if (errno == EWOULDBLOCK) return kInUse(path_);
  return kUnwritable(path_, std::strerror(errno));
}

Status DataFolder::Create(std::string_view app_version) {
  IOStatus s = fs_->CreateDirIfMissing(db_path(), IOOptions(), nullptr);
  if (s.ok()) s = ReplaceSideFile(*fs_, path_, kMarkName, RecordOf(Mark{}));
  if (s.ok()) {
    Random random(Random::SeedFromSystem());
    s = ReplaceSideFile(*fs_, path_, kFormatName,
                        {{"format", std::to_string(kDataFormat)},
                         {"oldest_reader", std::to_string(kDataFormatOldestReader)},
                         {"app", std::string(app_version)},
                         {"uuid", random.Uuid()}});
  }
  if (!s.ok()) return kUnwritable(path_, s.ToString());
  return Ok();
}

Status DataFolder::LoadMark(bool accept_data_loss) {
  std::optional<SideRecord> record;
  const IOStatus s = ReadSideFile(*fs_, path_ + "/" + kMarkName, record);
  if (!s.ok() && !s.IsNotFound() && !s.IsPathNotFound()) return kUnreadable(path_, s.ToString());
  if (record) recovered_mark_ = MarkOf(*record);
  if (!recovered_mark_ && !accept_data_loss) return kMarkDamaged(path_);
  return Ok();
}

Result<std::unique_ptr<DataFolder>> DataFolder::Open(std::shared_ptr<rocksdb::FileSystem> fs, std::string path,
                                                     std::string_view app_version, bool accept_data_loss) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  std::unique_ptr<DataFolder> folder(new DataFolder(std::move(fs), std::move(path)));
  DataFolder& f = *folder;
  // Looking first: the lock file of a folder that is not ours must not be created.
  ASSIGN_OR_RETURN(Found found, f.Inspect());
  if (found == Found::kOurs) RETURN_IF_ERROR(f.CheckFormat(f.format_));
  if (const uint64_t free = f.FreeBytes(); free < kFreeBytesToOpen) return kNoSpace(f.path_, free, kFreeBytesToOpen);
  if (found == Found::kNothing) {
    const IOStatus s = CreateFolders(*f.fs_, f.path_);
    if (!s.ok()) return kUnwritable(f.path_, s.ToString());
  }
  RETURN_IF_ERROR(f.TakeLock());
  // Another process may have created the folder in between.
  ASSIGN_OR_RETURN(found, f.Inspect());
  if (found == Found::kNothing) RETURN_IF_ERROR(f.Create(app_version));
  RETURN_IF_ERROR(f.CheckFormat(f.format_));
  RETURN_IF_ERROR(f.LoadMark(accept_data_loss));
  return folder;
}

DataFolder::~DataFolder() {
  if (lock_fd_ >= 0) close(lock_fd_);
}

IOStatus DataFolder::RaiseMark(const Mark& mark) {
  std::lock_guard lock(mark_mutex_);
  const Mark next{.sequence = std::max(mark.sequence, written_mark_.sequence),
                  .ceiling = std::max(mark.ceiling, written_mark_.ceiling),
                  .time = std::max(mark.time, written_mark_.time)};
  if (next == written_mark_) return IOStatus::OK();
  const IOStatus s = ReplaceSideFile(*fs_, path_, kMarkName, RecordOf(next));
  if (s.ok()) written_mark_ = next;
  return s;
}

IOStatus DataFolder::SetMark(const Mark& mark) {
  std::lock_guard lock(mark_mutex_);
  const IOStatus s = ReplaceSideFile(*fs_, path_, kMarkName, RecordOf(mark));
  if (s.ok()) written_mark_ = mark;
  return s;
}

uint64_t DataFolder::FreeBytes() const {
  std::string at = path_;
  while (at.size() > 1 && !fs_->FileExists(at, IOOptions(), nullptr).ok()) at = ParentOf(at);
  uint64_t free = 0;
  return fs_->GetFreeSpace(at, IOOptions(), &free, nullptr).ok() ? free : UINT64_MAX;
}

}  // namespace keyfold
