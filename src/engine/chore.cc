#include "engine/chore.h"

#include <utility>

namespace keyfold {

Chore::Chore(Work work) : work_(std::move(work)) {}

Chore::~Chore() { Stop(); }

void Chore::Start() {
  thread_ = std::thread([this] { Run(); });
}

void Chore::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void Chore::Wake() {
  {
    std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_all();
}

bool Chore::IsStopping() const {
  std::lock_guard lock(mutex_);
  return stopping_;
}

void Chore::Run() {
  while (!IsStopping()) {
    const std::optional<std::chrono::milliseconds> rest = work_();
    std::unique_lock lock(mutex_);
    const auto due = [this] { return woken_ || stopping_; };
    rest ? void(wake_.wait_for(lock, *rest, due)) : wake_.wait(lock, due);
    woken_ = false;
  }
}

}  // namespace keyfold
