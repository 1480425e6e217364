// Held: a handler that keeps requests until a test responds to them.
#pragma once

#include <deque>
#include <utility>

#include "base/mutex.h"
#include "http/server.h"

namespace keyfold::http {

// Thread-safe. Must outlive its server.
class Held {
 public:
  Handler handler() {
    return [this](Request&, Responder responder) {
      const MutexLock lock(mutex_);
      held_.push_back(std::move(responder));
      arrived_.NotifyAll();
    };
  }
  Responder Take() {
    const MutexLock lock(mutex_);
    while (held_.empty()) arrived_.Wait(mutex_);
    Responder responder = std::move(held_.front());
    held_.pop_front();
    return responder;
  }

 private:
  Mutex mutex_;
  CondVar arrived_;
  std::deque<Responder> held_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::http
