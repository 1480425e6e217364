// Rules about writes: whether updates keep keys, copies and guards correct, and whether transactions keep what they
// promise.
#include <algorithm>

#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

constexpr Wording<"{} sets {} of {}, from which {} of the table's key is built, but a key cannot be changed.",
                  "Delete the item and put the new one in one transaction.">
    kKeyChanged{"L26"};
constexpr Wording<"{} changes a part of {} in {}, but {} of {} is not known there, so the key goes stale.",
                  "Set {} too, or add it to by.">
    kStaleKey{"L27"};
constexpr Wording<"{} changes {} by += or -=, so its new value is not known, and {} in {} goes stale.",
                  "Set {} to its new value instead, or take it out of the key.">
    kUnknownSum{"L27"};
constexpr Wording<"{} removes {} but not {}, so {} keeps half of the key of {}.",
                  "Remove all of it, or leave remove out: it is derived from when.">
    kHalfRemoved{"L28"};
constexpr Wording<"{} has {} actions, but a transaction allows at most 100.", "Split it."> kManyActions{"L33"};
constexpr Wording<"{} {} {}, but a transaction allows at most 4 MB.", "Split it."> kManyBytes{"L33"};
constexpr Wording<"{} touches one item of {} twice, which DynamoDB refuses.",
                  "Make it one action, or name another item in one of them by `with`.">
    kTwice{"L33"};
constexpr Wording<"{} has no token, so a retry after a lost response runs it a second time.",
                  "Add token: with an input that identifies the attempt.">
    kNoToken{"L34"};
constexpr Wording<"{} {} {} of {} without a condition, which creates a partial item if there is none.",
                  "Add if: exists({}).">
    kNoCondition{"L34"};
constexpr Wording<"{} {} {} of {}, which has no default, and fails if it is missing.", "Declare default: 0.">
    kNoDefault{"L35"};
constexpr Wording<"{} changes {} of {} and leaves the copy in {}{} unchanged.",
                  "Update {} in the same transaction, or declare sync: stream or none.">
    kStaleCopy{"L36"};
constexpr Wording<"{} deletes {} and leaves the copy in {}{} behind.",
                  "Delete {} in the same transaction, or declare sync: stream or none.">
    kCopyLeft{"L36"};
constexpr Wording<"{} has no {}, so it stays when the {} that it copies expires.",
                  "Add {} to the attributes that it copies.">
    kCopyOutlives{"L36"};
constexpr Wording<"{} is kept in sync with {} by the stream, but no consumer names {}.", "Declare the consumer.">
    kNoConsumer{"L36"};
constexpr Wording<"{} is kept in sync with {} by the stream, but the table has no stream.", "Set stream."> kNoStream{
    "L36"};
constexpr Wording<"{} writes {} of {}, which is unique, without its guard, so two items can have the same value.",
                  "Add `put {} if_new` to the same transaction.">
    kUnguarded{"L37"};
constexpr Wording<"{} {} {} but keeps its old {}, so the value stays taken.",
                  "Add `delete {}` of the old value to the transaction.">
    kGuardLeft{"L37"};
constexpr Wording<"{} puts {} under a key that does not have {}, so two {} can have the same value.",
                  "Build the key of {} from {}.">
    kGuardKey{"L37"};
constexpr Wording<
    "{} puts {} under a key that also has {}, which differs for each {}, so the guard never meets another.",
    "Take {} out of the key of {}.">
    kGuardNamesItem{"L37"};

void ForEachAction(const Subject& subject, FunctionRef<void(PatternId, const Pattern&, const Action&)> visit) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    for (const Action& action : subject.pattern(id).actions) visit(id, subject.pattern(id), action);
  }
}

// The key attribute of the table that is built from an attribute, or from its hash; empty if there is none.
std::string BaseKeyWith(const Subject& subject, const Entity& entity, std::string_view attribute) {
  for (const KeySide* side : {&subject.model().table.pk, &subject.model().table.sk}) {
    for (const std::string& name : *side) {
      if (name == attribute) return name;
      for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && part.text == attribute) return name;
        if (part.kind == TemplatePart::Kind::kShard && entity.shard->hash_of == attribute) return name;
      }
    }
  }
  return "";
}

