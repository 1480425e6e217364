// Counters of an observed table: by pattern, entity, place and key. Every thread adds to its own lane, so that threads
// do not wait for each other; a reader sums the lanes.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/thread_annotations.h"
#include "model/observe/hot_keys.h"
#include "model/observe/trace.h"

namespace keyfold::model {

// Upper bounds in microseconds. Longer latencies go into a last bucket.
inline constexpr std::array<int64_t, 12> kLatencyBounds = {100,    250,    500,     1'000,   2'500,     5'000,
                                                           10'000, 25'000, 100'000, 250'000, 1'000'000, 5'000'000};

struct PatternTotals {
  uint64_t calls = 0;  // first requests; further pages are counted separately
  uint64_t pages = 0;
  uint64_t items = 0, bytes = 0;
  double read_units = 0, write_units = 0;
  std::array<uint64_t, kLatencyBounds.size() + 1> latency{};
  uint64_t latency_micros = 0;
  Micros last_seen = 0;  // 0 if never

  uint64_t requests() const { return calls + pages; }
  // The bound within which that share of the requests completed; 0 if there were none.
  int64_t LatencyQuantile(double share) const;
};

struct EntityTotals {
  uint64_t puts = 0, updates = 0, deletes = 0, reads = 0;
  uint64_t bytes_written = 0;  // by puts and updates: the size of the items afterward

  uint64_t writes() const { return puts + updates; }
};

struct PlaceTotals {
  double read_units = 0, write_units = 0;
};

struct DriftTotals {
  uint64_t count = 0, refused = 0;
  Drift last;
  std::string example;
  Micros first_seen = 0, last_seen = 0;
};

struct ShapeTotals {
  uint64_t count = 0;
  double read_units = 0, write_units = 0;
  Micros last_seen = 0;
};

struct Totals {
  std::vector<PatternTotals> patterns;  // by id
  PatternTotals unplanned;              // requests that match no pattern
  std::vector<EntityTotals> entities;   // by id
  EntityTotals strangers;               // items that belong to no entity
  std::vector<PlaceTotals> places;
  std::vector<DriftTotals> drifts;
  std::map<std::string, ShapeTotals> shapes;  // shapes of unplanned requests
};

// Thread-safe.
class Ledger {
 public:
  Ledger(size_t patterns, size_t entities, size_t places);

  void Add(const Trace&, Micros latency, Micros now);
  // Counts a write that was refused because of drift.
  void AddRefusal(const Trace&, Micros now);

  Totals Read() const;
  HotKeys::Reading ReadHotKeys(PlaceId, Micros now, size_t most) const;

  static constexpr size_t kShapesMax = 100;  // counted by name; further ones count as "other"
  static constexpr size_t kDriftsMax = 10'000;

 private:
  static constexpr size_t kLanes = 64;

  // Written by one thread, read by any. Counters of the last lane are shared between threads.
  class Counter {
   public:
    void Add(uint64_t by, bool shared) {
      if (shared) {
        value_.fetch_add(by, std::memory_order_relaxed);
      } else {
        value_.store(value() + by, std::memory_order_relaxed);
      }
    }
    void Set(uint64_t to) { value_.store(to, std::memory_order_relaxed); }
    uint64_t value() const { return value_.load(std::memory_order_relaxed); }

   private:
    std::atomic<uint64_t> value_{0};
  };

  struct PatternCounters {
    Counter calls, pages, items, bytes;
    Counter read_units_x2, write_units_x2;  // in half units, because a read may cost half a unit
    std::array<Counter, kLatencyBounds.size() + 1> latency;
    Counter latency_micros, last_seen;
  };
  struct EntityCounters {
    Counter did[4];  // by Trace::Did
    Counter bytes_written;
  };
  struct PlaceCounters {
    Counter read_units_x2, write_units_x2;
    HotKeys hot;
  };
  struct alignas(64) Lane {
    Lane(const Ledger& of, bool shared);
    const bool shared;                      // by all threads that have no lane of their own
    std::vector<PatternCounters> patterns;  // plus one for no pattern
    std::vector<EntityCounters> entities;   // plus one for no entity
    std::vector<PlaceCounters> places;
  };

  static void AddCall(PatternCounters&, const Trace::Call&, Micros latency, Micros now, bool shared);
  static void AddTo(PatternTotals&, const PatternCounters&);
  static void AddTo(EntityTotals&, const EntityCounters&);
  void AddDrifts(const Trace&, bool refused, Micros now);
  void AddShape(const Trace::Call&, Micros now);
  Lane& OwnLane();
  template <typename Take>
  void EachLane(Take&& take) const;

  const size_t patterns_, entities_, places_;
  std::array<std::atomic<Lane*>, kLanes> lanes_{};  // null if the thread has counted nothing yet

  mutable Mutex mutex_;
  std::vector<std::unique_ptr<Lane>> owned_lanes_ GUARDED_BY(mutex_);
  // Kind, entity, index, attribute, and the attribute that it contradicts.
  using DriftKey = std::tuple<DriftKind, std::optional<EntityId>, std::optional<IndexId>, std::string, std::string>;
  std::map<DriftKey, DriftTotals> drifts_ GUARDED_BY(mutex_);
  std::map<std::string, ShapeTotals> shapes_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::model
