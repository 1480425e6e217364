#include "store/rocksdb/syncer.h"

#include <algorithm>

namespace keyfold::store {

Syncer::Syncer(CommitNumber durable, bool eager, std::function<void()> sync, std::function<void()> after)
    : eager_(eager),
      sync_(std::move(sync)),
      after_(std::move(after)),
      applied_(durable),
      durable_(durable),
      thread_([this] { Run(); }) {}

void Syncer::Stop() {
  if (!thread_.joinable()) return;
  {
    MutexLock lock(mutex_);
    stop_ = true;
  }
  wake_.NotifyOne();
  thread_.join();
  if (applied() > durable()) Round();
}

void Syncer::Applied(CommitNumber number, uint64_t sequence) {
  applied_sequence_.store(sequence, std::memory_order_release);
  applied_.store(number);
}

void Syncer::Start() {
  if (!eager_) return;
  Want(applied_.load());
  // Either this load sees that the syncer sleeps, or the syncer sees the number just stored before it goes to sleep:
  // both pairs of operations are sequentially consistent.
  if (!asleep_.load() || !HasWork()) return;
  { MutexLock lock(mutex_); }
  wake_.NotifyOne();
}

void Syncer::Want(CommitNumber number) {
  CommitNumber wanted = wanted_.load();
  while (wanted < number && !wanted_.compare_exchange_weak(wanted, number)) {
  }
}

bool Syncer::HasWork() const {
  const CommitNumber durable = durable_.load(std::memory_order_relaxed);
  return std::min(wanted_.load(), applied_.load()) > durable;
}

void Syncer::Run() {
  for (;;) {
    {
      MutexLock lock(mutex_);
      asleep_.store(true);
      while (!stop_ && !HasWork()) wake_.Wait(mutex_);
      asleep_.store(false);
      if (stop_) return;
    }
    Round();
  }
}

void Syncer::Round() {
  // Both were stored after their write was in the log's buffer, so the sync that starts now covers them.
  const CommitNumber number = applied_.load(std::memory_order_acquire);
  const uint64_t sequence = applied_sequence_.load(std::memory_order_acquire);
  sync_();
  durable_sequence_.store(sequence, std::memory_order_release);
  std::vector<Waiter> ready;
  {
    MutexLock lock(mutex_);
    durable_.store(number, std::memory_order_release);
    const auto first_left = std::stable_partition(waiters_.begin(), waiters_.end(),
                                                  [&](const Waiter& waiter) { return waiter.number <= number; });
    ready.assign(std::make_move_iterator(waiters_.begin()), std::make_move_iterator(first_left));
    waiters_.erase(waiters_.begin(), first_left);
  }
  for (const Waiter& waiter : ready) waiter.done();
  after_();
}

void Syncer::WhenDurable(CommitNumber number, std::function<void()> done) {
  if (number <= durable()) return done();
  {
    MutexLock lock(mutex_);
    if (number <= durable()) {
      lock.Unlock();
      return done();
    }
    waiters_.push_back({number, std::move(done)});
    if (eager_) return;
    Want(number);
  }
  wake_.NotifyOne();
}

}  // namespace keyfold::store
