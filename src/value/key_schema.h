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

  bool HasSort() const { return !sort.empty(); }
  bool Names(std::string_view attribute) const {
    for (const auto* side : {&partition, &sort}) {
      for (const KeyAttribute& a : *side) {
        if (a.name == attribute) return true;
      }
    }
    return false;
  }
  bool operator==(const KeySchema&) const = default;
};

}  // namespace keyfold
