// Latencies, counted in buckets that grow with the value, so that any percentile is right to about one in 128.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace keyfold::bench {

// One thread at a time.
class Histogram {
 public:
  void Add(uint64_t ns) {
    ++buckets_[BucketOf(ns)];
    ++count_;
    sum_ += ns;
    if (ns > max_) max_ = ns;
  }
  void Add(const Histogram& other);

  uint64_t count() const { return count_; }
  uint64_t max() const { return max_; }
  double mean() const { return count_ == 0 ? 0 : static_cast<double>(sum_) / static_cast<double>(count_); }
  // The value that a share of `part` (0 to 1) does not exceed; 0 where nothing was added.
  uint64_t Percentile(double part) const;

 private:
  static constexpr int kSubBits = 7, kOctaves = 40;
  static constexpr uint64_t kSub = 1 << kSubBits;

  // Below kSub every value has its own; above, each octave has kSub.
  static size_t BucketOf(uint64_t ns) {
    if (ns < kSub) return ns;
    const int octave = std::bit_width(ns) - kSubBits - 1;
    if (octave >= kOctaves) return kSub * (kOctaves + 1) - 1;
    return kSub * static_cast<size_t>(octave) + (ns >> octave);
  }
  static uint64_t HighestOf(size_t bucket);

  std::array<uint64_t, kSub*(kOctaves + 1)> buckets_{};
  uint64_t count_ = 0, sum_ = 0, max_ = 0;
};

}  // namespace keyfold::bench
