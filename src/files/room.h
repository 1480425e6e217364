// Room: checked before files grow. The store keeps a reserve of its disk free, without which it could neither write its
// log nor start again. Everything else that writes files to that disk (backups, exports, sorting) checks every few
// megabytes whether there is space above the reserve. A Folder with a Room does this automatically.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"

namespace keyfold::files {

// Immutable.
struct Room {
  std::string path;  // a file or folder on the disk in question
  // Returns an error if `bytes` more must not be written. Called on any thread.
  std::function<Status(uint64_t bytes)> has;
};

// A file requests this much at a time.
inline constexpr uint64_t kRoomStepBytes = uint64_t{4} << 20;

inline constexpr Rule<"The disk is full"> kNoRoomForFile{"file-no-room", Kind::kUnavailable};

// Returns whether the error says that a disk is full, for a file or for the store.
inline bool IsNoRoom(const Error& error) {
  return error.rule() == kNoRoomForFile.id || error.rule() == "store-disk-full" || error.rule() == "store-no-room";
}

}  // namespace keyfold::files
