#include "bench/driver/histogram.h"

#include <algorithm>
#include <cmath>

namespace keyfold::bench {

void Histogram::Add(const Histogram& other) {
  for (size_t i = 0; i < buckets_.size(); ++i) buckets_[i] += other.buckets_[i];
  count_ += other.count_;
  sum_ += other.sum_;
  max_ = std::max(max_, other.max_);
}

// BucketOf backwards: octave 0 has the buckets below 2 * kSub, each further one kSub of them.
uint64_t Histogram::HighestOf(size_t bucket) {
  if (bucket < 2 * kSub) return bucket;
  const size_t octave = bucket / kSub - 1;
  const uint64_t lowest = (bucket - kSub * octave) << octave;
  return lowest + (uint64_t{1} << octave) - 1;
}

uint64_t Histogram::Percentile(double part) const {
  const auto wanted = static_cast<uint64_t>(std::ceil(part * static_cast<double>(count_)));
  uint64_t seen = 0;
  for (size_t i = 0; i < buckets_.size(); ++i) {
    seen += buckets_[i];
    if (seen >= wanted && seen > 0) return std::min(HighestOf(i), max_);
  }
  return max_;
}

}  // namespace keyfold::bench
