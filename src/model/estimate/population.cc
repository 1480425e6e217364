#include "model/estimate/population.h"

#include <algorithm>

#include "model/estimate/entry_estimate.h"

namespace keyfold::model {
namespace {

// An equality with an enum's value selects 1/n of the items. Every other comparison is assumed to hold.
double ShareByCondition(const Entity& entity, const Condition& condition) {
  double share = 1;
  for (const Comparison& comparison : condition.all) {
    const Attribute* attribute = entity.Find(comparison.attribute);
    const bool fixed = comparison.comparator == Comparator::kEqual && comparison.right.IsLiteral();
    if (fixed && attribute != nullptr && !attribute->values.empty())
      share /= static_cast<double>(attribute->values.size());
  }
  return share;
}

// Returns true if the pattern reads every entry of the entity in an index: the partition key has no placeholder except
// the shard.
bool ReadsWholeIndex(const Model& model, const Pattern& pattern, const Entity& entity) {
  if (pattern.verb != Verb::kQuery || !pattern.index || pattern.entities.size() != 1 || pattern.limit) return false;
  if (pattern.between || pattern.begins) return false;
  for (const std::string& attribute : model.PartitionKey(pattern.index)) {
    const KeyTemplate* key = entity.FindKey(attribute);
    if (key == nullptr) return false;
    for (const TemplatePart& part : key->value.parts) {
      if (part.kind == TemplatePart::Kind::kAttribute) return false;
    }
  }
  return true;
}

std::optional<double> DeclaredValues(const Attribute& attribute) {
  if (attribute.cardinality) return std::max(1.0, *attribute.cardinality);
  if (!attribute.values.empty()) return static_cast<double>(attribute.values.size());
  if (attribute.type == AttributeType::kBool) return 2;
  return {};
}

// The shards of an entity whose key has no other placeholder.
double ShardsOf(const Entity& entity) { return entity.shard ? entity.shard->n : 1; }

constexpr size_t kCombinedTermsMax = 6;  // every combination of these is looked up

}  // namespace

Population::Population(const Model& model)
    : model_(model),
      terms_(model),
      counts_(model.entities.size()),
      puts_(model.entities.size()),
      growth_(model.entities.size()),
      shares_(model.indexes.size(), std::vector<double>(model.entities.size())),
      entry_bytes_(shares_) {
  for (EntityId id = 0; id < model.entities.size(); ++id) by_identity_[terms_.Identity(id)].push_back(id);
  AddRates();
  CountAll(false);
  // The number of values of an attribute can be the count of an entity, so these counts come second.
  CountAll(true);
  AddShares();
  AddEntries();
}

void Population::AddRates() {
  for (const Pattern& pattern : model_.patterns) {
    for (const Action& action : pattern.actions) {
      const double rate = pattern.rps_avg * action.times;
      if (action.verb == Verb::kPut) puts_[action.entity] += rate, growth_[action.entity] += rate;
      if (action.verb == Verb::kDelete) growth_[action.entity] -= rate;
    }
  }
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    if (model_.entities[id].ttl_after_s) growth_[id] = 0;
  }
}

void Population::AddShares() {
  for (IndexId index = 0; index < model_.indexes.size(); ++index) {
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      const Entity& entity = model_.entities[id];
      if (!entity.Has(model_.indexes[index])) continue;
      const When* when = entity.FindWhen(index);
      shares_[index][id] = when != nullptr ? ShareByCondition(entity, when->condition) : 1;
    }
  }
  for (const Pattern& pattern : model_.patterns) {
    if (!pattern.index || !pattern.Reads() || !pattern.returns_items) continue;
    for (const EntityId id : pattern.entities) {
      const std::optional<double> count = counts_[id];
      if (!count || *count <= 0 || !ReadsWholeIndex(model_, pattern, model_.entities[id])) continue;
      shares_[*pattern.index][id] = std::min(1.0, *pattern.returns_items / *count);
    }
  }
}

void Population::AddEntries() {
  for (const Pattern& pattern : model_.patterns) {
    if (!pattern.index || !pattern.Reads() || !pattern.entry_size) continue;
    for (const EntityId id : pattern.entities) {
      double& bytes = entry_bytes_[*pattern.index][id];
      bytes = std::max(bytes, *pattern.entry_size);
    }
  }
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    const Entity& entity = model_.entities[id];
    const EntryEstimate estimate(model_, entity);
    for (IndexId index = 0; index < model_.indexes.size(); ++index) {
      double& bytes = entry_bytes_[index][id];
      if (bytes <= 0 && entity.Has(model_.indexes[index])) bytes = estimate.Projected(model_.indexes[index]);
    }
  }
}

