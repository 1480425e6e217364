// TurnQueue: lets a few of many threads work at a time, in the order in which they came. A thread that gives way stands
// behind all who wait.
#pragma once

#include <atomic>
#include <condition_variable>
#include <deque>
#include <mutex>

#include "base/pace.h"

namespace keyfold {

// Thread-safe.
class TurnQueue final : public Turns {
 public:
  explicit TurnQueue(size_t at_once) : free_(at_once) {}

  // A turn, while it lives.
  class Turn {
   public:
    explicit Turn(TurnQueue& queue) : queue_(queue) { queue_.Enter(); }
    ~Turn() { queue_.Leave(); }
    Turn(const Turn&) = delete;

   private:
    TurnQueue& queue_;
  };

  void GiveWay() override;  // only with a turn
  bool stopping() const override { return stopping_.load(std::memory_order_relaxed); }
  void BeginStop() { stopping_.store(true, std::memory_order_relaxed); }
  size_t waiting() {
    std::lock_guard lock(mutex_);
    return waiting_.size();
  }

 private:
  struct Waiter {
    std::condition_variable ready;
    bool has_turn = false;
  };

  void Enter();
  void Leave();
  // Both need mutex_.
  void Wait(std::unique_lock<std::mutex>& lock);
  void PassOn();

  std::atomic<bool> stopping_ = false;
  std::mutex mutex_;
  size_t free_;  // under mutex_, as the next; above 0 only while nobody waits
  std::deque<Waiter*> waiting_;
};

}  // namespace keyfold
