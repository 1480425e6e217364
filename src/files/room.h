// Room: what is asked before files grow. The store keeps a reserve of its disk free, without which it could neither
// write its log nor start again. Everything else that writes files to that disk (backups, exports, what is being
// sorted) asks every few megabytes whether there is room above the reserve. A Folder that has a Room does that by
// itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "base/error.h"

namespace keyfold {

// Immutable.
struct Room {
  std::string path;  // a file or folder on the disk that it speaks of
  // An error where `bytes` more may not be written. Called on any thread.
  std::function<Status(uint64_t bytes)> has;
};

// A file asks for this much at a time.
inline constexpr uint64_t kRoomStepBytes = uint64_t{4} << 20;

inline constexpr Rule<"The disk is full"> kNoRoomForFile{"file-no-room", Kind::kUnavailable};

// The error says that a disk is full: of a file, or of the store.
inline bool IsNoRoom(const Error& error) {
  return error.rule() == kNoRoomForFile.id || error.rule() == "store-disk-full" || error.rule() == "store-no-room";
}

}  // namespace keyfold
