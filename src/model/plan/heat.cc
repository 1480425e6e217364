// Heat: peak units on the most loaded partition key value of the table and of each GSI, relative to what one partition
// provides.
#include <algorithm>

#include "model/estimate/units.h"
#include "model/plan/plan_steps.h"

namespace keyfold::model {
namespace {

bool IsCalendar(const TemplatePart& part) {
  return part.format == Format::kYear || part.format == Format::kMonth || part.format == Format::kDay ||
         part.format == Format::kHour;
}

std::optional<double> ValuesOf(const Attribute& attribute) {
  if (attribute.cardinality) return attribute.cardinality;
  if (!attribute.values.empty()) return static_cast<double>(attribute.values.size());
  if (attribute.type == AttributeType::kBool) return 2;
  return {};
}

// The spread computed from the declarations of each placeholder.
struct Declared {
  std::optional<double> values = 1;
  double share = 1;  // the share of the most loaded value, as far as declared
  uint32_t shards = 1;
  bool calendar = false;
};

Declared DeclaredOf(const Model& model, std::optional<IndexId> index, const Entity& entity) {
  Declared spread;
  for (const std::string& key : model.PartitionKey(index)) {
    for (const TemplatePart& part : entity.FindKey(key)->value.parts) {
      if (part.kind == TemplatePart::Kind::kShard) spread.shards = part.shards;
      if (part.kind != TemplatePart::Kind::kAttribute) continue;
      spread.calendar = spread.calendar || IsCalendar(part);
      if (IsCalendar(part)) continue;
      const Attribute* attribute = entity.Find(part.text);
      const std::optional<double> values = attribute != nullptr ? ValuesOf(*attribute) : std::nullopt;
      const std::optional<double> top = attribute != nullptr ? attribute->top_share : std::nullopt;
      if (values && *values > 0) spread.share *= top.value_or(1 / *values);
      if (!values && top) spread.share *= *top;
      if (!values) spread.values.reset();
      if (spread.values && values) *spread.values *= *values;
    }
  }
  return spread;
}

// The count of an entity identified by the same attributes as the partition key: it has one item per key value.
std::optional<double> CountByNames(const Model& model, std::optional<IndexId> index, const Entity& entity,
                                   const Population& population) {
  const auto names = [&](const KeySide& side, const Entity& of, std::vector<std::string_view>& out) {
    for (const std::string& key : side) {
      for (const TemplatePart& part : of.FindKey(key)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && !IsCalendar(part)) out.push_back(part.text);
      }
    }
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
  };
  std::vector<std::string_view> wanted;
  names(model.PartitionKey(index), entity, wanted);
  if (wanted.empty()) return {};
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    std::vector<std::string_view> own;
    names(model.table.pk, model.entities[id], own);
    names(model.table.sk, model.entities[id], own);
    if (own == wanted && population.Count(id)) return population.Count(id);
  }
  return {};
}

// Applies what `heat` declares. Declarations are about the table's keys.
void TakeDeclared(const Plan& plan, const KeyGroup& group, KeyHeat& heat) {
  const PlanRules& rules = plan.prices.rules;
  double writes = 0;
  double reads = 0;
  for (const EntityId id : group.entities) {
    const Entity& entity = plan.model->entities[id];
    writes += entity.peak_writes_per_key.value_or(0) * WriteUnits(rules, entity.size_avg, false);
    reads += entity.peak_reads_per_key.value_or(0) * ReadUnits(rules, entity.size_avg, Consistency::kEventual);
  }
  heat.declared = writes > 0 || reads > 0;
  if (writes > 0) heat.write_units = writes;
  if (reads > 0) heat.read_units = reads;
}

using PeakByEntity = std::vector<Units>;

// Peak units per second on a table or index, by entity.
PeakByEntity PeakUnits(const Plan& plan, std::optional<IndexId> index) {
  const Model& model = *plan.model;
  PeakByEntity peak(model.entities.size());
  for (const PatternPlan& pattern : plan.patterns) {
    const double rps = model.patterns[pattern.pattern].rps_peak;
    for (const UnitLine& line : pattern.lines) {
      const bool local = line.index && model.indexes[*line.index].local;
      if ((local ? std::nullopt : line.index) != index) continue;
      (line.write ? peak[line.entity].write : peak[line.entity].read) += line.units * rps;
    }
  }
  return peak;
}

void AddHeat(std::optional<IndexId> index, const Population& population, Plan& plan) {
  const PlanRules& rules = plan.prices.rules;
  const PeakByEntity peak = PeakUnits(plan, index);
  for (const KeyGroup& group : GroupByPartition(*plan.model, index)) {
    KeyHeat heat;
    heat.index = index;
    heat.key = group.key;
    heat.entities = group.entities;
    const KeySpread spread = SpreadOf(*plan.model, index, group, population);
    heat.values = spread.values;
    heat.share = spread.share;
    heat.shards = spread.shards;
    double loaded = 0;
    for (const EntityId id : group.entities) {
      heat.write_units += peak[id].write * heat.share.value_or(0);
      heat.read_units += peak[id].read * heat.share.value_or(0);
      loaded += peak[id].write + peak[id].read;
    }
    if (!index) TakeDeclared(plan, group, heat);
    if (loaded <= 0 && !heat.declared) continue;
    heat.min_shards = std::max({1.0, Steps(heat.write_units, rules.partition_write_units * rules.heat_target),
                                Steps(heat.read_units, rules.partition_read_units * rules.heat_target)});
    plan.heat.push_back(std::move(heat));
  }
}

}  // namespace

KeySpread SpreadOf(const Model& model, std::optional<IndexId> index, const KeyGroup& group,
                   const Population& population) {
  KeySpread spread;
  double top = 0;  // a share declared without a cardinality
  for (const EntityId id : group.entities) {
    const Declared declared = DeclaredOf(model, index, model.entities[id]);
    spread.shards = std::max(spread.shards, declared.shards);
    spread.calendar = spread.calendar || declared.calendar;
    if (!declared.values && declared.share < 1) top = std::max(top, declared.share);
    if (!declared.values || spread.share) continue;
    spread.values = declared.values;
    spread.share = declared.share;
  }
  if (spread.share) return spread;
  const std::optional<EntityId> owner = OwnerOf(model, index, group);
  if (owner) spread.values = population.Count(*owner);
  if (!spread.values) spread.values = CountByNames(model, index, model.entities[group.entities[0]], population);
  if (spread.values && *spread.values > 0) spread.share = 1 / *spread.values;
  if (top > spread.share.value_or(0)) spread.share = top;
  return spread;
}

void PlanHeat(const Population& population, Plan& plan) {
  AddHeat({}, population, plan);
  for (IndexId id = 0; id < plan.model->indexes.size(); ++id) {
    if (!plan.model->indexes[id].local) AddHeat(id, population, plan);
  }
}

}  // namespace keyfold::model
