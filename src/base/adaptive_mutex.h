// AdaptiveMutex: a mutex for short, contended critical sections of a few microseconds. A waiter spins for about that
// long before it sleeps, because a sleep and a wake-up cost both threads more.
#pragma once

#include <atomic>
#include <cstdint>

#include "base/thread_annotations.h"

namespace keyfold {

// Called while spinning: lets the core's other hardware thread run.
inline void PauseThread() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Thread-safe. Used with MutexLock (base/mutex.h).
class CAPABILITY("mutex") AdaptiveMutex {
 public:
  AdaptiveMutex() = default;
  AdaptiveMutex(const AdaptiveMutex&) = delete;

  void lock() ACQUIRE() {
    for (int looks = 0; looks < kLooksMax; ++looks) {
      if (TryLock()) return;
      PauseThread();
    }
    // Marks the lock as awaited even if no other thread waits: a superfluous wake-up does no harm.
    while (state_.exchange(kAwaited, std::memory_order_acquire) != kFree) {
      state_.wait(kAwaited, std::memory_order_relaxed);
    }
  }

  void unlock() RELEASE() {
    if (state_.exchange(kFree, std::memory_order_release) == kAwaited) state_.notify_one();
  }

 private:
  static constexpr int kLooksMax = 1000;
  static constexpr uint32_t kFree = 0, kTaken = 1, kAwaited = 2;

  bool TryLock() {
    uint32_t free = kFree;
    return state_.load(std::memory_order_relaxed) == kFree &&
           state_.compare_exchange_weak(free, kTaken, std::memory_order_acquire, std::memory_order_relaxed);
  }

  std::atomic<uint32_t> state_ = kFree;
};

}  // namespace keyfold
