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
  // Units per second at peak on all key values together, and what they are the sum of.
  double writes = 0;
  double reads = 0;
  std::vector<std::string> write_terms;
  std::vector<std::string> read_terms;
  EntityId loaded = 0;             // the entity that most of it falls on
  std::optional<double> distinct;  // key values, shards left out; nothing: not known
  uint32_t shards = 1;
  // Share of the load on the most loaded key value, shards left out; 1 where nothing is known.
  double top_share = 1;
  // `heat` of an entity: units per second on one key value, shards left out.
  std::optional<double> declared_writes;
  std::optional<double> declared_reads;

  // On the most loaded key value, before and after sharding. A bound from above where `distinct` is not known.
  double WritesBeforeSharding() const { return declared_writes.value_or(writes * top_share); }
  double ReadsBeforeSharding() const { return declared_reads.value_or(reads * top_share); }
  bool IsKnown() const { return distinct.has_value(); }
};

// One per group, in their order.
std::vector<GroupLoad> LoadsOf(const Subject&);

}  // namespace keyfold::model::check
