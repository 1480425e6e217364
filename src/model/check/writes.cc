// Rules about writes: whether updates keep keys, copies and guards correct, and whether transactions keep what they
// promise.
#include <algorithm>

#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

constexpr Rule<
    "{} sets {} of {}, which is in {} of the table's key, but a key cannot be changed; delete the item and put the new "
    "one in one transaction">
    kKeyChanged{"L26", Kind::kValidation};
constexpr Rule<
    "{} changes a part of {} in {}, but {} of {} is not known there, so the key goes stale; set {} too, or add "
    "it to by">
    kStaleKey{"L27", Kind::kValidation};
constexpr Rule<
    "{} removes {} but not {}, so {} keeps half of the key of {}; remove all of it, or leave remove out: it is "
    "derived from when">
    kHalfRemoved{"L28", Kind::kValidation};
constexpr Rule<"{} has {} actions, but a transaction allows at most 100; split it"> kManyActions{"L33",
                                                                                                 Kind::kValidation};
constexpr Rule<"{} writes {}, but a transaction allows at most 4 MB; split it"> kManyBytes{"L33", Kind::kValidation};
constexpr Rule<"{} touches one item of {} twice, which DynamoDB refuses; make it one action"> kTwice{"L33",
                                                                                                     Kind::kValidation};
constexpr Rule<
    "{} has no token, so a retry after a lost response runs it a second time; add token: with an input that identifies "
    "the attempt">
    kNoToken{"L34", Kind::kValidation};
constexpr Rule<
    "{} adds to {} of {} without a condition, which creates a partial item if there is none; add if: exists({})">
    kNoCondition{"L34", Kind::kValidation};
constexpr Rule<"{} adds to {} of {}, which has no default, and fails if it is missing; declare default: 0"> kNoDefault{
    "L35", Kind::kValidation};
constexpr Rule<
    "{} changes {} of {} and leaves the copy in {}{} unchanged; update {} in the same transaction, or declare sync: "
    "stream or none">
    kStaleCopy{"L36", Kind::kValidation};
constexpr Rule<"{} is kept in sync with {} by the stream, but no consumer names {}; declare the consumer"> kNoConsumer{
    "L36", Kind::kValidation};
constexpr Rule<"{} is kept in sync with {} by the stream, but the table has no stream; set stream"> kNoStream{
    "L36", Kind::kValidation};
constexpr Rule<
    "{} writes {} of {}, which is unique, without its guard, so two items can have the same value; add `put {} if_new` "
    "to the same transaction">
    kUnguarded{"L37", Kind::kValidation};
constexpr Rule<"{} {} {} but keeps its old {}, so the value stays taken; add `delete {}` to the transaction">
    kGuardLeft{"L37", Kind::kValidation};

void ForEachAction(const Subject& subject, FunctionRef<void(PatternId, const Pattern&, const Action&)> visit) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    for (const Action& action : subject.pattern(id).actions) visit(id, subject.pattern(id), action);
  }
}

// The key attribute of the table that contains an attribute; empty if there is none.
std::string BaseKeyWith(const Subject& subject, const Entity& entity, std::string_view attribute) {
  for (const KeySide* side : {&subject.model().table.pk, &subject.model().table.sk}) {
    for (const std::string& name : *side) {
      if (name == attribute) return name;
      for (const TemplatePart& part : entity.FindKey(name)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && part.text == attribute) return name;
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
  for (const std::string& name : stale.missing) {
    if (!Contains(missing, name)) missing.push_back(name);
  }
  report.Add(Severity::kError, {write.action->mark, write.entity, id, stale.index},
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

// Two actions name the same item only if nothing in the key can differ.
bool NamesOneItem(const Subject& subject, const Pattern& pattern, EntityId id) {
  for (const KeySide* side : {&subject.model().table.pk, &subject.model().table.sk}) {
    for (const std::string& name : *side) {
      for (const TemplatePart& part : subject.entity(id).FindKey(name)->value.parts) {
        if (!part.IsLiteral() && !Binds(pattern.by, part.text)) return false;
      }
    }
  }
  return true;
}

void CheckTransaction(const Subject& subject, PatternId id, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  uint64_t actions = pattern.verb == Verb::kTransactGet ? pattern.entities.size() : 0;
  double bytes = 0;
  std::vector<EntityId> touched;
  std::vector<std::string> sum;
  for (const Action& action : pattern.actions) {
    const Entity& entity = subject.entity(action.entity);
    actions += action.times;
    bytes += entity.size_avg * action.times;
    sum.push_back(std::to_string(action.times) + " x " + Bytes(entity.size_avg));
    const bool again = action.times > 1 || std::find(touched.begin(), touched.end(), action.entity) != touched.end();
    touched.push_back(action.entity);
    if (again && NamesOneItem(subject, pattern, action.entity))
      report.Add(Severity::kError, {action.mark, action.entity, id}, kTwice(pattern.name, entity.name));
  }
  if (actions > kTransactionActionsMax)
    report.Add(Severity::kError, {pattern.mark, {}, id}, kManyActions(pattern.name, actions));
  if (bytes > kTransactionBytesMax)
    report.Add(Severity::kError, {pattern.verb_mark, {}, id}, kManyBytes(pattern.name, Bytes(bytes)), Listed(sum));
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
                 kNoCondition(pattern.name, one.attribute, entity.name, one.attribute));
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
      report.Add(Severity::kError, {one.mark, action.entity, id}, kNoDefault(pattern.name, one.attribute, entity.name),
                 "SET " + one.attribute + " = " + one.attribute + " + :x on an item without it is refused");
    }
  });
}

bool Updates(const Pattern& pattern, EntityId entity) {
  return std::any_of(pattern.actions.begin(), pattern.actions.end(), [&](const Action& action) {
    return action.entity == entity && (action.verb == Verb::kUpdate || action.verb == Verb::kPut);
  });
}

void CheckCopy(const Subject& subject, EntityId copy_id, Report& report) {
  const Entity& copy = subject.entity(copy_id);
  const EntityId source = copy.copy_of->source;
  const std::string& from = subject.entity(source).name;
  ForEachAction(subject, [&](PatternId id, const Pattern& pattern, const Action& action) {
    if (action.verb != Verb::kUpdate || action.entity != source || Updates(pattern, copy_id)) return;
    std::vector<std::string> changed;
    for (const Assignment& one : subject.AssignmentsOf(pattern, action)) {
      if (Contains(copy.copy_of->attributes, one.attribute)) changed.push_back(one.attribute);
    }
    for (const std::string& name : action.remove) {
      if (Contains(copy.copy_of->attributes, name)) changed.push_back(name);
    }
    if (changed.empty()) return;
    const auto copies = subject.Count(copy_id);
    const auto sources = subject.Count(source);
    const double fan_out = copies && sources && *sources > 0 ? *copies / *sources : 1;
    report.AddPair(Severity::kWarning, {action.mark, {}, id}, source, copy_id,
                   kStaleCopy(pattern.name, Listed(changed), from, copy.name,
                              fan_out > 1 ? " (about " + Figure(fan_out) + " of them)" : "", copy.name));
  });
}

void CheckCopies(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& copy = subject.entity(id);
    if (!copy.copy_of || copy.copy_of->sync == Sync::kNone) continue;
    if (copy.copy_of->sync == Sync::kTransaction) {
      CheckCopy(subject, id, report);
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
     "A transaction has at most 100 actions and 4 MB, and touches each item once.",
     "Split it, or merge the actions on one item.",
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
     "Data that is copied to save a read must be changed in the copies as well.",
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
     "value as its key, on the condition that it is new.",
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
