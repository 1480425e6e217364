// Rules about the design as a whole: expiry, streams, which entities belong together, names; and the rules for live
// tables.
#include <algorithm>
#include <numeric>
#include <set>

#include "expr/reserved_words.h"
#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "model/keys/key_automaton.h"

namespace keyfold::model::check {
namespace {

constexpr Rule<"{} of {} has type {}, but expiry needs a Number of seconds since 1970; declare {}: epoch_s"> kTtlType{
    "L38", Kind::kValidation};
constexpr Rule<"{} of {} is at least {}, which is in milliseconds, so the items never expire; store seconds">
    kTtlMillis{"L38", Kind::kValidation};
constexpr Rule<"{} declares ttl, but the table has no ttl attribute; set ttl in table"> kNoTtl{"L38",
                                                                                               Kind::kValidation};
constexpr Rule<"{} declares ttl, but has no attribute {}, so its items never expire; add {}: epoch_s to its attributes">
    kNoTtlAttribute{"L38", Kind::kValidation};
constexpr Rule<"{} treats every key that starts with {} as {}, but keys of {} start with it too; route by {}">
    kSharedPrefix{"L41", Kind::kValidation};
constexpr Rule<
    "{} share no partition and no pattern; they could be {} tables, each with its own backup, stream and permissions">
    kGroups{"L46", Kind::kValidation};
constexpr Rule<"{} is read, but no pattern writes it; add the pattern that puts it"> kNeverWritten{"L47",
                                                                                                   Kind::kValidation};
constexpr Rule<"{} is written, but no pattern reads it; add the pattern that reads it, or drop it"> kNeverRead{
    "L47", Kind::kValidation};
constexpr Rule<
    "{} is {} and must be aliased in every expression, as the generated requests do; in your own code, use #names">
    kAwkwardName{"L48", Kind::kValidation};

void CheckTtl(const Subject& subject, Report& report) {
  constexpr double kLatestSeconds = 1e11;
  const std::string& ttl = subject.model().table.ttl;
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    const Attribute* attribute = ttl.empty() ? nullptr : entity.Find(ttl);
    if (entity.ttl_after_s && attribute == nullptr) {
      const Place place{entity.ttl_mark, id};
      ttl.empty() ? report.Add(Severity::kError, place, kNoTtl(entity.name))
                  : report.Add(Severity::kError, place, kNoTtlAttribute(entity.name, ttl, ttl));
    }
    if (attribute == nullptr) continue;
    const Place place{attribute->mark, id};
    if (attribute->min && *attribute->min > kLatestSeconds)
      report.Add(Severity::kError, place, kTtlMillis(ttl, entity.name, Figure(*attribute->min)));
    if (attribute->type == AttributeType::kEpochSeconds) continue;
    const bool number = StoredAs(attribute->type) == StoredType::kN;
    report.Add(number ? Severity::kInfo : Severity::kError, place, kTtlType(ttl, entity.name, attribute->type, ttl));
  }
}

void CheckConsumers(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  const std::string route =
      model.table.type_attribute.empty() ? "a type_attribute of the table" : model.table.type_attribute;
  for (const Consumer& consumer : model.consumers) {
    if (consumer.starts_with.empty()) continue;
    KeyForm prefix;
    prefix.separator = model.table.separator;
    prefix.parts.emplace_back().text = consumer.starts_with;
    prefix.tail = KeyForm::Tail::kAnything;
    std::vector<std::string> listed;
    for (const EntityId id : consumer.entities) listed.push_back(subject.entity(id).name);
    for (EntityId id = 0; id < model.entities.size(); ++id) {
      if (std::find(consumer.entities.begin(), consumer.entities.end(), id) != consumer.entities.end()) continue;
      const KeyTemplate& key = *subject.entity(id).FindKey(model.table.pk[0]);
      const auto text = key.value.type == StoredType::kS ? Overlap(KeyForm::Of(key.value), prefix) : std::nullopt;
      if (!text) continue;
      report.Add(Severity::kWarning, {consumer.mark, id},
                 kSharedPrefix(consumer.name, consumer.starts_with, listed.empty() ? "one entity" : Listed(listed),
                               subject.entity(id).name, route),
                 key.attribute + " = " + *text + " of " + subject.entity(id).name);
    }
  }
}

// Sets of entities that share something (union-find).
class Joined {
 public:
  explicit Joined(size_t n) : parent_(n) { std::iota(parent_.begin(), parent_.end(), 0); }
  EntityId Find(EntityId id) {
    while (parent_[id] != id) id = parent_[id] = parent_[parent_[id]];
    return id;
  }
  void Join(EntityId a, EntityId b) { parent_[std::max(Find(a), Find(b))] = std::min(Find(a), Find(b)); }

