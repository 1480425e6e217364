#include "model/estimate/key_heat.h"

#include <algorithm>
#include <map>

#include "model/estimate/units.h"

namespace keyfold::model {
namespace {

// The values of the partition keys that the entities own which have one item for each of them.
std::optional<double> CountOfOwners(const Model& model, const PartitionGroup& group, const Population& population) {
  std::optional<double> count;
  for (const EntityId id : group.entities) {
    const Terms key = population.terms().Of(model.PartitionKey(group.index), model.entities[id]);
    if (!population.IsOne(id, key)) continue;
    const std::optional<double> own = population.DistinctOf(id, key, group.index).values;
    if (own) count = std::max(count.value_or(0), *own);
  }
  return count;
}

// Adds the lines of patterns to the heat of their groups. Used by one thread at a time.
class HeatAdder {
 public:
  HeatAdder(const Model& model, const PartitionGroups& groups, std::vector<KeyHeat>& heat)
      : model_(model), groups_(groups), heat_(heat) {}

  void Add(const PatternEstimate& pattern) {
    const Access* access = pattern.access();
    const double rps = model_.patterns[pattern.pattern].rps_peak;
    if (access == nullptr || access->operation == Operation::kScan || rps <= 0) return;
    for (const UnitLine& line : pattern.lines) {
      // Local indexes share the table's partitions.
      const bool local = line.index && model_.indexes[*line.index].local;
      AddLine(pattern.pattern, line, rps, local ? std::nullopt : line.index);
    }
  }

  void Finish() {
    for (const auto& [at, units] : by_entity_) {
      const auto& [group, entity] = at;
      if (most_[group] >= units) continue;
      most_[group] = units;
      heat_[group].loaded = entity;
    }
  }

 private:
  void AddLine(PatternId pattern, const UnitLine& line, double rps, std::optional<IndexId> index) {
    const size_t group = groups_.At(line.entity, index);
    KeyHeat& heat = heat_[group];
    (line.write ? heat.all_write_units : heat.all_read_units) += line.units * rps;
    by_entity_[{group, line.entity}] += line.units * rps;
    const bool more =
        !heat.patterns.empty() && heat.patterns.back().pattern == pattern && heat.patterns.back().write == line.write;
    if (!more) heat.patterns.push_back({pattern, line.write, 0});
    heat.patterns.back().units += line.units;
  }

  const Model& model_;
  const PartitionGroups& groups_;
  std::vector<KeyHeat>& heat_;
  std::map<std::pair<size_t, EntityId>, double> by_entity_;
  std::map<size_t, double> most_;  // by group
};

// Applies what `heat` declares. Declarations are about the table's keys.
void TakeDeclared(const Model& model, const PlanRules& rules, KeyHeat& heat) {
  double writes = 0;
  double reads = 0;
  for (const EntityId id : heat.entities) {
    const Entity& entity = model.entities[id];
    const double own_writes = entity.peak_writes_per_key.value_or(0) * WriteUnits(rules, entity.size_avg, false);
    const double own_reads =
        entity.peak_reads_per_key.value_or(0) * ReadUnits(rules, entity.size_avg, Consistency::kEventual);
    if (own_writes > 0 || own_reads > 0) heat.loaded = id;
    writes += own_writes;
    reads += own_reads;
  }
  heat.declared_writes = writes > 0;
  heat.declared_reads = reads > 0;
  if (heat.declared_writes) heat.write_units = writes;
  if (heat.declared_reads) heat.read_units = reads;
}

}  // namespace

KeySpread SpreadOf(const Model& model, const PartitionGroups& groups, size_t at, const Population& population) {
  const PartitionGroup& group = groups.all()[at];
  const KeySide& side = model.PartitionKey(group.index);
  KeySpread spread;
  // Shares that are only upper limits: of attributes without a number of values, and of those that are skewed.
  std::optional<double> limit;
  std::optional<double> skewed;
  for (const EntityId id : group.entities) {
    spread.shards = std::max(spread.shards, ShardsIn(model.entities[id], side));
    const DistinctValues own = population.DistinctOf(id, population.terms().Of(side, model.entities[id]), group.index);
    spread.calendar = spread.calendar || own.calendar;
    if (own.values && !spread.values) spread.values = own.values, spread.share = own.share;
    if (own.values || !own.share) continue;
    limit = std::max(limit.value_or(0), *own.share);
    if (own.skewed) skewed = std::max(skewed.value_or(0), *own.share);
  }
  const std::optional<size_t> like = groups.TableGroupLike(group.entities[0], group.index);
  if (!spread.values && like) {
    spread.values = CountOfOwners(model, groups.all()[*like], population);
    if (spread.values && *spread.values > 0) spread.share = std::min(1.0, 1 / *spread.values);
  }
  if (!spread.share) spread.share = limit;
  if (skewed) spread.share = std::max(*spread.share, *skewed);
  return spread;
}

std::vector<KeyHeat> HeatOf(const Model& model, const PartitionGroups& groups,
                            const std::vector<PatternEstimate>& patterns, const Population& population,
                            const PlanRules& rules) {
  std::vector<KeyHeat> all;
  for (size_t at = 0; at < groups.all().size(); ++at) {
    const PartitionGroup& group = groups.all()[at];
    all.push_back({.group = at, .index = group.index, .key = group.key, .entities = group.entities});
    all.back().loaded = group.entities[0];
  }
  HeatAdder adder(model, groups, all);
  for (const PatternEstimate& pattern : patterns) adder.Add(pattern);
  adder.Finish();
  std::erase_if(all, [&](const KeyHeat& heat) { return heat.index && model.indexes[*heat.index].local; });
  for (KeyHeat& heat : all) {
    const KeySpread spread = SpreadOf(model, groups, heat.group, population);
    heat.values = spread.values;
    heat.share = spread.share;
    heat.shards = spread.shards;
    heat.write_units = heat.all_write_units * heat.share.value_or(0);
    heat.read_units = heat.all_read_units * heat.share.value_or(0);
    if (!heat.index) TakeDeclared(model, rules, heat);
    heat.min_shards = std::max({1.0, Steps(heat.write_units, rules.partition_write_units * rules.heat_target),
                                Steps(heat.read_units, rules.partition_read_units * rules.heat_target)});
  }
  return all;
}

}  // namespace keyfold::model
