#include "model/estimate/population.h"

#include <algorithm>
#include <variant>

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

}  // namespace

Population::Population(const Model& model)
    : model_(model),
      counts_(model.entities.size()),
      puts_(model.entities.size()),
      growth_(model.entities.size()),
      shares_(model.indexes.size(), std::vector<double>(model.entities.size())),
      entry_bytes_(shares_) {
  for (const Pattern& pattern : model.patterns) {
    for (const Action& action : pattern.actions) {
      const double rate = pattern.rps_avg * action.times;
      if (action.verb == Verb::kPut) puts_[action.entity] += rate, growth_[action.entity] += rate;
      if (action.verb == Verb::kDelete) growth_[action.entity] -= rate;
    }
  }
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    counts_[id] = CountOf(id);
    if (model.entities[id].ttl_after_s) growth_[id] = 0;
    for (IndexId index = 0; index < model.indexes.size(); ++index) {
      if (!model.entities[id].Has(model.indexes[index])) continue;
      const When* when = model.entities[id].FindWhen(index);
      shares_[index][id] = when != nullptr ? ShareByCondition(model.entities[id], when->condition) : 1;
    }
  }
  for (const Pattern& pattern : model.patterns) {
    if (!pattern.index || !pattern.Reads()) continue;
    for (const EntityId id : pattern.entities) {
      if (pattern.entry_size) {
        double& bytes = entry_bytes_[*pattern.index][id];
        bytes = std::max(bytes, *pattern.entry_size);
      }
      const std::optional<double> count = counts_[id];
      if (!count || *count <= 0 || !pattern.returns_items) continue;
      if (!ReadsWholeIndex(model, pattern, model.entities[id])) continue;
      shares_[*pattern.index][id] = std::min(1.0, *pattern.returns_items / *count);
    }
  }
}

// Recurses into parents and sources; the loader has rejected cycles.
std::optional<double> Population::CountOf(EntityId id) const {
  const Entity& entity = model_.entities[id];
  if (entity.count) return entity.count;
  std::optional<double> count;
  for (const Per& per : entity.per) {
    if (!per.parent) continue;
    const std::optional<double> parents = CountOf(*per.parent);
    if (parents) count = std::max(count.value_or(0), *parents * per.avg);
  }
  if (count) return count;
  if (entity.copy_of) return CountOf(entity.copy_of->source);
  if (entity.ttl_after_s && puts_[id] > 0) return puts_[id] * static_cast<double>(*entity.ttl_after_s);
  return {};
}

double Population::At(EntityId id, double seconds) const {
  return std::max(0.0, counts_[id].value_or(0) + growth_[id] * seconds);
}

double Population::ShareIn(IndexId index, EntityId id) const { return shares_[index][id]; }

double Population::EntryBytes(IndexId index, EntityId id) const {
  const double declared = entry_bytes_[index][id];
  return declared > 0 ? declared : model_.entities[id].size_avg;
}

}  // namespace keyfold::model
