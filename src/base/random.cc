#include "base/random.h"

#include <sys/random.h>

#include <cerrno>
#include <random>

#include "base/check.h"
#include "base/text/hex.h"

namespace keyfold {
namespace {

// SplitMix64: spreads a seed over the state.
uint64_t Spread(uint64_t& x) {
  uint64_t z = (x += 0x9E3779B97F4A7C15u);
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

uint64_t RotateLeft(uint64_t x, int k) { return x << k | x >> (64 - k); }

}  // namespace

Random::Random(uint64_t seed) {
  for (auto& s : state_) s = Spread(seed);
}

uint64_t Random::SeedFromSystem() {
  std::random_device device;
  return static_cast<uint64_t>(device()) << 32 | device();
}

uint64_t Random::Next() {
  const uint64_t result = RotateLeft(state_[1] * 5, 7) * 9;
  const uint64_t t = state_[1] << 17;
  state_[2] ^= state_[0];
  state_[3] ^= state_[1];
  state_[1] ^= state_[2];
  state_[0] ^= state_[3];
  state_[2] ^= t;
  state_[3] = RotateLeft(state_[3], 45);
  return result;
}

uint64_t Random::Below(uint64_t bound) {
  CHECK(bound > 0);
  return static_cast<uint64_t>(static_cast<unsigned __int128>(Next()) * bound >> 64);
}

std::string Random::Uuid() {
  std::string out;
  uint64_t bits = 0;
  for (int i = 0; i < 36; ++i) {
    if (i == 8 || i == 13 || i == 18 || i == 23) {
      out.push_back('-');
      continue;
    }
    if (i == 0 || i == 19) bits = Next();
    uint64_t digit = bits & 15;
    bits >>= 4;
    if (i == 14) digit = 4;
    if (i == 19) digit = 8 | (digit & 3);
    out.push_back(kHexDigits[digit]);
  }
  return out;
}

std::string SystemRandomBytes(size_t count) {
  std::string bytes(count, '\0');
  for (size_t got = 0; got < count;) {
    const ssize_t n = getrandom(bytes.data() + got, count - got, 0);
    if (n > 0) got += static_cast<size_t>(n);
    CHECK(n > 0 || errno == EINTR);
  }
  return bytes;
}

}  // namespace keyfold
