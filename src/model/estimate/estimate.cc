#include "model/estimate/estimate.h"

#include <algorithm>

namespace keyfold::model {

Estimate::Estimate(const Model& model, const PlanRules& rules)
    : model_(model), rules_(rules), coverage_(model), population_(model), groups_(model) {
  ItemCounts counts(model, population_);
  patterns_.reserve(model.patterns.size());
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    patterns_.push_back(EstimatePattern(model, id, coverage_, population_, counts, rules_));
  }
  collections_ = CollectionsOf(model, groups_, population_, counts, rules_);
  heat_ = HeatOf(model, groups_, patterns_, population_, rules_);
}

const CollectionPart* Estimate::PartOf(EntityId id, std::optional<IndexId> index) const {
  const auto collection = std::lower_bound(collections_.begin(), collections_.end(), groups_.At(id, index),
                                           [](const Collection& one, size_t group) { return one.group < group; });
  if (collection == collections_.end() || collection->group != groups_.At(id, index)) return nullptr;
  const auto part = std::lower_bound(collection->parts.begin(), collection->parts.end(), id,
                                     [](const CollectionPart& one, EntityId entity) { return one.entity < entity; });
  return &*part;
}

}  // namespace keyfold::model
