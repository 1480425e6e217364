#include "model/check/load.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "model/core/figures.h"
#include "value/limits.h"
#include "value/units.h"

namespace keyfold::model::check {
namespace {

// The number of key values that the declared attributes allow, and the share of the most frequent one.
struct Spread {
  double distinct = 1;
  double top_share = 1;
  bool known = true;
  uint32_t shards = 1;
};

std::optional<double> ValuesOf(const Attribute& attribute) {
  if (attribute.cardinality) return std::max(1.0, *attribute.cardinality);
  if (attribute.type == AttributeType::kEnum) return static_cast<double>(attribute.values.size());
  if (attribute.type == AttributeType::kBool) return 2;
  return {};
}

Spread SpreadOf(const Subject& subject, EntityId id, std::optional<IndexId> index) {
  Spread spread;
  const Entity& entity = subject.entity(id);
  for (const std::string& name : subject.model().PartitionKey(index)) {
    for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
      if (part.kind == TemplatePart::Kind::kShard) spread.shards = part.shards;
      // Calendar parts count as one value: at any moment all load goes to one day or hour.
      if (part.kind != TemplatePart::Kind::kAttribute || IsBucket(part.format)) continue;
      const Attribute& attribute = *entity.Find(part.text);
      const std::optional<double> values = ValuesOf(attribute);
      spread.known &= values.has_value();
      spread.distinct *= values.value_or(1);
      spread.top_share *= std::max(attribute.top_share.value_or(0), values ? 1 / *values : 0);
    }
  }
  return spread;
}

void Spreads(const Subject& subject, GroupLoad& load) {
  const std::optional<IndexId> index = load.group->index;
  std::optional<double> owners;
  for (const EntityId id : load.group->entities) {
    const Spread spread = SpreadOf(subject, id, index);
    load.shards = std::max(load.shards, spread.shards);
    if (spread.known && !load.distinct) {
      load.distinct = spread.distinct;
      load.top_share = spread.top_share;
    }
    if (!subject.FreeSortParts(id, index).empty()) continue;
    if (const auto count = subject.Count(id)) owners = std::max(owners.value_or(1), *count);
  }
  if (load.distinct || !owners) return;
  load.distinct = owners;
  load.top_share = 1 / *owners;
  for (const EntityId id : load.group->entities) {
    const double share = SpreadOf(subject, id, index).top_share;
    if (share < 1) load.top_share = std::max(load.top_share, share);
  }
}

void AddDeclared(const Subject& subject, GroupLoad& load) {
  if (load.group->index) return;
  for (const EntityId id : load.group->entities) {
    const Entity& entity = subject.entity(id);
    if (entity.peak_writes_per_key) {
      load.declared_writes = load.declared_writes.value_or(0) +
                             *entity.peak_writes_per_key * EstimatedUnitSteps(entity.size_avg, kWriteUnitBytes);
      load.loaded = id;
    }
    if (entity.peak_reads_per_key) {
      load.declared_reads = load.declared_reads.value_or(0) +
                            *entity.peak_reads_per_key * 0.5 * EstimatedUnitSteps(entity.size_avg, kReadUnitBytes);
      load.loaded = id;
    }
  }
}

std::string Term(const Pattern& pattern, double units) {
  return pattern.name + " " + Figure(pattern.rps_peak) + "/s x " + Figure(units);
}

// Sums the load of patterns by group. Used by one thread at a time.
class Adder {
 public:
  Adder(const Subject& subject, std::vector<GroupLoad>& loads) : subject_(subject), loads_(loads) {
    for (size_t i = 0; i < loads.size(); ++i) {
      for (const EntityId id : loads[i].group->entities) at_[{PlaceAt(loads[i].group->index), id}] = i;
    }
    by_entity_.resize(loads.size());
  }

  void AddPattern(PatternId id) {
    const Pattern& pattern = subject_.pattern(id);
    const Access* access = subject_.access(id);
    if (access == nullptr || pattern.rps_peak <= 0) return;
    for (const Write& write : access->writes) {
      Add(write.entity, {}, pattern, subject_.BaseWriteUnits(id, write), true);
      for (const IndexEffect& effect : write.effects) {
        if (!subject_.model().indexes[effect.index].local)
          Add(write.entity, effect.index, pattern, subject_.IndexWriteUnits(write, effect), true);
      }
    }
    if (access->reads.empty() || access->operation == Operation::kScan) return;
    const double units = subject_.ReadUnits(id) / static_cast<double>(access->reads.size());
    for (const KeyRead& read : access->reads) Add(read.wanted[0], read.index, pattern, units, false);
  }

  void Finish() {
    for (size_t i = 0; i < loads_.size(); ++i) {
      double most = -1;
      for (const auto& [entity, units] : by_entity_[i]) {
        if (units > most) most = units, loads_[i].loaded = entity;
      }
    }
  }

 private:
  static size_t PlaceAt(std::optional<IndexId> index) { return index ? *index + 1 : 0; }

  void Add(EntityId entity, std::optional<IndexId> index, const Pattern& pattern, double units, bool write) {
    const auto it = at_.find({PlaceAt(index), entity});
    if (it == at_.end()) return;
    GroupLoad& load = loads_[it->second];
    (write ? load.writes : load.reads) += pattern.rps_peak * units;
    (write ? load.write_terms : load.read_terms).push_back(Term(pattern, units));
    by_entity_[it->second][entity] += pattern.rps_peak * units;
  }

  const Subject& subject_;
  std::vector<GroupLoad>& loads_;
  std::map<std::pair<size_t, EntityId>, size_t> at_;
  std::vector<std::map<EntityId, double>> by_entity_;
};

}  // namespace

std::vector<GroupLoad> LoadsOf(const Subject& subject) {
  std::vector<GroupLoad> loads;
  for (const PartitionGroup& group : subject.groups()) {
    loads.emplace_back().group = &group;
    loads.back().loaded = group.entities[0];
  }
  Adder adder(subject, loads);
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) adder.AddPattern(id);
  adder.Finish();
  for (GroupLoad& load : loads) {
    Spreads(subject, load);
    AddDeclared(subject, load);
  }
  return loads;
}

}  // namespace keyfold::model::check
