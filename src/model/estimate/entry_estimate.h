// Bytes of an index entry under a projection other than the declared one, estimated from an entity's attributes.
#pragma once

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/core/model.h"

namespace keyfold::model {

// Immutable. Views the Model, which outlives it.
class EntryEstimate {
 public:
  EntryEstimate(const Model&, const Entity&);

  // Of an entry that holds the keys of table and index alone.
  double Keys(const Index&) const;
  // Of one that holds the type attribute and these as well.
  double KeysAnd(const Index&, const std::vector<std::string>& attributes) const;
  // Key attributes of the index that are made by templates: names and values.
  double SyntheticKey(const Index&) const;

 private:
  double KeyBytes(const KeySide&) const;
  double AttributeBytes(std::string_view name) const;

  const Model& model_;
  const Entity& entity_;
  std::unordered_map<std::string_view, double> values_;  // bytes of a value, by attribute
};

}  // namespace keyfold::model
