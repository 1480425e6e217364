// Clocks. System time is used for signatures, the Date header, socket timeouts and logs. Database time, which tests can
// set, is used for everything a table records: its own times, time to live, streams, tokens.
#pragma once

#include <atomic>
#include <cstdint>

namespace keyfold {

using Micros = int64_t;  // since 1970-01-01 UTC
inline constexpr Micros kMillisecond = 1000, kSecond = 1'000'000, kMinute = 60 * kSecond, kHour = 60 * kMinute,
                        kDay = 24 * kHour;

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

// A clock that changes only when it is set.
class ManualClock final : public Clock {
 public:
  explicit ManualClock(Micros start) : now_(start) {}
  Micros Now() const override { return now_.load(std::memory_order_relaxed); }
  void Set(Micros now) { now_.store(now, std::memory_order_relaxed); }
  void Advance(Micros by) { now_.fetch_add(by, std::memory_order_relaxed); }

 private:
  std::atomic<Micros> now_;
};

// Database time: system time, or a manual time that changes only when it is set. Expiry follows it. Manual time is
// never before what the database has seen. System time is used as it is, even if it was set back.
class DatabaseClock final : public Clock {
 public:
  enum class Mode : uint8_t { kSystem, kManual };

  DatabaseClock(Mode mode, const Clock& system);
  Micros Now() const override;
  Mode mode() const { return mode_; }

  // Ensures that manual time is not before `seen`. Call it once, before anything uses the time. Does not affect system
  // time.
  void StartFrom(Micros seen);

  // For manual time, which only moves forward: returns false if `to` is in the past.
  bool MoveTo(Micros to);
  void Advance(Micros by);  // by >= 0

 private:
  const Mode mode_;
  const Clock& system_;
  std::atomic<Micros> manual_;  // used with kManual
};

}  // namespace keyfold
