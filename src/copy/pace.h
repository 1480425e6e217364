// CopyPace: the rate limit of a copy, for all its threads together.
#pragma once

#include <cstdint>

#include "base/clock.h"
#include "base/mutex.h"

namespace keyfold::copy {

// Per second; 0: no limit.
struct RateLimits {
  uint64_t items = 0;
  uint64_t bytes = 0;
};

// Thread-safe. Assigns consecutive time slots, so that no second exceeds the limit. Unused time is not saved up.
class CopyPace {
 public:
  CopyPace(RateLimits limits, const Clock& clock) : limits_(limits), clock_(clock) {}

  // Reserves a time slot for that much data and returns how long to wait before writing it. The next caller waits until
  // the slot is over.
  Micros Take(uint64_t items, uint64_t bytes);

 private:
  const RateLimits limits_;
  const Clock& clock_;
  Mutex mutex_;
  Micros free_from_ GUARDED_BY(mutex_) = 0;
};

}  // namespace keyfold::copy
