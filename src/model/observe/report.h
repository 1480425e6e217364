// What an observer has seen, told: as JSON for programs, as samples for Prometheus; with drift and the differences
// between plan and measurement as findings (L49, L50).
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
  std::string message;
  std::string example;   // empty: none
  uint64_t count = 0;    // times it was seen; 0: it is not an event
  uint64_t refused = 0;  // of them
  Micros last_seen = 0;  // 0: never
  std::string accepted;  // the model's reason to live with it; empty: none
};

// Rates are judged once there has been so much time; sizes once there have been so many writes.
inline constexpr Micros kRateJudgedAfter = 3600LL * 1'000'000;
inline constexpr uint64_t kSizeJudgedAfter = 30;
inline constexpr double kOffBy = 2;  // more than this much above or below what is declared is a finding

std::vector<LiveFinding> FindingsOf(const Observer&, const Totals&, Micros now);

// One JSON object.
void AppendReport(const Observer&, std::string& out);
// One short JSON object: table, file, mode, counts.
void AppendSummary(const Observer&, std::string& out);
// Prometheus' text format, of all observers together.
void AppendMetrics(std::span<const Observer* const>, std::string& out);

}  // namespace keyfold::model
