// The attributes of a key: of a table (one partition attribute, at most one sort attribute) or of an index (up to four
// of each).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "value/item.h"

namespace keyfold {

struct KeyAttribute {
  std::string name;
  Type type = Type::kS;  // kS, kN or kB
  bool operator==(const KeyAttribute&) const = default;
};

struct KeySchema {
  std::vector<KeyAttribute> partition;
  std::vector<KeyAttribute> sort;

  // Both sides as one range, the partition's attributes first. Borrows the schema, which must not change meanwhile.
  class AttributeRange {
   public:
    struct Iterator {
      const KeyAttribute& operator*() const {
        const size_t in_sort = at - key->partition.size();
        return at < key->partition.size() ? key->partition[at] : key->sort[in_sort];
      }
      Iterator& operator++() {
        ++at;
        return *this;
      }
      bool operator==(const Iterator& other) const { return at == other.at; }

      const KeySchema* key;
      size_t at;
    };

    explicit AttributeRange(const KeySchema& key) : key_(key) {}
    Iterator begin() const { return {&key_, 0}; }
    Iterator end() const { return {&key_, size()}; }
    size_t size() const { return key_.partition.size() + key_.sort.size(); }

   private:
    const KeySchema& key_;
  };

  AttributeRange attributes() const { return AttributeRange(*this); }
  bool HasSort() const { return !sort.empty(); }
  bool Names(std::string_view attribute) const {
    for (const KeyAttribute& a : attributes()) {
      if (a.name == attribute) return true;
    }
    return false;
  }
  bool operator==(const KeySchema&) const = default;
};

}  // namespace keyfold
