// Counters by table and operation, with CloudWatch's metric names, for Prometheus.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/fair_shared_mutex.h"
#include "base/mutex.h"
#include "engine/background/jobs.h"
#include "store/store.h"

namespace keyfold::server {

// What one finished request adds.
struct RequestRecord {
  std::string_view table;      // empty: no table
  std::string_view operation;  // its registered name
  enum class Outcome : uint8_t {
    kSuccess,
    kUserError,
    kConditionFailed,
    kThrottled,
    kSystemError
  } outcome = Outcome::kSuccess;
  double read_units = 0, write_units = 0;
  int64_t items_returned = 0;
  int64_t micros = 0;
};

// Thread-safe. Recording takes a shared lock and adds to atomics.
class Metrics {
 public:
  void Record(const RequestRecord& record);
  // Prometheus' text format.
  void AppendTo(std::string& out) const;

  // Limit of series; requests to further tables are counted under "other", so that a client cannot fill the memory with
  // names.
  static constexpr size_t kSeriesMax = 10'000;

 private:
  // Upper bounds of the latency histogram, in microseconds.
  static constexpr std::array<int64_t, 12> kLatencyBounds = {100,    250,    500,     1'000,   2'500,   5'000,
                                                             10'000, 25'000, 100'000, 250'000, 1000000, 5000000};
  struct Series {
    std::array<std::atomic<uint64_t>, 5> outcomes{};
    std::atomic<uint64_t> read_units_x2{0}, write_units_x2{0};  // in halves, because a read may cost half a unit
    std::atomic<uint64_t> items_returned{0};
    std::array<std::atomic<uint64_t>, kLatencyBounds.size() + 1> latency{};
    std::atomic<uint64_t> latency_micros{0};
  };
  using Key = std::pair<std::string, std::string>;  // table, operation
  struct Less {
    using is_transparent = void;
    template <typename A, typename B>
    bool operator()(const A& a, const B& b) const {
      const int order = std::string_view(a.first).compare(std::string_view(b.first));
      return order != 0 ? order < 0 : std::string_view(a.second) < std::string_view(b.second);
    }
  };
  Series& Find(std::string_view table, std::string_view operation);

  mutable FairSharedMutex mutex_;
  std::map<Key, std::unique_ptr<Series>, Less> series_ GUARDED_BY(mutex_);  // a Series itself is atomic
};

// One value, in the same format.
void AppendGauge(std::string_view name, std::string_view help, double value, std::string& out);

// What opening the store found and how far its last commit is ahead of `now`, in the same format; appends nothing for
// an in-memory store.
void AppendStoreMetrics(const store::StoreInfo& info, Micros now, std::string& out);

// The jobs in progress, in the same format.
void AppendJobMetrics(const std::vector<engine::JobState>& jobs, std::string& out);

}  // namespace keyfold::server
