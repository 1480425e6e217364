// Remarks that a planner would make about the figures.
#include <fmt/format.h>

#include <algorithm>

#include "base/text/ascii.h"
#include "model/core/figures.h"
#include "model/estimate/units.h"
#include "model/plan/plan_steps.h"

namespace keyfold::model {
namespace {

constexpr double kManyPages = 2;
constexpr double kGrowthWorthSaying = 10;  // GB per month

std::string Plural(std::string_view entity) {
  std::string word(entity);
  if (!word.empty()) word[0] = ToLower(word[0]);
  return word + (word.ends_with('s') ? "" : "s");
}

std::string Where(const Model& model, std::optional<IndexId> index) {
  return index ? "index " + model.indexes[*index].name : "the table";
}

std::string EntityList(const Model& model, const std::vector<EntityId>& entities) {
  std::string names;
  for (const EntityId id : entities) names += (names.empty() ? "" : ", ") + model.entities[id].name;
  return names;
}

// Used by one thread at a time.
class Remarks {
 public:
  Remarks(const Population& population, Plan& plan)
      : population_(population), model_(*plan.model), rules_(plan.prices.rules), plan_(plan) {}

  void All() {
    for (const PatternPlan& pattern : plan_.patterns) SayUnserved(pattern);
    for (const KeyHeat& heat : plan_.heat) SayHeat(heat);
    for (EntityId id = 0; id < model_.entities.size(); ++id) SayGrowth(id);
    for (const PatternPlan& pattern : plan_.patterns) SayLargest(pattern);
    SayBill();
    SayTableClass();
    SayAssumed();
    SayNotModelled();
    SayPrices();
  }

 private:
  void Say(Remark::Kind kind, const PlanRule* rule, std::string text) {
    plan_.remarks.push_back({kind, std::move(text), rule});
  }

  void SayUnserved(const PatternPlan& pattern) {
    const auto* why = std::get_if<Unserved>(&pattern.compiled);
    if (why == nullptr) return;
    Say(Remark::Kind::kUnserved, nullptr,
        fmt::format("no request serves {}: {}", model_.patterns[pattern.pattern].name, why->message));
  }

  // Writes to the place per put of its entities.
  double WritesPerPut(const KeyHeat& heat, double puts) const {
    double writes = 0;
    for (const PatternPlan& pattern : plan_.patterns) {
      for (const UnitLine& line : pattern.lines) {
        const bool here = line.write && line.index == heat.index &&
                          std::find(heat.entities.begin(), heat.entities.end(), line.entity) != heat.entities.end();
        if (here) writes += line.units * model_.patterns[pattern.pattern].rps_avg;
      }
    }
    return puts > 0 ? writes / puts : 0;
  }

  double Puts(const KeyHeat& heat) const {
    double puts = 0;
    for (const EntityId id : heat.entities) puts += population_.Puts(id);
    return puts;
  }

  void SayHeat(const KeyHeat& heat) {
    const double limit = rules_.partition_write_units;
    if (heat.shards > 1 && heat.min_shards <= 1) return SayShardNotNeeded(heat);
    if (heat.shards > 1) {
      const double hottest = std::max(heat.WriteHeat(rules_), heat.ReadHeat(rules_));
      return Say(Remark::Kind::kShards, &kShards,
                 fmt::format("{} needs at least {} shards ({} units/s on one key of {} / {}) and has {} ({} % heat)",
                             EntityList(model_, heat.entities), NumberText(heat.min_shards, 0), PeakText(heat),
                             Where(model_, heat.index), NumberText(limit * rules_.heat_target, 0), heat.shards,
                             NumberText(100 * hottest, 0)));
    }
    if (heat.min_shards <= 1) return;
    Say(Remark::Kind::kHot, &kHeat,
        fmt::format("one value of {} in {} takes {} units/s at peak: {} % of what a partition provides; {} shards "
                    "would be enough",
                    heat.key, Where(model_, heat.index), PeakText(heat),
                    NumberText(100 * std::max(heat.WriteHeat(rules_), heat.ReadHeat(rules_)), 0),
                    NumberText(heat.min_shards, 0)));
  }

