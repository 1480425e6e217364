#include "terminal/progress.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace keyfold::terminal {
namespace {

constexpr Micros kSecond = 1'000'000;
constexpr Micros kRedrawAfter = kSecond / 10;  // on a terminal
constexpr Micros kLineAfter = 10 * kSecond;    // elsewhere
constexpr size_t kBarMax = 40, kBarMin = 10;
constexpr std::string_view kClearLine = "\r\x1b[2K";

uint64_t PerSecond(uint64_t count, Micros time) {
  return static_cast<uint64_t>(static_cast<double>(count) * kSecond / static_cast<double>(std::max<Micros>(time, 1)));
}

}  // namespace

std::string Grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t at = digits.size(); at > 3; at -= 3) digits.insert(at - 3, ",");
  return digits;
}

std::string Counted(uint64_t number, std::string_view thing) {
  return fmt::format("{} {}{}", Grouped(number), thing, number == 1 ? "" : "s");
}

std::string DurationWords(Micros time) {
  const int64_t seconds = (time + kSecond / 2) / kSecond;
  if (seconds < 60) return fmt::format("{} s", seconds);
  if (seconds < 3600) return fmt::format("{} min {:02} s", seconds / 60, seconds % 60);
  return fmt::format("{} h {:02} min", seconds / 3600, seconds / 60 % 60);
}

std::string BytesWords(uint64_t bytes) {
  constexpr std::string_view kUnits[] = {"KB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double amount = static_cast<double>(bytes) / 1000;
  size_t unit = 0;
  for (; amount >= 999.95 && unit + 1 < std::size(kUnits); ++unit) amount /= 1000;
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

Progress::Progress(Console& console, const Clock& clock, std::string what, std::optional<uint64_t> total,
                   uint64_t before, Unit unit)
    : console_(console),
      clock_(clock),
      what_(std::move(what)),
      total_(total),
      before_(before),
      unit_(unit),
      began_(clock.Now()),
      shown_(began_),
      done_(before) {}

Progress::~Progress() {
  if (line_open_) console_.Note("\n");
}

void Progress::Advance(uint64_t by, uint64_t bytes) {
  done_ += by;
  bytes_ += bytes;
  const Micros now = clock_.Now();
  if (now - shown_ >= (console_.err_is_terminal() ? kRedrawAfter : kLineAfter)) Show(now);
}

void Progress::Show(Micros now) {
  shown_ = now;
  const std::string figures = Figures(now);
  if (!console_.err_is_terminal()) {
    console_.Note(fmt::format("{}: {}\n", what_, figures));
    return;
  }
  const size_t columns = static_cast<size_t>(console_.columns());
  const size_t text = what_.size() + figures.size() + 5;  // two spaces, two brackets, and the last column free
  const size_t bar = text < columns ? std::min(kBarMax, columns - text) : 0;
  std::string line(kClearLine);
  line.append(what_).append(" ");
  if (total_ && bar >= kBarMin) line.append(Bar(bar)).append(" ");
  line.append(figures);
  if (line.size() - kClearLine.size() >= columns) line.resize(kClearLine.size() + columns - 1);
  console_.Note(line);
  line_open_ = true;
}

uint64_t Progress::Rate(Micros now) const { return PerSecond(done_ - before_, now - began_); }

std::string Progress::Amount(uint64_t number) const {
  return unit_ == Unit::kBytes ? BytesWords(number) : Grouped(number);
}

// "1,234 of 5,000 (24 %), 4.5 MB, 312/s, 12 s left"
std::string Progress::Figures(Micros now) const {
  const std::string bytes = bytes_ > 0 ? BytesWords(bytes_) + ", " : "";
  if (!total_) return fmt::format("{}, {}{}/s", Amount(done_), bytes, Amount(Rate(now)));
  const uint64_t total = std::max(*total_, done_);
  std::string text = fmt::format("{} of {} ({} %), {}{}/s", Amount(done_), Amount(total),
                                 total == 0 ? 100 : done_ * 100 / total, bytes, Amount(Rate(now)));
  if (done_ == before_) return text;
  const double left = static_cast<double>(total - done_) / static_cast<double>(done_ - before_);
  return text.append(
      fmt::format(", {} left", DurationWords(static_cast<Micros>(left * static_cast<double>(now - began_)))));
}

std::string Progress::Bar(size_t width) const {
  const uint64_t total = std::max<uint64_t>(std::max(*total_, done_), 1);
  const size_t filled = static_cast<size_t>(done_ * width / total);
  return "[" + std::string(filled, '#') + std::string(width - filled, '.') + "]";
}

void Progress::Finish() {
  const Micros time = clock_.Now() - began_;
  const std::string_view clear = line_open_ ? kClearLine : std::string_view();
  console_.Note(fmt::format("{}{}: {} in {}, {}/s\n", clear, what_, Amount(done_), DurationWords(time),
                            Amount(Rate(began_ + time))));
  line_open_ = false;
}

void Progress::TakeAway() {
  if (line_open_) console_.Note(kClearLine);
  line_open_ = false;
}

}  // namespace keyfold::terminal
