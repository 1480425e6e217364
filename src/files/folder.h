// Folder: a folder of the machine and what is below it. Names are relative ("a/b") and are walked part by part from
// the open folder without following links, so that nothing outside of it can be named, whatever the name: empty parts,
// "." and "..", absolute names, NUL and parts of more than 255 bytes are refused, and so are links and whatever else is
// neither a file nor a folder (all Kind::kValidation, without the folder's path). What the machine fails at is
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

namespace keyfold {

// An open file. One thread at a time. Closed with the object.
class File {
 public:
  File(File&& other) noexcept;
  File& operator=(File&& other) noexcept;
  ~File();

  // At the end of what was written so far. kNoRoomForFile, or what the folder's Room says, where the disk is full.
  Status Write(std::string_view bytes);
  // On disk when it returns; a new file under its name, too.
  Status Sync();
  // From where the last one ended; 0: the end of the file.
  Result<size_t> Read(char* to, size_t bytes_max);
  Result<uint64_t> Size() const;
  const std::string& name() const { return name_; }  // as people know it: the folder's path and the name in it

 private:
  friend class Folder;
  File(int descriptor, int folder, std::string name, std::shared_ptr<const Room> room = nullptr);

  int descriptor_;
  int folder_;  // where a new file's name is, until it is synced; -1: none
  std::string name_;
  std::shared_ptr<const Room> room_;  // null: nobody is asked
  uint64_t granted_ = 0;              // bytes that may be written before it is asked again
};

// Immutable; thread-safe.
class Folder {
 public:
  struct Entry {
    std::string name;  // below the folder, parts parted by '/'
    uint64_t bytes = 0;
  };

  // kOwner: what is made here is as private as the process's umask says. kShared: as private as the umask says that the
  // process was started with (files/file_modes.h).
  enum class For : uint8_t { kOwner, kShared };

  // Made, with its parents, where it is not there.
  static Result<Folder> Open(const std::string& path, For whom = For::kOwner);
  // The same folder, whose new files, and those of folders below it, ask for room as they grow. Where `room` is null,
  // or speaks of another disk, nobody is asked.
  Folder WithRoom(std::shared_ptr<const Room> room) const;
  // Whether files may grow by so much.
  Status HasRoom(uint64_t bytes) const;
  // One below this; made where it is not there.
  Result<Folder> Below(std::string_view name) const;

  Result<File> OpenToRead(std::string_view name) const;
  // With the folders on the way; refuses one that is there. To be written only.
  Result<File> CreateNew(std::string_view name) const;
  // A file or a folder. Replaces a file `to`, and makes the folders on the way to it. With Sync of its folder, so that
  // it is there after a power cut.
  Status Rename(std::string_view from, std::string_view to) const;
  // What is not there is no error, in both. A link is removed itself.
  Status Remove(std::string_view name) const;     // a file
  Status RemoveAll(std::string_view name) const;  // a folder, with all below it; "": all below this one
  // The files below, ascending by name (as bytes of the whole name), whose names start with `prefix`. No links.
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

// The error says that there is no such file, or that what is there is no plain file.
bool IsMissing(const Error& error);

}  // namespace keyfold
