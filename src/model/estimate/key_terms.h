// The placeholders of keys as sets of numbers: which attributes identify an item, and which ones a partition key fixes.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/core/model.h"

namespace keyfold::model {

// An attribute, or a calendar part of one, such as the month of a time.
using Term = uint32_t;
// In ascending order, each once.
using Terms = std::vector<Term>;

// Immutable, thread-safe. Views the Model, which must outlive it.
class KeyTerms {
 public:
  explicit KeyTerms(const Model&);

  // What identifies an item: the placeholders of the table's key. Shards are left out here and below.
  const Terms& Identity(EntityId id) const { return identities_[id]; }
  // Placeholders of a key that the entity has.
  Terms Of(const KeySide&, const Entity&) const;
  Term Of(const TemplatePart& part) const { return ids_.at({part.text, CalendarOf(part)}); }
  // The attribute as a whole; nullopt if neither a key nor `per` uses it.
  std::optional<Term> Find(std::string_view attribute) const;

  std::string_view NameOf(Term term) const { return terms_[term].attribute; }
  // For messages: "at", "month of at".
  std::string TextOf(Term) const;
  bool IsCalendar(Term term) const { return terms_[term].calendar != Format::kPlain; }
  // The seconds that a calendar part covers.
  double SecondsOf(Term) const;
  // Returns true if the attribute is part of an entity's identity.
  bool Identifies(Term term) const { return terms_[term].identifies; }

  // Returns true if the given values determine the wanted ones: a time determines its month.
  bool Fixes(const Terms& given, Term wanted) const;
  bool Fixes(const Terms& given, const Terms& wanted) const;

  // Returns true if the shard is a hash of a given value, so that all items with these values are in one shard.
  bool FixesShard(const Terms& given, const Entity&) const;

  // Returns true if the part is an attribute, so that it has a term.
  static bool IsTerm(const TemplatePart& part) { return part.kind == TemplatePart::Kind::kAttribute; }
  static void Sort(Terms&);

 private:
  struct Named {
    std::string_view attribute;
    Format calendar = Format::kPlain;
    bool identifies = false;
  };
  using Ids = std::map<std::pair<std::string_view, Format>, Term>;

  static Format CalendarOf(const TemplatePart& part) { return IsBucket(part.format) ? part.format : Format::kPlain; }
  void Add(std::string_view attribute, Format calendar);
  void AddEntity(const Entity&);

  std::vector<Named> terms_;
  Ids ids_;
  std::vector<Terms> identities_;  // by entity
};

// The number of shards over which a key spreads equal values; 1 if it has no shard.
uint32_t ShardsIn(const Entity&, const KeySide&);

}  // namespace keyfold::model
