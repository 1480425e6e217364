// Interruption: turns ^C and similar signals into a StopRequest. During its lifetime the first signal does not end the
// process; the next one does, as usual.
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

#include "copy/stop_request.h"

namespace keyfold::copy {

// Thread-safe. Create it before other threads, which inherit its signal mask. Borrows the StopRequest.
class Interruption {
 public:
  // Blocks SIGINT, SIGTERM and SIGHUP, except those that the process was started to ignore (nohup).
  explicit Interruption(StopRequest& stop);
  ~Interruption();  // unblocks them again
  Interruption(const Interruption&) = delete;
  Interruption& operator=(const Interruption&) = delete;

  bool came() const { return came_; }

 private:
  void Watch();

  StopRequest& stop_;
  sigset_t signals_{};
  sigset_t before_{};
  std::atomic<bool> came_ = false;
  std::atomic<bool> ending_ = false;
  std::thread watcher_;
};

}  // namespace keyfold::copy
