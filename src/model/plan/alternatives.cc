// Cheaper ways to serve the same reads, each with its price: a narrower or wider projection, a copy in the table
// instead of an index and vice versa, a native multi-attribute key instead of a synthetic one.
#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <set>

#include "model/estimate/entry_estimate.h"
#include "model/estimate/units.h"
#include "model/plan/plan_steps.h"

namespace keyfold::model {
namespace {

using EntityBytes = std::function<double(EntityId)>;

// Used by one thread at a time.
class Alternatives {
 public:
  Alternatives(const Population& population, Plan& plan)
      : population_(population), model_(*plan.model), rules_(plan.prices.rules), plan_(plan) {
    for (const Entity& entity : model_.entities) estimates_.emplace_back(model_, entity);
  }

  void All() {
    for (IndexId id = 0; id < model_.indexes.size(); ++id) {
      if (model_.indexes[id].local || plan_.indexes[id].usd() <= 0) continue;
      CompareProjections(id);
      CompareWithCopy(id);
      CompareNativeKey(id);
    }
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      if (model_.entities[id].copy_of) CompareCopyWithIndex(id);
    }
  }

 private:
  double Month() const { return plan_.prices.MonthSeconds(); }
  double WriteUsd(double units) const { return units * UnitUsd(plan_, true); }
  double ReadUsd(double units) const { return units * UnitUsd(plan_, false); }
  double ItemsIn(IndexId index, EntityId id) const { return population_.At(id, 0) * population_.ShareIn(index, id); }

  double StorageOf(IndexId index, const EntityBytes& entry) const {
    double bytes = 0;
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      const double items = ItemsIn(index, id);
      if (items > 0) bytes += items * (entry(id) + rules_.item_overhead_bytes);
    }
    return StorageUsd(plan_, bytes);
  }

  // Attributes that the index's readers must find in an entry. Values that can be recovered from keys count as found,
  // except in a filter.
  std::vector<std::string> NeededIn(IndexId index) const {
    std::set<std::string> needed;
    for (const PatternId reader : plan_.indexes[index].readers) {
      const Pattern& pattern = model_.patterns[reader];
      if (pattern.needs) needed.insert(pattern.needs->begin(), pattern.needs->end());
      if (pattern.merge) needed.insert(pattern.merge->begin(), pattern.merge->end());
    }
    std::erase_if(needed, [&](const std::string& name) { return FollowsFromKeys(index, name); });
    for (const PatternId reader : plan_.indexes[index].readers) {
      for (const Comparison* one : ComparisonsOf(model_.patterns[reader].where)) needed.insert(one->attribute);
    }
    return {needed.begin(), needed.end()};
  }

  // Returns true if every entity of the index that has the attribute has its whole value in a key.
  bool FollowsFromKeys(IndexId index, const std::string& name) const {
    const Index& declared = model_.indexes[index];
    for (const Entity& entity : model_.entities) {
      if (entity.Has(declared) && entity.Find(name) != nullptr && !InKeys(declared, entity, name)) return false;
    }
    return true;
  }

