// Crash-only design: after a failed log write or sync it is unknown what is on disk, and a retry may succeed without
// the data being there. So the process ends. No acknowledged write depends on the failed one, and the next start
// recovers what is on disk.
#pragma once

#include <rocksdb/status.h>

#include <cstdlib>
#include <string_view>

#include "base/log.h"

namespace keyfold::store {

inline constexpr int kExitDiskFailure = 74;  // EX_IOERR

[[noreturn]] inline void EndProcess(std::string_view what, const rocksdb::Status& status) {
  LogCritical("{} failed: {}. The process exits; acknowledged writes are safe.", what, status.ToString());
  std::_Exit(kExitDiskFailure);
}

}  // namespace keyfold::store
