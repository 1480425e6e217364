// BoundedQueue: a blocking queue between threads. It holds only a few elements, so that neither side gets far ahead.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <mutex>
#include <optional>
#include <utility>

namespace keyfold {

// Thread-safe.
template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(size_t waiting_max) : waiting_max_(waiting_max) {}

  // Blocks while the queue is full. Returns false if it is closed.
  bool Put(T thing) {
    std::unique_lock lock(mutex_);
    room_.wait(lock, [this] { return closed_ || waiting_.size() < waiting_max_; });
    if (closed_) return false;
    waiting_.push_back(std::move(thing));
    filled_.notify_one();
    return true;
  }

  // Blocks while the queue is empty. Returns nullopt if it is closed and empty.
  std::optional<T> Take() {
    std::unique_lock lock(mutex_);
    filled_.wait(lock, [this] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    T thing = std::move(waiting_.front());
    waiting_.pop_front();
    room_.notify_one();
    return thing;
  }

  // May be called by either side. Queued elements can still be taken.
  void Close() {
    std::lock_guard lock(mutex_);
    closed_ = true;
    room_.notify_all();
    filled_.notify_all();
  }

 private:
  const size_t waiting_max_;
  std::mutex mutex_;  // guards the members below
  std::condition_variable room_, filled_;
  std::deque<T> waiting_;
  bool closed_ = false;
};

}  // namespace keyfold
