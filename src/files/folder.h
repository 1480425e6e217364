// Folder: a directory handle that names cannot escape. Names are relative ("a/b") and are resolved part by part from
// the open folder without following links, so no name can refer to anything outside it. Empty parts, "." and "..",
// absolute names, NUL and parts of more than 255 bytes are refused, and so are links and anything else that is neither
// a file nor a folder (all Kind::kValidation, without the folder's path). Failures of the operating system are
// Kind::kInternal.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "files/room.h"

namespace keyfold::files {

// An open file, closed by the destructor. Used by one thread at a time.
class File {
 public:
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  // Appends `bytes` to what was written so far. If the disk is full, returns kNoRoomForFile or the error of the
  // folder's Room.
  Status Write(std::string_view bytes);
  // The content, and the name of a new file, are on disk when this returns.
  Status Sync();
  // Reads on from where the last Read ended. Returns the number of bytes; 0 at the end of the file.
  Result<size_t> Read(char* to, size_t bytes_max);
  Result<uint64_t> Size() const;
  const std::string& name() const { return name_; }  // for messages: the folder's path and the name in it

 private:
  friend class Folder;
  File(int descriptor, int folder, std::string name, std::shared_ptr<const Room> room = nullptr);

  int descriptor_;
  int folder_;  // the folder of a new file's name, until it is synced; else -1
  std::string name_;
  std::shared_ptr<const Room> room_;  // null: no check for space
  uint64_t granted_ = 0;              // bytes that may be written before the next check
};

// Immutable; thread-safe.
class Folder {
 public:
  struct Entry {
    std::string name;  // relative to the folder, parts separated by '/'
    uint64_t bytes = 0;
  };

  // kOwner: what is created here is as private as the process's umask requires. kShared: as private as the umask that
  // the process was started with requires (files/file_modes.h).
  enum class For : uint8_t { kOwner, kShared };

  // Opens the folder, and creates it and its parents if they do not exist.
  static Result<Folder> Open(const std::string& path, For whom = For::kOwner);
  // Returns the same folder with a limit: its new files, and those of folders below it, check `room` as they grow. If
  // `room` is null or belongs to another disk, there are no checks.
  Folder WithRoom(std::shared_ptr<const Room> room) const;
  // Returns an error if files must not grow by `bytes`.
  Status HasRoom(uint64_t bytes) const;
  // Opens the folder `name` below this one, and creates it if it does not exist.
  Result<Folder> Below(std::string_view name) const;

  Result<File> OpenToRead(std::string_view name) const;
  // Creates the file, for writing only, and the folders on the way to it. Returns an error if it exists.
  Result<File> CreateNew(std::string_view name) const;
  // Renames a file or a folder. Replaces the file `to` if there is one, and creates the folders on the way to it. Syncs
  // the folder of `to`, so that the new name survives a power cut.
  Status Rename(std::string_view from, std::string_view to) const;
  // For both, a missing name is not an error, and a link itself is removed, not its target.
  Status Remove(std::string_view name) const;     // a file
  Status RemoveAll(std::string_view name) const;  // a folder with everything below it; "": everything below this one
  // The files below this folder whose names start with `prefix`, in ascending byte order of the whole name. No links.
  Result<std::vector<Entry>> List(std::string_view prefix) const;
  bool Has(std::string_view name) const;        // a file
  bool HasFolder(std::string_view name) const;  // a folder

  const std::string& path() const { return path_; }

 private:
  struct Descriptor;
  Folder(std::shared_ptr<const Descriptor> descriptor, std::string path, For whom,
         std::shared_ptr<const Room> room = nullptr);
  int root() const;
  std::string ShownPath(std::string_view name) const;

  std::shared_ptr<const Descriptor> descriptor_;
  std::string path_;
  For for_;
  std::shared_ptr<const Room> room_;
};

// Returns whether the error says that there is no such file, or that the name is not a plain file.
bool IsMissing(const Error& error);

}  // namespace keyfold::files
