// What the jobs of exports and imports have in common: their ids, how long they are remembered, and when their
// background threads work again.
#pragma once

#include <fmt/format.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/random.h"

namespace keyfold::transfer {

// What a step of a job's background thread returns after a success and after a failure.
inline constexpr std::chrono::milliseconds kAtOnce{0}, kRetry{1000};

inline constexpr Micros kTokenLife = 8 * kHour;  // within which a client's token returns its job again
inline constexpr Micros kJobLife = 90 * kDay;    // within which a job that has ended is remembered

// The FailureCode of a job that found no room on the disk.
inline constexpr std::string_view kDiskFullCode = "DiskFull";

// The random part of what jobs are named by. Thread-safe.
class JobIds {
 public:
  explicit JobIds(uint64_t seed) : random_(seed) {}

  uint64_t NextRandom() {
    MutexLock lock(mutex_);
    return random_.Next();
  }
  // Ids sort by time: "01700000000000-0badf00d".
  std::string MakeId(Micros started) {
    return fmt::format("{:014}-{:08x}", started / kMillisecond, static_cast<uint32_t>(NextRandom()));
  }

 private:
  Mutex mutex_;
  Random random_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::transfer
