// A model guessed from a table's definition and a sample of its items: entities, templates, types, sparse rules,
// shards, sizes, amounts; and in comments how sure each is.
#pragma once

#include <vector>

#include "model/import/draft.h"
#include "model/import/sampled_item.h"

namespace keyfold::model {

struct SampleOf {
  TableDefinition table;
  std::vector<SampledItem> items;
  bool complete = true;  // these are all items of the table
};

// Entities without a name of their own get one from their keys. Never without an entity: a table without items has one
// that says nothing but its key.
Draft InferModel(const SampleOf&);

}  // namespace keyfold::model
