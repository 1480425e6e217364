// Rules about indexes: what they hold, what they cost, whether they are needed. Half of the file is their wording and
// the models that `explain` shows.
#include <algorithm>
#include <cmath>
#include <set>

#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

constexpr Wording<"{} needs {} of {}, which {} does not project, and a global index cannot fetch it from the table.",
                  "Add it to project{}.">
    kNotProjected{"L22"};
constexpr Wording<"{} needs {} of {}, which {} does not project, so DynamoDB reads every item from the table as well.",
                  "Add it to project.">
    kFetched{"L22"};
constexpr Wording<"{} projects {} of {}, which no pattern reads there and which costs {} more write units per entry.",
                  "Leave it out of project.">
    kOverProjected{"L23"};
constexpr Wording<"Each write of an item causes {} writes of index entries.",
                  "Look for indexes that could be merged or made sparse.">
    kAmplified{"L24"};
constexpr Wording<"Each write of an item causes {} writes of index entries, and {} serves {} of the reads.",
                  "Serve those another way and drop it.">
    kAmplifiedFor{"L24"};
constexpr Wording<"{} changes {} of {}, which {} in {} of {}: {} more index write{} each time.",
                  "Move it to an item of its own, or take it out of the index.">
    kHotAttribute{"L25"};
constexpr Wording<"No pattern reads {}, and every write of {} pays for it.",
                  "Drop the index, or add the pattern it is for.">
    kUnread{"L43"};
constexpr Wording<"Everything {} serves is also served by {}.",
                  "Drop the index, or declare in the patterns what only it provides.">
    kRedundant{"L43"};
constexpr Wording<"The table has {} global indexes, but DynamoDB allows at most 20 by default.",
                  "Overload some of them.">
    kManyIndexes{"L43"};
constexpr Wording<"The indexes include {} attributes in total, but DynamoDB allows at most 100.",
                  "Use project: all for the widest.">
    kManyIncluded{"L43"};
constexpr Wording<"The {} key of {} has {} attributes, but DynamoDB allows at most 4.",
                  "Join some of them in a template.">
    kManyParts{"L44"};
constexpr Wording<"The {} key of the table is a list of {}, but only a global index may have several.",
                  "Use one attribute with a template.">
    kTableParts{"L44"};
constexpr Wording<
    "{} gives {} of {} without {} before it, but the parts of a sort key must be given from left to right.",
    "Give {} too, or change the order of the key.">
    kSkipped{"L44"};
constexpr Wording<"{} ranges over {} of {} and also gives {} after it, but a range must come last.",
                  "Put {} before {} in the key.">
    kRangeNotLast{"L44"};
constexpr Wording<"{} of {} is optional, and items without it are not in {}, so {} does not return them.",
                  "Make it required, or state the sparse rule in when.">
    kSilentlySparse{"L44"};
constexpr Wording<"{} has no {}, which is part of the key of {}, so {} never returns it.",
                  "Add the attribute, or leave {} out of the result.">
    kMissingPart{"L44"};
constexpr Wording<"The keys of {} are built only from plain attributes of {}.",
                  "With a multi-attribute key ({}) DynamoDB would maintain them, and updates would not have to.">
    kNative{"L45"};

std::vector<std::string> NeededBy(const Model& model, const Pattern& pattern, const Access& access) {
  std::vector<std::string> needed = pattern.needs.value_or(std::vector<std::string>());
  for (const Comparison* one : ComparisonsOf(pattern.where)) needed.push_back(one->attribute);
  for (const std::string& name : pattern.merge.value_or(std::vector<std::string>())) needed.push_back(name);
  needed.insert(needed.end(), access.unused_by.begin(), access.unused_by.end());
  if (access.range_filtered && pattern.between) needed.push_back(pattern.between->attribute);
  if (access.range_filtered && pattern.begins) needed.push_back(pattern.begins->attribute);
  // A scan recognizes the wanted entities by the type attribute.
  if (Subject::InFilter(access, model.table.type_attribute)) needed.push_back(model.table.type_attribute);
  return needed;
}

