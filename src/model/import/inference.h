// Infers a model from a table's definition and a sample of its items: entities, templates, types, sparse rules, shards,
// sizes, counts. Comments in the result say how certain each guess is.
#pragma once

#include <vector>

#include "model/import/draft.h"
#include "model/import/sampled_item.h"

namespace keyfold::model {

struct SampleOf {
  TableDefinition table;
  std::vector<SampledItem> items;
  bool complete = true;  // the sample has all items of the table
};

// Entities without a name of their own are named after their keys. The result always has an entity: for a table without
// items, one that has only the key.
Draft InferModel(const SampleOf&);

}  // namespace keyfold::model
