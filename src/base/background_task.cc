#include "base/background_task.h"

#include <utility>

namespace keyfold {

BackgroundTask::BackgroundTask(Work work) : work_(std::move(work)) {}

BackgroundTask::~BackgroundTask() { Stop(); }

void BackgroundTask::Start() {
  {
    MutexLock lock(mutex_);
    running_ = true;
  }
  thread_ = std::thread([this] { Run(); });
}

void BackgroundTask::AskToStop() {
  {
    MutexLock lock(mutex_);
    stopping_ = true;
  }
  wake_.NotifyAll();
  rest_.NotifyAll();
}

void BackgroundTask::Stop() {
  AskToStop();
  if (thread_.joinable()) thread_.join();
}

void BackgroundTask::Wake() {
  {
    MutexLock lock(mutex_);
    woken_ = true;
  }
  wake_.NotifyAll();
}

void BackgroundTask::Finish() {
  MutexLock lock(mutex_);
  const uint64_t piece = begun_ + 1;  // the current one may have run before the caller created work
  woken_ = true;
  wake_.NotifyAll();
  while (rested_ < piece && !stopping_ && running_) rest_.Wait(mutex_);
}

bool BackgroundTask::IsStopping() const {
  MutexLock lock(mutex_);
  return stopping_;
}

void BackgroundTask::Run() {
  MutexLock lock(mutex_);
  while (!stopping_) {
    const uint64_t piece = ++begun_;
    lock.Unlock();
    const std::optional<std::chrono::milliseconds> rest = work_();
    lock.Lock();
    if (rest != std::chrono::milliseconds(0)) {
      rested_ = piece;
      rest_.NotifyAll();
    }
    Rest(rest);
    woken_ = false;
  }
}

void BackgroundTask::Rest(std::optional<std::chrono::milliseconds> rest) {
  const auto end = std::chrono::steady_clock::now() + rest.value_or(std::chrono::milliseconds(0));
  while (!woken_ && !stopping_) {
    if (!rest) {
      wake_.Wait(mutex_);
    } else if (!wake_.WaitUntil(mutex_, end)) {
      return;
    }
  }
}

}  // namespace keyfold
