// BackgroundTask: runs background work on its own thread. The work derives what to do from the state of the database
// alone, so a restart resumes it after a crash.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace keyfold {

// What work returns if there may be more to do now, and if it failed.
inline constexpr std::chrono::milliseconds kAtOnce{0}, kAfterFailure{1000};

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

  const Work work_;
  mutable std::mutex mutex_;
  std::condition_variable wake_, rest_;
  bool woken_ = false, running_ = false, stopping_ = false;  // under mutex_
  uint64_t begun_ = 0,
           rested_ = 0;  // under mutex_: number of pieces begun, and the last piece after which no work was left
  std::thread thread_;
};

}  // namespace keyfold
