// ProjectionExpression and AttributesToGet: which parts of an item a response contains.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "expr/path.h"
#include "expr/placeholders.h"

namespace keyfold::expr {

// Immutable once parsed. If empty, the whole item.
struct Projection {
  std::vector<Path> paths;
  std::vector<uint32_t> sorted;  // indexes into paths in the order of an item's attributes; set by Sort
  void Sort();
  bool empty() const { return paths.empty(); }
};

Result<Projection> ParseProjection(std::string_view text, Placeholders& placeholders);
Projection ProjectionOfAttributes(const std::vector<std::string>& names);

// Requires a sorted projection, as the two functions above return. Appends the projected item to `out` in the item form
// (an item: a map without tag). List elements keep their order and close up. A path that leads nowhere adds nothing.
void AppendProjected(const Projection& projection, ItemView item, std::string& out);
Item Project(const Projection& projection, ItemView item);

void CollectAttributes(const Projection& projection, std::vector<std::string_view>& out);

}  // namespace keyfold::expr
