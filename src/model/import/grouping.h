// Groups the items of a sample by entity: by the type attribute if there is one, otherwise by the shape of their keys.
#pragma once

#include <string>
#include <vector>

#include "model/diff/definition.h"
#include "model/import/key_inference.h"

namespace keyfold::model {

struct ItemGroup {
  std::string type;   // value of the type attribute; empty if there is none
  std::string shape;  // "USER#{} ORDER#{}#{}"
  ItemRefs items;
};

struct Grouping {
  std::string separator = "#";
  std::string type_attribute;     // empty if none was found
  std::vector<std::string> keys;  // key attributes that exist only to be keys, such as PK and GSI1SK
  std::vector<ItemGroup> groups;  // largest first
  size_t sampled = 0;
};

Grouping GroupItems(const TableDefinition&, const std::vector<SampledItem>&);

}  // namespace keyfold::model