 private:
  std::vector<EntityId> parent_;
};

void JoinAll(const Subject& subject, Joined& joined) {
  const Model& model = subject.model();
  for (const PartitionGroup& group : subject.groups()) {
    for (const EntityId id : group.entities) joined.Join(group.entities[0], id);
  }
  for (const Pattern& pattern : model.patterns) {
    std::vector<EntityId> ids = pattern.entities;
    for (const Action& action : pattern.actions) ids.push_back(action.entity);
    for (const EntityId id : ids) joined.Join(ids[0], id);
  }
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    if (entity.copy_of) joined.Join(id, entity.copy_of->source);
    for (const Per& per : entity.per) {
      if (per.parent) joined.Join(id, *per.parent);
    }
    for (const Attribute& attribute : entity.attributes) {
      if (attribute.unique) joined.Join(id, *attribute.unique);
    }
  }
}

void CheckFit(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  if (model.patterns.empty()) return;
  Joined joined(model.entities.size());
  JoinAll(subject, joined);
  std::vector<std::vector<std::string>> groups(model.entities.size());
  for (EntityId id = 0; id < model.entities.size(); ++id) groups[joined.Find(id)].push_back(subject.entity(id).name);
  std::vector<std::string> reported;
  for (const std::vector<std::string>& group : groups) {
    if (!group.empty()) reported.push_back("[" + Listed(group) + "]");
  }
  if (reported.size() < 2) return;
  report.Add(Severity::kInfo, {model.table.mark}, kGroups(Listed(reported), reported.size()));
}

void CheckUse(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  if (model.patterns.empty()) return;
  std::set<EntityId> read;
  std::set<EntityId> written;
  for (const Pattern& pattern : model.patterns) {
    read.insert(pattern.entities.begin(), pattern.entities.end());
    for (const Action& action : pattern.actions) {
      (action.verb == Verb::kCheck ? read : written).insert(action.entity);
    }
  }
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    if (read.contains(id) == written.contains(id) || subject.IsGuard(id)) continue;
    const bool by_stream = entity.copy_of && entity.copy_of->sync == Sync::kStream;
    if (read.contains(id) && !by_stream) report.Add(Severity::kWarning, {entity.mark, id}, kNeverWritten(entity.name));
    if (written.contains(id)) report.Add(Severity::kWarning, {entity.mark, id}, kNeverRead(entity.name));
  }
}

std::string_view AwkwardNess(std::string_view name) {
  if (expr::IsReservedWord(name)) return "a reserved word";
  if (name.find('.') != std::string_view::npos) return "a name with a dot";
  if (name.find('#') != std::string_view::npos) return "a name with #";
  return "";
}

void CheckNames(const Subject& subject, Report& report) {
  std::set<std::string> reported;
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    const auto check = [&](const std::string& name, Mark mark) {
      const std::string_view what = AwkwardNess(name);
      if (what.empty() || !reported.insert(name).second) return;
      report.Add(Severity::kInfo, {mark, {}, id, pattern.index}, kAwkwardName(name, what));
    };
    for (const Comparison& one : pattern.where.all) check(one.attribute, one.mark);
    for (const Action& action : pattern.actions) {
      for (const Assignment& one : action.set) check(one.attribute, one.mark);
      for (const Comparison& one : action.condition.all) check(one.attribute, one.mark);
    }
  }
}