// For the remedy: ", or leave it out of needs", with the fields that ask for these attributes.
std::string LeaveOut(const Pattern& pattern, const Access& access, const std::vector<std::string>& missing) {
  std::vector<std::string> fields;
  const auto add = [&](std::string_view field, const auto& names) {
    const bool asks =
        std::any_of(names.begin(), names.end(), [&](const auto& name) { return Contains(missing, name); });
    if (asks) fields.emplace_back(field);
  };
  const auto range = [](const auto& one) { return one ? std::vector{one->attribute} : std::vector<std::string>(); };
  std::vector<std::string> tested;
  for (const Comparison& one : pattern.where.all) tested.push_back(one.attribute);
  add("needs", pattern.needs.value_or(std::vector<std::string>()));
  add("where", tested);
  add("merge", pattern.merge.value_or(std::vector<std::string>()));
  add("by", access.unused_by);
  add("between", range(pattern.between));
  add("begins", range(pattern.begins));
  return fields.empty() ? "" : ", or leave it out of " + Listed(fields);
}

void CheckProjections(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    const Access* access = subject.access(id);
    if (!pattern.index || access == nullptr || access->reads.empty()) continue;
    const Index& index = subject.model().indexes[*pattern.index];
    for (const EntityId entity : access->read().wanted) {
      std::vector<std::string> missing;
      for (const std::string& name : NeededBy(subject.model(), pattern, *access)) {
        const bool has = name == subject.model().table.type_attribute || subject.entity(entity).Find(name) != nullptr;
        if (has && !subject.IsProjected(entity, index, name) && !Contains(missing, name)) missing.push_back(name);
      }
      if (missing.empty()) continue;
      const std::string& name = subject.entity(entity).name;
      const Place place{pattern.mark, entity, id, pattern.index};
      index.local ? report.Add(Severity::kWarning, place, kFetched(pattern.name, Listed(missing), name, index.name))
                  : report.Add(Severity::kError, place,
                               kNotProjected(pattern.name, Listed(missing), name, index.name,
                                             LeaveOut(pattern, *access, missing)));
    }
  }
}

// The entity's attributes that some pattern on the index uses.
std::vector<std::string> UsedOn(const Subject& subject, IndexId index, EntityId entity) {
  std::vector<std::string> used;
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    const Access* access = subject.access(id);
    if (pattern.index != index || access == nullptr || access->reads.empty()) continue;
    const std::vector<EntityId>& wanted = access->read().wanted;
    if (std::find(wanted.begin(), wanted.end(), entity) == wanted.end()) continue;
    for (const std::string& name : NeededBy(subject.model(), pattern, *access)) used.push_back(name);
    for (const Binding& one : pattern.by) used.push_back(one.attribute);
  }
  return used;
}

void CheckOverProjection(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (IndexId index = 0; index < model.indexes.size(); ++index) {
    const Index& declared = model.indexes[index];
    if (declared.project == Project::kKeys) continue;
    const std::vector<std::string> keys = KeysOf(declared);
    for (EntityId id = 0; id < model.entities.size(); ++id) {
      const Entity& entity = subject.entity(id);
      if (!entity.Has(declared)) continue;
      const std::vector<std::string> used = UsedOn(subject, index, id);
      double unused_bytes = 0;
      std::vector<std::string> unused;
      for (const Attribute& attribute : entity.attributes) {
        const bool projected = declared.project == Project::kAll || Contains(declared.included, attribute.name);
        const bool exempt = attribute.name == model.table.type_attribute || model.IsBaseKey(attribute.name) ||
                            Contains(keys, attribute.name) || Contains(used, attribute.name);
        if (!projected || exempt || !attribute.avg_bytes) continue;
        unused_bytes += static_cast<double>(*attribute.avg_bytes + attribute.name.size());
        unused.push_back(attribute.name);
      }
      const double size = subject.EntrySize(id, index);
      const auto units = [](double bytes) { return std::max(1.0, std::ceil(bytes / kWriteUnitBytes)); };
      const double saved = units(size) - units(size - unused_bytes);
      if (unused.empty() || saved <= 0) continue;
      report.Add(Severity::kInfo, {declared.mark, id, {}, index},
                 kOverProjected(declared.name, Listed(unused), entity.name, Figure(saved)),
                 "an entry of " + Bytes(size) + " is " + Figure(units(size)) + " units, without it " +
                     Figure(units(size - unused_bytes)));
    }
  }
}

