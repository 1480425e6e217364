// Item collections: the size of one partition key value now, in one and three years, and for the largest parent.
#include <algorithm>

#include "model/estimate/units.h"
#include "model/plan/plan_steps.h"

namespace keyfold::model {
namespace {

const Template& PartitionTemplate(const Model& model, std::optional<IndexId> index, const Entity& entity) {
  return entity.FindKey(model.PartitionKey(index)[0])->value;
}

std::string PartitionKeyText(const Model& model, std::optional<IndexId> index, const Entity& entity) {
  std::string text;
  for (const std::string& attribute : model.PartitionKey(index)) {
    if (!text.empty()) text += ", ";
    text += entity.FindKey(attribute)->value.text;
  }
  return text;
}

// Puts of the entity per second that add to existing partitions, without those that are written together with their
// parent.
double PutsToExisting(const Model& model, EntityId id, std::optional<EntityId> owner) {
  double rate = 0;
  for (const Pattern& pattern : model.patterns) {
    const bool with_owner =
        owner && *owner != id && std::any_of(pattern.actions.begin(), pattern.actions.end(), [&](const Action& action) {
          return action.verb == Verb::kPut && action.entity == *owner;
        });
    for (const Action& action : pattern.actions) {
      if (action.entity != id) continue;
      if (action.verb == Verb::kPut && !with_owner) rate += pattern.rps_avg * action.times;
      if (action.verb == Verb::kDelete) rate -= pattern.rps_avg * action.times;
    }
  }
  return rate;
}

// Items of an entity in one partition.
struct PartitionItems {
  double now = 1;
  std::optional<double> max;
  bool known = true;
};

PartitionItems ItemsIn(const Model& model, std::optional<IndexId> index, EntityId id, const Population& population,
                       std::optional<double> partitions) {
  PartitionItems items;
  if (OwnsPartition(model, index, model.entities[id])) {
    items.max = 1;
    return items;
  }
  double max = 1;
  bool max_known = true;
  for (EntityId at = id;;) {
    const Per* per = PerTowardsOwner(model, index, model.entities[at]);
    if (per == nullptr) break;
    items.now *= per->avg;
    max *= per->max.value_or(per->avg);
    max_known = max_known && per->max;
    if (!SameShape(model, index, model.entities[at], model.entities[*per->parent]) ||
        OwnsPartition(model, index, model.entities[*per->parent])) {
      if (max_known) items.max = max;
      return items;
    }
    at = *per->parent;
  }
  // No parent gives a number: divide the entity's items by the number of key values, if both are known.
  const std::optional<double> count = population.Count(id);
  items.known = count && partitions && *partitions > 0;
  items.now = items.known ? *count * (index ? population.ShareIn(*index, id) : 1) / *partitions : 0;
  return items;
}

Collection CollectionOf(const Plan& plan, std::optional<IndexId> index, const KeyGroup& group,
                        const Population& population) {
  const Model& model = *plan.model;
  Collection collection;
  collection.index = index;
  collection.key = group.key;
  collection.entities = group.entities;
  const KeySpread spread = SpreadOf(model, index, group, population);
  if (spread.values && !spread.calendar) collection.partitions = *spread.values * spread.shards;
  const std::optional<EntityId> owner = OwnerOf(model, index, group);
  double bytes_max = 0;
  bool max_known = true;
  for (const EntityId id : group.entities) {
    const PartitionItems items = ItemsIn(model, index, id, population, collection.partitions);
    const double bytes = index ? population.EntryBytes(*index, id) : model.entities[id].size_avg;
    collection.counted = collection.counted && items.known;
    collection.items += items.now;
    collection.bytes += items.now * bytes;
    bytes_max += items.max.value_or(items.now) * bytes;
    max_known = max_known && items.max;
    const auto later = [&](double seconds) {
      const bool grows = !OwnsPartition(model, index, model.entities[id]) && !model.entities[id].ttl_after_s;
      if (!grows || !collection.partitions || *collection.partitions <= 0) return items.now * bytes;
      const double partitions = *collection.partitions + (owner ? population.Growth(*owner) * seconds : 0);
      // A sparse index is assumed to keep the share of items it holds today.
      const double share = index ? population.ShareIn(*index, id) : 1;
      const double added = share * PutsToExisting(model, id, owner) * seconds / std::max(1.0, partitions);
      return std::max(0.0, items.now + added) * bytes;
    };
    collection.bytes_1y += later(kYearSeconds);
    collection.bytes_3y += later(3 * kYearSeconds);
  }
  if (max_known) {
    collection.bytes_max = bytes_max;
    collection.pages_max = std::max(1.0, Steps(bytes_max, plan.prices.rules.page_bytes));
  }
  return collection;
}

void AddCollections(std::optional<IndexId> index, const Population& population, Plan& plan) {
  for (const KeyGroup& group : GroupByPartition(*plan.model, index)) {
    const bool alone =
        group.entities.size() == 1 && OwnsPartition(*plan.model, index, plan.model->entities[group.entities[0]]);
    if (!alone) plan.collections.push_back(CollectionOf(plan, index, group, population));
  }
}

}  // namespace

std::vector<KeyGroup> GroupByPartition(const Model& model, std::optional<IndexId> index) {
  std::vector<KeyGroup> groups;
  std::unordered_map<std::string, std::vector<size_t>> by_literal;  // groups whose keys start with the same literal
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& entity = model.entities[id];
    if (index && !entity.Has(model.indexes[*index])) continue;
    std::vector<size_t>& near = by_literal[std::string(PartitionTemplate(model, index, entity).LeadingLiteral())];
    const auto same = std::find_if(near.begin(), near.end(), [&](size_t at) {
      return SameShape(model, index, model.entities[groups[at].entities[0]], entity);
    });
    if (same != near.end()) {
      groups[*same].entities.push_back(id);
      continue;
    }
    near.push_back(groups.size());
    groups.push_back({PartitionKeyText(model, index, entity), {id}});
  }
  return groups;
}

std::optional<EntityId> OwnerOf(const Model& model, std::optional<IndexId> index, const KeyGroup& group) {
  for (const EntityId id : group.entities) {
    if (OwnsPartition(model, index, model.entities[id])) return id;
  }
  for (const EntityId id : group.entities) {
    for (const Per* per = PerTowardsOwner(model, index, model.entities[id]); per != nullptr;
         per = PerTowardsOwner(model, index, model.entities[*per->parent])) {
      if (!SameShape(model, index, model.entities[id], model.entities[*per->parent])) return *per->parent;
    }
  }
  return {};
}

void PlanCollections(const Population& population, Plan& plan) {
  AddCollections({}, population, plan);
  for (IndexId id = 0; id < plan.model->indexes.size(); ++id) AddCollections(id, population, plan);
}

}  // namespace keyfold::model
