// Values that are likely to show a mistake in a key: words that begin each other, words outside ASCII, times a
// millisecond apart on both sides of a second and of a month, numbers of different lengths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "model/core/model.h"

namespace keyfold::model {

// The same for the same arguments and seed, on every machine. One thread at a time.
class SampleValues {
 public:
  // `separator` never occurs in a string.
  SampleValues(uint64_t seed, std::string separator, int64_t now_ms);

  // The n-th of the attribute's values: different for different n, as far as its limits allow, letters' case aside.
  std::string Nth(const Attribute&, uint64_t n) const;
  // Any value; strings out of a few.
  std::string Any(const Attribute&);
  // Before, at and after the present; without `expired` only after it.
  std::string Expiry(AttributeType, uint64_t n, uint64_t after_s, bool expired) const;

  Random& random() { return random_; }
  int64_t now_ms() const { return now_ms_; }

 private:
  std::string Word(const Attribute&, uint64_t n) const;
  std::string NumberNear(const Attribute&, uint64_t n) const;
  int64_t TimeNear(uint64_t n) const;

  Random random_;
  std::string separator_;
  int64_t now_ms_;
  int64_t month_ms_;  // when the present's month began
};

}  // namespace keyfold::model