void CheckKeyChanges(const Subject& subject, Report& report) {
  ForEachAction(subject, [&](PatternId id, const Pattern& pattern, const Action& action) {
    if (action.verb != Verb::kUpdate) return;
    const Entity& entity = subject.entity(action.entity);
    const auto check = [&](const std::string& attribute, Mark mark) {
      const std::string key = BaseKeyWith(subject, entity, attribute);
      if (key.empty()) return;
      report.Add(Severity::kError, {mark, action.entity, id}, kKeyChanged(pattern.name, attribute, entity.name, key),
                 key + " = " + entity.FindKey(key)->value.text);
    };
    for (const Assignment& one : subject.AssignmentsOf(pattern, action)) check(one.attribute, one.mark);
    for (const std::string& name : action.remove) check(name, action.mark);
  });
}

void ReportStale(const Subject& subject, PatternId id, const Write& write, const StaleKey& stale, Report& report) {
  const Entity& entity = subject.entity(write.entity);
  std::vector<std::string> missing;
  std::vector<std::string> summed;
  for (const std::string& name : stale.missing) {
    const bool sum = std::any_of(write.action->set.begin(), write.action->set.end(), [&](const Assignment& one) {
      return one.attribute == name && one.op != Assignment::Op::kSet;
    });
    std::vector<std::string>& list = sum ? summed : missing;
    if (!Contains(list, name)) list.push_back(name);
  }
  const Place place{write.action->mark, write.entity, id, stale.index};
  if (missing.empty()) {
    report.Add(Severity::kError, place,
               kUnknownSum(subject.pattern(id).name, Listed(summed), stale.key_attribute,
                           subject.model().indexes[stale.index].name, Listed(summed)),
               stale.key_attribute + " = " + entity.FindKey(stale.key_attribute)->value.text);
    return;
  }
  report.Add(Severity::kError, place,
             kStaleKey(subject.pattern(id).name, stale.key_attribute, subject.model().indexes[stale.index].name,
                       Listed(missing), entity.name, Listed(missing)),
             stale.key_attribute + " = " + entity.FindKey(stale.key_attribute)->value.text);
}

void CheckStaleKeys(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (access == nullptr) continue;
    for (const Write& write : access->writes) {
      for (const StaleKey& stale : write.stale) ReportStale(subject, id, write, stale, report);
    }
  }
}

void CheckRemoved(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  ForEachAction(subject, [&](PatternId id, const Pattern& pattern, const Action& action) {
    const Entity& entity = subject.entity(action.entity);
    for (IndexId index = 0; index < model.indexes.size(); ++index) {
      if (!entity.Has(model.indexes[index])) continue;
      std::vector<std::string> gone;
      std::vector<std::string> left;
      for (const std::string& name : KeysOf(model.indexes[index])) {
        if (entity.FindKey(name)->native || model.IsBaseKey(name)) continue;
        (Contains(action.remove, name) ? gone : left).push_back(name);
      }
      if (gone.empty() || left.empty()) continue;
      report.Add(Severity::kError, {action.mark, action.entity, id, index},
                 kHalfRemoved(pattern.name, Listed(gone), Listed(left), entity.name, model.indexes[index].name));
    }
  });
}

// Returns true if each element of an xN action has a key of its own.
bool HasOwnKeys(const Write& write) {
  for (const KeyPart& part : write.key) {
    for (const Piece& piece : part.value.pieces) {
      if (piece.kind == Piece::Kind::kShardRandom) return true;
      const bool own = std::any_of(write.each.begin(), write.each.end(), [&](const Input& one) {
        return piece.kind != Piece::Kind::kLiteral && one.name == piece.text;
      });
      if (own) return true;
    }
  }
  return false;
}

bool SameFormulas(const std::vector<KeyPart>& a, const std::vector<KeyPart>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const KeyPart& x, const KeyPart& y) { return x.value.SameAs(y.value); });
}

