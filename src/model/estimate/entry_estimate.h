// Estimates the bytes of an index entry under a projection other than the declared one, from an entity's attributes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/core/model.h"

namespace keyfold::model {

// Immutable. Views the Model, which must outlive it.
class EntryEstimate {
 public:
  EntryEstimate(const Model&, const Entity&);

  // Bytes of an entry with only the keys of the table and the index.
  double Keys(const Index&) const;
  // Bytes of an entry that also has the type attribute and these attributes.
  double KeysAnd(const Index&, const std::vector<std::string>& attributes) const;
  // Bytes of the index's key attributes that templates write: names and values.
  double SyntheticKey(const Index&) const;

 private:
  double KeyBytes(const KeySide&) const;
  double AttributeBytes(std::string_view name) const;

  const Model& model_;
  const Entity& entity_;
  std::unordered_map<std::string_view, double> values_;  // bytes of a value, by attribute
};

}  // namespace keyfold::model
