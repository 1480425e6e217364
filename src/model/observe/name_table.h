// Names to numbers: which attribute or entity of a model a name is. Made for one lookup after the other, of short
// names.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace keyfold::model {

using NameId = uint32_t;
inline constexpr NameId kNoName = ~NameId{0};

// One thread at a time; thread-safe once no more is added.
class NameTable {
 public:
  NameTable() : places_(kPlacesLeast) {}

  NameId Add(std::string_view name);  // the one it has, or the next from 0
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

  // Of up to 16 bytes all there is to know, beside their number.
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
  std::vector<Place> places_;       // a power of two of them, at most half taken
  size_t mask_ = kPlacesLeast - 1;  // one less than their number
};

}  // namespace keyfold::model
