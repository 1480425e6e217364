// Progress of a long command, on standard error: a bar that redraws itself on a terminal, or a line from time to time
// elsewhere.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "terminal/console.h"

namespace keyfold::terminal {

// Used by one thread at a time. Console and clock are borrowed.
class Progress {
 public:
  enum class Unit : uint8_t { kThings, kBytes };

  // `what` describes the work, as in "Loading items". Without a total there is no bar and no remaining time. `before`
  // items were done by an earlier run; they do not count in the rate.
  Progress(Console& console, const Clock& clock, std::string what, std::optional<uint64_t> total, uint64_t before = 0,
           Unit unit = Unit::kThings);
  // Ends the terminal's line if it is still open.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // `bytes` is the size of what was done now, if it matters.
  void Advance(uint64_t by = 1, uint64_t bytes = 0);
  // Prints how many there were and how long they took.
  void Finish();
  // Erases the bar from the terminal: the caller reports the result.
  void TakeAway();

 private:
  void Show(Micros now);
  std::string Figures(Micros now) const;
  std::string Bar(size_t width) const;
  uint64_t Rate(Micros now) const;
  std::string Amount(uint64_t number) const;  // formatted in its unit

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
  bool line_open_ = false;  // the terminal's last line shows a bar
};

// "1,234,567"
std::string Grouped(uint64_t number);
// "1 item", "1,234 items"
std::string Counted(uint64_t number, std::string_view thing);
// "12 B", "3.2 KB", "1.4 MB"
std::string BytesWords(uint64_t bytes);
// "4 s", "3 min 12 s", "1 h 05 min"
std::string DurationWords(Micros time);

}  // namespace keyfold::terminal
