// CopyPace: how fast a copy may write, all its threads together.
#pragma once

#include <cstdint>
#include <mutex>

#include "base/clock.h"

namespace keyfold {

// A second; 0: no limit.
struct RateLimits {
  uint64_t items = 0;
  uint64_t bytes = 0;
};

// Thread-safe. Hands out times one behind the other, so that no second sees more than the limit, whatever came before:
// time that nobody used is not saved up.
class CopyPace {
 public:
  CopyPace(RateLimits limits, const Clock& clock) : limits_(limits), clock_(clock) {}

  // How long to wait before so much is written. The place is taken: whoever asks next waits until it is over.
  Micros Take(uint64_t items, uint64_t bytes);

 private:
  const RateLimits limits_;
  const Clock& clock_;
  std::mutex mutex_;
  Micros free_from_ = 0;
};

}  // namespace keyfold
