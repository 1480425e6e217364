// StopRequest: asks the threads of a copy to end at the next place where they can.
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>

#include "base/clock.h"
#include "base/error.h"

namespace keyfold {

// What a thread that heeded the sign ends with.
inline constexpr Rule<"stopped before the end"> kStopped{"copy-stopped", Kind::kUnavailable};

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
  // Lets time pass; less of it where the sign is raised.
  void Sleep(Micros time) {
    std::unique_lock lock(mutex_);
    changed_.wait_for(lock, std::chrono::microseconds(time), [this] { return raised_; });
  }

 private:
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  bool raised_ = false;
};

}  // namespace keyfold
