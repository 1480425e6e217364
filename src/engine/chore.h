// A chore: background work on a thread of its own. It works from the state of the database alone, so that a restart
// takes it up where a crash left it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>

namespace keyfold {

// Thread-safe.
class Chore {
 public:
  // One piece of the work. Answers when to look again: at once where there may be more to do; none: not before Wake().
  using Work = std::function<std::optional<std::chrono::milliseconds>()>;

  explicit Chore(Work work);
  ~Chore();  // stops

  void Start();
  void Stop();  // waits for the piece under way; a long one looks at IsStopping()
  void Wake();
  bool IsStopping() const;

 private:
  void Run();

  const Work work_;
  mutable std::mutex mutex_;
  std::condition_variable wake_;
  bool woken_ = false, stopping_ = false;  // under mutex_
  std::thread thread_;
};

}  // namespace keyfold
