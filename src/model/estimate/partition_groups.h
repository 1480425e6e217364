// Which entities can share the partitions of the table or an index: those whose partition keys have the same form.
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/core/model.h"

namespace keyfold::model {

struct PartitionGroup {
  std::optional<IndexId> index;
  std::string key;                 // the partition key's template: "USER#{userId}"
  std::vector<EntityId> entities;  // in model order
};

// Returns true if the templates differ only in attribute names: types, literals and formats are the same.
bool SameShape(const Template&, const Template&);

// Immutable, thread-safe. Views the Model, which must outlive it.
class PartitionGroups {
 public:
  explicit PartitionGroups(const Model&);

  // Those of the table, then those of each index, each in the order of their first entities.
  const std::vector<PartitionGroup>& all() const { return all_; }
  // Position in all(). The table or index must hold the entity.
  size_t At(EntityId id, std::optional<IndexId> index) const { return at_[PlaceAt(index)][id]; }
  // The group of the table whose partition keys have the same form as the entity's in the index, as in an index by
  // `USER#{userId}`. Position in all(); nullopt if there is none, or if the form has no literal to recognize it by.
  std::optional<size_t> TableGroupLike(EntityId, std::optional<IndexId>) const;

 private:
  static size_t PlaceAt(std::optional<IndexId> index) { return index ? *index + 1 : 0; }
  void AddPlace(std::optional<IndexId>);

  const Model& model_;
  std::vector<PartitionGroup> all_;
  std::vector<std::vector<size_t>> at_;                   // by place (the table, then indexes), then entity
  std::vector<std::string> forms_;                        // by group
  std::unordered_map<std::string, size_t> table_groups_;  // by form
};

}  // namespace keyfold::model
