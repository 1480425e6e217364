// Finds the keys that consume the most units among any number of keys, in little memory: space-saving counters. A key's
// count is at most `over` too high. As long as every touch is counted, no key with more than a 1/kKeys share of the
// units is missed.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/thread_annotations.h"

namespace keyfold::model {

struct HotKey {
  std::string key;
  double read_units = 0, write_units = 0;
  double over = 0;  // at most this much of the sum belongs to other keys

  double Units() const { return read_units + write_units; }
};

// Counts for the current window of about a minute and the one before it. The first kExactTouches of a window are all
// counted; after that, every kSampleOf-th touch counts for all of those in between. Thread-safe; each thread mostly has
// one of its own.
class HotKeys {
 public:
  static constexpr size_t kKeys = 64;
  static constexpr uint64_t kExactTouches = 2'000;
  static constexpr uint64_t kSampleOf = 16;
  static constexpr Micros kWindow = kMinute;

  void Add(std::string_view key, double read_units, double write_units, Micros now);

  struct Reading {
    std::vector<HotKey> keys;
    double units = 0;  // total over all keys
    Micros since = 0;  // 0 if nothing was counted yet
  };
  // Returns the counts of the last one to two windows.
  Reading Read(Micros now) const;

 private:
  struct Window {
    Micros since = 0;
    size_t used = 0;
    double units = 0;
    // Separate from the keys, because every touch scans all of them.
    std::array<uint64_t, kKeys> hashes;
    std::array<double, kKeys> counts;
    std::array<HotKey, kKeys> keys;
  };
  static HotKey& Find(Window& window, std::string_view key, double units);
  void Count(std::string_view key, double read_units, double write_units, Micros now);

  std::atomic<uint64_t> touches_{0};  // touches in the window; approximate if threads share it
  mutable Mutex mutex_;
  Window windows_[2] GUARDED_BY(mutex_);
  size_t current_ GUARDED_BY(mutex_) = 0;
};

// Merges the readings of several threads. Returns at most `most` keys, the most loaded first.
HotKeys::Reading Merge(const std::vector<HotKeys::Reading>& readings, size_t most);

}  // namespace keyfold::model
