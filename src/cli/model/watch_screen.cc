#include "cli/model/watch_screen.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "model/core/unreadable.h"
#include "terminal/progress.h"

namespace keyfold::cli {
namespace {

// A server's text goes to a terminal, so it must not contain control characters.
std::string PrintableAt(json::Value object, std::string_view name) {
  return model::Printable(json::TextAt(object, name));
}

// "0.28", "12.5", "1,234"
std::string Figure(double number) {
  if (number >= 1000) return terminal::Grouped(static_cast<uint64_t>(std::llround(number)));
  return fmt::format("{:.{}f}", number, number >= 100 || number == 0 ? 0 : number >= 10 ? 1 : 2);
}

std::string Count(double number) { return terminal::Grouped(static_cast<uint64_t>(std::llround(number))); }

std::string Money(double usd) { return "$" + (usd >= 1000 ? Figure(usd) : fmt::format("{:.2f}", usd)); }

std::string Time(double micros) {
  if (micros <= 0) return "-";
  return micros < 1000 ? fmt::format("{:.0f} us", micros)
                       : fmt::format("{:.{}f} ms", micros / 1000, micros < 10'000 ? 1 : 0);
}

struct PatternLine {
  std::string name, operation;
  double calls = 0, per_second = 0, planned_per_second = 0;
  double units = 0, planned_units = 0;  // per invocation
  double usd = 0, planned_usd = 0;
  double p99 = 0;
};

double SortValue(const PatternLine& line, std::string_view sort) {
  if (sort == "calls") return line.calls;
  if (sort == "units") return line.units;
  if (sort == "latency") return line.p99;
  return line.usd;
}

// Used by one thread at a time.
class Screen {
 public:
  Screen(json::Value report, const WatchView& view, const terminal::Console& console, WatchMemory& memory)
      : report_(report), view_(view), console_(console), memory_(memory) {}

  std::string Draw() {
    Head();
    Patterns();
    Findings();
    HotKeys();
    return std::move(out_);
  }

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(out_), format, std::forward<Args>(args)...);
    out_ += '\n';
  }
  json::Value Part(std::string_view name) const { return *json::Find(report_, name); }

  void Head() {
    const json::Value requests = Part("requests");
    const double attributed = json::NumberAt(requests, "attributed"), unplanned = json::NumberAt(requests, "unplanned");
    Line("{}  {}  {}", console_.Painted(terminal::Paint::kBold, PrintableAt(report_, "table")),
         PrintableAt(report_, "file"), PrintableAt(report_, "mode"));
    Line("{} requests in {}, {} matching no pattern; {} read and {} write units; {} a month at this rate, planned {}",
         Count(attributed + unplanned),
         terminal::DurationWords(static_cast<Micros>(json::NumberAt(report_, "seconds") * 1e6)), Count(unplanned),
         Figure(json::NumberAt(report_, "readUnits")), Figure(json::NumberAt(report_, "writeUnits")),
         Money(json::NumberAt(report_, "usdPerMonth")), Money(json::NumberAt(report_, "plannedUsdPerMonth")));
    out_ += '\n';
  }

  PatternLine Read(json::Value pattern) const {
    const json::Value measured = *json::Find(pattern, "measured"), planned = *json::Find(pattern, "planned");
    PatternLine line;
    line.name = PrintableAt(pattern, "name");
    line.operation = PrintableAt(pattern, "operation");
    if (const std::string index = PrintableAt(pattern, "index"); !index.empty()) line.operation += " " + index;
    line.calls = json::NumberAt(pattern, "calls");
    line.per_second = json::NumberAt(measured, "perSecond");
    line.planned_per_second = json::NumberAt(planned, "perSecond");
    line.units = json::NumberAt(measured, "readUnits") + json::NumberAt(measured, "writeUnits");
    line.planned_units = json::NumberAt(planned, "readUnits") + json::NumberAt(planned, "writeUnits");
    line.usd = json::NumberAt(measured, "usdPerMonth");
    line.planned_usd = json::NumberAt(planned, "usdPerMonth");
    line.p99 = json::NumberAt(*json::Find(pattern, "latency"), "p99Micros");
    return line;
  }