// The entities from which an entity's count is computed if it is not declared.
std::vector<EntityId> Population::CountedBy(EntityId id) const {
  const Entity& entity = model_.entities[id];
  std::vector<EntityId> from;
  if (entity.count) return from;
  for (const Per& per : entity.per) {
    if (per.parent) from.push_back(*per.parent);
  }
  if (entity.copy_of) from.push_back(entity.copy_of->source);
  return from;
}

void Population::CountAll(bool with_attributes) {
  std::vector<bool> done(model_.entities.size());
  std::vector<std::optional<double>> counts(model_.entities.size());
  for (EntityId root = 0; root < model_.entities.size(); ++root) CountChain(root, with_attributes, done, counts);
  counts_ = std::move(counts);
}

// Counts what the entity's count depends on, then the entity. Uses an explicit stack, because chains can be as long as
// the file allows. Chains have no cycles.
void Population::CountChain(EntityId root, bool with_attributes, std::vector<bool>& done, Counts& counts) {
  std::vector<EntityId> path = {root};
  while (!path.empty()) {
    const EntityId id = path.back();
    const size_t size = path.size();
    if (!done[id]) {
      for (const EntityId from : CountedBy(id)) {
        if (!done[from]) path.push_back(from);
      }
    }
    if (path.size() > size) continue;
    path.pop_back();
    if (!done[id]) counts[id] = CountOf(id, with_attributes, counts);
    done[id] = true;
  }
}

std::optional<double> Population::CountOf(EntityId id, bool with_attributes, const Counts& counts) {
  const Entity& entity = model_.entities[id];
  if (entity.count) return entity.count;
  CountConflict range{id, nullptr, nullptr, 0, 0};
  for (const Per& per : entity.per) {
    if (!per.parent && !with_attributes) continue;
    const auto groups = per.parent ? counts[*per.parent] : ValuesFor(id, per);
    if (!groups) continue;
    const double count = *groups * per.avg;
    if (range.low == nullptr || count < range.low_count) range.low = &per, range.low_count = count;
    if (range.high == nullptr || count > range.high_count) range.high = &per, range.high_count = count;
  }
  // Small differences are rounding.
  constexpr double kFactor = 1.5;
  if (with_attributes && range.high_count > kFactor * range.low_count) conflicts_.push_back(range);
  if (range.high != nullptr) return range.high_count;
  if (entity.copy_of) return counts[entity.copy_of->source];
  if (terms_.Identity(id).empty()) return ShardsOf(entity);
  if (entity.ttl_after_s && puts_[id] > 0) return puts_[id] * static_cast<double>(*entity.ttl_after_s);
  return {};
}

std::optional<double> Population::ValuesFor(EntityId id, const Per& per) const {
  Terms terms;
  for (const std::string& attribute : per.attributes) terms.push_back(*terms_.Find(attribute));
  KeyTerms::Sort(terms);
  return DistinctOf(id, terms, {}).values;
}

double Population::At(EntityId id, double seconds) const {
  return std::max(0.0, counts_[id].value_or(0) + growth_[id] * seconds);
}

double Population::ShareIn(IndexId index, EntityId id) const { return shares_[index][id]; }

double Population::EntryBytes(IndexId index, EntityId id) const {
  const double bytes = entry_bytes_[index][id];
  return bytes > 0 ? bytes : model_.entities[id].size_avg;
}

double Population::BytesIn(std::optional<IndexId> index, EntityId id) const {
  return index ? EntryBytes(*index, id) : model_.entities[id].size_avg;
}

bool Population::IsOne(EntityId id, const Terms& given) const {
  if (terms_.Fixes(given, terms_.Identity(id))) return true;
  return std::any_of(given.begin(), given.end(), [&](Term term) {
    const Attribute* attribute = terms_.IsCalendar(term) ? nullptr : model_.entities[id].Find(terms_.NameOf(term));
    return attribute != nullptr && attribute->unique.has_value();
  });
}

bool Population::IsFixedIn(std::optional<IndexId> index, EntityId id, Term term) const {
  const When* when = index ? model_.entities[id].FindWhen(*index) : nullptr;
  if (when == nullptr) return false;
  return std::any_of(when->condition.all.begin(), when->condition.all.end(), [&](const Comparison& one) {
    return one.comparator == Comparator::kEqual && one.right.IsLiteral() && one.path == terms_.NameOf(term);
  });
}

