// Reports of an observer: JSON for programs, samples for Prometheus. Drift and differences between plan and measurement
// are findings (L49, L50).
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/observe/observer.h"

namespace keyfold::model {

struct LiveFinding {
  std::string_view rule;      // "L49"
  std::string_view severity;  // "error"
  std::string_view kind;      // "sparse"
  std::optional<EntityId> entity;
  std::optional<PatternId> pattern;
  std::optional<IndexId> index;
  std::string attribute;  // the attribute or key attribute that drifts; empty if there is none
  std::string message;
  std::string example;   // empty if there is none
  uint64_t count = 0;    // times it was seen; 0 if it is not an event
  uint64_t refused = 0;  // the part of `count` that was refused
  Micros last_seen = 0;  // 0 if never
  std::string accepted;  // the model's reason for accepting it; empty if not accepted
};

// Rates are judged after this much time, sizes after this many writes.
inline constexpr Micros kRateJudgedAfter = 3600LL * 1'000'000;
inline constexpr uint64_t kSizeJudgedAfter = 30;
inline constexpr double kOffBy = 2;  // a factor of more than this above or below the declared value is a finding

std::vector<LiveFinding> FindingsOf(const Observer&, const Totals&, Micros now);

// One JSON object.
void AppendReport(const Observer&, std::string& out);
// One short JSON object: table, file, mode, counts.
void AppendSummary(const Observer&, std::string& out);
// Writes the samples of all observers in Prometheus' text format.
void AppendMetrics(std::span<const Observer* const>, std::string& out);

}  // namespace keyfold::model
