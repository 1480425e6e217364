// The one source of randomness; given a seed it repeats itself.
#pragma once

#include <cstdint>
#include <string>

namespace keyfold {

// One thread at a time. xoshiro256**; not for secrets.
class Random {
 public:
  explicit Random(uint64_t seed);
  static uint64_t SeedFromSystem();

  uint64_t Next();
  uint64_t Below(uint64_t bound);  // [0, bound)
  bool OneIn(uint64_t n) { return Below(n) == 0; }
  std::string Uuid();  // lower case, version 4

 private:
  uint64_t state_[4];
};

// From the operating system, fit for secrets.
std::string SystemRandomBytes(size_t count);

}  // namespace keyfold
