// Clocks. System time is for signatures, the Date header, socket timeouts and logs; database time, which a test may
// move, is for everything a table records: its own times, time to live, streams, tokens.
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

// Database time: system time, or a time that stands still until it is moved. What expires follows it. A manual one is
// never before what the database has seen; system time is taken as it is, also where it was set back.
class DatabaseClock final : public Clock {
 public:
  enum class Mode : uint8_t { kSystem, kManual };

  DatabaseClock(Mode mode, const Clock& system);
  Micros Now() const override;
  Mode mode() const { return mode_; }

  // A manual clock is not before `seen` from here on; once, before anybody rests on the time. Nothing happens to system
  // time.
  void StartFrom(Micros seen);

  // Of a manual clock. Time only goes forward: false where `to` is past.
  bool MoveTo(Micros to);
  void Advance(Micros by);  // by >= 0

 private:
  const Mode mode_;
  const Clock& system_;
  std::atomic<Micros> manual_;  // of kManual
};

}  // namespace keyfold
