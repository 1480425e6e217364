#include "server/work/turn_queue.h"

namespace keyfold::server {

void TurnQueue::Enter() {
  std::unique_lock lock(mutex_);
  if (free_ > 0) {
    --free_;
    return;
  }
  Wait(lock);
}

void TurnQueue::Leave() {
  std::lock_guard lock(mutex_);
  PassOn();
}

void TurnQueue::GiveWay() {
  std::unique_lock lock(mutex_);
  if (waiting_.empty() || stopping()) return;
  PassOn();
  Wait(lock);
}

void TurnQueue::Wait(std::unique_lock<std::mutex>& lock) {
  Waiter self;
  waiting_.push_back(&self);
  self.ready.wait(lock, [&self] { return self.has_turn; });
}

void TurnQueue::PassOn() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  Waiter* const next = waiting_.front();
  waiting_.pop_front();
  next->has_turn = true;
  next->ready.notify_one();  // under the mutex: the waiter is destroyed as soon as it has the turn
}

}  // namespace keyfold::server