  static std::string PeakText(const KeyHeat& heat) {
    if (heat.read_units <= 0) return NumberText(heat.write_units) + " write";
    if (heat.write_units <= 0) return NumberText(heat.read_units) + " read";
    return NumberText(heat.write_units) + " write and " + NumberText(heat.read_units) + " read";
  }

  void SayShardNotNeeded(const KeyHeat& heat) {
    if (!heat.share && !heat.IsDeclared()) return;  // the load on one key is unknown
    const double puts = Puts(heat);
    const double per_put = WritesPerPut(heat, puts);
    const std::string entity = EntityList(model_, heat.entities);
    std::string arithmetic = PeakText(heat) + " units/s";
    std::string from;
    if (puts > 0 && per_put > 0) {
      arithmetic = fmt::format("{} {}/s x {} {} writes", NumberText(puts), Plural(entity), NumberText(per_put),
                               heat.index ? "index" : "table");
      const double needed = rules_.partition_write_units * rules_.heat_target / per_put / heat.share.value_or(1);
      from = fmt::format("; needed from about {} {}/s", NumberText(needed, 0), Plural(entity));
    }
    Say(Remark::Kind::kShardNotNeeded, &kShards,
        fmt::format("the {} shards of {} in {} are not needed: {} = {} % of {} write units/s on one key{}", heat.shards,
                    entity, Where(model_, heat.index), arithmetic,
                    NumberText(100 * heat.write_units / rules_.partition_write_units),
                    NumberText(rules_.partition_write_units, 0), from));
  }

  void SayGrowth(EntityId id) {
    const Entity& entity = model_.entities[id];
    if (entity.ttl_after_s || population_.Growth(id) <= 0) return;
    const double items = population_.Growth(id) * plan_.prices.MonthSeconds();
    double bytes = items * (entity.size_avg + rules_.item_overhead_bytes);
    for (IndexId index = 0; index < model_.indexes.size(); ++index) {
      bytes +=
          items * population_.ShareIn(index, id) * (population_.EntryBytes(index, id) + rules_.item_overhead_bytes);
    }
    if (bytes / kGigabyte < kGrowthWorthSaying) return;
    Say(Remark::Kind::kGrowth, &kStorage,
        fmt::format("{} add {} GB/month (+${}/month, every month); no TTL is declared", Plural(entity.name),
                    NumberText(bytes / kGigabyte, 0), NumberText(StorageUsd(plan_, bytes), 0)));
  }

  void SayLargest(const PatternPlan& pattern) {
    const Pattern& declared = model_.patterns[pattern.pattern];
    if (pattern.pages_max < kManyPages) return;
    if (!pattern.largest || pattern.largest->pages < kManyPages) return SayLargestTogether(pattern);
    const LargestRead& largest = *pattern.largest;
    Say(Remark::Kind::kLargeCollection, &kReadPages,
        fmt::format("{} max {} x {} makes {} read {} = {} pages, {}", model_.entities[largest.entity].name,
                    NumberText(largest.items, 0), BytesText(largest.item_bytes), declared.name,
                    BytesText(largest.bytes), NumberText(largest.pages, 0),
                    declared.paginate ? NumberText(largest.read_units, 1) + " units" : "of which it reads the first"));
  }

  // No entity alone fills a page, but all of them at their largest do.
  void SayLargestTogether(const PatternPlan& pattern) {
    const Pattern& declared = model_.patterns[pattern.pattern];
    if (pattern.pages >= kManyPages) return;  // a warning of the pattern
    Say(Remark::Kind::kLargeCollection, &kReadPages,
        fmt::format("the largest collections make {} read {} = {} pages{}", declared.name,
                    BytesText(pattern.volume.bytes_max), NumberText(pattern.pages_max, 0),
                    declared.paginate ? "" : ", of which it reads the first"));
  }

