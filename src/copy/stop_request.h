// StopRequest: asks the threads of a copy to stop at the next opportunity.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/clock.h"
#include "base/error.h"

namespace keyfold::copy {

// The error of a thread that stopped on request.
inline constexpr Rule<"stopped before it was finished"> kStopped{"copy-stopped", Kind::kUnavailable};

// Thread-safe.
class StopRequest {
 public:
  void Raise() {
    const std::lock_guard lock(mutex_);
    raised_ = true;
    changed_.notify_all();
  }
  bool raised() const {
    const std::lock_guard lock(mutex_);
    return raised_;
  }
  // Sleeps until the time has passed or a stop is requested.
  void Sleep(Micros time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::microseconds(time), [this] { return raised_; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool raised_ = false;
};

}  // namespace keyfold::copy
