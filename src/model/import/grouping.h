// Which items of a sample are of one entity: by the type attribute where there is one, else by the shape of their keys.
#pragma once

#include <string>
#include <vector>

#include "model/diff/definition.h"
#include "model/import/key_inference.h"

namespace keyfold::model {

struct ItemGroup {
  std::string type;   // of the type attribute; empty: none
  std::string shape;  // "USER#{} ORDER#{}#{}"
  ItemRefs items;
};

struct Grouping {
  std::string separator = "#";
  std::string type_attribute;     // empty: none was found
  std::vector<std::string> keys;  // key attributes that are written for the purpose, as PK and GSI1SK
  std::vector<ItemGroup> groups;  // the largest first
  size_t sampled = 0;
};

Grouping GroupItems(const TableDefinition&, const std::vector<SampledItem>&);

}  // namespace keyfold::model