struct Traffic {
  double base_writes = 0;
  double reads = 0;
  std::vector<double> index_writes;
  std::vector<double> index_reads;
};

Traffic TrafficOf(const Subject& subject) {
  const Model& model = subject.model();
  Traffic traffic;
  traffic.index_writes.resize(model.indexes.size());
  traffic.index_reads.resize(model.indexes.size());
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (pattern.Reads()) {
      traffic.reads += pattern.rps_avg;
      if (pattern.index) traffic.index_reads[*pattern.index] += pattern.rps_avg;
    }
    const Access* access = subject.access(id);
    if (access == nullptr) continue;
    for (const Write& write : access->writes) {
      if (write.verb == Verb::kCheck) continue;
      traffic.base_writes += pattern.rps_avg * write.times;
      for (const IndexEffect& effect : write.effects) {
        const double each = effect.kind == IndexEffect::Kind::kMoves ? 2 : 1;
        traffic.index_writes[effect.index] += pattern.rps_avg * write.times * each;
      }
    }
  }
  return traffic;
}

void CheckAmplification(const Subject& subject, Report& report) {
  constexpr double kWritesPerWrite = 1.5;
  constexpr double kRareShare = 0.01;
  const Model& model = subject.model();
  const Traffic traffic = TrafficOf(subject);
  double writes = 0;
  std::vector<std::string> sum;
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    writes += traffic.index_writes[id];
    sum.push_back(model.indexes[id].name + " " + Figure(traffic.index_writes[id]) + "/s");
  }
  if (traffic.base_writes <= 0 || writes / traffic.base_writes <= kWritesPerWrite) return;
  const double ratio = writes / traffic.base_writes;
  const std::string example = Listed(sum) + " for " + Figure(traffic.base_writes) + " writes/s of the table";
  bool rare = false;
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const double share = traffic.reads > 0 ? traffic.index_reads[id] / traffic.reads : 0;
    if (share >= kRareShare || traffic.index_writes[id] <= 0) continue;
    rare = true;
    report.Add(Severity::kWarning, {model.indexes[id].mark, {}, {}, id},
               kAmplifiedFor(Figure(ratio), model.indexes[id].name, share > 0 ? Percent(share) : "none"), example);
  }
  if (!rare) report.Add(Severity::kInfo, {model.table.mark}, kAmplified(Figure(ratio)), example);
}

bool InTemplates(const Entity& entity, const Index& index, std::string_view attribute) {
  for (const std::string& name : KeysOf(index)) {
    const KeyTemplate* key = entity.FindKey(name);
    if (key == nullptr) continue;
    for (const TemplatePart& part : key->value.parts) {
      if (part.kind == TemplatePart::Kind::kAttribute && part.text == attribute) return true;
    }
  }
  return false;
}

// Returns true if a query of the index is given the attribute or a range of it: changes of the attribute are then what
// the index is for.
bool IsReadBy(const Subject& subject, IndexId index, std::string_view attribute) {
  const std::vector<Pattern>& patterns = subject.model().patterns;
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    if (pattern.index != index || !pattern.Reads()) return false;
    const bool ranged = (pattern.between && pattern.between->attribute == attribute) ||
                        (pattern.begins && pattern.begins->attribute == attribute);
    return ranged || Subject::IsGiven(pattern, attribute);
  });
}

