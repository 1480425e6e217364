#include "server/work/worker_pool.h"

#include <sys/resource.h>
#include <unistd.h>

namespace keyfold::server {

WorkerPool::WorkerPool(size_t threads_max, size_t queue_max, int nice)
    : threads_max_(threads_max), queue_max_(queue_max), nice_(nice) {}

WorkerPool::~WorkerPool() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  ready_.NotifyAll();
  for (std::thread& t : threads_) t.join();
}

bool WorkerPool::Submit(std::function<void()> work) {
  if (threads_max_ == 0) {
    work();
    return true;
  }
  {
    MutexLock lock(mutex_);
    if (queue_.size() >= queue_max_) return false;
    queue_.push_back(std::move(work));
    if (idle_ < queue_.size() && threads_.size() < threads_max_) threads_.emplace_back([this] { Run(); });
  }
  ready_.NotifyOne();
  return true;
}

void WorkerPool::Run() {
  // On Linux this sets the priority of the thread.
  if (nice_ != 0) setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice_);
  while (true) {
    std::function<void()> work;
    {
      MutexLock lock(mutex_);
      ++idle_;
      while (!stopping_ && queue_.empty()) ready_.Wait(mutex_);
      --idle_;
      if (queue_.empty()) return;
      work = std::move(queue_.front());
      queue_.pop_front();
    }
    work();
  }
}

}  // namespace keyfold::server
