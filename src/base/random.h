// The only source of randomness; reproducible from a seed.
#pragma once

#include <cstdint>
#include <string>

namespace keyfold {

// xoshiro256**; not for secrets. Used by one thread at a time.
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

// Random bytes from the operating system, suitable for secrets.
std::string SystemRandomBytes(size_t count);

}  // namespace keyfold
