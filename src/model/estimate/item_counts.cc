#include "model/estimate/item_counts.h"

#include <algorithm>

#include "model/estimate/partition_groups.h"

namespace keyfold::model {
namespace {

using Images = std::vector<std::pair<Term, Term>>;

bool IsSameForm(const TemplatePart& a, const TemplatePart& b) {
  if (a.kind != b.kind || a.format != b.format || a.width != b.width) return false;
  return !a.IsLiteral() || a.text == b.text;
}

// Pairs the placeholders of two templates up to the first part in which they differ.
void PairPlaceholders(const KeyTerms& terms, const Template& parent, const Template& child, Images& out) {
  for (size_t i = 0; i < parent.parts.size() && i < child.parts.size(); ++i) {
    if (!IsSameForm(parent.parts[i], child.parts[i])) return;
    if (KeyTerms::IsTerm(parent.parts[i]) && KeyTerms::IsTerm(child.parts[i]))
      out.emplace_back(terms.Of(parent.parts[i]), terms.Of(child.parts[i]));
  }
}

bool HasLiteralPart(const Template& value) {
  return std::any_of(value.parts.begin(), value.parts.end(), [](const TemplatePart& part) { return part.IsLiteral(); });
}

// Returns true if the child's partition key can be recognized as the parent's by its form.
bool IsLike(const Entity& parent, const KeySide& own, const Entity& child, const KeySide& side) {
  if (own.size() != side.size()) return false;
  bool literal = false;
  for (size_t i = 0; i < own.size(); ++i) {
    const KeyTemplate* a = parent.FindKey(own[i]);
    const KeyTemplate* b = child.FindKey(side[i]);
    if (a == nullptr || b == nullptr || !SameShape(a->value, b->value)) return false;
    literal = literal || HasLiteralPart(a->value);
  }
  return literal;
}

// The values that entities of the same form share by position: those of the partition key, and of the sort keys as far
// as these are alike. The child can be in the parent's partition of the table, or refer to it in an index.
Images ImagesByForm(const Model& model, const KeyTerms& terms, const Entity& parent, const Entity& child) {
  Images images;
  std::vector<const KeySide*> sides = {&model.table.pk};
  for (const Index& index : model.indexes) sides.push_back(&index.pk);
  const auto side = std::find_if(sides.begin(), sides.end(),
                                 [&](const KeySide* one) { return IsLike(parent, model.table.pk, child, *one); });
  if (side == sides.end()) return images;
  for (size_t i = 0; i < model.table.pk.size(); ++i) {
    PairPlaceholders(terms, parent.FindKey(model.table.pk[i])->value, child.FindKey((**side)[i])->value, images);
  }
  if (side != sides.begin()) return images;
  for (const std::string& attribute : model.table.sk) {
    PairPlaceholders(terms, parent.FindKey(attribute)->value, child.FindKey(attribute)->value, images);
  }
  return images;
}

// The entity whose `per` say how many items there are: a copy without its own has as many as its source.
const Entity& Counted(const Model& model, EntityId id) {
  const Entity* entity = &model.entities[id];
  while (entity->per.empty() && !entity->count && entity->copy_of) entity = &model.entities[entity->copy_of->source];
  return *entity;
}

void KeepLower(std::optional<double>& lowest, std::optional<double> value) {
  if (value && (!lowest || *value < *lowest)) lowest = value;
}

}  // namespace

ItemCounts::ItemCounts(const Model& model, const Population& population)
    : model_(model), population_(population), terms_(population.terms()) {
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    std::vector<Statement>& statements = statements_.emplace_back();
    for (const Per& per : Counted(model, id).per) statements.push_back(StatementOf(id, per));
  }
}

ItemCounts::Statement ItemCounts::StatementOf(EntityId id, const Per& per) const {
  Statement statement;
  statement.per = &per;
  for (const std::string& attribute : per.attributes) statement.identity.push_back(*terms_.Find(attribute));
  if (per.parent) {
    const Entity& entity = model_.entities[id];
    const Images by_form = ImagesByForm(model_, terms_, model_.entities[*per.parent], entity);
    for (const Term term : terms_.Identity(*per.parent)) {
      const auto form =
          std::find_if(by_form.begin(), by_form.end(), [&](const auto& one) { return one.first == term; });
      const bool named = entity.Find(terms_.NameOf(term)) != nullptr;
      statement.complete = statement.complete && (named || form != by_form.end());
      if (named || form != by_form.end()) statement.images.emplace_back(term, named ? term : form->second);
    }
    for (const auto& [parents, own] : statement.images) statement.identity.push_back(own);
  }
  KeyTerms::Sort(statement.identity);
  return statement;
}

