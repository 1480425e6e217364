// How many items of each entity there are and will be, in the table and in each index, how large they are, and how many
// distinct values their attributes have. Based on the counts that the model declares and on the rates of the patterns
// that put and delete.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/core/model.h"
#include "model/estimate/key_terms.h"

namespace keyfold::model {

inline constexpr double kYearSeconds = 365 * 86'400.0;

// The distinct values of some attributes among the items of an entity.
struct DistinctValues {
  std::optional<double> values;  // calendar parts count as one; nullopt if unknown
  std::optional<double> share;   // the most loaded value's share of the load; nullopt if unknown
  bool calendar = false;         // values are added as time passes
  // The number is the product of declared numbers, so there may be fewer items than combinations.
  bool combined = false;
  bool skewed = false;  // a top_share is declared
  Terms open;           // attributes of which the number of values is unknown
};

// Two `per` of an entity from which different counts follow.
struct CountConflict {
  EntityId entity = 0;
  const Per* low = nullptr;
  const Per* high = nullptr;
  double low_count = 0;
  double high_count = 0;
};

// Immutable. Views the Model, which must outlive it.
class Population {
 public:
  explicit Population(const Model&);

  const KeyTerms& terms() const { return terms_; }
  // Current count; nullopt if no count, `per`, source or time to live determines it. If several `per` do, the largest.
  std::optional<double> Count(EntityId entity) const { return counts_[entity]; }
  // Puts minus deletes per second; zero if items expire, since they then expire as fast as they are added.
  double Growth(EntityId entity) const { return growth_[entity]; }
  double Puts(EntityId entity) const { return puts_[entity]; }
  // Count after this many seconds; an unknown current count is taken as zero.
  double At(EntityId entity, double seconds) const;
  // Share of the entity's items that are in the index, by its sparse rule. Zero if the entity lacks the index's key.
  double ShareIn(IndexId, EntityId) const;
  // Bytes of an index entry, without storage overhead: entry_size of a pattern that reads it, else the keys and the
  // projected attributes.
  double EntryBytes(IndexId, EntityId) const;
  // Bytes of an item, or of its entry in an index.
  double BytesIn(std::optional<IndexId>, EntityId) const;

  // With an index, among the items in it: an attribute that `when` fixes has one value there.
  DistinctValues DistinctOf(EntityId, const Terms&, std::optional<IndexId>) const;
  // Returns true if at most one item of the entity has these values.
  bool IsOne(EntityId, const Terms&) const;
  // Returns true if the index's `when` lets only one value of the attribute in.
  bool IsFixedIn(std::optional<IndexId>, EntityId, Term) const;
  // Returns true if the attribute is one of the entity's and identifies another: a user has one tenant.
  bool FollowsFrom(EntityId, Term) const;
  const std::vector<CountConflict>& conflicts() const { return conflicts_; }

 private:
  using Counts = std::vector<std::optional<double>>;
  // An entity whose count is that of the values of its identity.
  struct Identified {
    EntityId entity = 0;
    Terms identity;
    double count = 0;
  };

  void CountAll(bool with_attributes);
  void CountChain(EntityId root, bool with_attributes, std::vector<bool>& done, Counts& counts);
  std::vector<EntityId> CountedBy(EntityId) const;
  std::optional<double> CountOf(EntityId, bool with_attributes, const Counts& counts);
  std::optional<double> ValuesFor(EntityId, const Per&) const;
  std::optional<double> CountOfIdentified(const Terms& identity) const;
  std::optional<Identified> LargestIdentified(EntityId, const Terms& among) const;
  // Multiplies the counts of entities that parts of the attributes identify, and the declared numbers of the others.
  std::optional<double> CoverByEntities(EntityId, Terms rest) const;
  void AddRates();
  void AddShares();
  void AddEntries();

  const Model& model_;
  KeyTerms terms_;
  Counts counts_;
  std::map<Terms, std::vector<EntityId>> by_identity_;
  std::vector<double> puts_;
  std::vector<double> growth_;
  // By index, then entity.
  std::vector<std::vector<double>> shares_;
  std::vector<std::vector<double>> entry_bytes_;
  std::vector<CountConflict> conflicts_;
};

}  // namespace keyfold::model