  // Sets the rate since the last screen. Each request of a fan-out counts as a call, so the overall rate is scaled.
  void SetRate(PatternLine& line, double seconds) {
    const auto before = memory_.calls.find(line.name);
    if (before == memory_.calls.end() || seconds <= 0 || line.calls <= 0) return;
    const double per_call = line.per_second / line.calls * json::NumberAt(report_, "seconds");  // invocations per call
    line.per_second = (line.calls - before->second) * per_call / seconds;
  }

  void Patterns() {
    std::vector<PatternLine> lines;
    size_t unseen = 0;
    const double seconds = json::NumberAt(report_, "seconds") - memory_.seconds;
    WatchMemory next;
    for (const json::Value pattern : Part("patterns").elements()) {
      PatternLine line = Read(pattern);
      SetRate(line, seconds);
      next.calls[line.name] = line.calls;
      line.calls == 0 ? void(++unseen) : lines.push_back(std::move(line));
    }
    next.seconds = json::NumberAt(report_, "seconds");
    memory_ = std::move(next);
    std::stable_sort(lines.begin(), lines.end(), [&](const PatternLine& a, const PatternLine& b) {
      return view_.sort == "name" ? a.name < b.name : SortValue(a, view_.sort) > SortValue(b, view_.sort);
    });
    if (lines.size() > view_.patterns) lines.resize(view_.patterns);
    Line("{}", console_.Painted(terminal::Paint::kFaint,
                                fmt::format("{:<24} {:<26} {:>9} {:>17} {:>15} {:>9} {:>19}", "pattern", "request",
                                            "calls", "a second (plan)", "units (plan)", "p99", "a month (plan)")));
    for (const PatternLine& line : lines) {
      Line("{:<24} {:<26} {:>9} {:>17} {:>15} {:>9} {:>19}", line.name, line.operation, Count(line.calls),
           fmt::format("{} ({})", Figure(line.per_second), Figure(line.planned_per_second)),
           fmt::format("{} ({})", Figure(line.units), Figure(line.planned_units)), Time(line.p99),
           fmt::format("{} ({})", Money(line.usd), Money(line.planned_usd)));
    }
    if (unseen > 0) Line("{} patterns not seen yet", unseen);
  }

  void Findings() {
    size_t reported = 0, more = 0;
    for (const json::Value finding : Part("findings").elements()) {
      if (!PrintableAt(finding, "accepted").empty()) continue;
      if (reported == view_.findings) {
        ++more;
        continue;
      }
      if (reported++ == 0) out_ += '\n';
      const bool error = PrintableAt(finding, "severity") == "error";
      std::string subject = PrintableAt(finding, "entity") + PrintableAt(finding, "pattern");
      const std::string example = PrintableAt(finding, "example");
      Line("{} {:<16} {}{}{}{}",
           console_.Painted(error ? terminal::Paint::kRed : terminal::Paint::kYellow, PrintableAt(finding, "rule")),
           PrintableAt(finding, "kind"), subject.empty() ? "" : subject + ": ", PrintableAt(finding, "message"),
           example.empty() ? "" : " [" + example + "]",
           json::NumberAt(finding, "count") > 1 ? fmt::format(" x{}", Count(json::NumberAt(finding, "count"))) : "");
    }
    if (more > 0) Line("and {} more findings; --all-findings shows them", more);
  }

  void HotKeys() {
    bool any = false;
    for (const json::Value place : Part("places").elements()) {
      const std::string index = PrintableAt(place, "index");
      size_t reported = 0;
      for (const json::Value key : json::Find(place, "hotKeys")->elements()) {
        if (reported++ == view_.hot_keys) break;
        if (!any)
          Line("\n{}", console_.Painted(terminal::Paint::kFaint, "keys with the most units in the last minutes"));
        any = true;
        Line("{:<12} {:<44} {:>9} units a second {:>5.1f} %", index.empty() ? "table" : index, PrintableAt(key, "key"),
             Figure(json::NumberAt(key, "unitsPerSecond")), json::NumberAt(key, "share") * 100);
      }
    }
  }

  const json::Value report_;
  const WatchView& view_;
  const terminal::Console& console_;
  WatchMemory& memory_;
  std::string out_;
};

}  // namespace

std::string WatchScreen(json::Value report, const WatchView& view, const terminal::Console& console,
                        WatchMemory& memory) {
  return Screen(report, view, console, memory).Draw();
}

}  // namespace keyfold::cli
