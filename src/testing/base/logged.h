// Captures the log while a test runs.
#pragma once

#include <string>
#include <string_view>

#include "base/log.h"
#include "base/mutex.h"

namespace keyfold {

// Receives what is logged during its lifetime, a line each: the level and the message. Any thread may log.
class Logged {
 public:
  Logged() { SetLogSink(&Append, this); }
  ~Logged() { SetLogSink(nullptr, nullptr); }
  Logged(const Logged&) = delete;
  Logged& operator=(const Logged&) = delete;

  std::string text() const {
    MutexLock lock(mutex_);
    return text_;
  }
  size_t Warnings() const {
    size_t count = 0;
    const std::string logged = text();
    for (size_t at = 0; (at = logged.find("warning ", at)) != std::string::npos; ++at) ++count;
    return count;
  }

 private:
  static void Append(void* self, std::string_view line) {
    Logged& logged = *static_cast<Logged*>(self);
    MutexLock lock(logged.mutex_);
    logged.text_ += line;
  }

  mutable Mutex mutex_;
  std::string text_ GUARDED_BY(mutex_);
};

}  // namespace keyfold
