#include "model/estimate/collection.h"

#include <algorithm>

#include "model/estimate/key_heat.h"
#include "model/estimate/units.h"

namespace keyfold::model {
namespace {

// A pattern's puts of an entity, or its deletes as a negative rate.
struct ItemRate {
  PatternId pattern = 0;
  double per_second = 0;
};

// Used by one thread at a time.
class CollectionMaker {
 public:
  CollectionMaker(const Model& model, const PartitionGroups& groups, const Population& population, ItemCounts& counts,
                  const PlanRules& rules)
      : model_(model),
        groups_(groups),
        population_(population),
        counts_(counts),
        rules_(rules),
        rates_(model.entities.size()),
        puts_(model.patterns.size()) {
    for (PatternId id = 0; id < model.patterns.size(); ++id) AddRates(id);
  }

  std::optional<Collection> Make(size_t at) {
    const PartitionGroup& group = groups_.all()[at];
    if (group.entities.size() == 1 && IsOwner(group, group.entities[0])) return {};
    Collection collection{.group = at, .index = group.index, .key = group.key, .entities = group.entities};
    const KeySpread spread = SpreadOf(model_, groups_, at, population_);
    if (spread.values && !spread.calendar) collection.partitions = *spread.values * spread.shards;
    const std::optional<EntityId> owner = OwnerOfGroup(group);
    for (const EntityId id : group.entities) AddPart(group, id, owner, collection);
    double bytes_max = 0;
    bool max_known = true;
    for (const CollectionPart& part : collection.parts) {
      collection.items += part.items;
      collection.bytes += part.bytes();
      collection.bytes_1y += part.bytes_1y;
      collection.bytes_3y += part.bytes_3y;
      bytes_max += part.items_max.value_or(part.items) * part.item_bytes;
      max_known = max_known && part.items_max;
    }
    if (max_known) {
      collection.bytes_max = bytes_max;
      collection.pages_max = std::max(1.0, Steps(bytes_max, rules_.page_bytes));
    }
    return collection;
  }

 private:
  void AddRates(PatternId id) {
    const Pattern& pattern = model_.patterns[id];
    for (const Action& action : pattern.actions) {
      const double rate = pattern.rps_avg * action.times;
      if (action.verb == Verb::kPut) rates_[action.entity].push_back({id, rate}), puts_[id].push_back(action.entity);
      if (action.verb == Verb::kDelete) rates_[action.entity].push_back({id, -rate});
    }
    std::sort(puts_[id].begin(), puts_[id].end());
  }

  Terms KeyOf(const PartitionGroup& group, EntityId id) const {
    return population_.terms().Of(model_.PartitionKey(group.index), model_.entities[id]);
  }
  bool IsOwner(const PartitionGroup& group, EntityId id) const { return population_.IsOne(id, KeyOf(group, id)); }

  std::optional<EntityId> OwnerOfGroup(const PartitionGroup& group) const {
    for (const EntityId id : group.entities) {
      if (IsOwner(group, id)) return id;
    }
    const std::optional<size_t> like = groups_.TableGroupLike(group.entities[0], group.index);
    if (!like) return {};
    for (const EntityId id : groups_.all()[*like].entities) {
      if (IsOwner(groups_.all()[*like], id)) return id;
    }
    return {};
  }

  // Puts of the entity per second that add to existing partitions, without those that are written together with the
  // partition's owner.
  double PutsToExisting(EntityId id, std::optional<EntityId> owner) const {
    double rate = 0;
    for (const ItemRate& one : rates_[id]) {
      const std::vector<EntityId>& together = puts_[one.pattern];
      const bool with_owner = owner && *owner != id && std::binary_search(together.begin(), together.end(), *owner);
      if (one.per_second < 0 || !with_owner) rate += one.per_second;
    }
    return rate;
  }

  // The shards over which the items of one value are spread: all, unless the shard is a hash of the value itself.
  double ShardsFor(const PartitionGroup& group, EntityId id, const Terms& key) const {
    const Entity& entity = model_.entities[id];
    const uint32_t shards = ShardsIn(entity, model_.PartitionKey(group.index));
    return population_.terms().FixesShard(key, entity) ? 1 : shards;
  }

  void AddPart(const PartitionGroup& group, EntityId id, std::optional<EntityId> owner, Collection& out) {
    const Terms key = KeyOf(group, id);
    const ItemCount count = counts_.Of(id, key, group.index);
    const double shards = ShardsFor(group, id, key);
    CollectionPart part{.entity = id, .item_bytes = population_.BytesIn(group.index, id)};
    if (count.basis == ItemCount::Basis::kUnknown) {
      out.counted = false;
    } else {
      part.items = count.avg / shards;
    }
    part.items_max = count.max;
    const bool grows = !population_.IsOne(id, key) && !model_.entities[id].ttl_after_s;
    const auto later = [&](double seconds) {
      if (!grows || !out.partitions || *out.partitions <= 0) return part.bytes();
      const double partitions = *out.partitions + (owner ? population_.Growth(*owner) * seconds : 0);
      // A sparse index is assumed to keep the share of items it holds today.
      const double share = group.index ? population_.ShareIn(*group.index, id) : 1;
      const double added = share * PutsToExisting(id, owner) * seconds / std::max(1.0, partitions);
      return std::max(0.0, part.items + added) * part.item_bytes;
    };
    part.bytes_1y = later(kYearSeconds);
    part.bytes_3y = later(3 * kYearSeconds);
    out.parts.push_back(part);
  }

  const Model& model_;
  const PartitionGroups& groups_;
  const Population& population_;
  ItemCounts& counts_;
  const PlanRules& rules_;
  std::vector<std::vector<ItemRate>> rates_;  // by entity
  std::vector<std::vector<EntityId>> puts_;   // by pattern, the entities that it puts
};

}  // namespace

std::vector<Collection> CollectionsOf(const Model& model, const PartitionGroups& groups, const Population& population,
                                      ItemCounts& counts, const PlanRules& rules) {
  CollectionMaker maker(model, groups, population, counts, rules);
  std::vector<Collection> collections;
  for (size_t at = 0; at < groups.all().size(); ++at) {
    if (std::optional<Collection> one = maker.Make(at)) collections.push_back(*std::move(one));
  }
  return collections;
}

}  // namespace keyfold::model