bool IsTestedBy(const When* when, std::string_view attribute) {
  return when != nullptr && std::any_of(when->condition.all.begin(), when->condition.all.end(),
                                        [&](const Comparison& one) { return one.attribute == attribute; });
}

// Reports the attributes that an update changes often and that one index has, in one finding. An index that is read by
// one of them, or sparse by it, is meant to follow it, and the other attributes change with the same write.
void CheckHotIndex(const Subject& subject, PatternId id, const Action& action, const std::vector<Assignment>& hot,
                   IndexId index, Report& report) {
  const Entity& entity = subject.entity(action.entity);
  const Index& declared = subject.model().indexes[index];
  std::vector<std::string> in_key;
  std::vector<std::string> projected;
  for (const Assignment& one : hot) {
    const bool key = InTemplates(entity, declared, one.attribute);
    if (IsTestedBy(entity.FindWhen(index), one.attribute)) return;
    if (key && IsReadBy(subject, index, one.attribute)) return;
    if (key) {
      in_key.push_back(one.attribute);
    } else if (declared.project == Project::kAll || Contains(declared.included, one.attribute)) {
      projected.push_back(one.attribute);
    }
  }
  if (in_key.empty() && projected.empty()) return;
  const std::vector<std::string>& names = in_key.empty() ? projected : in_key;
  report.Add(Severity::kWarning, {hot[0].mark, action.entity, id, index},
             kHotAttribute(subject.pattern(id).name, Listed(names), entity.name, names.size() > 1 ? "are" : "is",
                           in_key.empty() ? "the projection" : "the key", declared.name, in_key.empty() ? 1 : 2,
                           in_key.empty() ? "" : "s"));
}

void CheckHotAttributes(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    for (const Action& action : pattern.actions) {
      if (action.verb != Verb::kUpdate) continue;
      std::vector<Assignment> hot = subject.AssignmentsOf(pattern, action);
      std::erase_if(hot, [&](const Assignment& one) { return pattern.rps_avg < 1 && one.op == Assignment::Op::kSet; });
      for (IndexId index = 0; index < model.indexes.size() && !hot.empty(); ++index) {
        if (subject.entity(action.entity).Has(model.indexes[index]))
          CheckHotIndex(subject, id, action, hot, index, report);
      }
    }
  }
}

std::string FirstFree(const Subject& subject, const Pattern& pattern, std::optional<IndexId> index, EntityId entity) {
  for (const std::string& attribute : subject.model().SortKey(index)) {
    for (const TemplatePart& part : subject.entity(entity).FindKey(attribute)->value.parts) {
      if (!part.IsLiteral() && !Subject::IsGiven(pattern, part.text)) return part.text;
    }
  }
  return "";
}

// Tries to serve patterns from other indexes, on a copy of the model in which one field changes. Used by one thread at
// a time.
class Elsewhere {
 public:
  explicit Elsewhere(const Subject& subject) : subject_(subject), model_(subject.model()) {}

  // Returns the name of another place that serves the pattern as well, empty if there is none.
  std::string Serves(PatternId id) {
    const std::optional<IndexId> own = subject_.pattern(id).index;
    if (AsWell(id, {})) return "the table";
    for (IndexId other = 0; other < model_.indexes.size(); ++other) {
      // If two indexes could replace each other, the first one stays.
      if (other < *own && !model_.indexes[other].local && AsWell(id, other)) return model_.indexes[other].name;
    }
    return "";
  }

