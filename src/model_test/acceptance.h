// What a model accepts, as far as a trial shows it: entities that share keys, patterns that fail in a way that a rule
// of check has announced, and patterns that cannot be tried.
#pragma once

#include <string>
#include <vector>

#include "model/finding/finding.h"
#include "model_test/trial.h"

namespace keyfold::model_test {

// Immutable. Borrows the model.
class Acceptance {
 public:
  explicit Acceptance(const model::Model& model);

  // Returns true if two items may have one key on purpose: the finding is accepted, or no put overwrites the other.
  bool MayShareKeys(model::EntityId a, model::EntityId b) const;
  // Returns true if the read may return items of an entity that it does not ask for, because they are there instead of
  // those of one that shares its names.
  bool MayReturn(model::PatternId pattern, model::EntityId entity) const;
  // Returns "L04: reason" if the model accepts what is wrong with the pattern, otherwise an empty text.
  std::string ReasonFor(const PatternTrial& trial) const;
  // A sentence for each accept of rule L51 that matches no pattern of the trial.
  std::vector<std::string> Unmatched(const std::vector<PatternTrial>& trials) const;

 private:
  bool Explains(const model::Finding& one, const PatternTrial& trial) const;
  bool Matches(const model::Accept& accept, model::PatternId pattern) const;

  const model::Model& model_;
  std::vector<model::Finding> findings_;  // those of check
};

}  // namespace keyfold::model_test
