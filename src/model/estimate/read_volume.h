// What a read reads: items and bytes of every entity that its key condition covers, on average and for the largest
// parent the model allows.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "model/compile/access.h"
#include "model/estimate/population.h"
#include "model/keys/coverage.h"

namespace keyfold::model {

struct ReadPart {
  EntityId entity = 0;
  bool wanted = true;
  double items = 0;
  double item_bytes = 0;
  std::optional<double> items_max;  // of the largest parent, where per.max tells
  bool assumed = false;             // nothing in the model says how many: one

  double bytes() const { return items * item_bytes; }
};

struct ReadVolume {
  std::vector<ReadPart> parts;
  double items = 0;
  double bytes = 0;
};

// Bytes of an item, or of its entry in an index.
using BytesOf = std::function<double(EntityId, std::optional<IndexId>)>;

// Of one invocation over all shards, buckets and pages; without `paginate` a limit cuts it, and the 1 MB page does not.
ReadVolume VolumeOf(const Model&, const Pattern&, const KeyRead&, const std::vector<Coverage::Covered>&,
                    const Population&, const BytesOf&);

// Do the templates write the same texts but for the values: literals and formats alike?
bool SameShape(const Template&, const Template&);
bool SameShape(const Model&, std::optional<IndexId>, const Entity&, const Entity&);

// Is there one such item in a partition: the rest of its key has no placeholder that the partition key has not?
bool OwnsPartition(const Model&, std::optional<IndexId>, const Entity&);

// The `per` that leads to the partition's owner: its parent shares the partition, or is the first declared. In an index
// only where the partition key is made of what names the item or the parent, as an inverse lookup's is; otherwise, as
// by a status, the parent does not tell what one value holds.
const Per* PerTowardsOwner(const Model&, std::optional<IndexId>, const Entity&);

}  // namespace keyfold::model
