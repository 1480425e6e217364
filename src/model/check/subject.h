// What the rules look at: a model with its requests compiled, what each reads, who shares partitions, and how much of
// everything there is. Worked out once, before the first rule.
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

inline constexpr double kBytesPerReadUnit = 4096;
inline constexpr double kBytesPerWriteUnit = 1024;
inline constexpr double kPageBytes = 1 << 20;

// Entities whose partition keys in the table or an index have the same form, and so may share partitions.
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

  // Nothing where no request serves the pattern.
  const Access* access(PatternId id) const { return std::get_if<Access>(&compiled_[id]); }
  const Unserved* unserved(PatternId id) const { return std::get_if<Unserved>(&compiled_[id]); }
  // What a query reads, wanted or not; of other patterns nothing.
  const std::vector<Coverage::Covered>& covered(PatternId id) const { return covered_[id]; }
  std::vector<EntityId> UnwantedOf(PatternId) const;

  // The partition key's form in the table or an index: literals, and placeholders without their names.
  std::string FormOf(EntityId, std::optional<IndexId>) const;
  const std::vector<PartitionGroup>& groups() const { return groups_; }
  // Placeholders of the sort key that the partition key does not have; none: one item per partition key value.
  std::vector<const TemplatePart*> FreeSortParts(EntityId, std::optional<IndexId>) const;
  // Another entity of the same partitions of the table that has one item in each.
  std::optional<EntityId> OwnerOf(EntityId) const;

  // Amounts. Items of an entity in the table; nothing: not known.
  std::optional<double> Count(EntityId id) const { return counts_[id]; }
  // Items under one partition key value: `per` multiplied up to the partition's owner, else 1; of a read up to the
  // parent that it names. `most`: by per.max.
  double ItemsPerPartition(EntityId, std::optional<IndexId>, bool most = false, const Pattern* read = nullptr) const;
  double EntrySize(EntityId, std::optional<IndexId>) const;
  // One invocation of a pattern that is served.
  double BytesRead(PatternId) const;
  double ReadUnits(PatternId) const;
  double BaseWriteUnits(PatternId, const Write&) const;
  double IndexWriteUnits(const Write&, const IndexEffect&) const;
  uint32_t Calls(PatternId) const;

  // Is the attribute given by `by` or by an equality of `where`?
  static bool IsGiven(const Pattern&, std::string_view attribute);
  // What an update sets: its list, or of a copy what the transaction sets on the source.
  std::vector<Assignment> AssignmentsOf(const Pattern&, const Action&) const;
  // In the filter, that is read and paid for before it is dropped.
  static bool InFilter(const Access&, std::string_view attribute);
  // Can the attribute's value be had from an index's entries?
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
  std::vector<std::vector<std::string>> forms_;  // by entity, then place (table, then indexes); empty: not there
  std::vector<PartitionGroup> groups_;
  std::map<std::string, std::vector<EntityId>> by_table_form_;
  std::vector<std::optional<double>> counts_;  // by entity
};

// For messages: "1,250", "0.28", "12.5".
std::string Figure(double);
std::string Percent(double share);
// "12 B", "3.2 KB", "1.4 MB", "8.1 GB".
std::string Bytes(double);
// "PK = USER#a, SK = ORDER#1".
std::string KeyText(const std::vector<std::pair<std::string, std::string>>& key);
// "a", "a and b", "a, b and c".
std::string Listed(const std::vector<std::string>& names);

// Every key attribute of an index.
std::vector<std::string> KeysOf(const Index&);
bool Contains(const std::vector<std::string>& all, std::string_view one);

}  // namespace keyfold::model::check
