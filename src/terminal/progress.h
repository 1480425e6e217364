// Progress of a long command, on standard error: a bar that redraws itself on a terminal, a line now and then
// elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "terminal/console.h"

namespace keyfold {

// One thread at a time. Console and clock are borrowed.
class Progress {
 public:
  enum class Unit : uint8_t { kThings, kBytes };

  // `what` is done to so many things, as in "Loading items". Without a total there is no bar and no end in sight. Of
  // things that an earlier run did, `before` are done, and say nothing about the rate.
  Progress(Console& console, const Clock& clock, std::string what, std::optional<uint64_t> total, uint64_t before = 0,
           Unit unit = Unit::kThings);
  // Leaves the terminal's line if that is still to be done.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `bytes` of what was done now, where they are of interest.
  void Advance(uint64_t by = 1, uint64_t bytes = 0);
  // Says how many it were and how long they took.
  void Finish();
  // Leaves nothing of the bar on the terminal: somebody else says how it ended.
  void TakeAway();

 private:
  void Show(Micros now);
  std::string Figures(Micros now) const;
  std::string Bar(size_t width) const;
  uint64_t Rate(Micros now) const;
  std::string Amount(uint64_t number) const;  // in its unit

  Console& console_;
  const Clock& clock_;
  const std::string what_;
  const std::optional<uint64_t> total_;
  const uint64_t before_;
  const Unit unit_;
  const Micros began_;
  Micros shown_;
  uint64_t done_;
  uint64_t bytes_ = 0;
  bool line_open_ = false;  // a bar stands on the terminal's last line
};

// "1,234,567"
std::string Grouped(uint64_t number);
// "1 item", "1,234 items"
std::string Counted(uint64_t number, std::string_view thing);
// "12 B", "3.2 KB", "1.4 MB"
std::string BytesWords(uint64_t bytes);
// "4 s", "3 min 12 s", "1 h 05 min"
std::string DurationWords(Micros time);

}  // namespace keyfold
