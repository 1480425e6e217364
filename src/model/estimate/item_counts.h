// How many items of an entity have the same values of some attributes: those of a partition key, or those that a
// request gives. Follows from `per` in its direction (the attributes include the parent's identity), from `per` along a
// chain of parents that these attributes belong to, else from the count and the number of distinct values.
#pragma once

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "model/core/model.h"
#include "model/estimate/key_terms.h"
#include "model/estimate/population.h"

namespace keyfold::model {

struct ItemCount {
  enum class Basis : uint8_t {
    kKnown,
    kAtMost,   // some of the attributes restrict the items further, and the model does not say by how much
    kUnknown,  // one is assumed
  };
  double avg = 1;
  std::optional<double> max = {};  // for the values that have most
  Basis basis = Basis::kKnown;
  Terms open = {};  // the attributes of which the model does not say how many values there are
  // If a calendar part is among the attributes: at most this many items have the other values.
  std::optional<double> all_times = {};
};

// Used by one thread at a time: it remembers what it has counted. Views the Population, which must outlive it.
class ItemCounts {
 public:
  ItemCounts(const Model&, const Population&);

  // With an index, of the items in it.
  ItemCount Of(EntityId, const Terms& given, std::optional<IndexId> index);

 private:
  // A `per` in terms of the entity's own attributes.
  struct Statement {
    const Per* per = nullptr;
    Terms identity;  // one value of these is one parent
    bool complete = true;
    std::vector<std::pair<Term, Term>> images;  // the parent's attributes, with the entity's that have the same value
  };
  // The attributes of which the values are given, split by what they say about the parent.
  struct Split {
    Terms of_parent;  // in the parent's terms
    Terms extra;      // restricts the parent's items further
  };
  using Asked = std::pair<EntityId, Terms>;

  // What the statements, taken one by one, come to.
  struct Candidates {
    std::optional<ItemCount> known;
    std::optional<ItemCount> at_most;
    std::optional<double> max;
  };

  Statement StatementOf(EntityId, const Per&) const;
  bool IsDirect(const Statement&, const Terms& given) const;
  Split SplitBy(const Statement&, const Terms& given) const;
  std::vector<Asked> Needed(EntityId, const Terms& given) const;
  void CountParents(EntityId, const Terms& given);
  ItemCount Compute(EntityId, const Terms& given, std::optional<IndexId>) const;
  Candidates CandidatesOf(EntityId, const Terms& given, std::optional<IndexId>) const;
  void Consider(EntityId, const Statement&, const Terms& given, std::optional<IndexId>, Candidates&) const;
  // Divides by the number of values of each attribute, as far as it is known.
  void Restrict(EntityId, const Terms& extra, std::optional<IndexId>, ItemCount&) const;
  ItemCount One(EntityId) const;
  bool HasCalendar(const Terms& given) const;
  ItemCount OfCalendar(EntityId, const Terms& given, std::optional<IndexId>, const Candidates&) const;
  std::optional<ItemCount> ByDistinctValues(EntityId, const Terms& given, std::optional<IndexId>) const;

  const Model& model_;
  const Population& population_;
  const KeyTerms& terms_;
  std::vector<std::vector<Statement>> statements_;  // by entity, in the order written
  std::map<Asked, ItemCount> known_;                // without an index
  // What Of returned, by the given values and the position of the index after the table.
  std::map<std::pair<size_t, Asked>, ItemCount> returned_;
};

}  // namespace keyfold::model