std::optional<double> Population::CountOfIdentified(const Terms& identity) const {
  const auto it = by_identity_.find(identity);
  std::optional<double> count;
  if (it == by_identity_.end()) return count;
  for (const EntityId id : it->second) {
    if (counts_[id]) count = std::max(count.value_or(0), *counts_[id]);
  }
  return count;
}

DistinctValues Population::DistinctOf(EntityId id, const Terms& of, std::optional<IndexId> index) const {
  DistinctValues out;
  Terms rest;
  double product = 1;
  double share = 1;
  for (const Term term : of) {
    out.calendar = out.calendar || terms_.IsCalendar(term);
    if (terms_.IsCalendar(term) || IsFixedIn(index, id, term)) continue;
    rest.push_back(term);
    const Attribute* attribute = model_.entities[id].Find(terms_.NameOf(term));
    const std::optional<double> values = attribute != nullptr ? DeclaredValues(*attribute) : std::nullopt;
    const std::optional<double> top = attribute != nullptr ? attribute->top_share : std::nullopt;
    out.skewed = out.skewed || top;
    share *= std::max(top.value_or(values ? 0 : 1), values ? 1 / *values : 0);
    if (values) product *= *values;
    if (!values) out.open.push_back(term);
  }
  out.combined = out.open.empty() && rest.size() > 1;
  if (out.open.empty() && rest.size() < 2) {
    out.values = product;
  } else if (IsOne(id, of) && counts_[id]) {
    out.values = *counts_[id] * (index ? shares_[*index][id] : 1);
    out.combined = false;
  } else if (const std::optional<double> exact = CountOfIdentified(rest)) {
    out.values = exact;
    out.combined = false;
  } else {
    out.values = out.open.empty() ? product : CoverByEntities(id, std::move(rest));
  }
  // What is declared of some attributes limits the share of their combinations.
  const bool limited = out.open.empty() || out.skewed;
  if (limited || (!out.values && share < 1)) out.share = share;
  if (out.values && *out.values > 0) out.share = std::max(limited ? share : 0, std::min(1.0, 1 / *out.values));
  if (out.values) out.open.clear();
  return out;
}

std::optional<double> Population::CoverByEntities(EntityId id, Terms rest) const {
  const auto declared = [&](Term term) -> std::optional<double> {
    const Attribute* attribute = model_.entities[id].Find(terms_.NameOf(term));
    return attribute != nullptr ? DeclaredValues(*attribute) : std::nullopt;
  };
  double values = 1;
  while (!rest.empty()) {
    const std::optional<Identified> best = LargestIdentified(id, rest);
    if (!best) break;
    values *= best->count;
    // What the entity is identified by, and what follows from it: the tenant of a user.
    std::erase_if(rest, [&](Term term) {
      const bool part = std::binary_search(best->identity.begin(), best->identity.end(), term);
      return part || FollowsFrom(best->entity, term);
    });
  }
  for (const Term term : rest) {
    const std::optional<double> own = declared(term);
    if (!own) return {};
    values *= *own;
  }
  return values;
}

bool Population::FollowsFrom(EntityId entity, Term term) const {
  return terms_.Identifies(term) && model_.entities[entity].Find(terms_.NameOf(term)) != nullptr;
}

// The entity with a known count that is identified by most of the attributes, at least one of them without a declared
// number of values.
std::optional<Population::Identified> Population::LargestIdentified(EntityId id, const Terms& among) const {
  std::optional<Identified> best;
  const auto consider = [&](const Terms& identity) {
    const auto it = by_identity_.find(identity);
    const bool needed = std::any_of(identity.begin(), identity.end(), [&](Term term) {
      const Attribute* attribute = model_.entities[id].Find(terms_.NameOf(term));
      return attribute == nullptr || !DeclaredValues(*attribute);
    });
    if (it == by_identity_.end() || !needed || (best && best->identity.size() >= identity.size())) return;
    for (const EntityId entity : it->second) {
      if (!counts_[entity] || (best && best->identity == identity && best->count >= *counts_[entity])) continue;
      best = Identified{entity, identity, *counts_[entity]};
    }
  };
  if (among.size() > kCombinedTermsMax) {
    for (const Term term : among) consider({term});
    return best;
  }
  for (uint32_t chosen = 1; chosen < (1U << among.size()); ++chosen) {
    Terms identity;
    for (size_t i = 0; i < among.size(); ++i) {
      if ((chosen >> i & 1) != 0) identity.push_back(among[i]);
    }
    consider(identity);
  }
  return best;
}

}  // namespace keyfold::model
