// How much a read pattern reads: items and bytes of every entity that its key condition covers, on average and for the
// largest parent the model allows.
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
  std::optional<double> items_max;  // for the largest parent, if per.max is declared
  bool assumed = false;             // the model does not say how many, so one is assumed

  double bytes() const { return items * item_bytes; }
};

struct ReadVolume {
  std::vector<ReadPart> parts;
  double items = 0;
  double bytes = 0;
};

// Bytes of an item, or of its entry in an index.
using BytesOf = std::function<double(EntityId, std::optional<IndexId>)>;

// Volume of one invocation over all shards, buckets and pages. Without `paginate`, the limit caps it, but the 1 MB page
// does not.
ReadVolume VolumeOf(const Model&, const Pattern&, const KeyRead&, const std::vector<Coverage::Covered>&,
                    const Population&, const BytesOf&);

// Returns true if the templates differ only in attribute names: literals and formats are the same.
bool SameShape(const Template&, const Template&);
bool SameShape(const Model&, std::optional<IndexId>, const Entity&, const Entity&);

// Returns true if a partition has only one such item: the rest of its key has no placeholder that the partition key
// lacks.
bool OwnsPartition(const Model&, std::optional<IndexId>, const Entity&);

// Returns the `per` that leads to the partition's owner: the one whose parent shares the partition, otherwise the first
// declared. In an index the first declared counts only if the partition key consists of attributes that identify the
// item or the parent, as in an inverse lookup. Otherwise (an index by status, for example) the parent does not
// determine how many items one value has, and the result is nullptr.
const Per* PerTowardsOwner(const Model&, std::optional<IndexId>, const Entity&);

}  // namespace keyfold::model
