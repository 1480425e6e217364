// PeriodicTask: a thread that does recurring work about once a period while there is any, off the request path. While
// idle it sleeps without a timer.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>

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
    { std::lock_guard lock(mutex_); }
    wake_.notify_one();
  }

  void Stop() {
    if (!thread_.joinable()) return;
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_one();
    thread_.join();
  }

 private:
  void Run() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
      wake_.wait(lock, [this] { return stop_ || scheduled_.load(); });
      if (wake_.wait_for(lock, period_, [this] { return stop_; })) return;
      scheduled_.store(false);
      lock.unlock();
      if (tick_()) scheduled_.store(true);
      lock.lock();
    }
  }

  const std::chrono::milliseconds period_;
  const std::function<bool()> tick_;
  std::atomic<bool> scheduled_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  bool stop_ = false;

  std::thread thread_;  // last member: uses all of the above
};

}  // namespace keyfold::store
