#include "files/folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include "base/text/utf8.h"
#include "files/file_modes.h"

namespace keyfold::files {
namespace {

constexpr size_t kPartBytesMax = 255;
constexpr mode_t kFolderMode = 0755, kFileMode = 0644;

constexpr Rule<"The file name is empty"> kNameEmpty{"name-empty", Kind::kValidation};
constexpr Rule<"The name {} starts with '/': names are relative to their folder"> kNameAbsolute{"name-absolute",
                                                                                                Kind::kValidation};
constexpr Rule<"The name {} contains a NUL"> kNameNul{"name-nul", Kind::kValidation};
constexpr Rule<"The name {} contains an empty part: two '/' in a row, or one at its end"> kNameEmptyPart{
    "name-empty-part", Kind::kValidation};
constexpr Rule<"The name {} contains '.' or '..' as a part"> kNameDots{"name-dots", Kind::kValidation};
constexpr Rule<"The name {} contains a part of more than {} bytes"> kNamePartLong{"name-part-long", Kind::kValidation};
constexpr Rule<"{} is a link, and links are not followed"> kIsLink{"is-a-link", Kind::kValidation};
constexpr Rule<"{} is not a plain file"> kNotFile{"not-a-file", Kind::kValidation};
constexpr Rule<"{} is not a folder"> kNotFolder{"not-a-folder", Kind::kValidation};
constexpr Rule<"{} does not exist"> kMissing{"file-missing", Kind::kInternal};
constexpr Rule<"{} already exists"> kExists{"file-exists", Kind::kInternal};
constexpr Rule<"{} cannot be opened: {}"> kUnopened{"file-unopened", Kind::kInternal};
constexpr Rule<"{} cannot be created: {}"> kUnmade{"file-unmade", Kind::kInternal};
constexpr Rule<"{} cannot be read: {}"> kUnread{"file-unread", Kind::kInternal};
constexpr Rule<"{} cannot be written: {}"> kUnwritten{"file-unwritten", Kind::kInternal};
constexpr Rule<"{} cannot be written to disk: {}"> kUnsynced{"file-unsynced", Kind::kInternal};
constexpr Rule<"{} cannot be renamed to {}: {}"> kUnrenamed{"file-unrenamed", Kind::kInternal};
constexpr Rule<"{} cannot be removed: {}"> kUnremoved{"file-unremoved", Kind::kInternal};

std::string Reason(int code) { return std::error_code(code, std::generic_category()).message(); }

// The error of a failed write: a full disk gets its own.
template <typename UnwrittenRule>
Error Unwritten(const UnwrittenRule& rule, const std::string& name, int code) {
  if (code == ENOSPC || code == EDQUOT) return kNoRoomForFile();
  return rule(name, Reason(code));
}

// Makes an arbitrary name fit for a message: one line, UTF-8, not long.
std::string Shown(std::string_view name) {
  constexpr size_t kShownMax = 1024;
  const bool text = IsUtf8(name);
  size_t bytes = std::min(name.size(), kShownMax);
  while (bytes > 0 && bytes < name.size() && (static_cast<unsigned char>(name[bytes]) & 0xc0) == 0x80) --bytes;
  std::string shown(name.substr(0, bytes));
  for (char& c : shown) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || (byte >= 0x80 && !text)) c = '?';
  }
  if (bytes < name.size()) shown += "...";
  return shown;
}

// A name in messages: with the folder's path in the log, without it for clients.
struct Called {
  const std::string& path;
  std::string_view name;
  std::string full() const { return path + '/' + Shown(name); }
  std::string bare() const { return Shown(name); }
};

// Removes the first part from `name` and returns it.
std::string_view TakePart(std::string_view& name) {
  const size_t slash = name.find('/');
  const std::string_view part = name.substr(0, slash);
  name.remove_prefix(slash == std::string_view::npos ? name.size() : slash + 1);
  return part;
}

Status PartIsSafe(std::string_view part, std::string_view name) {
  if (part.empty()) return kNameEmptyPart(Shown(name));
  if (part == "." || part == "..") return kNameDots(Shown(name));
  if (part.size() > kPartBytesMax) return kNamePartLong(Shown(name), kPartBytesMax);
  return Ok();
}

Status NameIsSafe(std::string_view name) {
  if (name.empty()) return kNameEmpty();
  if (name.front() == '/') return kNameAbsolute(Shown(name));
  if (name.find('\0') != std::string_view::npos) return kNameNul(Shown(name));
  if (name.back() == '/') return kNameEmptyPart(Shown(name));
  for (std::string_view rest = name; !rest.empty();) RETURN_IF_ERROR(PartIsSafe(TakePart(rest), name));
  return Ok();
}

