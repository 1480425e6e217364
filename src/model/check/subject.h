// The input of the rules: a model with its estimate (requests, what each reads, which entities share partitions,
// counts, units, heat). Computed once, before the first rule runs.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"
#include "model/estimate/estimate.h"
#include "model/keys/coverage.h"

namespace keyfold::model::check {

// Immutable, thread-safe. Views the Model.
class Subject {
 public:
  explicit Subject(const Model&);

  const Model& model() const { return model_; }
  const Estimate& estimate() const { return estimate_; }
  const Coverage& coverage() const { return estimate_.coverage(); }
  const Entity& entity(EntityId id) const { return model_.entities[id]; }
  const Pattern& pattern(PatternId id) const { return model_.patterns[id]; }

  // Null if no request serves the pattern.
  const Access* access(PatternId id) const { return estimate_.pattern(id).access(); }
  const Unserved* unserved(PatternId id) const { return std::get_if<Unserved>(&estimate_.pattern(id).compiled); }
  // The entities a query reads, wanted or not. Empty for other patterns.
  const std::vector<Coverage::Covered>& covered(PatternId id) const { return estimate_.pattern(id).covered; }
  std::vector<EntityId> UnwantedOf(PatternId) const;

  const std::vector<PartitionGroup>& groups() const { return estimate_.groups().all(); }
  // Placeholders of the sort key that are not in the partition key. Empty if each partition key value has one item.
  std::vector<const TemplatePart*> FreeSortParts(EntityId, std::optional<IndexId>) const;
  // Another entity in the same table partitions that has one item in each.
  std::optional<EntityId> OwnerOf(EntityId) const;

  // Number of items of an entity in the table; nullopt if unknown.
  std::optional<double> Count(EntityId id) const { return estimate_.population().Count(id); }
  // Bytes of an item, or of its entry in an index.
  double EntrySize(EntityId id, std::optional<IndexId> index) const {
    return estimate_.population().BytesIn(index, id);
  }
  // Per invocation. The pattern must be served.
  double ReadUnits(PatternId id) const { return estimate_.pattern(id).units.read; }
  // What the model does not say about the items that the pattern reads, in parentheses; empty if it says all.
  std::string DoubtsOf(PatternId) const;

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
  const Model& model_;
  const Estimate estimate_;
  std::vector<std::vector<EntityId>> owners_;  // by group, the first two entities with one item in each partition
};

// For messages: "12 B", "3.2 KB", "1.4 MB", "8.1 GB".
std::string Bytes(double);
// "PK = USER#a, SK = ORDER#1".
std::string KeyText(const std::vector<std::pair<std::string, std::string>>& key);

}  // namespace keyfold::model::check