// Actions whose keys are computed from the same inputs touch the same item.
void CheckSameItem(const Subject& subject, PatternId id, const Access& access, Report& report) {
  const auto twice = [&](Mark mark, EntityId entity, EntityId other) {
    std::string names = subject.entity(entity).name;
    if (other != entity) names = subject.entity(other).name + " and " + names;
    report.Add(Severity::kError, {mark, entity, id}, kTwice(subject.pattern(id).name, names));
  };
  for (size_t i = 0; i < access.writes.size(); ++i) {
    const Write& write = access.writes[i];
    if (HasOwnKeys(write)) continue;
    size_t other = write.times > 1 ? i : 0;
    while (other < i && (HasOwnKeys(access.writes[other]) || !SameFormulas(access.writes[other].key, write.key)))
      ++other;
    if (other < i || write.times > 1) twice(write.action->mark, write.entity, access.writes[other].entity);
  }
  for (size_t i = 0; i < access.reads.size(); ++i) {
    const KeyRead& read = access.reads[i];
    size_t other = 0;
    while (other < i && !(SameFormulas(access.reads[other].partition, read.partition) &&
                          SameFormulas(access.reads[other].sort, read.sort)))
      ++other;
    if (other < i) twice(subject.pattern(id).verb_mark, read.wanted[0], access.reads[other].wanted[0]);
  }
}

// Bytes of the items of a transaction, each with its average or its maximum size, as far as DynamoDB takes the item.
double BytesOf(const Subject& subject, const Pattern& pattern, bool most, std::vector<std::string>& sum) {
  double bytes = 0;
  const auto add = [&](EntityId id, uint32_t times) {
    const Entity& entity = subject.entity(id);
    const double each = most ? std::max(entity.size_avg, entity.size_max.value_or(0)) : entity.size_avg;
    bytes += std::min<double>(each, kItemBytesMax) * times;
    sum.push_back(std::to_string(times) + " x " + Bytes(each));
  };
  for (const Action& action : pattern.actions) add(action.entity, action.times);
  for (const EntityId id : pattern.entities) add(id, 1);
  return bytes;
}

void CheckTransaction(const Subject& subject, PatternId id, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  uint64_t actions = pattern.entities.size();
  for (const Action& action : pattern.actions) actions += action.times;
  if (const Access* access = subject.access(id)) CheckSameItem(subject, id, *access, report);
  if (actions > kTransactionActionsMax)
    report.Add(Severity::kError, {pattern.mark, {}, id}, kManyActions(pattern.name, actions));
  const std::string_view verb = pattern.Reads() ? "read" : "write";
  for (const bool most : {false, true}) {
    std::vector<std::string> sum;
    const double bytes = BytesOf(subject, pattern, most, sum);
    if (bytes <= kTransactionBytesMax) continue;
    const std::string can = most ? "can " + std::string(verb) : std::string(verb) + "s";
    report.Add(Severity::kError, {pattern.verb_mark, {}, id}, kManyBytes(pattern.name, can, Bytes(bytes)), Listed(sum));
    return;
  }
}

void CheckTransactions(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Verb verb = subject.pattern(id).verb;
    if (verb == Verb::kTransact || verb == Verb::kTransactGet) CheckTransaction(subject, id, report);
  }
}

// Returns true if the condition fails when the item is missing.
bool NeedsItem(const Condition& condition) {
  const auto declared = [](std::string_view) -> const Attribute* { return nullptr; };
  const auto missing = [](std::string_view) { return std::optional<std::string>(); };
  const auto any = [](std::string_view) { return std::optional<std::string>("0"); };
  return !condition.empty() && !Holds(condition, {declared, missing, any, 0});
}

std::string_view ChangeName(Assignment::Op op) {
  return op == Assignment::Op::kSubtract ? "subtracts from" : "adds to";
}

void CheckRetries(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (pattern.verb == Verb::kTransact && pattern.token.empty())
      report.Add(Severity::kWarning, {pattern.mark, {}, id}, kNoToken(pattern.name));
  }
  ForEachAction(subject, [&](PatternId id, const Pattern& pattern, const Action& action) {
    if (action.verb != Verb::kUpdate || NeedsItem(action.condition)) return;
    const Entity& entity = subject.entity(action.entity);
    for (const Assignment& one : action.set) {
      const Attribute* declared = entity.FindPath(one.path);
      if (one.op == Assignment::Op::kSet || (declared != nullptr && IsDocument(declared->type))) continue;
      report.Add(Severity::kWarning, {one.mark, action.entity, id},
                 kNoCondition(pattern.name, ChangeName(one.op), one.attribute, entity.name, one.attribute));
    }
  });
}