// Owns a descriptor and closes it. Used by one thread at a time.
class Owned {
 public:
  explicit Owned(int descriptor = -1) : descriptor_(descriptor) {}
  Owned(Owned&& other) noexcept : descriptor_(other.Release()) {}
  Owned& operator=(Owned&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    return *this;
  }
  ~Owned() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  int get() const { return descriptor_; }
  int Release() { return std::exchange(descriptor_, -1); }

 private:
  int descriptor_;
};

// Returns whether `part` is a link, to explain why a folder or file could not be opened.
bool IsLink(int folder, const char* part) {
  struct stat found;
  return fstatat(folder, part, &found, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(found.st_mode);
}

// Returns -1 and sets errno if it is not a folder or is a link to one.
int OpenPart(int folder, const char* part) {
  return openat(folder, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

// The folder's new name is on disk when this returns. Another process may create it at the same time.
bool MakePart(int folder, const char* part, Folder::For whom) {
  if (mkdirat(folder, part, kFolderMode) != 0) return errno == EEXIST;
  if (const mode_t mode = whom == Folder::For::kShared ? SharedMode(kFolderMode) : 0; mode != 0) {
    if (fchmodat(folder, part, mode, 0) != 0) return false;
  }
  return fsync(folder) == 0;
}

// Where a name leads: the folder that contains its last part.
struct Place {
  Owned owned;  // the folder, unless it is the one where the walk began
  int folder;
  std::string last;
};

enum class OnMissing { kFail, kMake, kMakeShared };

OnMissing MakeFor(Folder::For whom) { return whom == Folder::For::kShared ? OnMissing::kMakeShared : OnMissing::kMake; }

Error Unwalked(int folder, const char* part, const Called& called, int code) {
  if (code == ENOENT) return kMissing(called.full());
  if (code != ENOTDIR && code != ELOOP) return kUnopened(called.full(), Reason(code));
  return IsLink(folder, part) ? kIsLink(called.bare()) : kNotFolder(called.bare());
}

// Opens the folder `part` in `folder`, one step along the name.
Result<Owned> Step(int folder, const char* part, const Called& called, OnMissing on_missing) {
  Owned next(OpenPart(folder, part));
  if (next.get() >= 0) return next;
  if (errno == ENOENT && on_missing != OnMissing::kFail) {
    const bool shared = on_missing == OnMissing::kMakeShared;
    if (!MakePart(folder, part, shared ? Folder::For::kShared : Folder::For::kOwner))
      return Unwritten(kUnmade, called.full(), errno);
    next = Owned(OpenPart(folder, part));
    if (next.get() >= 0) return next;
  }
  return Unwalked(folder, part, called, errno);
}

// The name must be safe.
Result<Place> Walk(int root, const Called& called, OnMissing on_missing) {
  Place place{Owned(), root, {}};
  std::string_view rest = called.name;
  place.last = TakePart(rest);
  while (!rest.empty()) {
    ASSIGN_OR_RETURN(place.owned, Step(place.folder, place.last.c_str(), called, on_missing));
    place.folder = place.owned.get();
    place.last = TakePart(rest);
  }
  return place;
}

Result<Place> WalkSafely(int root, const Called& called, OnMissing on_missing) {
  RETURN_IF_ERROR(NameIsSafe(called.name));
  return Walk(root, called, on_missing);
}

bool SaysMissing(const Error& error) { return error.rule() == kMissing.id || error.rule() == kNotFolder.id; }

struct Found {
  std::string name;
  struct stat stat;
};

// Lists one folder, without following links. Entries that disappear during the call are left out.
Result<std::vector<Found>> ReadFolder(Owned folder, const Called& called) {
  DIR* const stream = fdopendir(folder.get());
  if (stream == nullptr) return kUnread(called.full(), Reason(errno));
  const int descriptor = folder.Release();
  std::vector<Found> all;
  errno = 0;
  while (const dirent* entry = readdir(stream)) {
    const std::string_view part(entry->d_name);
    Found found{std::string(part), {}};
    if (part != "." && part != ".." && fstatat(descriptor, entry->d_name, &found.stat, AT_SYMLINK_NOFOLLOW) == 0) {
      all.push_back(std::move(found));
    }
    errno = 0;
  }
  const int code = errno;
  closedir(stream);
  if (code != 0) return kUnread(called.full(), Reason(code));
  return all;
}

// Opens the folder below `root` that was found there under this name; "" is the root itself. It is opened anew because
// reading a folder moves the descriptor's position.
Result<Owned> Reopen(int root, const Called& called) {
  if (called.name.empty()) return Step(root, ".", called, OnMissing::kFail);
  ASSIGN_OR_RETURN(const Place place, Walk(root, called, OnMissing::kFail));
  return Step(place.folder, place.last.c_str(), called, OnMissing::kFail);
}

std::string Joined(std::string_view folder, const std::string& part) {
  return folder.empty() ? part : std::string(folder) + '/' + part;
}

// Removes everything except folders from the folder of this name, and adds its folders to `folders`.
Status RemoveFiles(int root, const Called& called, std::vector<std::string>& folders) {
  ASSIGN_OR_RETURN(Owned folder, Reopen(root, called));
  const Owned same(fcntl(folder.get(), F_DUPFD_CLOEXEC, 0));
  ASSIGN_OR_RETURN(const std::vector<Found> all, ReadFolder(std::move(folder), called));
  for (const Found& found : all) {
    if (S_ISDIR(found.stat.st_mode)) {
      folders.push_back(Joined(called.name, found.name));
    } else if (unlinkat(same.get(), found.name.c_str(), 0) != 0 && errno != ENOENT) {
      return kUnremoved(Called{called.path, Joined(called.name, found.name)}.full(), Reason(errno));
    }
  }
  return Ok();
}

// Removes everything below `root`. It works breadth-first and opens each folder from the root, so neither the stack nor
// the number of open files depends on the depth of the folders.
Status Empty(int root, const std::string& path) {
  std::vector<std::string> folders{""};
  for (size_t i = 0; i < folders.size(); ++i) {
    const std::string name = folders[i];
    RETURN_IF_ERROR(RemoveFiles(root, {path, name}, folders));
  }
  for (size_t i = folders.size(); i-- > 1;) {  // parents precede their children in `folders`
    const Called called{path, folders[i]};
    ASSIGN_OR_RETURN(const Place place, Walk(root, called, OnMissing::kFail));
    if (unlinkat(place.folder, place.last.c_str(), AT_REMOVEDIR) != 0 && errno != ENOENT) {
      return kUnremoved(called.full(), Reason(errno));
    }
  }
  return Ok();
}

std::string ParentOf(const std::string& path) {
  const size_t slash = path.find_last_of('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status SyncFolder(const std::string& path) {
  const Owned folder(open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0 || fsync(folder.get()) != 0) return kUnsynced(path, Reason(errno));
  return Ok();
}

// mkdir -p. Each new name is on disk once its parent is synced. Links are followed here because the operator chose the
// path.
Status MakePath(const std::string& path, Folder::For whom) {
  struct stat found;
  if (stat(path.c_str(), &found) == 0) return Ok();
  if (errno != ENOENT) return kUnmade(path, Reason(errno));
  const std::string parent = ParentOf(path);
  if (parent != path) RETURN_IF_ERROR(MakePath(parent, whom));
  if (mkdir(path.c_str(), kFolderMode) != 0) {
    if (errno != EEXIST) return kUnmade(path, Reason(errno));
  } else if (const mode_t mode = whom == Folder::For::kShared ? SharedMode(kFolderMode) : 0; mode != 0) {
    if (chmod(path.c_str(), mode) != 0) return kUnmade(path, Reason(errno));
  }
  return SyncFolder(parent);
}

}  // namespace

File::File(int descriptor, int folder, std::string name, std::shared_ptr<const Room> room)
    : descriptor_(descriptor), folder_(folder), name_(std::move(name)), room_(std::move(room)) {}

File::File(File&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)),
      folder_(std::exchange(other.folder_, -1)),
      name_(std::move(other.name_)),
      room_(std::move(other.room_)),
      granted_(other.granted_) {}

File& File::operator=(File&& other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  std::swap(folder_, other.folder_);
  name_.swap(other.name_);
  room_.swap(other.room_);
  std::swap(granted_, other.granted_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0) close(descriptor_);
  if (folder_ >= 0) close(folder_);
}

Status File::Write(std::string_view bytes) {
  if (room_ && granted_ < bytes.size()) {
    const uint64_t wanted = std::max<uint64_t>(bytes.size(), kRoomStepBytes);
    RETURN_IF_ERROR(room_->has(wanted));
    granted_ = wanted;
  }
  if (room_) granted_ -= bytes.size();
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor_, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return Unwritten(kUnwritten, name_, errno);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return Ok();
}

Status File::Sync() {
  if (fdatasync(descriptor_) != 0) return Unwritten(kUnsynced, name_, errno);
  if (folder_ < 0) return Ok();
  if (fsync(folder_) != 0) return Unwritten(kUnsynced, name_, errno);
  close(std::exchange(folder_, -1));
  return Ok();
}

Result<size_t> File::Read(char* to, size_t bytes_max) {
  while (true) {
    const ssize_t got = read(descriptor_, to, bytes_max);
    if (got >= 0) return static_cast<size_t>(got);
    if (errno != EINTR) return kUnread(name_, Reason(errno));
  }
}

Result<uint64_t> File::Size() const {
  struct stat found;
  if (fstat(descriptor_, &found) != 0) return kUnread(name_, Reason(errno));
  return static_cast<uint64_t>(found.st_size);
}

struct Folder::Descriptor {
  Owned owned;
};

Folder::Folder(std::shared_ptr<const Descriptor> descriptor, std::string path, For whom,
               std::shared_ptr<const Room> room)
    : descriptor_(std::move(descriptor)), path_(std::move(path)), for_(whom), room_(std::move(room)) {}

Folder Folder::WithRoom(std::shared_ptr<const Room> room) const {
  struct stat here, there;
  const bool same =
      room && fstat(root(), &here) == 0 && stat(room->path.c_str(), &there) == 0 && here.st_dev == there.st_dev;
  return Folder(descriptor_, path_, for_, same ? std::move(room) : nullptr);
}

Status Folder::HasRoom(uint64_t bytes) const { return room_ ? room_->has(bytes) : Ok(); }

Result<Folder> Folder::Open(const std::string& path, For whom) {
  if (path.empty()) return kNameEmpty();
  std::string trimmed = path;
  while (trimmed.size() > 1 && trimmed.back() == '/') trimmed.pop_back();
  RETURN_IF_ERROR(MakePath(trimmed, whom));
  Owned folder(open(trimmed.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder.get() < 0) return kUnopened(path, Reason(errno));
  return Folder(std::make_shared<const Descriptor>(Descriptor{std::move(folder)}), std::move(trimmed), whom);
}

Result<Folder> Folder::Below(std::string_view name) const {
  ASSIGN_OR_RETURN(const Place place, WalkSafely(root(), {path_, name}, MakeFor(for_)));
  ASSIGN_OR_RETURN(Owned folder, Step(place.folder, place.last.c_str(), {path_, name}, MakeFor(for_)));
  return Folder(std::make_shared<const Descriptor>(Descriptor{std::move(folder)}), path_ + '/' + std::string(name),
                for_, room_);
}

Result<File> Folder::OpenToRead(std::string_view name) const {
  ASSIGN_OR_RETURN(const Place place, WalkSafely(root(), {path_, name}, OnMissing::kFail));
  // With O_NONBLOCK a pipe without a writer opens too, and is then refused.
  constexpr int kFlags = O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY | O_NONBLOCK;
  Owned file(openat(place.folder, place.last.c_str(), kFlags));
  if (file.get() < 0) {
    const int code = errno;
    if (code == ENOENT) return kMissing(ShownPath(name));
    if (code == ELOOP) return kIsLink(Shown(name));
    if (code == ENXIO) return kNotFile(Shown(name));  // a socket
    return kUnopened(ShownPath(name), Reason(code));
  }
  struct stat found;
  if (fstat(file.get(), &found) != 0) return kUnopened(ShownPath(name), Reason(errno));
  if (!S_ISREG(found.st_mode)) return kNotFile(Shown(name));
  return File(file.Release(), -1, ShownPath(name));
}

Result<File> Folder::CreateNew(std::string_view name) const {
  ASSIGN_OR_RETURN(const Place place, WalkSafely(root(), {path_, name}, MakeFor(for_)));
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC | O_NOCTTY;
  Owned folder(fcntl(place.folder, F_DUPFD_CLOEXEC, 0));
  if (folder.get() < 0) return kUnmade(ShownPath(name), Reason(errno));
  Owned file(openat(place.folder, place.last.c_str(), kFlags, kFileMode));
  if (file.get() >= 0) {
    const mode_t mode = for_ == For::kShared ? SharedMode(kFileMode) : 0;
    if (mode != 0 && fchmod(file.get(), mode) != 0) return kUnmade(ShownPath(name), Reason(errno));
    return File(file.Release(), folder.Release(), ShownPath(name), room_);
  }
  if (errno == EEXIST) return kExists(ShownPath(name));
  return Unwritten(kUnmade, ShownPath(name), errno);
}

Status Folder::Rename(std::string_view from, std::string_view to) const {
  RETURN_IF_ERROR(NameIsSafe(to));  // before the walk along `from` reveals what exists
  ASSIGN_OR_RETURN(const Place old_place, WalkSafely(root(), {path_, from}, OnMissing::kFail));
  ASSIGN_OR_RETURN(const Place new_place, Walk(root(), {path_, to}, MakeFor(for_)));
  if (renameat(old_place.folder, old_place.last.c_str(), new_place.folder, new_place.last.c_str()) != 0) {
    const int code = errno;
    if (code == ENOENT) return kMissing(ShownPath(from));
    if (code == EISDIR) return kNotFile(Shown(to));
    if (code == ENOTDIR) return kNotFolder(Shown(to));
    return kUnrenamed(ShownPath(from), Shown(to), Reason(code));
  }
  if (fsync(new_place.folder) != 0) return kUnsynced(ShownPath(to), Reason(errno));
  return Ok();
}

Status Folder::Remove(std::string_view name) const {
  Result<Place> place = WalkSafely(root(), {path_, name}, OnMissing::kFail);
  if (!place.ok()) return SaysMissing(place.error()) ? Ok() : Status(std::move(place).TakeError());
  if (unlinkat(place->folder, place->last.c_str(), 0) == 0 || errno == ENOENT) return Ok();
  if (errno == EISDIR) return kNotFile(Shown(name));
  return kUnremoved(ShownPath(name), Reason(errno));
}

Status Folder::RemoveAll(std::string_view name) const {
  if (name.empty()) return Empty(root(), path_);
  Result<Place> place = WalkSafely(root(), {path_, name}, OnMissing::kFail);
  if (!place.ok()) return SaysMissing(place.error()) ? Ok() : Status(std::move(place).TakeError());
  const char* const last = place->last.c_str();
  if (unlinkat(place->folder, last, 0) == 0 || errno == ENOENT) return Ok();
  if (errno != EISDIR) return kUnremoved(ShownPath(name), Reason(errno));
  ASSIGN_OR_RETURN(const Owned folder, Step(place->folder, last, {path_, name}, OnMissing::kFail));
  RETURN_IF_ERROR(Empty(folder.get(), ShownPath(name)));
  if (unlinkat(place->folder, last, AT_REMOVEDIR) == 0 || errno == ENOENT) return Ok();
  return kUnremoved(ShownPath(name), Reason(errno));
}

Result<std::vector<Folder::Entry>> Folder::List(std::string_view prefix) const {
  std::vector<Entry> files;
  std::vector<std::string> folders{""};
  while (!folders.empty()) {
    const std::string name = std::move(folders.back());
    folders.pop_back();
    Result<Owned> folder = Reopen(root(), {path_, name});
    if (!folder.ok() && IsMissing(folder.error())) continue;  // removed or replaced since it was found
    RETURN_IF_ERROR(folder);
    ASSIGN_OR_RETURN(std::vector<Found> all, ReadFolder(*std::move(folder), {path_, name}));
    for (const Found& found : all) {
      std::string full = Joined(name, found.name);
      const size_t shared = std::min(prefix.size(), full.size() + 1);
      if (S_ISDIR(found.stat.st_mode) && (full + '/').substr(0, shared) == prefix.substr(0, shared)) {
        folders.push_back(std::move(full));
      } else if (S_ISREG(found.stat.st_mode) && full.starts_with(prefix)) {
        files.push_back({std::move(full), static_cast<uint64_t>(found.stat.st_size)});
      }
    }
  }
  std::sort(files.begin(), files.end(), [](const Entry& a, const Entry& b) { return a.name < b.name; });
  return files;
}

bool Folder::Has(std::string_view name) const {
  const Result<Place> place = WalkSafely(root(), {path_, name}, OnMissing::kFail);
  struct stat found;
  return place.ok() && fstatat(place->folder, place->last.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISREG(found.st_mode);
}

bool Folder::HasFolder(std::string_view name) const {
  const Result<Place> place = WalkSafely(root(), {path_, name}, OnMissing::kFail);
  return place.ok() && Owned(OpenPart(place->folder, place->last.c_str())).get() >= 0;
}

bool IsMissing(const Error& error) {
  return SaysMissing(error) || error.rule() == kNotFile.id || error.rule() == kIsLink.id;
}

int Folder::root() const { return descriptor_->owned.get(); }

std::string Folder::ShownPath(std::string_view name) const { return Called{path_, name}.full(); }

}  // namespace keyfold::files
