// The input of the rules: a model with its requests compiled, what each request reads, which entities share partitions,
// and the number of items. Computed once, before the first rule runs.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"
#include "model/keys/coverage.h"

namespace keyfold::model::check {

// Entities whose partition keys in the table or an index have the same form, so that they can share partitions.
struct PartitionGroup {
  std::optional<IndexId> index;
  std::vector<EntityId> entities;
};

// Immutable, thread-safe. Views the Model.
class Subject {
 public:
  explicit Subject(const Model&);

  const Model& model() const { return model_; }
  const Coverage& coverage() const { return coverage_; }
  const Entity& entity(EntityId id) const { return model_.entities[id]; }
  const Pattern& pattern(PatternId id) const { return model_.patterns[id]; }

  // Null if no request serves the pattern.
  const Access* access(PatternId id) const { return std::get_if<Access>(&compiled_[id]); }
  const Unserved* unserved(PatternId id) const { return std::get_if<Unserved>(&compiled_[id]); }
  // The entities a query reads, wanted or not. Empty for other patterns.
  const std::vector<Coverage::Covered>& covered(PatternId id) const { return covered_[id]; }
  std::vector<EntityId> UnwantedOf(PatternId) const;

  // Form of the partition key in the table or an index: its literals, and its placeholders without names.
  std::string FormOf(EntityId, std::optional<IndexId>) const;
  const std::vector<PartitionGroup>& groups() const { return groups_; }
  // Placeholders of the sort key that are not in the partition key. Empty if each partition key value has one item.
  std::vector<const TemplatePart*> FreeSortParts(EntityId, std::optional<IndexId>) const;
  // Another entity in the same table partitions that has one item in each.
  std::optional<EntityId> OwnerOf(EntityId) const;

  // Number of items of an entity in the table; nullopt if unknown.
  std::optional<double> Count(EntityId id) const { return counts_[id]; }
  // Items under one partition key value: `per` multiplied up to the partition's owner, otherwise 1. With `read`, only
  // up to the parent that the read names. `most` uses per.max.
  double ItemsPerPartition(EntityId, std::optional<IndexId>, bool most = false, const Pattern* read = nullptr) const;
  double EntrySize(EntityId, std::optional<IndexId>) const;
  // Per invocation. The pattern must be served.
  double BytesRead(PatternId) const;
  double ReadUnits(PatternId) const;
  double BaseWriteUnits(PatternId, const Write&) const;
  double IndexWriteUnits(const Write&, const IndexEffect&) const;

  // Returns true if `by` or an equality in `where` gives the attribute.
  static bool IsGiven(const Pattern&, std::string_view attribute);
  // What an update sets: its own list or, for a copy, what the transaction sets on the source.
  std::vector<Assignment> AssignmentsOf(const Pattern&, const Action&) const;
  // Returns true if the filter uses the attribute. Filtered items are read and paid for before they are dropped.
  static bool InFilter(const Access&, std::string_view attribute);
  // Returns true if the index entries contain the attribute's value.
  bool IsProjected(EntityId, const Index&, std::string_view attribute) const;
  bool IsGuard(EntityId) const;

 private:
  const Entity* ParentIn(const Entity&, const std::string& form, std::optional<IndexId>, const Per** per) const;
  double ReadFactor(const Pattern&) const;
  void CountAll();
  std::optional<double> CountOf(const Entity&) const;
  static std::vector<EntityId> CountedBy(const Entity&);

  const Model& model_;
  Coverage coverage_;
  std::vector<Compiled> compiled_;
  std::vector<std::vector<Coverage::Covered>> covered_;
  // by entity, then by place (table, then indexes); empty if the entity is not there
  std::vector<std::vector<std::string>> forms_;
  std::vector<PartitionGroup> groups_;
  std::map<std::string, std::vector<EntityId>> by_table_form_;
  std::vector<std::optional<double>> counts_;  // by entity
};

// For messages: "12 B", "3.2 KB", "1.4 MB", "8.1 GB".
std::string Bytes(double);
// "PK = USER#a, SK = ORDER#1".
std::string KeyText(const std::vector<std::pair<std::string, std::string>>& key);

}  // namespace keyfold::model::check
