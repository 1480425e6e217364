// BoundedQueue: a blocking queue between threads. It holds only a few elements, so that neither side gets far ahead.
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <utility>

#include "base/mutex.h"

namespace keyfold {

// Thread-safe.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t waiting_max) : waiting_max_(waiting_max) {}

  // Blocks while the queue is full. Returns false if it is closed.
  bool Put(T thing) {
    MutexLock lock(mutex_);
    while (!closed_ && waiting_.size() >= waiting_max_) room_.Wait(mutex_);
    if (closed_) return false;
    waiting_.push_back(std::move(thing));
    filled_.NotifyOne();
    return true;
  }

  // Blocks while the queue is empty. Returns nullopt if it is closed and empty.
  std::optional<T> Take() {
    MutexLock lock(mutex_);
    while (!closed_ && waiting_.empty()) filled_.Wait(mutex_);
    if (waiting_.empty()) return std::nullopt;
    T thing = std::move(waiting_.front());
    waiting_.pop_front();
    room_.NotifyOne();
    return thing;
  }

  // May be called by either side. Queued elements can still be taken.
  void Close() {
    MutexLock lock(mutex_);
    closed_ = true;
    room_.NotifyAll();
    filled_.NotifyAll();
  }

 private:
  const size_t waiting_max_;
  Mutex mutex_;
  CondVar room_, filled_;
  std::deque<T> waiting_ GUARDED_BY(mutex_);
  bool closed_ GUARDED_BY(mutex_) = false;
};

}  // namespace keyfold
