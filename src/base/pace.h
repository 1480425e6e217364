// Pace: limits how much work a request may do on its thread, and how long it may hold the thread. Work is counted in
// steps. A step costs about as much as reading one byte of an operand, so a million steps take about a millisecond.
//
// On an event loop a request gets a fixed number of steps. Work that exceeds them is refused, and the request runs
// again on a worker. A shared worker takes turns: it refuses nothing, but yields to others whenever its time slice is
// over.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace keyfold {

// Shares a thread among requests in turns. Thread-safe.
class Turns {
 public:
  virtual ~Turns() = default;
  // Lets waiting requests go first. Returns when it is this thread's turn again, or at once when stopping.
  virtual void GiveWay() = 0;
  // True if the process is stopping: work that can be abandoned should be.
  virtual bool stopping() const = 0;
};

// The pace of one request. Used by one thread at a time.
class Pace {
 public:
  // Maximum steps while rows are locked. Larger work must be done before locking them.
  static constexpr uint64_t kLockedStepsMax = 8'000'000;
  static constexpr uint64_t kStepsPerLook = 256'000;  // between two looks at the clock
  static constexpr std::chrono::microseconds kSlice{5'000};

  // Refuses work that exceeds `steps`.
  static Pace OfSteps(uint64_t steps) { return Pace(nullptr, steps, {}); }
  // Refuses nothing, and is due to give way after each slice. Tests set how often it looks at the clock.
  static Pace InTurns(Turns& turns, std::chrono::microseconds slice = kSlice, uint64_t steps_per_look = kStepsPerLook) {
    return Pace(&turns, steps_per_look, slice);
  }

  // Returns false if the work must not be done here. Call it before work of this size.
  bool MayDo(uint64_t steps) {
    if (steps <= left_ || turns_) return true;
    wanted_ = steps_ - left_ + steps;
    return false;
  }
  // The same while rows are locked.
  bool MayDoLocked(uint64_t steps) { return turns_ ? steps <= locked_max_ : MayDo(steps); }
  void LimitLocked(uint64_t steps) { locked_max_ = steps; }  // for tests
  // Whether work was refused: the request must run again where more is allowed.
  bool refused() const { return wanted_ > 0; }
  // The number of steps that would have sufficed for the refused work, though perhaps not for the work after it.
  uint64_t wanted() const { return wanted_; }
  bool takes_turns() const { return turns_ != nullptr; }
  bool stopping() const { return turns_ && turns_->stopping(); }

  void Spend(uint64_t steps) {
    if (steps < left_) {
      left_ -= steps;
      return;
    }
    spent_ += steps_ - left_ + steps;
    left_ = 0;
    if (turns_) Look();
  }
  // Steps done so far. Exact only with turns.
  uint64_t spent() const { return spent_ + steps_ - left_; }
  // Requests the steps for reading a value of this size, and spends them if allowed.
  bool Reads(uint64_t bytes) {
    if (!MayDo(bytes)) return false;
    Spend(bytes);
    return true;
  }
  // True if the slice is over: give way as soon as no lock is held that others wait for.
  bool due() const { return due_; }
  void GiveWay() {
    Note();
    turns_->GiveWay();
    due_ = false;
    began_ = Clock::now();
    processor_began_ = ProcessorTime();
  }
  // Spends steps while no lock is held, and gives way if that is due.
  void Work(uint64_t steps) {
    Spend(steps);
    if (due_) GiveWay();
  }

  // The longest CPU time used without giving way.
  std::chrono::nanoseconds longest_held() {
    Note();
    return longest_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  Pace(Turns* turns, uint64_t steps, std::chrono::microseconds slice)
      : turns_(turns), steps_(steps), left_(steps), slice_(slice) {
    if (!turns_) return;
    began_ = Clock::now();
    processor_began_ = ProcessorTime();
  }

  // CPU time of this thread.
  static std::chrono::nanoseconds ProcessorTime() {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
  }

  void Look() {
    left_ = steps_;
    due_ = Clock::now() - began_ >= slice_;
  }
  void Note() {
    if (!turns_) return;
    const std::chrono::nanoseconds held = ProcessorTime() - processor_began_;
    if (held > longest_) longest_ = held;
  }

  Turns* turns_;
  uint64_t steps_;
  uint64_t left_;        // steps left in total, or until the next look at the clock
  uint64_t spent_ = 0;   // until the last look
  uint64_t wanted_ = 0;  // 0: no work was refused
  uint64_t locked_max_ = kLockedStepsMax;
  std::chrono::microseconds slice_;
  Clock::time_point began_;
  std::chrono::nanoseconds processor_began_{0}, longest_{0};
  bool due_ = false;
};

}  // namespace keyfold
