#include "copy/pace.h"

#include <algorithm>

namespace keyfold::copy {
namespace {

Micros TimeFor(uint64_t amount, uint64_t per_second) {
  if (per_second == 0) return 0;
  return static_cast<Micros>(static_cast<double>(amount) * static_cast<double>(kSecond) /
                             static_cast<double>(per_second));
}

}  // namespace

Micros CopyPace::Take(uint64_t items, uint64_t bytes) {
  const Micros needed = std::max(TimeFor(items, limits_.items), TimeFor(bytes, limits_.bytes));
  if (needed == 0) return 0;
  const Micros now = clock_.Now();
  MutexLock lock(mutex_);
  const Micros begins = std::max(now, free_from_);
  free_from_ = begins + needed;
  return begins - now;
}

}  // namespace keyfold::copy