 private:
  bool AsWell(PatternId id, std::optional<IndexId> other) {
    const Pattern& pattern = subject_.pattern(id);
    const Access& own = *subject_.access(id);
    model_.patterns[id].index = other;
    const Compiled compiled = Compile(model_, id);
    model_.patterns[id].index = pattern.index;
    const Access* access = std::get_if<Access>(&compiled);
    if (access == nullptr || !access->read().absent.empty()) return false;
    if (access->filter != own.filter || access->untested.size() > own.untested.size()) return false;
    for (const EntityId entity : own.read().wanted) {
      if (pattern.order != Order::kUnsaid &&
          FirstFree(subject_, pattern, other, entity) != FirstFree(subject_, pattern, pattern.index, entity))
        return false;
      for (const std::string& name : NeededBy(model_, pattern, *access)) {
        if (other && !subject_.IsProjected(entity, model_.indexes[*other], name)) return false;
      }
    }
    return ReadsNoMore(*access, subject_.covered(id));
  }

  bool ReadsNoMore(const Access& access, const std::vector<Coverage::Covered>& own) const {
    for (const Coverage::Covered& one : subject_.coverage().Of(access.read())) {
      const auto same = [&](const Coverage::Covered& other) { return other.entity == one.entity; };
      if (std::none_of(own.begin(), own.end(), same)) return false;
    }
    return true;
  }

  const Subject& subject_;
  Model model_;
};

// A sparse index leaves out some items of an entity, so no other place can replace it.
bool IsSparse(const Entity& entity, IndexId id, const Index& index) {
  if (entity.FindWhen(id) != nullptr) return true;
  for (const std::string& name : KeysOf(index)) {
    const KeyTemplate* key = entity.FindKey(name);
    if (key == nullptr) continue;
    for (const TemplatePart& part : key->value.parts) {
      const Attribute* attribute = part.IsLiteral() ? nullptr : entity.Find(part.text);
      if (attribute != nullptr && attribute->optional) return true;
    }
  }
  return false;
}

// Returns the places that together serve everything the index serves. Empty if the index is needed.
std::vector<std::string> Replacements(const Subject& subject, IndexId index, const std::vector<PatternId>& patterns,
                                      Elsewhere& elsewhere) {
  std::vector<std::string> names;
  for (const PatternId id : patterns) {
    const Access* access = subject.access(id);
    if (access == nullptr || access->operation != Operation::kQuery) return {};
    for (const EntityId entity : access->read().wanted) {
      if (IsSparse(subject.entity(entity), index, subject.model().indexes[index])) return {};
    }
    const std::string name = elsewhere.Serves(id);
    if (name.empty()) return {};
    if (!Contains(names, name)) names.push_back(name);
  }
  return names;
}

void CheckIndexCounts(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  size_t globals = 0;
  size_t included = 0;
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const Index& index = model.indexes[id];
    const size_t before = included;
    included += index.included.size();
    if (before <= kProjectedAttributesMax && included > kProjectedAttributesMax)
      report.Add(Severity::kError, {index.mark, {}, {}, id}, kManyIncluded(included));
    if (!index.local && ++globals == 21) {
      const auto is_global = [](const Index& one) { return !one.local; };
      report.Add(Severity::kError, {index.mark, {}, {}, id},
                 kManyIndexes(std::count_if(model.indexes.begin(), model.indexes.end(), is_global)));
    }
  }
}

void CheckRedundancy(const Subject& subject, Report& report) {
  CheckIndexCounts(subject, report);
  const Model& model = subject.model();
  if (model.patterns.empty() || model.indexes.empty()) return;
  std::vector<std::vector<PatternId>> patterns(model.indexes.size());
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    if (subject.pattern(id).index) patterns[*subject.pattern(id).index].push_back(id);
  }
  Elsewhere elsewhere(subject);
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const Index& index = model.indexes[id];
    const Place place{index.mark, {}, {}, id};
    if (patterns[id].empty()) {
      std::vector<std::string> held;
      for (const Entity& entity : model.entities) {
        if (entity.Has(index)) held.push_back(entity.name);
      }
      report.Add(Severity::kWarning, place, kUnread(index.name, held.empty() ? "nothing" : Listed(held)));
      continue;
    }
    const std::vector<std::string> names = Replacements(subject, id, patterns[id], elsewhere);
    if (!names.empty()) report.Add(Severity::kWarning, place, kRedundant(index.name, Listed(names)));
  }
}

