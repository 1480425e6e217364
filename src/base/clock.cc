#include "base/clock.h"

#include <chrono>

#include "base/check.h"

namespace keyfold {

Micros SystemClock::Now() const {
  using std::chrono::duration_cast, std::chrono::microseconds, std::chrono::system_clock;
  return duration_cast<microseconds>(system_clock::now().time_since_epoch()).count();
}

DatabaseClock::DatabaseClock(Mode mode, const Clock& system)
    : mode_(mode), system_(system), manual_(mode == Mode::kManual ? system.Now() : 0) {}

Micros DatabaseClock::Now() const {
  return mode_ == Mode::kManual ? manual_.load(std::memory_order_acquire) : system_.Now();
}

void DatabaseClock::StartFrom(Micros seen) {
  if (mode_ == Mode::kManual) MoveTo(seen);
}

bool DatabaseClock::MoveTo(Micros to) {
  CHECK(mode_ == Mode::kManual);
  Micros now = manual_.load(std::memory_order_relaxed);
  while (to >= now) {
    if (manual_.compare_exchange_weak(now, to)) return true;
  }
  return false;
}

void DatabaseClock::Advance(Micros by) {
  CHECK(mode_ == Mode::kManual && by >= 0);
  manual_.fetch_add(by);
}

}  // namespace keyfold
