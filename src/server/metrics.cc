#include "server/metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <mutex>

namespace keyfold::server {
namespace {

using Outcome = RequestRecord::Outcome;

// The labels in Prometheus' format. Table and operation names contain no characters to escape.
std::string Labels(const std::pair<std::string, std::string>& key) {
  if (key.first.empty()) return fmt::format("{{Operation=\"{}\"}}", key.second);
  return fmt::format("{{TableName=\"{}\",Operation=\"{}\"}}", key.first, key.second);
}

}  // namespace

Metrics::Series& Metrics::Find(std::string_view table, std::string_view operation) {
  {
    SharedLock lock(mutex_);
    const auto it = series_.find(std::pair(table, operation));
    if (it != series_.end()) return *it->second;
  }
  MutexLock lock(mutex_);
  if (series_.size() >= kSeriesMax) table = "other";
  auto& series = series_[Key(table, operation)];
  if (!series) series = std::make_unique<Series>();
  return *series;
}

void Metrics::Record(const RequestRecord& record) {
  constexpr auto kRelaxed = std::memory_order_relaxed;
  Series& s = Find(record.table, record.operation);
  s.outcomes[static_cast<size_t>(record.outcome)].fetch_add(1, kRelaxed);
  if (record.outcome != Outcome::kSuccess) return;
  if (record.read_units > 0) s.read_units_x2.fetch_add(static_cast<uint64_t>(record.read_units * 2), kRelaxed);
  if (record.write_units > 0) s.write_units_x2.fetch_add(static_cast<uint64_t>(record.write_units * 2), kRelaxed);
  if (record.items_returned > 0) s.items_returned.fetch_add(static_cast<uint64_t>(record.items_returned), kRelaxed);
  size_t bucket = 0;
  while (bucket < kLatencyBounds.size() && record.micros > kLatencyBounds[bucket]) ++bucket;
  s.latency[bucket].fetch_add(1, kRelaxed);
  s.latency_micros.fetch_add(static_cast<uint64_t>(record.micros), kRelaxed);
}

void Metrics::AppendTo(std::string& out) const {
  SharedLock lock(mutex_);
  const auto to = std::back_inserter(out);
  const auto counter = [&](std::string_view name, std::string_view help, const auto& value) REQUIRES_SHARED(mutex_) {
    fmt::format_to(to, "# HELP {} {}\n# TYPE {} counter\n", name, help, name);
    for (const auto& [key, series] : series_) {
      if (const double v = value(*series); v > 0) fmt::format_to(to, "{}{} {}\n", name, Labels(key), v);
    }
  };
  const auto outcome = [](Outcome o) {
    return [o](const Series& s) { return static_cast<double>(s.outcomes[static_cast<size_t>(o)].load()); };
  };
  counter("ConsumedReadCapacityUnits", "Read capacity units consumed",
          [](const Series& s) { return s.read_units_x2.load() / 2.0; });
  counter("ConsumedWriteCapacityUnits", "Write capacity units consumed",
          [](const Series& s) { return s.write_units_x2.load() / 2.0; });
  counter("ReturnedItemCount", "Items returned by reads",
          [](const Series& s) { return static_cast<double>(s.items_returned.load()); });
  counter("SuccessfulRequests", "Requests answered with 200", outcome(Outcome::kSuccess));
  counter("UserErrors", "Requests answered with a client error", outcome(Outcome::kUserError));
  counter("ConditionalCheckFailedRequests", "Writes whose condition was false", outcome(Outcome::kConditionFailed));
  counter("ThrottledRequests", "Requests throttled", outcome(Outcome::kThrottled));
  counter("SystemErrors", "Requests that failed inside the server", outcome(Outcome::kSystemError));

  fmt::format_to(
      to,
      "# HELP SuccessfulRequestLatency Seconds from request to response\n# TYPE SuccessfulRequestLatency histogram\n");
  for (const auto& [key, series] : series_) {
    const std::string labels = Labels(key);
    const std::string_view open = std::string_view(labels).substr(0, labels.size() - 1);
    uint64_t below = 0;
    for (size_t i = 0; i < kLatencyBounds.size(); ++i) {
      below += series->latency[i].load();
      fmt::format_to(to, "SuccessfulRequestLatency_bucket{},le=\"{}\"}} {}\n", open,
                     static_cast<double>(kLatencyBounds[i]) / 1e6, below);
    }
    below += series->latency.back().load();
    fmt::format_to(to, "SuccessfulRequestLatency_bucket{},le=\"+Inf\"}} {}\n", open, below);
    fmt::format_to(to, "SuccessfulRequestLatency_sum{} {}\n", labels,
                   static_cast<double>(series->latency_micros.load()) / 1e6);
    fmt::format_to(to, "SuccessfulRequestLatency_count{} {}\n", labels, below);
  }
}

void AppendGauge(std::string_view name, std::string_view help, double value, std::string& out) {
  fmt::format_to(std::back_inserter(out), "# HELP {} {}\n# TYPE {} gauge\n{} {}\n", name, help, name, name, value);
}

void AppendStoreMetrics(const store::StoreInfo& info, Micros now, std::string& out) {
  if (info.path.empty()) return;
  const auto gauge = [&](std::string_view name, std::string_view help, auto value) {
    AppendGauge(name, help, static_cast<double>(value), out);
  };
  constexpr double kSecond = 1'000'000;
  const auto ahead = static_cast<double>(std::max(Micros{0}, info.last_time - now));
  gauge("keyfold_recovery_dropped_bytes", "Bytes of the log after a hole, dropped when the folder was opened",
        info.recovery.dropped_bytes);
  gauge("keyfold_recovery_given_up_writes", "Writes lost with --accept-data-loss since the folder was created",
        info.recovery.given_up_writes);
  gauge("keyfold_recovery_mark_lowered_by", "Writes known to be on disk that MARK no longer recorded at startup",
        info.recovery.mark_lowered_by);
  gauge("keyfold_clock_ahead_seconds", "How far the last write is ahead of the clock", ahead / kSecond);
}

void AppendJobMetrics(const std::vector<engine::JobState>& jobs, std::string& out) {
  if (jobs.empty()) return;
  const auto to = std::back_inserter(out);
  const auto gauge = [&](std::string_view name, std::string_view help, const auto& value) {
    fmt::format_to(to, "# HELP {} {}\n# TYPE {} gauge\n", name, help, name);
    for (const engine::JobState& job : jobs) {
      fmt::format_to(to, "{}{{Kind=\"{}\",TableName=\"{}\",Id=\"{}\",Step=\"{}\",Unit=\"{}\"}} {}\n", name,
                     engine::NameOf(job.kind), job.table, job.id, job.step, engine::NameOf(job.unit), value(job));
    }
  };
  gauge("JobDone", "Done in the current step of a job", [](const engine::JobState& job) { return job.done; });
  gauge("JobTotal", "Total of the current step; 0 if unknown",
        [](const engine::JobState& job) { return job.total.value_or(0); });
}

}  // namespace keyfold::server
