// Interruption: ^C and its like, turned into a StopRequest. While one lives they do not end the process; once one came,
// the next does, as ever.
#pragma once

#include <atomic>
#include <csignal>
#include <thread>

#include "copy/stop_request.h"

namespace keyfold {

// Thread-safe; made before other threads are, which inherit what it holds back. The sign is borrowed.
class Interruption {
 public:
  // Holds SIGINT, SIGTERM and SIGHUP back, except those that the process was started to ignore (nohup).
  explicit Interruption(StopRequest& stop);
  ~Interruption();  // and lets them through again
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

}  // namespace keyfold