void CheckPartCounts(const Subject& subject, Report& report) {
  constexpr size_t kPartsMax = 4;
  const Model& model = subject.model();
  const auto check_table = [&](const KeySide& side, std::string_view which) {
    if (side.size() > 1) report.Add(Severity::kError, {model.table.mark}, kTableParts(which, side.size()));
  };
  check_table(model.table.pk, "partition");
  check_table(model.table.sk, "sort");
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const Index& index = model.indexes[id];
    const Place place{index.mark, {}, {}, id};
    if (index.pk.size() > kPartsMax)
      report.Add(Severity::kError, place, kManyParts("partition", index.name, index.pk.size()));
    if (index.sk.size() > kPartsMax)
      report.Add(Severity::kError, place, kManyParts("sort", index.name, index.sk.size()));
  }
}

// Checks that a pattern gives the parts of a sort key from left to right.
void CheckPartOrder(const Subject& subject, PatternId id, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  const Index& index = subject.model().indexes[*pattern.index];
  const Place place{pattern.mark, pattern.entities[0], id, pattern.index};
  std::string skipped;
  std::string ranged;
  for (const std::string& name : index.sk) {
    const bool range = (pattern.between && pattern.between->attribute == name) ||
                       (pattern.begins && pattern.begins->attribute == name);
    const bool given = Subject::IsGiven(pattern, name);
    if (given && !ranged.empty())
      return report.Add(Severity::kWarning, place, kRangeNotLast(pattern.name, ranged, index.name, name, name, ranged));
    if ((given || range) && !skipped.empty())
      return report.Add(Severity::kWarning, place, kSkipped(pattern.name, name, index.name, skipped, skipped));
    if (range) ranged = name;
    if (!given && !range && skipped.empty()) skipped = name;
  }
}

void CheckPartPresence(const Subject& subject, PatternId id, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  const Index& index = subject.model().indexes[*pattern.index];
  for (const EntityId entity_id : pattern.entities) {
    const Entity& entity = subject.entity(entity_id);
    const Place place{pattern.mark, entity_id, id, pattern.index};
    for (const std::string& name : KeysOf(index)) {
      const KeyTemplate* key = entity.FindKey(name);
      const Attribute* attribute = key != nullptr && key->native ? entity.Find(name) : nullptr;
      if (key == nullptr) {
        report.Add(Severity::kWarning, place, kMissingPart(entity.name, name, index.name, pattern.name, entity.name));
      } else if (attribute != nullptr && attribute->optional && entity.FindWhen(*pattern.index) == nullptr) {
        report.Add(Severity::kInfo, place, kSilentlySparse(name, entity.name, index.name, pattern.name));
      }
    }
  }
}

void CheckMultiAttribute(const Subject& subject, Report& report) {
  CheckPartCounts(subject, report);
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (!pattern.index || pattern.verb != Verb::kQuery) continue;
    const Index& index = subject.model().indexes[*pattern.index];
    if (index.pk.size() < 2 && index.sk.size() < 2) continue;
    CheckPartOrder(subject, id, report);
    CheckPartPresence(subject, id, report);
  }
}

// Returns the attributes of a synthetic key, nullopt if a native key could not replace it.
std::optional<std::vector<std::string>> PlainParts(const Entity& entity, const KeySide& side) {
  std::vector<std::string> names;
  for (const std::string& attribute : side) {
    const KeyTemplate* key = entity.FindKey(attribute);
    if (key == nullptr || key->native || key->value.IsLone()) return {};
    for (const TemplatePart& part : key->value.parts) {
      if (part.IsLiteral()) continue;
      const bool folded = part.format == Format::kLower || part.format == Format::kUpper;
      if (part.kind == TemplatePart::Kind::kShard || folded || IsBucket(part.format)) return {};
      names.push_back(part.text);
    }
  }
  if (names.size() > 4) return {};
  return names;
}

