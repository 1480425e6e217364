// Clocks. System time is for signatures, the Date header, socket timeouts and logs; database time, which a test may move, is for
// everything a table records.
#pragma once

#include <atomic>
#include <cstdint>

namespace keyfold {

using Micros = int64_t;  // since 1970-01-01 UTC

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;
  virtual Micros Now() const = 0;
};

class SystemClock final : public Clock {
 public:
  Micros Now() const override;
};

// Stands still until it is moved.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Micros start) : now_(start) {}
  Micros Now() const override { return now_.load(std::memory_order_relaxed); }
  void Set(Micros now) { now_.store(now, std::memory_order_relaxed); }
  void Advance(Micros by) { now_.fetch_add(by, std::memory_order_relaxed); }

 private:
  std::atomic<Micros> now_;
};

}  // namespace keyfold
