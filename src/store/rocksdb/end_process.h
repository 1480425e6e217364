// Crash-only: after a failed log write or sync nobody can say what is on disk, and trying again may succeed without the
// data. The process ends, nothing that was acknowledged rests on the failure, and the next start recovers what is
// there.
#pragma once

#include <rocksdb/status.h>

#include <cstdlib>
#include <string_view>

#include "base/log.h"

namespace keyfold {

inline constexpr int kExitDiskFailure = 74;  // EX_IOERR

[[noreturn]] inline void EndProcess(std::string_view what, const rocksdb::Status& status) {
  spdlog::critical("{} failed: {}. The process ends; what was acknowledged is safe.", what, status.ToString());
  spdlog::default_logger()->flush();
  std::_Exit(kExitDiskFailure);
}

}  // namespace keyfold
