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
  // Threads are started when there is work that no other is free for. Without threads Submit itself runs the work: for
  // programs that have one thread only. `nice` is added to the threads' priority as the kernel counts it: above 0 they
  // give way to all others.
  WorkerPool(size_t threads_max, size_t queue_max, int nice = 0);
  ~WorkerPool();  // runs what is queued, then ends

  // False: the queue is full, and `work` was not taken.
  [[nodiscard]] bool Submit(std::function<void()> work);

 private:
  void Run();

  const size_t threads_max_;
  const size_t queue_max_;
  const int nice_;
  std::mutex mutex_;
  std::condition_variable ready_;
  // All under mutex_.
  std::deque<std::function<void()>> queue_;
  size_t idle_ = 0;  // threads that wait for work
  bool stopping_ = false;
  std::vector<std::thread> threads_;
};

}  // namespace keyfold
