// BackgroundTask: runs background work on its own thread. The work derives what to do from the state of the database
// alone, so a restart resumes it after a crash.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <thread>

#include "base/mutex.h"

namespace keyfold {

// Thread-safe.
class BackgroundTask {
 public:
  // Does one piece of the work. Returns when to run again: 0 if there may be more to do now, nullopt if only after
  // Wake().
  using Work = std::function<std::optional<std::chrono::milliseconds>()>;

  explicit BackgroundTask(Work work);
  ~BackgroundTask();  // stops

  void Start();
  void AskToStop();  // does not wait
  void Stop();       // waits for the current piece; a long one should check IsStopping()
  void Wake();
  // Wakes the task, and returns as soon as it has nothing more to do now or has stopped. Returns at once if it was not
  // started.
  void Finish();
  bool IsStopping() const;

 private:
  void Run();
  // Waits until the next piece is due: after `rest`, or when the task is woken or stopped.
  void Rest(std::optional<std::chrono::milliseconds> rest) REQUIRES(mutex_);

  const Work work_;
  mutable Mutex mutex_;
  CondVar wake_, rest_;
  bool woken_ GUARDED_BY(mutex_) = false;
  bool running_ GUARDED_BY(mutex_) = false;
  bool stopping_ GUARDED_BY(mutex_) = false;
  uint64_t begun_ GUARDED_BY(mutex_) = 0;   // number of pieces begun
  uint64_t rested_ GUARDED_BY(mutex_) = 0;  // the last piece after which no work was left
  std::thread thread_;
};

}  // namespace keyfold
