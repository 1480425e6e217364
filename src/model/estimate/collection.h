// Item collections: the items of one partition key value now, in one and three years, and for the largest parents.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/model.h"
#include "model/estimate/item_counts.h"
#include "model/estimate/partition_groups.h"
#include "model/estimate/population.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// The items of one entity in a collection.
struct CollectionPart {
  EntityId entity = 0;
  double items = 0;
  double item_bytes = 0;
  std::optional<double> items_max = {};
  double bytes_1y = 0;
  double bytes_3y = 0;

  double bytes() const { return items * item_bytes; }
};

// The items of one partition key value.
struct Collection {
  size_t group = 0;  // position in PartitionGroups::all()
  std::optional<IndexId> index;
  std::string key;                 // "USER#{userId}"
  std::vector<EntityId> entities;  // in model order
  std::vector<CollectionPart> parts = {};
  std::optional<double> partitions = {};
  bool counted = true;  // false if some item counts are unknown; the sizes then cover only the known ones
  double items = 0;
  double bytes = 0;
  double bytes_1y = 0;
  double bytes_3y = 0;
  std::optional<double> bytes_max = {};  // for the largest parents; nullopt if some per.max is missing
  double pages_max = 1;
};

// Those of the table and of all indexes, in the order of the groups. Groups of one entity with one item in each
// partition are left out.
std::vector<Collection> CollectionsOf(const Model&, const PartitionGroups&, const Population&, ItemCounts&,
                                      const PlanRules&);

}  // namespace keyfold::model
