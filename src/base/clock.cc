#include "base/clock.h"

#include <algorithm>
#include <chrono>

#include "base/check.h"

namespace keyfold {

Micros SystemClock::Now() const {
  using std::chrono::duration_cast, std::chrono::microseconds, std::chrono::system_clock;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

DatabaseClock::DatabaseClock(Mode mode, const Clock& system)
    : mode_(mode), system_(system), value_(mode == Mode::kManual ? system.Now() : 0) {}

Micros DatabaseClock::Now() const {
  const Micros value = value_.load(std::memory_order_acquire);
  return mode_ == Mode::kManual ? value : system_.Now() + value;
}

void DatabaseClock::StartFrom(Micros seen) { value_.fetch_add(std::max(Micros{0}, seen - Now())); }

bool DatabaseClock::MoveTo(Micros to) {
  CHECK(mode_ == Mode::kManual);
  Micros now = value_.load(std::memory_order_relaxed);
  while (to >= now) {
    if (value_.compare_exchange_weak(now, to)) return true;
  }
  return false;
}

void DatabaseClock::Advance(Micros by) {
  CHECK(mode_ == Mode::kManual && by >= 0);
  value_.fetch_add(by);
}

}  // namespace keyfold
