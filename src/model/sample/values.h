// Values that are likely to expose a mistake in a key: words that are prefixes of each other, words outside ASCII,
// times a millisecond apart on both sides of a second and of a month, numbers of different lengths.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/random.h"
#include "model/core/model.h"

namespace keyfold::model {

// Deterministic: the same arguments and seed give the same values on every machine. Used by one thread at a time.
class SampleValues {
 public:
  // `separator` never occurs in a string.
  SampleValues(uint64_t seed, std::string separator, int64_t now_ms);

  // The n-th of the attribute's values: different for different n as far as its limits allow, ignoring case.
  std::string Nth(const Attribute&, uint64_t n) const;
  // The n-th name of an entry of a map.
  std::string NameOfEntry(uint64_t n) const;
  // A random value; strings are drawn from a few.
  std::string Any(const Attribute&);
  // Times before, at and after the current time; without `expired`, only after it.
  std::string Expiry(AttributeType, uint64_t n, uint64_t after_s, bool expired) const;

  Random& random() { return random_; }
  int64_t now_ms() const { return now_ms_; }

 private:
  std::string Word(const Attribute&, uint64_t n) const;
  std::string SetNear(const Attribute&, uint64_t n) const;
  std::string MapNear(const Attribute&, uint64_t n) const;
  std::string NumberNear(const Attribute&, uint64_t n) const;
  int64_t TimeNear(uint64_t n) const;

  Random random_;
  std::string separator_;
  int64_t now_ms_;
  int64_t month_ms_;  // start of the current month
};

}  // namespace keyfold::model