void CheckSynthetic(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const Index& index = model.indexes[id];
    std::vector<EntityId> held;
    for (EntityId entity = 0; entity < model.entities.size(); ++entity) {
      if (subject.entity(entity).Has(index)) held.push_back(entity);
    }
    if (index.local || held.size() != 1) continue;
    const Entity& entity = subject.entity(held[0]);
    const auto pk = PlainParts(entity, index.pk);
    const auto sk = PlainParts(entity, index.sk);
    if (!pk || !sk || pk->empty() || entity.FindWhen(id) != nullptr) continue;
    std::string shape = "pk: [" + Listed(*pk) + "]";
    if (!sk->empty()) shape += ", sk: [" + Listed(*sk) + "]";
    report.Add(Severity::kInfo, {index.mark, held[0], {}, id}, kNative(index.name, entity.name, shape));
  }
}

constexpr LintRule kIndexRuleRows[] = {
    {"L22", Severity::kError, "An index lacks what a pattern needs",
     "A query of a global index returns only what the index projects; a filter on any other attribute matches no item.",
     "Add the attribute to project, or get the item from the table afterward.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: keys}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "EMAIL#{email}"}, attributes: {userId: string, email: string, name: string}}
patterns:
  byEmail: {query: User, index: GSI1, by: [email], needs: [name], rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: [name]}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "EMAIL#{email}"}, attributes: {userId: string, email: string, name: string}}
patterns:
  byEmail: {query: User, index: GSI1, by: [email], needs: [name], rps: {avg: 5}}
)yaml",
     CheckProjections},
    {"L23", Severity::kInfo, "An index projects what no pattern reads there",
     "An entry costs one write unit per KB. An attribute that pushes it over the next KB but is never read there is "
     "paid for on every write.",
     "Leave the attribute out of project.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: all}}
entities:
  Post:
    keys: {PK: "POST#{postId}", SK: POST, GSI1PK: "TAG#{tag}"}
    attributes: {postId: string, tag: string, title: string, body: {type: string, avg_bytes: 3000}}
    size: {avg: 3500}
patterns:
  byTag: {query: Post, index: GSI1, by: [tag], needs: [title], limit: 20, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: [title]}}
entities:
  Post:
    keys: {PK: "POST#{postId}", SK: POST, GSI1PK: "TAG#{tag}"}
    attributes: {postId: string, tag: string, title: string, body: {type: string, avg_bytes: 3000}}
    size: {avg: 3500}
patterns:
  byTag: {query: Post, index: GSI1, by: [tag], needs: [title], limit: 20, rps: {avg: 5}}
)yaml",
     CheckOverProjection},
    {"L24", Severity::kWarning, "Each write causes many index writes",
     "A write of an item also writes its index entries: for each index none, one or, if the entry's key changes, two. "
     "The bill is for the sum.",
     "Share one index between patterns, make it sparse, or serve rare reads another way.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByA: {pk: a}, ByB: {pk: b}}
entities:
  Item: {keys: {PK: "ITEM#{id}", SK: ITEM}, attributes: {id: string, a: string, b: string}}
patterns:
  add: {put: Item, rps: {avg: 100}}
  get: {get: Item, by: [id], rps: {avg: 1000}}
  byA: {query: Item, index: ByA, by: [a], limit: 10, rps: {avg: 100}}
  byB: {query: Item, index: ByB, by: [b], limit: 10, rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByA: {pk: a}}
entities:
  Item: {keys: {PK: "ITEM#{id}", SK: ITEM}, attributes: {id: string, a: string, b: string}}
patterns:
  add: {put: Item, rps: {avg: 100}}
  get: {get: Item, by: [id], rps: {avg: 1000}}
  byA: {query: Item, index: ByA, by: [a], limit: 10, rps: {avg: 100}}
)yaml",
     CheckAmplification},
    {"L25", Severity::kWarning, "An attribute that changes often is in an index",
     "Changing an attribute that an index projects writes the entry once more; changing one in its key, twice. An "
     "index "
     "that is read by the attribute, or sparse by it, is meant to follow it and is not reported.",
     "Keep counters and the like in an item of their own, or out of the projection.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: [views]}}
entities:
  Post:
    keys: {PK: "POST#{postId}", SK: POST, GSI1PK: "TAG#{tag}"}
    attributes: {postId: string, tag: string, views: {type: number, default: 0}}
patterns:
  view: {update: Post, by: [postId], set: ["views += 1"], if: exists(postId), rps: {avg: 50}}
  byTag: {query: Post, index: GSI1, by: [tag], limit: 20, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: keys}}