// Returns true if the given values name one parent.
bool ItemCounts::IsDirect(const Statement& statement, const Terms& given) const {
  if (!statement.complete || statement.identity.empty()) return false;
  if (statement.per->parent) return terms_.Fixes(given, statement.identity);
  // A partition key with the month of an attribute is one value of the attribute, as `per` means it.
  return std::all_of(statement.identity.begin(), statement.identity.end(), [&](Term term) {
    return std::any_of(given.begin(), given.end(), [&](Term one) { return terms_.NameOf(one) == terms_.NameOf(term); });
  });
}

ItemCounts::Split ItemCounts::SplitBy(const Statement& statement, const Terms& given) const {
  Split split;
  for (const auto& [parents, own] : statement.images) {
    if (terms_.Fixes(given, own)) split.of_parent.push_back(parents);
  }
  KeyTerms::Sort(split.of_parent);
  for (const Term term : given) {
    const bool part = std::any_of(statement.identity.begin(), statement.identity.end(),
                                  [&](Term one) { return terms_.NameOf(one) == terms_.NameOf(term); });
    const bool follows = statement.per->parent && population_.FollowsFrom(*statement.per->parent, term);
    if (!part && !follows) split.extra.push_back(term);
  }
  return split;
}

// The counts of parents that this count is computed from.
std::vector<ItemCounts::Asked> ItemCounts::Needed(EntityId id, const Terms& given) const {
  std::vector<Asked> needed;
  for (const Statement& statement : statements_[id]) {
    if (!statement.per->parent || IsDirect(statement, given)) continue;
    Split split = SplitBy(statement, given);
    if (!split.of_parent.empty()) needed.emplace_back(*statement.per->parent, std::move(split.of_parent));
  }
  return needed;
}

// Counts what a count is computed from, with an explicit stack: chains can be as long as the file allows.
void ItemCounts::CountParents(EntityId id, const Terms& given) {
  std::vector<Asked> open = Needed(id, given);
  while (!open.empty()) {
    const Asked asked = open.back();
    const size_t size = open.size();
    if (!known_.contains(asked)) {
      for (Asked& one : Needed(asked.first, asked.second)) {
        if (!known_.contains(one)) open.push_back(std::move(one));
      }
    }
    if (open.size() > size) continue;
    open.pop_back();
    if (!known_.contains(asked)) known_.emplace(asked, Compute(asked.first, asked.second, {}));
  }
}

ItemCount ItemCounts::Of(EntityId id, const Terms& given, std::optional<IndexId> index) {
  if (population_.IsOne(id, given)) return One(id);
  const std::pair<size_t, Asked> asked{index ? *index + 1 : 0, {id, given}};
  if (const auto it = returned_.find(asked); it != returned_.end()) return it->second;
  Terms free = given;
  std::erase_if(free, [&](Term term) { return population_.IsFixedIn(index, id, term); });
  CountParents(id, free);
  return returned_.emplace(asked, Compute(id, free, index)).first->second;
}

// A key without placeholders has one item for each shard.
ItemCount ItemCounts::One(EntityId id) const {
  const Entity& entity = model_.entities[id];
  const double items = terms_.Identity(id).empty() && entity.shard ? entity.shard->n : 1;
  return {.avg = items, .max = items};
}

ItemCount ItemCounts::Compute(EntityId id, const Terms& given, std::optional<IndexId> index) const {
  if (population_.IsOne(id, given)) return One(id);
  const Candidates candidates = CandidatesOf(id, given, index);
  ItemCount count;
  if (candidates.known) {
    count = *candidates.known;
  } else if (HasCalendar(given)) {
    count = OfCalendar(id, given, index, candidates);
  } else if (const std::optional<ItemCount> shared = ByDistinctValues(id, given, index)) {
    count = *shared;
  } else if (candidates.at_most) {
    count = *candidates.at_most;
  } else {
    count.basis = ItemCount::Basis::kUnknown;
    count.open = population_.DistinctOf(id, given, index).open;
  }
  KeepLower(count.max, candidates.max);
  if (count.max) count.max = std::max(*count.max, count.avg);
  return count;
}

