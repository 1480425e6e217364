#include "server/work/turn_queue.h"

namespace keyfold::server {

void TurnQueue::Enter() {
  MutexLock lock(mutex_);
  if (free_ > 0) {
    --free_;
    return;
  }
  Wait();
}

void TurnQueue::Leave() {
  MutexLock lock(mutex_);
  PassOn();
}

void TurnQueue::GiveWay() {
  MutexLock lock(mutex_);
  if (waiting_.empty() || stopping()) return;
  PassOn();
  Wait();
}

void TurnQueue::Wait() {
  Waiter self;
  waiting_.push_back(&self);
  while (!self.has_turn) self.ready.Wait(mutex_);
}

void TurnQueue::PassOn() {
  if (waiting_.empty()) {
    ++free_;
    return;
  }
  Waiter* const next = waiting_.front();
  waiting_.pop_front();
  next->has_turn = true;
  next->ready.NotifyOne();  // under the mutex: the waiter is destroyed as soon as it has the turn
}

}  // namespace keyfold::server
