// The load that patterns put on partition keys: peak units per second on each group of partitions, and the share of it
// that the most loaded key value gets.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/check/subject.h"

namespace keyfold::model::check {

struct GroupLoad {
  const PartitionGroup* group = nullptr;
  // Units per second at peak on all key values together, and the terms of that sum.
  double writes = 0;
  double reads = 0;
  std::vector<std::string> write_terms;
  std::vector<std::string> read_terms;
  EntityId loaded = 0;             // the entity that gets most of it
  std::optional<double> distinct;  // key values, without shards; nullopt if unknown
  uint32_t shards = 1;
  // Share of the load on the most loaded key value, without shards; 1 if unknown.
  double top_share = 1;
  // `heat` of an entity: units per second on one key value, without shards.
  std::optional<double> declared_writes;
  std::optional<double> declared_reads;

  // Load on the most loaded key value, before and after sharding. An upper bound if `distinct` is unknown.
  double WritesBeforeSharding() const { return declared_writes.value_or(writes * top_share); }
  double ReadsBeforeSharding() const { return declared_reads.value_or(reads * top_share); }
  bool IsKnown() const { return distinct.has_value(); }
};

// Returns one load per group, in the order of the groups.
std::vector<GroupLoad> LoadsOf(const Subject&);

}  // namespace keyfold::model::check