void CheckDefaults(const Subject& subject, Report& report) {
  ForEachAction(subject, [&](PatternId id, const Pattern& pattern, const Action& action) {
    const Entity& entity = subject.entity(action.entity);
    for (const Assignment& one : action.set) {
      const Attribute* attribute = entity.FindPath(one.path);
      if (one.op == Assignment::Op::kSet || attribute == nullptr || attribute->default_value) continue;
      if (IsDocument(attribute->type)) continue;  // ADD and list_append begin with an empty value
      const bool compared =
          std::any_of(action.condition.all.begin(), action.condition.all.end(), [&](const Comparison& condition) {
            return condition.attribute == one.attribute && condition.comparator != Comparator::kMissing &&
                   condition.comparator != Comparator::kNotEqual;
          });
      if (compared) continue;
      report.Add(Severity::kError, {one.mark, action.entity, id},
                 kNoDefault(pattern.name, ChangeName(one.op), one.attribute, entity.name),
                 "SET " + one.attribute + " = " + one.attribute +
                     (one.op == Assignment::Op::kSubtract ? " - " : " + ") + ":x on an item without it is refused");
    }
  });
}

bool Updates(const Pattern& pattern, EntityId entity) {
  return std::any_of(pattern.actions.begin(), pattern.actions.end(), [&](const Action& action) {
    return action.entity == entity && (action.verb == Verb::kUpdate || action.verb == Verb::kPut);
  });
}

bool Deletes(const Pattern& pattern, EntityId entity) {
  return std::any_of(pattern.actions.begin(), pattern.actions.end(),
                     [&](const Action& action) { return action.entity == entity && action.verb == Verb::kDelete; });
}

// " (about 50 of them)" if an item has several copies.
std::string FanOutText(const Subject& subject, EntityId source, EntityId copy) {
  const auto copies = subject.Count(copy);
  const auto sources = subject.Count(source);
  const double fan_out = copies && sources && *sources > 0 ? *copies / *sources : 1;
  return fan_out > 1 ? " (about " + Figure(fan_out) + " of them)" : "";
}

void CheckCopy(const Subject& subject, EntityId copy_id, Report& report) {
  const Entity& copy = subject.entity(copy_id);
  const EntityId source = copy.copy_of->source;
  const std::string& from = subject.entity(source).name;
  const std::string fan_out = FanOutText(subject, source, copy_id);
  ForEachAction(subject, [&](PatternId id, const Pattern& pattern, const Action& action) {
    if (action.entity != source) return;
    const Place place{action.mark, {}, id};
    if (action.verb == Verb::kDelete && !Deletes(pattern, copy_id))
      report.AddPair(Severity::kWarning, place, source, copy_id,
                     kCopyLeft(pattern.name, from, copy.name, fan_out, copy.name));
    if (action.verb != Verb::kUpdate || Updates(pattern, copy_id)) return;
    std::vector<std::string> changed;
    for (const Assignment& one : subject.AssignmentsOf(pattern, action)) {
      if (Contains(copy.copy_of->attributes, one.attribute)) changed.push_back(one.attribute);
    }
    for (const std::string& name : action.remove) {
      if (Contains(copy.copy_of->attributes, name)) changed.push_back(name);
    }
    if (changed.empty()) return;
    report.AddPair(Severity::kWarning, place, source, copy_id,
                   kStaleCopy(pattern.name, Listed(changed), from, copy.name, fan_out, copy.name));
  });
}

// Reports a copy that does not expire with its source.
void CheckCopyExpiry(const Subject& subject, EntityId copy_id, Report& report) {
  const Entity& copy = subject.entity(copy_id);
  const std::string& ttl = subject.model().table.ttl;
  const Entity& source = subject.entity(copy.copy_of->source);
  if (ttl.empty() || source.Find(ttl) == nullptr || copy.Find(ttl) != nullptr) return;
  report.Add(Severity::kWarning, {copy.copy_of->mark, copy_id, {}, {}, copy.copy_of->source},
             kCopyOutlives(copy.name, ttl, source.name, ttl));
}

void CheckCopies(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& copy = subject.entity(id);
    if (!copy.copy_of || copy.copy_of->sync == Sync::kNone) continue;
    if (copy.copy_of->sync == Sync::kTransaction) {
      CheckCopy(subject, id, report);
      CheckCopyExpiry(subject, id, report);
      continue;
    }
    const EntityId source = copy.copy_of->source;
    const bool consumed = std::any_of(model.consumers.begin(), model.consumers.end(), [&](const Consumer& one) {
      return std::find(one.entities.begin(), one.entities.end(), source) != one.entities.end();
    });
    const std::string& from = subject.entity(source).name;
    const Place place{copy.copy_of->mark, id, {}, {}, source};
    if (!consumed) {
      report.Add(Severity::kWarning, place, kNoConsumer(copy.name, from, from));
    } else if (model.table.stream == Stream::kOff) {
      report.Add(Severity::kWarning, place, kNoStream(copy.name, from));
    }
  }
}