constexpr LintRule kDesignRuleRows[] = {
    {"L00", Severity::kWarning, "An accept that matches nothing",
     "An accepted finding is gone, or its names have changed. A stale accept would hide the next finding.",
     "Remove it, or correct the rule, entity, pattern or index in it.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
accept: [{rule: L13, reason: nightly job}]
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
)yaml"},
    {"L38", Severity::kError, "An item that never expires",
     "DynamoDB deletes an item after the time in its ttl attribute, a Number of seconds since 1970. An item with a "
     "String, with milliseconds or without the attribute never expires.",
     "Declare the attribute as epoch_s on every entity that expires.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}, ttl: expiresAt}
entities:
  Session: {keys: {PK: "SESSION#{id}", SK: SESSION}, attributes: {id: string, expiresAt: time}, ttl: {after: 30d}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}, ttl: expiresAt}
entities:
  Session: {keys: {PK: "SESSION#{id}", SK: SESSION}, attributes: {id: string, expiresAt: epoch_s}, ttl: {after: 30d}}
)yaml",
     CheckTtl},
    {"L41", Severity::kWarning, "A stream consumer mistakes one entity for another",
     "Entities in one partition share the start of their keys. A consumer that filters by that start runs for all of "
     "them: order lines trigger the mail for an order.",
     "Route by the type attribute.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}, type_attribute: _et, stream: new_and_old_images}
entities:
  Order: {keys: {PK: "ORDER#{id}", SK: ORDER}, attributes: {id: string}}
  Line: {keys: {PK: "ORDER#{id}", SK: "LINE#{line}"}, attributes: {id: string, line: string}}
consumers:
  mail: {entities: [Order], starts_with: "ORDER#"}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}, type_attribute: _et, stream: new_and_old_images}
entities:
  Order: {keys: {PK: "ORDER#{id}", SK: ORDER}, attributes: {id: string}}
  Line: {keys: {PK: "ORDER#{id}", SK: "LINE#{line}"}, attributes: {id: string, line: string}}
consumers:
  mail: {entities: [Order]}
)yaml",
     CheckConsumers},
    {"L46", Severity::kInfo, "Entities with nothing in common",
     "A single table pays off if entities are read or written together. Entities that never are share only its backup, "
     "stream and permissions.",
     "Consider one table per group. A single table is not wrong.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
  Sensor: {keys: {PK: "SENSOR#{sensor}", SK: SENSOR}, attributes: {sensor: string}}
patterns:
  putUser: {put: User, rps: {avg: 1}}
  getUser: {get: User, by: [userId], rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
patterns:
  putUser: {put: User, rps: {avg: 1}}
  getUser: {get: User, by: [userId], rps: {avg: 1}}
)yaml",
     CheckFit},
    {"L47", Severity::kWarning, "An entity that is only read, or only written",
     "Data that is read is written somewhere, and data that is written is read somewhere. If the model has only one "
     "half, a pattern is missing.",
     "Add the missing pattern.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
patterns:
  getUser: {get: User, by: [userId], rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
patterns:
  putUser: {put: User, rps: {avg: 1}}
  getUser: {get: User, by: [userId], rps: {avg: 1}}
)yaml",
     CheckUse},
    {"L48", Severity::kInfo, "A name that expressions cannot use as it is",
     "DynamoDB has 573 reserved words, and dots and # have a special meaning. It refuses such a name in an expression "
     "unless it is aliased.",
     "Use the generated requests, which alias every name, or choose another name.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Task: {keys: {PK: "TASK#{id}", SK: TASK}, attributes: {id: string, status: [open, done]}}
patterns:
  finish: {update: Task, by: [id], set: [status = done], if: exists(id), rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Task: {keys: {PK: "TASK#{id}", SK: TASK}, attributes: {id: string, taskState: [open, done]}}
patterns:
  finish: {update: Task, by: [id], set: [taskState = done], if: exists(id), rps: {avg: 1}}
)yaml",
     CheckNames},
    {"L49", Severity::kError, "Live: an item that does not fit the model",
     "A server with the model attached sees items whose key fits no entity, whose attributes have the wrong type, "
     "whose index keys contradict when, or whose expiry is in milliseconds or long past.",
     "Fix the writer, or add the entity to the model.", "", ""},
    {"L50", Severity::kWarning, "Live: traffic that is not in the model",
     "A request that fits no pattern, a pattern not seen for 35 days, a size or rate off by more than a factor of two: "
     "the model and the program have diverged.",
     "Bring the model up to date, then plan and check it again.", "", ""},
};

}  // namespace

const std::span<const LintRule> kDesignRules = kDesignRuleRows;

}  // namespace keyfold::model::check
