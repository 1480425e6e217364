// Heat: peak units on the most loaded partition key value of the table and of each GSI, relative to what one partition
// provides.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/core/model.h"
#include "model/estimate/item_counts.h"
#include "model/estimate/partition_groups.h"
#include "model/estimate/pattern_estimate.h"
#include "model/estimate/population.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// How the load spreads over the values of a group's partition key.
struct KeySpread {
  std::optional<double> values;  // distinct values without shards, calendar parts as one; nullopt if unknown
  std::optional<double> share;   // on the most loaded value
  uint32_t shards = 1;
  bool calendar = false;  // values are added as time passes
};

// The load that a pattern puts on all keys of a group together.
struct PatternHeat {
  PatternId pattern = 0;
  bool write = false;
  double units = 0;  // per invocation
};

// The load on the most loaded partition key value of a group.
struct KeyHeat {
  size_t group = 0;  // position in PartitionGroups::all()
  std::optional<IndexId> index;
  std::string key;
  std::vector<EntityId> entities;
  EntityId loaded = 0;                // the entity that gets most of the load
  std::optional<double> values = {};  // distinct values, without shards
  std::optional<double> share = {};   // the most loaded value's share of the load; nullopt if unknown
  uint32_t shards = 1;
  bool declared_reads = false;  // by `heat` instead of computed
  bool declared_writes = false;
  // Units per second at peak on all values together, and the patterns that they come from.
  double all_read_units = 0;
  double all_write_units = 0;
  std::vector<PatternHeat> patterns = {};
  // Units per second at peak on one value, before sharding.
  double read_units = 0;
  double write_units = 0;
  double min_shards = 1;

  bool IsDeclared() const { return declared_reads || declared_writes; }
  // Returns true if there is a load, computed or declared.
  bool IsLoaded() const { return !patterns.empty() || IsDeclared(); }
  double WriteHeat(const PlanRules& rules) const { return write_units / shards / rules.partition_write_units; }
  double ReadHeat(const PlanRules& rules) const { return read_units / shards / rules.partition_read_units; }
};

KeySpread SpreadOf(const Model&, const PartitionGroups&, size_t group, const Population&);

// One for each group of the table and of GSIs, in the order of the groups. Scans are left out: they move on from one
// partition to the next.
std::vector<KeyHeat> HeatOf(const Model&, const PartitionGroups&, const std::vector<PatternEstimate>&,
                            const Population&, const PlanRules&);

}  // namespace keyfold::model