ItemCounts::Candidates ItemCounts::CandidatesOf(EntityId id, const Terms& given, std::optional<IndexId> index) const {
  Candidates candidates;
  for (const Statement& statement : statements_[id]) Consider(id, statement, given, index, candidates);
  return candidates;
}

void ItemCounts::Consider(EntityId id, const Statement& statement, const Terms& given, std::optional<IndexId> index,
                          Candidates& out) const {
  const Per& per = *statement.per;
  Split split = SplitBy(statement, given);
  ItemCount parents{.avg = 1, .max = 1};
  if (!IsDirect(statement, given)) {
    const auto chain = per.parent ? known_.find({*per.parent, split.of_parent}) : known_.end();
    if (chain == known_.end() || chain->second.basis == ItemCount::Basis::kUnknown) return;
    parents = chain->second;
  }
  ItemCount count = parents;
  count.avg *= per.avg * (index ? population_.ShareIn(*index, id) : 1);
  count.max.reset();
  if (parents.max && per.max) count.max = *parents.max * *per.max;
  KeepLower(out.max, count.max);
  if (split.extra.empty() && count.basis == ItemCount::Basis::kKnown) {
    if (!out.known) out.known = count;
    return;
  }
  Restrict(id, split.extra, index, count);
  if (!out.at_most || count.avg < out.at_most->avg) out.at_most = count;
}

void ItemCounts::Restrict(EntityId id, const Terms& extra, std::optional<IndexId> index, ItemCount& count) const {
  const double least = std::min(1.0, count.avg);  // the values that a caller gives are those of some item
  for (const Term term : extra) {
    const auto values = terms_.IsCalendar(term) ? std::nullopt : population_.DistinctOf(id, {term}, index).values;
    if (values && *values > 0) {
      count.avg /= *values;
    } else {
      count.basis = ItemCount::Basis::kAtMost;
      count.open.push_back(term);
    }
  }
  count.avg = std::max(least, count.avg);
}

bool ItemCounts::HasCalendar(const Terms& given) const {
  return std::any_of(given.begin(), given.end(), [&](Term term) { return terms_.IsCalendar(term); });
}

// The items of one month, day or hour: as many as are put in that time.
ItemCount ItemCounts::OfCalendar(EntityId id, const Terms& given, std::optional<IndexId> index,
                                 const Candidates& candidates) const {
  Terms others;
  ItemCount count;
  double seconds = kYearSeconds;
  for (const Term term : given) {
    if (!terms_.IsCalendar(term)) {
      others.push_back(term);
      continue;
    }
    seconds = std::min(seconds, terms_.SecondsOf(term));
    count.open.push_back(term);
  }
  const Candidates always = CandidatesOf(id, others, index);
  if (always.known) count.all_times = always.known->avg;
  if (const auto shared = ByDistinctValues(id, others, index)) KeepLower(count.all_times, shared->avg);
  if (!count.all_times && candidates.at_most) count.all_times = candidates.at_most->avg;
  const std::optional<uint64_t> life = model_.entities[id].ttl_after_s;
  if (life) seconds = std::min(seconds, static_cast<double>(*life));
  const std::optional<double> values = population_.DistinctOf(id, others, index).values;
  const double puts = population_.Puts(id) * (index ? population_.ShareIn(*index, id) : 1);
  if (puts > 0 && values && *values > 0) {
    count.avg = std::min(puts * seconds / *values, count.all_times.value_or(puts * seconds));
    count.open.clear();
  } else {
    count.basis = count.all_times ? ItemCount::Basis::kAtMost : ItemCount::Basis::kUnknown;
    count.avg = count.all_times.value_or(1);
  }
  return count;
}

std::optional<ItemCount> ItemCounts::ByDistinctValues(EntityId id, const Terms& given,
                                                      std::optional<IndexId> index) const {
  const std::optional<double> all = population_.Count(id);
  if (!all) return {};
  const double items = *all * (index ? population_.ShareIn(*index, id) : 1);
  const DistinctValues distinct = population_.DistinctOf(id, given, index);
  if (!distinct.values || *distinct.values <= 0) return {};
  // There are no more combinations than items.
  const double values = distinct.combined ? std::min(*distinct.values, std::max(1.0, items)) : *distinct.values;
  ItemCount count{.avg = items / values};
  if (values == 1) count.max = count.avg;
  return count;
}

}  // namespace keyfold::model
