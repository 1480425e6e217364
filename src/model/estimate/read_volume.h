// How much a read pattern reads: items and bytes of every entity that its key condition covers, on average and for the
// largest parents the model allows.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/estimate/item_counts.h"
#include "model/estimate/population.h"
#include "model/keys/coverage.h"

namespace keyfold::model {

struct ReadPart {
  EntityId entity = 0;
  bool wanted = true;
  double items = 0;
  double item_bytes = 0;
  std::optional<double> items_max = {};  // for the largest parent, if per.max is declared
  std::string doubt = {};                // why `items` is a guess, as a clause; empty if it follows from the model
  std::string_view remedy = {};          // what to declare against the doubt

  double bytes() const { return items * item_bytes; }
};

struct ReadVolume {
  std::vector<ReadPart> parts;
  double items = 0;
  double bytes = 0;
  double bytes_max = 0;  // with every entity at its largest
};

// Bytes of an item, or of its entry in an index.
using BytesOf = std::function<double(EntityId, std::optional<IndexId>)>;

// Computes volumes of one invocation over all shards, buckets and pages. Used by one thread at a time. Views its
// arguments, which must outlive it.
class ReadVolumes {
 public:
  ReadVolumes(const Model& model, const Population& population, ItemCounts& counts)
      : model_(model), population_(population), counts_(counts) {}

  // `buckets` is the number of calendar buckets that are read. Without `paginate`, the limit caps the volume, but the
  // 1 MB page does not.
  ReadVolume Of(const Pattern&, const Access&, const std::vector<Coverage::Covered>&, double buckets, const BytesOf&);

 private:
  // The placeholders of the wanted entity's sort key that the request gives, and how far these reach.
  struct SortBound {
    std::vector<std::string_view> names;
    std::vector<size_t> parts;  // by attribute of the sort key, the parts of its template that are given
  };

  ReadPart ScannedPart(const KeyRead&, EntityId) const;
  ReadPart QueriedPart(const Pattern&, const Access&, const SortBound&, EntityId, double buckets);
  SortBound BoundBySort(const Pattern&, const KeyRead&) const;
  Terms GivenBy(const KeyRead&, const SortBound&, EntityId) const;
  double ShareOfShards(const Access&, EntityId, const Terms& given) const;
  std::string DoubtOf(EntityId, const Terms& given, const ItemCount&) const;
  std::string NamesOf(const Terms&) const;

  const Model& model_;
  const Population& population_;
  ItemCounts& counts_;
};

}  // namespace keyfold::model
