// Maps the names of a model's attributes or entities to numbers. Optimized for many lookups of short names.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold::model {

using NameId = uint32_t;
inline constexpr NameId kNoName = ~NameId{0};

// Used by one thread at a time; thread-safe after the last Add.
class NameTable {
 public:
  NameTable() : places_(kPlacesLeast) {}

  NameId Add(std::string_view name);  // returns the existing id, or the next one from 0
  size_t size() const { return names_.size(); }
  const std::string& NameOf(NameId id) const { return names_[id]; }

  NameId Find(std::string_view name) const {
    const Ends ends = EndsOf(name);
    for (size_t at = PlaceOf(ends, name.size());; at = (at + 1) & mask_) {
      const Place& place = places_[at];
      if (place.id == kNoName) return kNoName;
      if (place.ends.first != ends.first || place.ends.last != ends.last || place.bytes != name.size()) continue;
      if (name.size() <= 16 || names_[place.id] == name) return place.id;
    }
  }

 private:
  static constexpr size_t kPlacesLeast = 16;

  // First and last bytes of a name. With the length, they identify names of up to 16 bytes.
  struct Ends {
    uint64_t first = 0, last = 0;
  };
  struct Place {
    Ends ends;
    uint32_t bytes = 0;
    NameId id = kNoName;
  };

  template <typename Word>
  static uint64_t Load(const char* p) {
    Word word;
    std::memcpy(&word, p, sizeof word);
    return word;
  }
  static Ends EndsOf(std::string_view name) {
    const char* p = name.data();
    const size_t n = name.size();
    if (n >= 8) return {Load<uint64_t>(p), Load<uint64_t>(p + n - 8)};
    if (n >= 4) return {Load<uint32_t>(p), Load<uint32_t>(p + n - 4)};
    if (n >= 2) return {Load<uint16_t>(p), Load<uint16_t>(p + n - 2)};
    return {n == 0 ? 0 : Load<uint8_t>(p), 0};
  }
  size_t PlaceOf(const Ends& ends, size_t bytes) const {
    const uint64_t mixed = (ends.first ^ (ends.last << 21 | ends.last >> 43) ^ bytes) * 0x9E3779B97F4A7C15;
    return (mixed >> 32) & mask_;
  }
  void Put(NameId);

  std::vector<std::string> names_;  // by id
  std::vector<Place> places_;       // their number is a power of two, and at most half are used
  size_t mask_ = kPlacesLeast - 1;  // number of places minus one
};

}  // namespace keyfold::model
