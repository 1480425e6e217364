// A document path: an attribute name, then member names and list indexes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "value/item.h"

namespace keyfold::expr {

struct PathStep {
  bool is_index = false;
  uint32_t index = 0;
  std::string name;
  bool operator==(const PathStep&) const = default;
};

struct Path {
  std::string root;             // the top-level attribute
  std::vector<PathStep> steps;  // below it

  std::optional<ValueView> Resolve(ItemView item) const;
  std::string ToString() const;  // as DynamoDB prints it: [a, b, [0]]
  bool operator==(const Path&) const = default;
};

}  // namespace keyfold::expr
