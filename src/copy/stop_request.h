// StopRequest: asks the threads of a copy to stop at the next opportunity.
#pragma once

#include <chrono>

#include "base/clock.h"
#include "base/error.h"
#include "base/mutex.h"

namespace keyfold::copy {

// The error of a thread that stopped on request.
inline constexpr Rule<"stopped before it was finished"> kStopped{"copy-stopped", Kind::kUnavailable};

// Thread-safe.
class StopRequest {
 public:
  void Raise() {
    MutexLock lock(mutex_);
    raised_ = true;
    changed_.NotifyAll();
  }
  bool raised() const {
    MutexLock lock(mutex_);
    return raised_;
  }
  // Sleeps until the time has passed or a stop is requested.
  void Sleep(Micros time) {
    const auto end = std::chrono::steady_clock::now() + std::chrono::microseconds(time);
    MutexLock lock(mutex_);
    while (!raised_ && changed_.WaitUntil(mutex_, end)) {
    }
  }

 private:
  mutable Mutex mutex_;
  CondVar changed_;
  bool raised_ GUARDED_BY(mutex_) = false;
};

}  // namespace keyfold::copy