  void SayBill() {
    double writes = 0;
    double all = 0;
    for (const PatternPlan& pattern : plan_.patterns) {
      for (const ChargeLine& charge : pattern.charges) {
        all += charge.usd;
        if (charge.usage_type.find("Write") != std::string::npos) writes += charge.usd;
      }
    }
    if (all <= 0) return;
    Say(Remark::Kind::kWriteShare, &kOnDemand,
        fmt::format("writes are {} % of the ${} bill", NumberText(100 * writes / all, 0), NumberText(all, 0)));
    const auto cost = [&](ModeCost::Mode mode) -> const ModeCost* {
      const auto it =
          std::find_if(plan_.modes.begin(), plan_.modes.end(), [&](const ModeCost& one) { return one.mode == mode; });
      return it != plan_.modes.end() ? &*it : nullptr;
    };
    const ModeCost* on_demand = cost(ModeCost::Mode::kOnDemand);
    const ModeCost* provisioned = cost(ModeCost::Mode::kProvisioned);
    if (on_demand == nullptr || provisioned == nullptr || provisioned->usd >= on_demand->usd) return;
    Say(Remark::Kind::kProvisionedSaves, &kProvisioned,
        fmt::format("if traffic is steady, provisioned capacity at {} % utilization saves {} % of the bill",
                    NumberText(100 * rules_.target_utilization, 0),
                    NumberText(100 * (1 - provisioned->usd / on_demand->usd), 1)));
  }

  void SayTableClass() {
    const ClassCost* own = nullptr;
    const ClassCost* other = nullptr;
    for (const ClassCost& cost : plan_.classes) {
      if (cost.mode == model_.table.billing) (cost.table_class == model_.table.table_class ? own : other) = &cost;
    }
    if (own == nullptr || other == nullptr || other->usd() >= own->usd()) return;
    Say(Remark::Kind::kTableClass, &kTableClass,
        fmt::format("class {} would cost ${}/month instead of ${}, throughput and storage",
                    other->table_class == TableClass::kStandard ? "standard" : "standard_ia", NumberText(other->usd()),
                    NumberText(own->usd())));
  }

  void SayAssumed() {
    std::string names;
    for (const Entity& entity : model_.entities) {
      if (entity.size_assumed) names += (names.empty() ? "" : ", ") + entity.name;
    }
    if (!names.empty()) Say(Remark::Kind::kAssumed, &kPopulation, "1,024 bytes are assumed for items of " + names);
    names.clear();
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      if (!population_.Count(id)) names += (names.empty() ? "" : ", ") + model_.entities[id].name;
    }
    if (!names.empty()) {
      Say(Remark::Kind::kAssumed, &kPopulation,
          "not included in today's storage, because their number is unknown: " + names);
    }
    for (const CountConflict& conflict : population_.conflicts()) SayConflict(conflict);
  }

  void SayConflict(const CountConflict& conflict) {
    const auto name = [this](const Per& per) {
      return per.parent ? model_.entities[*per.parent].name : Listed(per.attributes);
    };
    Say(Remark::Kind::kAssumed, &kPopulation,
        fmt::format("per {} makes {} {}, but per {} makes {}; the larger number is used, so correct one of them or "
                    "declare count",
                    name(*conflict.low), NumberText(conflict.low_count, 0), model_.entities[conflict.entity].name,
                    name(*conflict.high), NumberText(conflict.high_count, 0)));
  }

  void SayNotModelled() {
    Say(Remark::Kind::kNotModelled, nullptr,
        "not modeled: replicas, stream reads, on-demand backups, exports and data transfer");
  }

  void SayPrices() {
    const std::string age = AgeWarning(plan_.prices, plan_.options.now_ms);
    if (!age.empty()) Say(Remark::Kind::kPrices, nullptr, age);
  }

  const Population& population_;
  const Model& model_;
  const PlanRules& rules_;
  Plan& plan_;
};

}  // namespace

std::string_view NameOf(Remark::Kind kind) {
  constexpr std::string_view kNames[] = {"unserved",    "shard-not-needed", "shards",       "hot-key",
                                         "growth",      "large-collection", "write-share",  "provisioned-saves",
                                         "table-class", "assumed",          "not-modelled", "prices"};
  return kNames[static_cast<size_t>(kind)];
}

void PlanRemarks(const Population& population, Plan& plan) { Remarks(population, plan).All(); }

}  // namespace keyfold::model
