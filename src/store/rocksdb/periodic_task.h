// PeriodicTask: a thread that does recurring work about once a period while there is any, off the request path. While
// idle it sleeps without a timer.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <thread>

#include "base/mutex.h"

namespace keyfold::store {

// Thread-safe.
class PeriodicTask {
 public:
  // `tick` runs one period after Schedule. While it returns true, it runs again a period later.
  PeriodicTask(std::chrono::milliseconds period, std::function<bool()> tick)
      : period_(period), tick_(std::move(tick)), thread_([this] { Run(); }) {}
  ~PeriodicTask() { Stop(); }
  PeriodicTask(const PeriodicTask&) = delete;

  void Schedule() {
    if (scheduled_.load() || scheduled_.exchange(true)) return;
    { MutexLock lock(mutex_); }
    wake_.NotifyOne();
  }

  void Stop() {
    if (!thread_.joinable()) return;
    {
      MutexLock lock(mutex_);
      stop_ = true;
    }
    wake_.NotifyOne();
    thread_.join();
  }

 private:
  void Run() {
    MutexLock lock(mutex_);
    while (!stop_) {
      while (!stop_ && !scheduled_.load()) wake_.Wait(mutex_);
      const auto due = std::chrono::steady_clock::now() + period_;
      while (!stop_ && wake_.WaitUntil(mutex_, due)) {
      }
      if (stop_) return;
      scheduled_.store(false);
      lock.Unlock();
      if (tick_()) scheduled_.store(true);
      lock.Lock();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<bool()> tick_;
  std::atomic<bool> scheduled_ = false;

  Mutex mutex_;
  CondVar wake_;
  bool stop_ GUARDED_BY(mutex_) = false;

  std::thread thread_;  // last member: uses all of the above
};

}  // namespace keyfold::store