bool Does(const Pattern& pattern, Verb verb, EntityId entity, bool if_new) {
  if (pattern.verb != Verb::kTransact) return false;
  return std::any_of(pattern.actions.begin(), pattern.actions.end(), [&](const Action& action) {
    return action.verb == verb && action.entity == entity && (!if_new || action.if_new);
  });
}

// The input that gives the attribute in this write; empty if it is not an input.
std::string InputOf(const Subject& subject, const Pattern& pattern, const Write& write, std::string_view attribute) {
  for (const ItemPart& part : write.item) {
    if (part.attribute != attribute) continue;
    if (part.value.pieces.size() != 1) return "";
    const Piece& piece = part.value.pieces[0];
    return piece.kind == Piece::Kind::kInput ? piece.text : "";
  }
  for (const Assignment& one : subject.AssignmentsOf(pattern, *write.action)) {
    if (one.attribute == attribute && one.value.kind == Operand::Kind::kInput) return one.value.text;
  }
  return "";
}

std::vector<std::string> KeyInputs(const Write& write) {
  std::vector<std::string> inputs;
  for (const KeyPart& part : write.key) {
    for (const Piece& piece : part.value.pieces) {
      if (piece.kind == Piece::Kind::kInput || piece.kind == Piece::Kind::kShardOfHash) inputs.push_back(piece.text);
    }
  }
  return inputs;
}

// Checks that the guard's key has the unique value, and does not name the item as well. (A scope, such as a tenant, may
// be in it.)
void CheckGuardKey(const Subject& subject, PatternId id, const Action& action, const Attribute& attribute,
                   Report& report) {
  const Pattern& pattern = subject.pattern(id);
  const Access* access = subject.access(id);
  if (access == nullptr) return;
  const auto own = std::find_if(access->writes.begin(), access->writes.end(),
                                [&](const Write& one) { return one.action == &action; });
  const std::string value = InputOf(subject, pattern, *own, attribute.name);
  const std::vector<std::string> of_item = KeyInputs(*own);
  const std::string& entity = subject.entity(action.entity).name;
  const std::string& guard = subject.entity(*attribute.unique).name;
  const Place place{action.mark, action.entity, id, {}, attribute.unique};
  for (const Write& write : access->writes) {
    if (write.entity != *attribute.unique || write.verb != Verb::kPut || value.empty()) continue;
    const std::vector<std::string> of_guard = KeyInputs(write);
    if (!Contains(of_guard, value))
      return report.Add(Severity::kError, place,
                        kGuardKey(pattern.name, guard, attribute.name, entity, guard, attribute.name));
    std::vector<std::string> others;
    for (const std::string& name : of_item) {
      if (name != value && !Contains(others, name)) others.push_back(name);
    }
    const bool all = std::all_of(others.begin(), others.end(), [&](auto& name) { return Contains(of_guard, name); });
    if (others.empty() || !all) continue;
    const std::string names = Listed(others);
    return report.Add(Severity::kError, place, kGuardNamesItem(pattern.name, guard, names, entity, names, guard));
  }
}

void CheckUnique(const Subject& subject, PatternId id, const Action& action, const Attribute& attribute,
                 Report& report) {
  const Pattern& pattern = subject.pattern(id);
  const std::string& entity = subject.entity(action.entity).name;
  const std::string& guard = subject.entity(*attribute.unique).name;
  const auto assigned = [&](const Assignment& one) { return one.attribute == attribute.name; };
  const std::vector<Assignment> set = subject.AssignmentsOf(pattern, action);
  const bool sets = action.verb == Verb::kUpdate && std::any_of(set.begin(), set.end(), assigned);
  const Place place{action.mark, action.entity, id, {}, attribute.unique};
  if ((action.verb == Verb::kPut || sets) && !Does(pattern, Verb::kPut, *attribute.unique, true)) {
    report.Add(Severity::kError, place, kUnguarded(pattern.name, attribute.name, entity, guard));
    return;
  }
  if (action.verb == Verb::kPut || sets) CheckGuardKey(subject, id, action, attribute, report);
  const bool frees = sets || action.verb == Verb::kDelete;
  if (frees && !Does(pattern, Verb::kDelete, *attribute.unique, false))
    report.Add(Severity::kWarning, place,
               kGuardLeft(pattern.name, sets ? "changes" : "deletes", sets ? attribute.name : entity, guard, guard));
}

