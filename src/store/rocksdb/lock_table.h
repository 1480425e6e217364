// LockTable: the locks of declared keys. Keys share a fixed number of stripes; a holder takes its stripes in rising
// order, each once, so holders cannot wait for each other in a circle.
#pragma once

#include <algorithm>
#include <array>
#include <mutex>
#include <span>
#include <vector>

#include "base/hash.h"
#include "store/row_key.h"

namespace keyfold {

// Thread-safe.
class LockTable {
 public:
  // Holds the locks of `keys` while it lives. One thread at a time.
  class Hold {
   public:
    Hold(LockTable& table, std::span<const RowKey> keys) : table_(table) {
      if (keys.size() == 1) {
        single_ = StripeOf(keys[0]);
        table_.stripes_[single_].mutex.lock();
        return;
      }
      several_.reserve(keys.size());
      for (const RowKey& key : keys) several_.push_back(StripeOf(key));
      std::sort(several_.begin(), several_.end());
      several_.erase(std::unique(several_.begin(), several_.end()), several_.end());
      for (const uint32_t stripe : several_) table_.stripes_[stripe].mutex.lock();
    }
    ~Hold() {
      if (single_ != kNone) table_.stripes_[single_].mutex.unlock();
      for (const uint32_t stripe : several_) table_.stripes_[stripe].mutex.unlock();
    }
    Hold(const Hold&) = delete;

   private:
    static constexpr uint32_t kNone = UINT32_MAX;
    static uint32_t StripeOf(const RowKey& key) { return static_cast<uint32_t>(Hash64(key.bytes()) % kStripes); }

    LockTable& table_;
    uint32_t single_ = kNone;
    std::vector<uint32_t> several_;
  };

 private:
  static constexpr size_t kStripes = 2048;
  struct alignas(64) Stripe {
    std::mutex mutex;
  };
  std::array<Stripe, kStripes> stripes_;
};

}  // namespace keyfold
