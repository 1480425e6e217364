// Visibility: the last commit applied to each place. A read must not return anything that a power cut can undo. An
// absent row has no commit number, so places are tracked instead of rows: a fixed number of stripes over (table, index,
// slot), which covers deletes and index rows too.
//
// Correctness depends on the order: a writer publishes its number here before its rows become visible, and a reader
// looks here after it has read. RocksDB publishes rows by a release store of its sequence number, and readers load that
// with acquire. So a reader that saw a row of commit n, or its absence since n, finds a number of at least n.
#pragma once

#include <array>
#include <atomic>
#include <memory>

#include "store/store.h"

namespace keyfold::store {

// Thread-safe. One thread at a time publishes, in ascending order.
class Visibility {
 public:
  explicit Visibility(CommitNumber everything) : anywhere_(everything) {}

  void Publish(const RowKey& key, CommitNumber number) {
    StripeOf(key.table(), key.index(), key.slot()).store(number, std::memory_order_release);
  }
  void PublishAnywhere(CommitNumber number) { anywhere_.store(number, std::memory_order_release); }

  CommitNumber At(const RowKey& key) { return At(key.table(), key.index(), key.slot()); }
  CommitNumber At(TableId table, IndexId index, Slot slot) {
    return StripeOf(table, index, slot).load(std::memory_order_acquire);
  }
  CommitNumber Anywhere() const { return anywhere_.load(std::memory_order_acquire); }

 private:
  static constexpr size_t kStripes = 4096;

  std::atomic<CommitNumber>& StripeOf(TableId table, IndexId index, Slot slot) {
    const uint64_t place = uint64_t{table} << 32 | uint64_t{index} << 16 | slot;
    return (*stripes_)[place * 0x9E3779B97F4A7C15u >> 52];
  }

  std::atomic<CommitNumber> anywhere_;
  const std::unique_ptr<std::array<std::atomic<CommitNumber>, kStripes>> stripes_ =
      std::make_unique<std::array<std::atomic<CommitNumber>, kStripes>>();
};

}  // namespace keyfold::store