entities:
  Post:
    keys: {PK: "POST#{postId}", SK: POST, GSI1PK: "TAG#{tag}"}
    attributes: {postId: string, tag: string, views: {type: number, default: 0}}
patterns:
  view: {update: Post, by: [postId], set: ["views += 1"], if: exists(postId), rps: {avg: 50}}
  byTag: {query: Post, index: GSI1, by: [tag], limit: 20, rps: {avg: 5}}
)yaml",
     CheckHotAttributes},
    {"L43", Severity::kError, "An index nobody needs",
     "An index that no pattern reads, or whose patterns the table or another index serves as well, is paid for with "
     "every write.",
     "Drop it, or add the pattern it is for.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{id}", GSI1PK: "USER#{userId}", GSI1SK: "ORDER#{id}"}
    attributes: {userId: string, id: string}
patterns:
  orders: {query: Order, index: GSI1, by: [userId], limit: 20, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{id}", GSI1PK: "ORDER#{id}", GSI1SK: ORDER}
    attributes: {userId: string, id: string}
patterns:
  order: {query: Order, index: GSI1, by: [id], limit: 20, rps: {avg: 5}}
)yaml",
     CheckRedundancy},
    {"L44", Severity::kError, "A multi-attribute key is used the wrong way",
     "A global index may have up to four attributes on each side of its key. A query gives all attributes of the "
     "partition key by equality, and those of the sort key from left to right, with at most one range, at the end. An "
     "item that lacks one of them is not in the index.",
     "Order the attributes as the patterns give them, and make each one required.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByRegion: {pk: [region], sk: [status, day, orderId]}}
entities:
  Order:
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
    attributes: {orderId: string, region: string, status: string, day: string}
patterns:
  byDay: {query: Order, index: ByRegion, by: [region, day], limit: 20, paginate: all, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByRegion: {pk: [region], sk: [day, status, orderId]}}
entities:
  Order:
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
    attributes: {orderId: string, region: string, status: string, day: string}
patterns:
  byDay: {query: Order, index: ByRegion, by: [region, day], limit: 20, paginate: all, rps: {avg: 5}}
)yaml",
     CheckMultiAttribute},
    {"L45", Severity::kInfo, "A synthetic key that DynamoDB could build itself",
     "If an index key consists of one entity's plain attributes, a multi-attribute key needs no extra attribute and no "
     "backfill, and never goes stale.",
     "Name the attributes themselves in pk and sk of the index.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByRegion: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "ORDER#{orderId}", SK: ORDER, GSI1PK: "REGION#{region}", GSI1SK: "{day}#{orderId}"}
    attributes: {orderId: string, region: string, day: string}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByRegion: {pk: [region], sk: [day, orderId]}}
entities:
  Order:
    keys: {PK: "ORDER#{orderId}", SK: ORDER}
    attributes: {orderId: string, region: string, day: string}
)yaml",
     CheckSynthetic},
};

}  // namespace

const std::span<const LintRule> kIndexRules = kIndexRuleRows;

}  // namespace keyfold::model::check
