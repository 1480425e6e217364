// Pace: how much a request may do where it runs, and how long it may hold its thread. Work is counted in steps; a step
// is about what reading one byte of an operand costs, so a million of them take about a millisecond.
//
// On an event loop a request has a number of steps and is refused what exceeds them: it then runs again on a worker. A
// worker that is shared takes turns: it does what it is asked, but gives way to others whenever its slice of time is
// over.
#pragma once

#include <time.h>

#include <chrono>
#include <cstdint>

namespace keyfold {

// Lends a thread in turns. Thread-safe.
class Turns {
 public:
  virtual ~Turns() = default;
  // Lets those who wait go first; returns when it is this thread's turn again, or at once when stopping.
  virtual void GiveWay() = 0;
  // The process ends: what can be abandoned should be.
  virtual bool stopping() const = 0;
};

// One request's. One thread at a time.
class Pace {
 public:
  // What may be done while rows are locked; more has to be done before they are.
  static constexpr uint64_t kLockedStepsMax = 8'000'000;
  static constexpr uint64_t kStepsPerLook = 256'000;  // between two looks at the clock
  static constexpr std::chrono::microseconds kSlice{5'000};

  // Refuses what exceeds `steps`.
  static Pace OfSteps(uint64_t steps) { return Pace(nullptr, steps, {}); }
  // Refuses nothing, and is due to give way after each slice. Tests choose how often it looks.
  static Pace InTurns(Turns& turns, std::chrono::microseconds slice = kSlice, uint64_t steps_per_look = kStepsPerLook) {
    return Pace(&turns, steps_per_look, slice);
  }

  // False: not here. To be asked before work of this size.
  bool MayDo(uint64_t steps) {
    if (steps <= left_ || turns_) return true;
    wanted_ = steps_ - left_ + steps;
    return false;
  }
  // The same while rows are locked.
  bool MayDoLocked(uint64_t steps) { return turns_ ? steps <= locked_max_ : MayDo(steps); }
  void LimitLocked(uint64_t steps) { locked_max_ = steps; }  // for tests
  // Whether something was refused: it has to run again where more may be done.
  bool refused() const { return wanted_ > 0; }
  // How many steps would have been enough for what was refused, though perhaps not for what comes after it.
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
  // All that it has done so far. Known only where turns are taken.
  uint64_t spent() const { return spent_ + steps_ - left_; }
  // Asks for the reading of a value of this size, and spends it.
  bool Reads(uint64_t bytes) {
    if (!MayDo(bytes)) return false;
    Spend(bytes);
    return true;
  }
  // The slice is over: give way as soon as nothing is held that others wait for.
  bool due() const { return due_; }
  void GiveWay() {
    Note();
    turns_->GiveWay();
    due_ = false;
    began_ = Clock::now();
    processor_began_ = ProcessorTime();
  }
  // Spends where nothing is held, and gives way as soon as that is due.
  void Work(uint64_t steps) {
    Spend(steps);
    if (due_) GiveWay();
  }

  // The most processor time it took without giving way.
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

  // Of this thread.
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
  uint64_t left_;        // of the steps it may do, or until the next look
  uint64_t spent_ = 0;   // before the last look
  uint64_t wanted_ = 0;  // 0: nothing was refused
  uint64_t locked_max_ = kLockedStepsMax;
  std::chrono::microseconds slice_;
  Clock::time_point began_;
  std::chrono::nanoseconds processor_began_{0}, longest_{0};
  bool due_ = false;
};

}  // namespace keyfold
