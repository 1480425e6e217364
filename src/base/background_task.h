// A chore: background work on a thread of its own. It works from the state of the database alone, so that a restart
// takes it up where a crash left it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace keyfold {

// Thread-safe.
class BackgroundTask {
 public:
  // One piece of the work. Answers when to look again: at once where there may be more to do; none: not before Wake().
  using Work = std::function<std::optional<std::chrono::milliseconds>()>;

  explicit BackgroundTask(Work work);
  ~BackgroundTask();  // stops

  void Start();
  void AskToStop();  // does not wait
  void Stop();       // waits for the piece under way; a long one looks at IsStopping()
  void Wake();
  // Wakes it, and returns once it has nothing more to do at once, or has stopped; at once where it was not started.
  void Finish();
  bool IsStopping() const;

 private:
  void Run();

  const Work work_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, rest_;
  bool woken_ = false, running_ = false, stopping_ = false;  // under mutex_
  uint64_t begun_ = 0,
           rested_ = 0;  // under mutex_: pieces of work begun, and the last of them after which it could rest
  std::thread thread_;
};

}  // namespace keyfold
