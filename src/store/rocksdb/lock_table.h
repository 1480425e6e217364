// LockTable: locks for the keys that a write declares. Keys share a fixed number of stripes. A holder takes each of its
// stripes once, in ascending order, so holders cannot deadlock. A thread that must not sleep spins for some
// microseconds, about as long as an ordinary write holds a row, and then returns without the locks.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <vector>

#include "base/adaptive_mutex.h"
#include "base/hash.h"
#include "base/mutex.h"
#include "store/row_key.h"

namespace keyfold::store {

// Thread-safe.
class LockTable {
 public:
  // Holds the locks of `keys` during its lifetime, or none of them if it would have to wait and may not. Used by one
  // thread at a time.
  class Hold {
   public:
    Hold(LockTable& table, std::span<const RowKey> keys, bool may_wait) : table_(table) {
      if (keys.size() == 1) {
        const uint32_t stripe = StripeOf(keys[0]);
        if (table_.Lock(stripe, may_wait)) single_ = stripe;
        held_ = single_ != kNone;
        return;
      }
      several_.reserve(keys.size());
      for (const RowKey& key : keys) several_.push_back(StripeOf(key));
      std::sort(several_.begin(), several_.end());
      several_.erase(std::unique(several_.begin(), several_.end()), several_.end());
      size_t taken = 0;
      while (taken < several_.size() && table_.Lock(several_[taken], may_wait)) ++taken;
      held_ = taken == several_.size();
      if (held_) return;
      for (size_t i = 0; i < taken; ++i) table_.stripes_[several_[i]].mutex.unlock();
      several_.clear();
    }
    ~Hold() {
      if (single_ != kNone) table_.stripes_[single_].mutex.unlock();
      for (const uint32_t stripe : several_) table_.stripes_[stripe].mutex.unlock();
    }
    Hold(const Hold&) = delete;

    bool held() const { return held_; }

   private:
    static constexpr uint32_t kNone = UINT32_MAX;
    static uint32_t StripeOf(const RowKey& key) { return static_cast<uint32_t>(Hash64(key.bytes()) % kStripes); }

    LockTable& table_;
    bool held_ = false;
    uint32_t single_ = kNone;
    std::vector<uint32_t> several_;
  };

 private:
  static constexpr size_t kStripes = 2048;
  static constexpr int kLooksMax = 500;
  struct alignas(64) Stripe {
    Mutex mutex;
  };

  // The stripe is chosen at run time, which the analysis cannot follow. Hold releases each stripe that it has taken.
  bool Lock(uint32_t stripe, bool may_wait) NO_THREAD_SAFETY_ANALYSIS {
    Mutex& mutex = stripes_[stripe].mutex;
    if (may_wait) {
      mutex.lock();
      return true;
    }
    for (int looks = 0; looks < kLooksMax; ++looks) {
      if (mutex.try_lock()) return true;
      PauseThread();
    }
    return false;
  }

  std::array<Stripe, kStripes> stripes_;
};

}  // namespace keyfold::store
