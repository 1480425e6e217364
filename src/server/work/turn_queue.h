// TurnQueue: lets a limited number of threads work at a time, first come, first served. A thread that gives way goes to
// the end of the queue.
#pragma once

#include <atomic>
#include <deque>

#include "base/mutex.h"
#include "base/pace.h"

namespace keyfold::server {

// Thread-safe.
class TurnQueue final : public Turns {
 public:
  explicit TurnQueue(size_t at_once) : free_(at_once) {}

  // Holds a turn during its lifetime.
  class Turn {
   public:
    explicit Turn(TurnQueue& queue) : queue_(queue) { queue_.Enter(); }
    ~Turn() { queue_.Leave(); }
    Turn(const Turn&) = delete;

   private:
    TurnQueue& queue_;
  };

  void GiveWay() override;  // call it only with a turn
  bool stopping() const override { return stopping_.load(std::memory_order_relaxed); }
  void BeginStop() { stopping_.store(true, std::memory_order_relaxed); }
  size_t waiting() {
    MutexLock lock(mutex_);
    return waiting_.size();
  }

 private:
  struct Waiter {
    CondVar ready;
    bool has_turn = false;
  };

  void Enter();
  void Leave();
  void Wait() REQUIRES(mutex_);
  void PassOn() REQUIRES(mutex_);

  std::atomic<bool> stopping_ = false;
  Mutex mutex_;
  size_t free_ GUARDED_BY(mutex_);  // above 0 only while no thread waits
  std::deque<Waiter*> waiting_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::server
