// How many items of each entity there are and will be, in the table and in each index, and how large they are. Based on
// the counts the model declares and the rates of the patterns that put and delete.
#pragma once

#include <optional>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"

namespace keyfold::model {

inline constexpr double kYearSeconds = 365 * 86'400.0;

// Immutable. Views the Model, which must outlive it.
class Population {
 public:
  explicit Population(const Model&);

  // Current count; nullopt if no count, parent, source or time to live determines it.
  std::optional<double> Count(EntityId entity) const { return counts_[entity]; }
  // Puts minus deletes per second; zero if items expire, since they then expire as fast as they are added.
  double Growth(EntityId entity) const { return growth_[entity]; }
  double Puts(EntityId entity) const { return puts_[entity]; }
  // Count after this many seconds; an unknown current count is taken as zero.
  double At(EntityId entity, double seconds) const;
  // Share of the entity's items that are in the index, by its sparse rule. Zero if the entity lacks the index's key.
  double ShareIn(IndexId, EntityId) const;
  // Bytes of an index entry, without storage overhead.
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
