// Threads for work that may wait: reads from disk, long scans, batches. The queue is bounded.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

namespace keyfold {

// Thread-safe.
class WorkerPool {
 public:
  // Without threads Submit itself runs the work: for programs that have one thread only.
  WorkerPool(size_t threads, size_t queue_max);
  ~WorkerPool();  // runs what is queued, then ends

  // False: the queue is full, and `work` was not taken.
  [[nodiscard]] bool Submit(std::function<void()> work);

 private:
  void Run();

  const size_t queue_max_;
  std::mutex mutex_;
  std::condition_variable ready_;
  std::deque<std::function<void()>> queue_;  // under mutex_
  bool stopping_ = false;                    // under mutex_
  std::vector<std::thread> threads_;
};

}  // namespace keyfold
