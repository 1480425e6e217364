// Estimates the bytes of an index entry under any projection, from an entity's templates and attributes.
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

  // Bytes of an entry as the index projects it.
  double Projected(const Index&) const;
  // Bytes of an entry with only the keys of the table and the index.
  double Keys(const Index&) const;
  // Bytes of an entry that also has the type attribute and these attributes.
  double KeysAnd(const Index&, const std::vector<std::string>& attributes) const;
  // Bytes of the index's key attributes that templates write: names and values.
  double SyntheticKey(const Index&) const;

 private:
  double KeyBytes(const std::string& attribute) const;
  double AttributeBytes(std::string_view name) const;
  double TypeBytes() const;

  const Model& model_;
  const Entity& entity_;
  std::unordered_map<std::string_view, double> values_;  // bytes of a value, by attribute
};

// Returns true if the entries of an index contain the attribute's value: as an attribute, or as part of a key from
// which it can be recovered.
bool HoldsValue(const Model&, const Index&, const Entity&, std::string_view attribute);

}  // namespace keyfold::model
