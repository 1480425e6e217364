// LockTable: the locks of declared keys. Keys share a fixed number of stripes; a holder takes its stripes in rising
// order, each once, so holders cannot wait for each other in a circle. A thread that must not sleep looks again for
// some microseconds, about as long as an ordinary write holds a row, and then gives up.
#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <vector>

#include "base/adaptive_mutex.h"
#include "base/hash.h"
#include "store/row_key.h"

namespace keyfold {

// Thread-safe.
class LockTable {
 public:
  // Holds the locks of `keys` while it lives, or, where it may not wait for one of them, none. One thread at a time.
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
    std::mutex mutex;
  };

  bool Lock(uint32_t stripe, bool may_wait) {
    std::mutex& mutex = stripes_[stripe].mutex;
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

}  // namespace keyfold