  bool InKeys(const Index& index, const Entity& entity, const std::string& name) const {
    for (const KeySide* side : {&model_.table.pk, &model_.table.sk, &index.pk, &index.sk}) {
      for (const std::string& attribute : *side) {
        for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
          const bool whole = part.format != Format::kLower && part.format != Format::kUpper &&
                             part.format != Format::kYear && part.format != Format::kMonth &&
                             part.format != Format::kDay && part.format != Format::kHour;
          if (part.kind == TemplatePart::Kind::kAttribute && part.text == name && whole) return true;
        }
      }
    }
    return false;
  }

  // Returns true if an update that does not change the key writes to the index.
  static bool Rewrites(const Write& write, Project project, const std::vector<std::string>& included) {
    if (project == Project::kAll) return true;
    if (project == Project::kKeys) return false;
    const auto sets = [&](const std::string& name) {
      return std::find(included.begin(), included.end(), name) != included.end();
    };
    return std::any_of(write.action->set.begin(), write.action->set.end(),
                       [&](const Assignment& set) { return sets(set.attribute); }) ||
           std::any_of(write.action->remove.begin(), write.action->remove.end(), sets);
  }

  double WritesInto(IndexId index, const Write& write, Project project,
                    const std::vector<std::string>& included) const {
    for (const IndexEffect& effect : write.effects) {
      if (effect.index != index) continue;
      if (effect.kind == IndexEffect::Kind::kMoves) return 2;
      if (effect.kind != IndexEffect::Kind::kRewrites) return 1;
    }
    const bool updates = write.verb == Verb::kUpdate && model_.entities[write.entity].Has(model_.indexes[index]);
    return updates && Rewrites(write, project, included) ? 1 : 0;
  }

  double WriteUnitsOf(IndexId index, Project project, const std::vector<std::string>& included,
                      const EntityBytes& entry) const {
    double units = 0;
    for (const PatternPlan& pattern : plan_.patterns) {
      if (pattern.access() == nullptr) continue;
      const double rate = model_.patterns[pattern.pattern].rps_avg * Month();
      for (const Write& write : pattern.access()->writes) {
        const double writes = WritesInto(index, write, project, included) * write.times;
        if (writes > 0) units += rate * writes * WriteUnits(rules_, entry(write.entity), false);
      }
    }
    return units;
  }

  // With `fetch`, items of which the reader needs more than the entry holds are read from the table as well.
  double ReadUnitsOf(IndexId index, const EntityBytes& entry, bool fetch) const {
    double units = 0;
    for (const PatternId reader : plan_.indexes[index].readers) {
      const PatternPlan& pattern = plan_.patterns[reader];
      const double rate = model_.patterns[reader].rps_avg * Month();
      double bytes = 0;
      double fetched = 0;
      for (const ReadPart& part : pattern.volume.parts) {
        bytes += part.items * entry(part.entity);
        fetched += part.items * ReadUnits(rules_, model_.entities[part.entity].size_avg, Consistency::kEventual);
      }
      const double calls = std::max(1.0, pattern.calls);
      units += rate * calls * ReadUnits(rules_, bytes / calls, Consistency::kEventual);
      if (fetch && Fetches(index, reader)) units += rate * fetched;
    }
    return units;
  }

  bool Fetches(IndexId index, PatternId reader) const {
    const auto& needs = model_.patterns[reader].needs;
    return needs && std::any_of(needs->begin(), needs->end(),
                                [&](const std::string& name) { return !FollowsFromKeys(index, name); });
  }

  Option ProjectionOption(IndexId index, Project project, const std::vector<std::string>& included,
                          const EntityBytes& entry) const {
    Option option;
    const std::string& type = model_.table.type_attribute;
    const bool keys = project == Project::kKeys || (project == Project::kInclude && included.empty() && type.empty());
    option.usd = WriteUsd(WriteUnitsOf(index, project, included, entry)) + StorageOf(index, entry) +
                 ReadUsd(ReadUnitsOf(index, entry, keys));
    option.what = project == Project::kAll ? "ALL" : keys ? "KEYS_ONLY" : "INCLUDE";
    if (!keys && project == Project::kInclude) {
      if (included.empty()) option.what += ' ' + type;
      for (const std::string& name : included) option.what += (option.what == "INCLUDE" ? " " : ", ") + name;
    }
    const auto& readers = plan_.indexes[index].readers;
    if (keys && std::any_of(readers.begin(), readers.end(), [&](PatternId id) { return Fetches(index, id); })) {
      option.what += " + GetItem";
    }
    return option;
  }

  // Estimated bytes of an entry. Not for Project::kAll.
  double Held(EntityId id, const Index& index, Project project, const std::vector<std::string>& included) const {
    return project == Project::kKeys ? estimates_[id].Keys(index) : estimates_[id].KeysAnd(index, included);
  }

  void CompareProjections(IndexId index) {
    const Index& declared = model_.indexes[index];
    const EntityBytes whole = [this](EntityId id) { return model_.entities[id].size_avg; };
    // An entry size that a pattern declares takes precedence over the estimate, and corrects it for other projections.
    const auto estimate = [this, index, &declared](Project project,
                                                   const std::vector<std::string>& included) -> EntityBytes {
      return [this, index, &declared, project, included](EntityId id) {
        const double size = model_.entities[id].size_avg;
        const double said = population_.EntryBytes(index, id);
        const double own =
            declared.project == Project::kAll ? size : Held(id, declared, declared.project, declared.included);
        const double factor = said != size && own > 0 ? said / own : 1;
        return std::min(size, factor * Held(id, declared, project, included));
      };
    };
    const EntityBytes own = declared.project == Project::kAll ? whole : estimate(declared.project, declared.included);
    const std::vector<std::string> needed = NeededIn(index);
    Alternative one{Alternative::Kind::kProjection, "index " + declared.name, {}, 0};
    one.options.push_back(ProjectionOption(index, declared.project, declared.included, own));
    if (declared.project != Project::kAll) one.options.push_back(ProjectionOption(index, Project::kAll, {}, whole));
    const std::set<std::string> included(declared.included.begin(), declared.included.end());
    const bool same = declared.project == Project::kInclude && included == std::set(needed.begin(), needed.end());
    if (!needed.empty() && !same)
      one.options.push_back(ProjectionOption(index, Project::kInclude, needed, estimate(Project::kInclude, needed)));
    if (declared.project != Project::kKeys) {
      one.options.push_back(ProjectionOption(index, Project::kKeys, {}, estimate(Project::kKeys, {})));
    }
    Add(std::move(one));
  }

  // Units that one of a pattern's writes costs per invocation with copies instead of the index.
  double CopyUnits(IndexId index, const Write& write, bool transaction) const {
    double units = 0;
    for (const IndexEffect& effect : write.effects) {
      if (effect.index != index) continue;
      const double writes = (effect.kind == IndexEffect::Kind::kMoves ? 2 : 1) * write.times;
      units += writes * WriteUnits(rules_, population_.EntryBytes(index, write.entity), true);
      // A plain write becomes part of a transaction, which costs double.
      if (!transaction) units += write.times * WriteUnits(rules_, model_.entities[write.entity].size_avg, false);
    }
    return units;
  }

  // Compares with the same entries as items of the table, kept in sync by transactions.
  void CompareWithCopy(IndexId index) {
    double units = 0;
    for (const PatternPlan& pattern : plan_.patterns) {
      if (pattern.access() == nullptr) continue;
      const double rate = model_.patterns[pattern.pattern].rps_avg * Month();
      const bool transaction = pattern.access()->operation == Operation::kTransactWriteItems;
      for (const Write& write : pattern.access()->writes) units += rate * CopyUnits(index, write, transaction);
    }
    const IndexCost& cost = plan_.indexes[index];
    Alternative one{Alternative::Kind::kCopyOrIndex, "index " + model_.indexes[index].name, {}, 0};
    one.options.push_back({"GSI", cost.usd(), "eventually consistent", true});
    one.options.push_back({"copies in the table, by transaction", WriteUsd(units) + cost.read_usd + cost.storage_usd,
                           "supports strong reads; every writer must maintain them", false});
    Add(std::move(one));
  }

  void CompareCopyWithIndex(EntityId copy) {
    const Entity& entity = model_.entities[copy];
    double now = 0;
    double then = 0;
    for (const PatternPlan& pattern : plan_.patterns) {
      const double rate = model_.patterns[pattern.pattern].rps_avg * Month();
      for (const UnitLine& line : pattern.lines) {
        if (line.entity != copy || line.index) continue;
        if (line.write) {
          const bool transaction = pattern.access()->operation == Operation::kTransactWriteItems;
          now += WriteUsd(rate * line.units);
          then += WriteUsd(rate * line.units / (transaction ? rules_.transactional_factor : 1));
        } else {
          now += ReadUsd(rate * line.units);
          // If the copy was read together with other entities, it now takes a second request.
          const bool shared = model_.patterns[pattern.pattern].entities.size() > 1;
          then +=
              ReadUsd(rate * (line.units + (shared ? ReadUnits(rules_, entity.size_avg, Consistency::kEventual) : 0)));
        }
      }
    }
    const double storage = StorageUsd(plan_, population_.At(copy, 0) * (entity.size_avg + rules_.item_overhead_bytes));
    Alternative one{Alternative::Kind::kCopyOrIndex, "copy " + entity.name, {}, 0};
    one.options.push_back({"copy in the table", now + storage, "supports strong reads", true});
    one.options.push_back({"GSI on " + model_.entities[entity.copy_of->source].name, then + storage,
                           "eventually consistent; takes a second request if read with other entities", false});
    Add(std::move(one));
  }

  void CompareNativeKey(IndexId index) {
    const Index& declared = model_.indexes[index];
    double bytes = 0;
    size_t entities = 0;
    for (EntityId id = 0; id < model_.entities.size(); ++id) {
      const Entity& entity = model_.entities[id];
      if (!entity.Has(declared)) continue;
      ++entities;
      if (!CanBeNative(declared, entity)) return;
      bytes += estimates_[id].SyntheticKey(declared) * (population_.At(id, 0) + ItemsIn(index, id));
    }
    if (entities != 1 || bytes <= 0) return;
    Alternative one{Alternative::Kind::kNativeKey, "index " + declared.name, {}, 0};
    one.options.push_back(
        {"synthetic key", StorageUsd(plan_, bytes), "key attributes stored in table and index", true});
    one.options.push_back({"native multi-attribute key", 0, "no key attributes to maintain or backfill", false});
    Add(std::move(one));
  }

  // Returns true if each key side is built by template from at most four attributes of the item, without case folding.
  static bool CanBeNative(const Index& index, const Entity& entity) {
    bool synthetic = false;
    for (const KeySide* side : {&index.pk, &index.sk}) {
      size_t parts = 0;
      for (const std::string& attribute : *side) {
        const KeyTemplate* key = entity.FindKey(attribute);
        synthetic = synthetic || !key->native;
        for (const TemplatePart& part : key->value.parts) {
          if (part.kind == TemplatePart::Kind::kShard) return false;
          if (part.format == Format::kLower || part.format == Format::kUpper) return false;
          parts += part.kind == TemplatePart::Kind::kAttribute ? 1 : 0;
        }
      }
      if (parts > 4 || (parts == 0 && side == &index.pk)) return false;
    }
    return synthetic;
  }

  void Add(Alternative one) {
    one.options[0].current = true;
    for (size_t i = 1; i < one.options.size(); ++i) {
      if (one.options[i].usd < one.options[one.cheapest].usd - 1e-9) one.cheapest = i;
    }
    plan_.alternatives.push_back(std::move(one));
  }

  const Population& population_;
  const Model& model_;
  const PlanRules& rules_;
  Plan& plan_;
  std::vector<EntryEstimate> estimates_;
};

}  // namespace

std::string_view NameOf(Alternative::Kind kind) {
  constexpr std::string_view kNames[] = {"projection", "copy-or-index", "native-key"};
  return kNames[static_cast<size_t>(kind)];
}

void PlanAlternatives(const Population& population, Plan& plan) { Alternatives(population, plan).All(); }

}  // namespace keyfold::model
