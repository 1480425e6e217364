// What a model comes to before prices: counts, item collections, the units of every pattern and the heat of every
// partition key. Computed once; check, plan and generate read their figures from here, so these agree.
#pragma once

#include <vector>

#include "model/core/model.h"
#include "model/estimate/collection.h"
#include "model/estimate/key_heat.h"
#include "model/estimate/partition_groups.h"
#include "model/estimate/pattern_estimate.h"
#include "model/estimate/population.h"
#include "model/keys/coverage.h"
#include "model/price/price_file.h"

namespace keyfold::model {

// Immutable, thread-safe. Views the Model, which must outlive it.
class Estimate {
 public:
  explicit Estimate(const Model&, const PlanRules& = PlanRules());

  const Model& model() const { return model_; }
  const PlanRules& rules() const { return rules_; }
  const Coverage& coverage() const { return coverage_; }
  const Population& population() const { return population_; }
  const PartitionGroups& groups() const { return groups_; }
  const PatternEstimate& pattern(PatternId id) const { return patterns_[id]; }
  const std::vector<PatternEstimate>& patterns() const { return patterns_; }
  const std::vector<Collection>& collections() const { return collections_; }
  // The entity's items under one partition key value; nullptr if each of its items has one of its own.
  const CollectionPart* PartOf(EntityId, std::optional<IndexId>) const;
  const std::vector<KeyHeat>& heat() const { return heat_; }

 private:
  const Model& model_;
  const PlanRules rules_;
  const Coverage coverage_;
  const Population population_;
  const PartitionGroups groups_;
  std::vector<PatternEstimate> patterns_;
  std::vector<Collection> collections_;  // in ascending order of the groups
  std::vector<KeyHeat> heat_;
};

}  // namespace keyfold::model
