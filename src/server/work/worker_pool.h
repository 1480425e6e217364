// Threads for work that may block: reads from disk, long scans, batches. The queue is bounded.
#pragma once

#include <deque>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace keyfold::server {

// Thread-safe.
class WorkerPool {
 public:
  // Threads are started when there is work and no thread is free. With 0 threads, Submit runs the work itself, for
  // single-threaded programs. `nice` is the threads' nice value: above 0 they yield to all others.
  WorkerPool(size_t threads_max, size_t queue_max, int nice = 0);
  ~WorkerPool();  // runs the queued work, then ends

  // Returns false if the queue is full; `work` was not taken.
  [[nodiscard]] bool Submit(std::function<void()> work);

 private:
  void Run();

  const size_t threads_max_;
  const size_t queue_max_;
  const int nice_;
  Mutex mutex_;
  CondVar ready_;
  std::deque<std::function<void()>> queue_ GUARDED_BY(mutex_);
  size_t idle_ GUARDED_BY(mutex_) = 0;  // threads that wait for work
  bool stopping_ GUARDED_BY(mutex_) = false;
  std::vector<std::thread> threads_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::server
