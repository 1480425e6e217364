// Syncer: the one thread that puts the log on disk, for everyone waiting at once. It starts as soon as it is asked and
// takes along whatever was applied by then; what comes in meanwhile goes with the next round. So a lone writer waits
// for one sync, and many writers share one: the group is as large as the disk is slow. A thread asks when it has
// applied all it has at hand, not after each commit, and nothing is synced that nobody has asked for: a sync costs the
// processor as much as two writes do.
#pragma once

#include <atomic>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "store/store.h"

namespace keyfold {

// Thread-safe.
class Syncer {
 public:
  // `sync` puts everything applied before it was called on disk; it does not return if it fails. `after` runs after
  // each round. Not eager: a round starts only when somebody waits for it.
  Syncer(CommitNumber durable, bool eager, std::function<void()> sync, std::function<void()> after);
  ~Syncer() { Stop(); }
  Syncer(const Syncer&) = delete;
  // After a last round. Nothing may be applied any more.
  void Stop();

  // From the thread in the log-order section, after the write is in the log's buffer.
  void Applied(CommitNumber number, uint64_t sequence);
  // A round for what was applied; not from within the log-order section, as it may wake the thread. Not eager: nothing.
  void Start();

  CommitNumber applied() const { return applied_.load(std::memory_order_acquire); }
  CommitNumber durable() const { return durable_.load(std::memory_order_acquire); }
  uint64_t durable_sequence() const { return durable_sequence_.load(std::memory_order_acquire); }

  void WhenDurable(CommitNumber number, std::function<void()> done);
  void WaitUntilDurable(CommitNumber number);

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

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Waiter> waiters_;
  bool stop_ = false;

  std::thread thread_;  // last: it uses all of the above
};

}  // namespace keyfold
