#include "base/background_task.h"

#include <utility>

namespace keyfold {

BackgroundTask::BackgroundTask(Work work) : work_(std::move(work)) {}

BackgroundTask::~BackgroundTask() { Stop(); }

void BackgroundTask::Start() {
  {
    std::lock_guard lock(mutex_);
    running_ = true;
  }
  thread_ = std::thread([this] { Run(); });
}

void BackgroundTask::AskToStop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  rest_.notify_all();
}

void BackgroundTask::Stop() {
  AskToStop();
  if (thread_.joinable()) thread_.join();
}

void BackgroundTask::Wake() {
  {
    std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_all();
}

void BackgroundTask::Finish() {
  std::unique_lock lock(mutex_);
  const uint64_t piece = begun_ + 1;  // the current one may have run before the caller created work
  woken_ = true;
  wake_.notify_all();
  rest_.wait(lock, [&] { return rested_ >= piece || stopping_ || !running_; });
}

bool BackgroundTask::IsStopping() const {
  std::lock_guard lock(mutex_);
  return stopping_;
}

void BackgroundTask::Run() {
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    const uint64_t piece = ++begun_;
    lock.unlock();
    const std::optional<std::chrono::milliseconds> rest = work_();
    lock.lock();
    if (rest != std::chrono::milliseconds(0)) {
      rested_ = piece;
      rest_.notify_all();
    }
    const auto due = [this] { return woken_ || stopping_; };
    rest ? void(wake_.wait_for(lock, *rest, due)) : wake_.wait(lock, due);
    woken_ = false;
  }
}

}  // namespace keyfold
