// How many items of each entity there are and will be, in the table and in each index, and what they weigh. From the
// counts the model declares and the rates of the patterns that put and delete.
#pragma once

#include <optional>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"

namespace keyfold::model {

inline constexpr double kYearSeconds = 365 * 86'400.0;

// Immutable. Views the Model, which outlives it.
class Population {
 public:
  explicit Population(const Model&);

  // Now; nothing where neither a count nor a parent nor a time to live tells.
  std::optional<double> Count(EntityId entity) const { return counts_[entity]; }
  // Puts less deletes per second; zero where items expire as fast as they come.
  double Growth(EntityId entity) const { return growth_[entity]; }
  double Puts(EntityId entity) const { return puts_[entity]; }
  // In so many seconds; what is not known now counts from zero.
  double At(EntityId entity, double seconds) const;
  // The part of the entity's items that an index holds: by its sparse rule. Zero: it has not the index's key.
  double ShareIn(IndexId, EntityId) const;
  // Bytes of an entry without storage overhead.
  double EntryBytes(IndexId, EntityId) const;

 private:
  std::optional<double> CountOf(EntityId) const;

  const Model& model_;
  std::vector<std::optional<double>> counts_;
  std::vector<double> puts_;
  std::vector<double> growth_;
  // By index, then entity.
  std::vector<std::vector<double>> shares_;
  std::vector<std::vector<double>> entry_bytes_;
};

}  // namespace keyfold::model