void CheckGuards(const Subject& subject, Report& report) {
  ForEachAction(subject, [&](PatternId id, const Pattern&, const Action& action) {
    // A copy repeats its source's declarations; it is not a second owner of the value.
    if (subject.entity(action.entity).copy_of || subject.IsGuard(action.entity)) return;
    for (const Attribute& attribute : subject.entity(action.entity).attributes) {
      if (attribute.unique) CheckUnique(subject, id, action, attribute, report);
    }
  });
}

constexpr LintRule kWriteRuleRows[] = {
    {"L26", Severity::kError, "An update changes the table's key",
     "The key identifies the item. DynamoDB refuses to set a key attribute, and changing a part of its template leaves "
     "the item under its old key.",
     "Delete and put in one transaction, or keep what changes out of the key.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Task: {keys: {PK: "LIST#{list}", SK: "{status}#{id}"}, attributes: {list: string, status: [open, done], id: string}}
patterns:
  finish: {update: Task, by: [list, status, id], set: [status = done], if: exists(id), rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Task: {keys: {PK: "LIST#{list}", SK: "TASK#{id}"}, attributes: {list: string, status: [open, done], id: string}}
patterns:
  finish: {update: Task, by: [list, id], set: [status = done], if: exists(id), rps: {avg: 1}}
)yaml",
     CheckKeyChanges},
    {"L27", Severity::kError, "An update leaves an index key stale",
     "An index key built from several attributes must be rewritten when one of them changes, which takes all of them. "
     "An update that knows only some leaves the item under its old key in the index.",
     "Give the other parts too (in set or by), or use a multi-attribute key, which DynamoDB maintains itself.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "ORDER#{id}", SK: ORDER, GSI1PK: "STATUS#{status}#{region}", GSI1SK: "ORDER#{id}"}
    attributes: {id: string, status: [open, done], region: string}
patterns:
  finish: {update: Order, by: [id], set: [status], if: exists(id), rps: {avg: 0.5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Order:
    keys: {PK: "ORDER#{id}", SK: ORDER, GSI1PK: "STATUS#{status}#{region}", GSI1SK: "ORDER#{id}"}
    attributes: {id: string, status: [open, done], region: string}
patterns:
  finish: {update: Order, by: [id], set: [status, region], if: exists(id), rps: {avg: 0.5}}
)yaml",
     CheckStaleKeys},
    {"L28", Severity::kError, "An update removes half of an index key",
     "An item leaves a sparse index when a part of the index's key is removed. A part that remains is no longer kept "
     "up to date, and the item comes back with a wrong key when the other part is written again.",
     "Remove every key attribute of the index, or leave it to the sparse rule in when.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Post:
    keys: {PK: "POST#{id}", SK: POST, GSI1PK: PUBLISHED, GSI1SK: "POST#{id}"}
    attributes: {id: string, state: [draft, published]}
    when: {GSI1: "state = published"}
patterns:
  unpublish: {update: Post, by: [id], set: [state = draft], remove: [GSI1PK], if: exists(id), rps: {avg: 0.5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  Post:
    keys: {PK: "POST#{id}", SK: POST, GSI1PK: PUBLISHED, GSI1SK: "POST#{id}"}
    attributes: {id: string, state: [draft, published]}
    when: {GSI1: "state = published"}
patterns:
  unpublish: {update: Post, by: [id], set: [state = draft], remove: [GSI1PK, GSI1SK], if: exists(id), rps: {avg: 0.5}}
)yaml",
     CheckRemoved},
    {"L33", Severity::kError, "A transaction that DynamoDB refuses",
     "A transaction has at most 100 actions and 4 MB, and touches each item once. Two actions on one entity touch one "
     "item if their keys are computed from the same inputs.",
     "Split it, or merge the actions on one item. Give two items of one entity different inputs.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Order: {keys: {PK: "ORDER#{id}", SK: ORDER}, attributes: {id: string}}
  Line: {keys: {PK: "ORDER#{id}", SK: "LINE#{line}"}, attributes: {id: string, line: string}}
patterns:
  place: {transact: [put Order if_new, put Line x100], token: id, rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Order: {keys: {PK: "ORDER#{id}", SK: ORDER}, attributes: {id: string}}
  Line: {keys: {PK: "ORDER#{id}", SK: "LINE#{line}"}, attributes: {id: string, line: string}}
patterns:
  place: {transact: [put Order if_new, put Line x99], token: id, rps: {avg: 1}}
)yaml",
     CheckTransactions},
    {"L34", Severity::kWarning, "A write that is not safe to retry",
     "A response can get lost after the write is done. Without a token, the retry repeats it; without a condition, an "
     "update of a missing item creates a partial one.",
     "Add token: to transactions, and a condition to updates that add to a value.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Account: {keys: {PK: "ACCOUNT#{id}", SK: ACCOUNT}, attributes: {id: string, balance: {type: decimal, default: 0}}}
  Transfer: {keys: {PK: "TRANSFER#{transfer}", SK: TRANSFER}, attributes: {transfer: string, amount: decimal}}
patterns:
  deposit: {transact: [put Transfer if_new, update Account set balance += amount], rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Account: {keys: {PK: "ACCOUNT#{id}", SK: ACCOUNT}, attributes: {id: string, balance: {type: decimal, default: 0}}}
  Transfer: {keys: {PK: "TRANSFER#{transfer}", SK: TRANSFER}, attributes: {transfer: string, amount: decimal}}
patterns:
  deposit: {transact: [put Transfer if_new, update Account set balance += amount if exists(balance)], token: transfer, rps: {avg: 1}}
)yaml",
     CheckRetries},
    {"L35", Severity::kError, "Arithmetic on an attribute that may be missing",
     "SET a = a + :x fails with a validation error on the first item that has no a yet.",
     "Declare a default; the request then uses if_not_exists.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, posts: number}}
patterns:
  count: {update: User, by: [userId], set: ["posts += 1"], if: exists(userId), rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, posts: {type: number, default: 0}}}
patterns:
  count: {update: User, by: [userId], set: ["posts += 1"], if: exists(userId), rps: {avg: 1}}
)yaml",
     CheckDefaults},
    {"L36", Severity::kWarning, "A copy that goes stale",
     "Data that is copied to save a read must be changed in the copies as well. A copy whose source is deleted or has "
     "expired is stale, too.",
     "Update the copy in the same transaction, keep it in sync by a declared consumer of the stream, or declare sync: "
     "none.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, title: string}}
  Badge: {copy_of: {entity: User, attributes: [title], sync: transaction}, keys: {PK: "BADGE#{userId}", SK: BADGE}}
patterns:
  rename: {update: User, by: [userId], set: [title], if: exists(userId), rps: {avg: 0.5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, title: string}}
  Badge: {copy_of: {entity: User, attributes: [title], sync: transaction}, keys: {PK: "BADGE#{userId}", SK: BADGE}}
patterns:
  rename: {transact: [update User set title if exists(userId), update Badge], token: attempt, rps: {avg: 0.5}}
)yaml",
     CheckCopies},
    {"L37", Severity::kError, "A unique value without its guard",
     "DynamoDB keeps only keys unique. Any other value is unique only if the same transaction puts an item with that "
     "value as its key, on the condition that it is new. A guard whose key lacks the value, or also names the item, "
     "guards nothing.",
     "Add `put Guard if_new` to the transaction, and `delete Guard` to those that release the value.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, email: {type: string, unique: EmailGuard}}}
  EmailGuard: {keys: {PK: "EMAIL#{email}", SK: EMAIL}, attributes: {email: string, userId: string}}
patterns:
  create: {put: User, rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, email: {type: string, unique: EmailGuard}}}
  EmailGuard: {keys: {PK: "EMAIL#{email}", SK: EMAIL}, attributes: {email: string, userId: string}}
patterns:
  create: {transact: [put User if_new, put EmailGuard if_new], token: userId, rps: {avg: 1}}
)yaml",
     CheckGuards},
};

}  // namespace

const std::span<const LintRule> kWriteRules = kWriteRuleRows;

}  // namespace keyfold::model::check
