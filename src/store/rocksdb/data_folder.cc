#include "store/rocksdb/data_folder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <vector>

#include "base/log.h"
#include "base/random.h"
#include "store/rocksdb/side_file.h"

namespace keyfold::store {
namespace {

using rocksdb::IOOptions, rocksdb::IOStatus;

constexpr mode_t kFolderMode = 0700, kFileMode = 0600, kOthers = 0077;
// What opening writes (a new manifest, a log, side files), with a margin. Keyfold's own writes always leave 4 MB free,
// so only other programs can fill the disk further than this.
constexpr uint64_t kFreeBytesToOpen = uint64_t{1} << 20, kFreeBytesToCreate = uint64_t{4} << 20;
constexpr char kFormatName[] = "FORMAT", kMarkName[] = "MARK", kLedgerName[] = "LEDGER", kLockName[] = "LOCK";
constexpr char kBucketsName[] = "s3";  // exports are for other users too and keep the umask

constexpr Rule<"{} cannot be read: {}"> kUnreadable{"folder-unreadable", Kind::kInternal};
constexpr Rule<"{} is not a folder; specify a folder for the data, or a path at which one can be created"> kNotFolder{
    "folder-not-a-folder", Kind::kInternal};
constexpr Rule<
    "{} is not a Keyfold data folder (it is not empty and has no FORMAT file); specify another or an empty folder">
    kForeign{"folder-foreign", Kind::kInternal};
constexpr Rule<"{}: the FORMAT file is damaged; nothing was changed"> kFormatDamaged{"folder-format-damaged",
                                                                                     Kind::kInternal};
constexpr Rule<
    "{} was written in format {}, which needs a newer Keyfold (this one reads up to format {}); nothing was changed">
    kNewer{"folder-newer", Kind::kInternal};
constexpr Rule<"{} is in use by another process"> kInUse{"folder-in-use", Kind::kInternal};
constexpr Rule<"{} cannot be written: {}"> kUnwritable{"folder-unwritable", Kind::kInternal};
constexpr Rule<"{}: the disk is full ({} bytes free, {} needed to start); nothing was changed"> kNoSpace{
    "folder-no-space", Kind::kInternal};
constexpr Rule<
    "{}: the MARK file is missing or damaged, so it is unknown whether the log is complete; nothing was changed. Use "
    "--accept-data-loss to open the folder anyway">
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
  if (!whole) return std::nullopt;
  // Older versions did not write these; they stay empty, which means unknown.
  if (const auto boot = record.find("boot"); boot != record.end()) mark.written_on.boot = boot->second;
  if (const auto mount = record.find("mount"); mount != record.end()) mark.written_on.mount = mount->second;
  return mark;
}

SideRecord RecordOf(const Mark& mark) {
  SideRecord record{{"sequence", std::to_string(mark.sequence)},
                    {"ceiling", std::to_string(mark.ceiling)},
                    {"time", std::to_string(mark.time)}};
  if (!mark.written_on.boot.empty()) record["boot"] = mark.written_on.boot;
  if (!mark.written_on.mount.empty()) record["mount"] = mark.written_on.mount;
  return record;
}

std::optional<Ledger> LedgerOf(const SideRecord& record) {
  Ledger ledger;
  const bool whole = ParseField(record, "sequence", ledger.sequence) && ParseField(record, "given_up", ledger.given_up);
  return whole ? std::optional(ledger) : std::nullopt;
}

SideRecord RecordOf(const Ledger& ledger) {
  return {{"sequence", std::to_string(ledger.sequence)}, {"given_up", std::to_string(ledger.given_up)}};
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

// mkdir -p. Each new name is on disk once its parent is synced.
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
  std::string there = path_;
  while (there.size() > 1 && !fs_->FileExists(there, IOOptions(), nullptr).ok()) there = ParentOf(there);
  bool is_folder = false;
  if (fs_->IsDirectory(there, IOOptions(), &is_folder, nullptr).ok() && !is_folder) return kNotFolder(there);
  if (there != path_) return Found::kNothing;
  std::vector<std::string> names;
  if (const IOStatus s = ListNames(*fs_, path_, names); !s.ok()) return kUnreadable(path_, s.ToString());
  if (std::find(names.begin(), names.end(), kFormatName) != names.end()) return Found::kOurs;
  // If the machine stopped while the folder was being created, it contains only these names.
  const auto left_of_creation = [this](const std::string& name) {
    return name == kLockName || name == kMarkName || name == std::string(kMarkName) + ".new" || name == kLedgerName ||
           name == std::string(kLedgerName) + ".new" || name == std::string(kFormatName) + ".new" ||
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
  // The lock bypasses fs_: it has nothing to do with durability, and it ends with the process.
  lock_fd_ = open((path_ + "/" + kLockName).c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kFileMode);
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

void DataFolder::LoadLedger() {
  std::optional<SideRecord> record;
  const IOStatus s = ReadSideFile(*fs_, path_ + "/" + kLedgerName, record);
  if (record) recovered_ledger_ = LedgerOf(*record);
  if (!recovered_ledger_ && !s.IsNotFound() && !s.IsPathNotFound()) {
    LogWarning("{}: the LEDGER file is damaged and will be rewritten; only MARK shows how far the log was on disk",
               path_);
  }
  MutexLock lock(mark_mutex_);
  written_ledger_ = recovered_ledger_;
  ledger_ = recovered_ledger_.value_or(Ledger{});
}

uint64_t DataFolder::KnownOnDisk() const {
  const uint64_t marked = recovered_mark_ ? recovered_mark_->sequence : 0;
  return std::max(marked, recovered_ledger_ ? recovered_ledger_->sequence : 0);
}

Result<std::unique_ptr<DataFolder>> DataFolder::Open(std::shared_ptr<rocksdb::FileSystem> fs, std::string path,
                                                     std::string_view app_version, bool accept_data_loss) {
  while (path.size() > 1 && path.back() == '/') path.pop_back();
  std::unique_ptr<DataFolder> folder(new DataFolder(std::move(fs), std::move(path)));
  DataFolder& f = *folder;
  // Inspect before locking: a folder that is not Keyfold's must not get a lock file.
  ASSIGN_OR_RETURN(Found found, f.Inspect());
  if (found == Found::kOurs) RETURN_IF_ERROR(f.CheckFormat(f.format_));
  const uint64_t needed = found == Found::kOurs ? kFreeBytesToOpen : kFreeBytesToCreate;
  if (const uint64_t free = f.FreeBytes(); free < needed) return kNoSpace(f.path_, free, needed);
  if (found == Found::kNothing) {
    const IOStatus s = CreateFolders(*f.fs_, f.path_);
    if (!s.ok()) return kUnwritable(f.path_, s.ToString());
  }
  RETURN_IF_ERROR(f.TakeLock());
  // Another process may have created the folder in the meantime.
  ASSIGN_OR_RETURN(found, f.Inspect());
  if (found == Found::kNothing) RETURN_IF_ERROR(f.Create(app_version));
  RETURN_IF_ERROR(f.CheckFormat(f.format_));
  RETURN_IF_ERROR(f.LoadMark(accept_data_loss));
  f.LoadLedger();
  return folder;
}

DataFolder::~DataFolder() {
  if (lock_fd_ >= 0) close(lock_fd_);
}

IOStatus DataFolder::RaiseMark(const Mark& mark) {
  MutexLock lock(mark_mutex_);
  const Mark next{.sequence = std::max(mark.sequence, written_mark_.sequence),
                  .ceiling = std::max(mark.ceiling, written_mark_.ceiling),
                  .time = std::max(mark.time, written_mark_.time),
                  .written_on = written_mark_.written_on};
  if (next == written_mark_) return IOStatus::OK();
  return WriteMark(next);
}

IOStatus DataFolder::SetMark(Mark mark) {
  MutexLock lock(mark_mutex_);
  if (mark.written_on == Surroundings{}) mark.written_on = written_mark_.written_on;
  return WriteMark(mark);
}

void DataFolder::GiveUp(uint64_t writes) {
  MutexLock lock(mark_mutex_);
  ledger_ = {.sequence = 0, .given_up = ledger_.given_up + writes};
}

// LEDGER is written only after MARK is on disk, so it is ahead of MARK only if MARK was lowered.
IOStatus DataFolder::WriteMark(const Mark& mark) {
  IOStatus s = ReplaceSideFile(*fs_, path_, kMarkName, RecordOf(mark));
  if (!s.ok()) return s;
  written_mark_ = mark;
  ledger_.sequence = std::max(ledger_.sequence, mark.sequence);
  if (written_ledger_ == ledger_) return s;
  s = ReplaceSideFile(*fs_, path_, kLedgerName, RecordOf(ledger_));
  if (s.ok()) written_ledger_ = ledger_;
  return s;
}

void DataFolder::Tighten() const {
  namespace files = std::filesystem;
  struct stat found;
  if (stat(path_.c_str(), &found) != 0 || (found.st_mode & kOthers) == 0) return;
  if (found.st_uid != geteuid()) {
    LogWarning("{}: other users can access the folder (mode {:04o}), and user {} owns it: its mode was not changed",
               path_, found.st_mode & 07777, found.st_uid);
    return;
  }
  std::error_code error;
  files::recursive_directory_iterator it(path_, error);
  for (; !error && it != files::recursive_directory_iterator(); it.increment(error)) {
    const bool is_folder = it->is_directory(error) && !it->is_symlink(error);
    if (is_folder && it.depth() == 0 && it->path().filename() == kBucketsName) {
      it.disable_recursion_pending();
    } else if (is_folder || it->is_regular_file(error)) {
      // RocksDB may have removed the file by now.
      const int changed = fchmodat(AT_FDCWD, it->path().c_str(), is_folder ? kFolderMode : kFileMode, 0);
      if (changed != 0 && errno != ENOENT)
        LogWarning("{}: cannot change the mode: {}", it->path().native(), std::strerror(errno));
    }
    error.clear();
  }
  // The folder itself comes last, so that an interrupted run is repeated.
  if (chmod(path_.c_str(), kFolderMode) != 0) LogWarning("{}: cannot change the mode: {}", path_, std::strerror(errno));
}

uint64_t DataFolder::FreeBytes() const {
  std::string at = path_;
  while (at.size() > 1 && !fs_->FileExists(at, IOOptions(), nullptr).ok()) at = ParentOf(at);
  uint64_t free = 0;
  return fs_->GetFreeSpace(at, IOOptions(), &free, nullptr).ok() ? free : UINT64_MAX;
}

}  // namespace keyfold::store
