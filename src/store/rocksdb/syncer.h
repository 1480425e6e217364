// Syncer: the thread that syncs the log for all waiting requests at once. A round starts as soon as one is requested
// and covers everything applied by then; commits that arrive during a round are covered by the next one. So a lone
// writer waits for one sync, and many writers share one: the slower the disk, the larger the group. A thread requests a
// sync after applying all the writes it has, not after each commit, and nothing is synced without a request: a sync
// costs as much CPU time as two writes.
#pragma once

#include <atomic>
#include <functional>
#include <thread>
#include <vector>

#include "base/mutex.h"
#include "store/store.h"

namespace keyfold::store {

// Thread-safe.
class Syncer {
 public:
  // `sync` puts everything applied before the call on disk, and does not return if it fails. `after` runs after each
  // round. If not `eager`, a round starts only when a caller waits for it.
  Syncer(CommitNumber durable, bool eager, std::function<void()> sync, std::function<void()> after);
  ~Syncer() { Stop(); }
  Syncer(const Syncer&) = delete;
  // Stops after a last round. Nothing may be applied from then on.
  void Stop();

  // Called in the log-order section, after the write is in the log's buffer.
  void Applied(CommitNumber number, uint64_t sequence);
  // Requests a round for what was applied. Must not be called in the log-order section, because it may wake the thread.
  // Does nothing if not eager.
  void Start();

  CommitNumber applied() const { return applied_.load(std::memory_order_acquire); }
  CommitNumber durable() const { return durable_.load(std::memory_order_acquire); }
  uint64_t durable_sequence() const { return durable_sequence_.load(std::memory_order_acquire); }

  void WhenDurable(CommitNumber number, std::function<void()> done);

 private:
  struct Waiter {
    CommitNumber number;
    std::function<void()> done;
  };

  void Run();
  void Round();
  void Want(CommitNumber number);  // thread-safe
  bool HasWork() const;

  const bool eager_;
  const std::function<void()> sync_;
  const std::function<void()> after_;

  std::atomic<CommitNumber> applied_;
  std::atomic<uint64_t> applied_sequence_ = 0;
  std::atomic<CommitNumber> durable_;
  std::atomic<uint64_t> durable_sequence_ = 0;
  std::atomic<CommitNumber> wanted_ = 0;
  std::atomic<bool> asleep_ = false;

  Mutex mutex_;
  CondVar wake_;
  std::vector<Waiter> waiters_ GUARDED_BY(mutex_);
  bool stop_ GUARDED_BY(mutex_) = false;

  std::thread thread_;  // last member: uses all of the above
};

}  // namespace keyfold::store
