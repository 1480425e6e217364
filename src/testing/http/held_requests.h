// Held: a handler that keeps requests until a test responds to them.
#pragma once

#include <condition_variable>
#include <deque>
#include <mutex>
#include <utility>

#include "http/server.h"

namespace keyfold::http {

// Thread-safe. Must outlive its server.
class Held {
 public:
  Handler handler() {
    return [this](Request&, Responder responder) {
      const std::lock_guard lock(mutex_);
      held_.push_back(std::move(responder));
      arrived_.notify_all();
    };
  }
  Responder Take() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !held_.empty(); });
    Responder responder = std::move(held_.front());
    held_.pop_front();
    return responder;
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Responder> held_;
};

}  // namespace keyfold::http
