// Rules about whether a pattern is served at all: by a request, by an index that holds what it reads, with the
// consistency it asks for.
#include <algorithm>

#include "model/check/rule.h"
#include "model/check/subject.h"

namespace keyfold::model::check {
namespace {

constexpr Wording<"No request serves {}: {}.", "{}."> kUnserved{"L01"};
constexpr Wording<"{} gives {}, which is in no part of the key of {}, so the request ignores it.",
                  "Put {} into the key, or leave it out of by.">
    kIgnored{"L01"};
constexpr Wording<"{} reads {}, but {}, so it returns nothing.", "Give {} templates for {}, or read another index.">
    kDeadIndex{"L02"};
constexpr Wording<"{} reads {}, for which {} has no complete key, so it returns none of those items.",
                  "Give {} templates for {}, or leave it out of the result.">
    kPartlyDead{"L02"};
constexpr Wording<"{} asks for items with {}, but {} has {} only with {}, so it returns none of them.",
                  "Change the condition of {}, or the rule in when.">
    kExcluded{"L02"};
constexpr Wording<"{} asks for a {} read of {}, but a global index is always eventually consistent.",
                  "Read the table, or drop consistent.">
    kStrongOnIndex{"L40"};

// Rule L18 reports random shards that a reader cannot name.
bool IsRandomShard(const Subject& subject, const Pattern& pattern, const Unserved& why) {
  const Entity& entity = subject.entity(why.entity);
  return pattern.verb != Verb::kQuery && why.missing == "shard" && entity.shard && !entity.shard->hash_of;
}

std::string Remedy(const Subject& subject, const Pattern& pattern, const Unserved& why) {
  if (why.served_by) {
    const std::string& index = subject.model().indexes[*why.served_by].name;
    return "A query of " + index + " would serve it: write query: and index: " + index;
  }
  if (why.served_by_table) return "The table would serve it: leave index out";
  if (why.why == Unserved::Why::kKeysDiffer) return "Make it two patterns, or give them one partition key";
  if (why.missing == "shard") return "Add fanout: shard, or shard by hash(...) of what is given";
  const bool write = !pattern.Reads();
  if (write) return "Add " + why.missing + " to by";
  return "Add " + why.missing + " to by, or add an index whose partition key has only what is given";
}

// Rule L30 reports entities whose keys differ because one attribute has two types.
bool DifferInType(const Subject& subject, const Pattern& pattern, const Unserved& why) {
  if (why.why != Unserved::Why::kKeysDiffer) return false;
  const auto type_of = [&](EntityId id) {
    const KeyTemplate* key = subject.entity(id).FindKey(why.key_attribute);
    return key == nullptr ? std::nullopt : std::optional(key->value.type);
  };
  return std::any_of(pattern.entities.begin(), pattern.entities.end(), [&](EntityId id) {
    const auto type = type_of(id);
    return type && type != type_of(why.entity);
  });
}

// Reports what a get is given but does not use. (A query filters by it.)
void CheckIgnored(const Subject& subject, PatternId id, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  const Access* access = subject.access(id);
  if (pattern.verb != Verb::kGet || access == nullptr) return;
  const Entity& entity = subject.entity(pattern.entities[0]);
  for (const std::string& name : access->unused_by) {
    if (entity.shard && entity.shard->hash_of == name) continue;
    report.Add(Severity::kWarning, {pattern.by_mark, pattern.entities[0], id},
               kIgnored(pattern.name, name, entity.name, name));
  }
}

void CheckServed(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    CheckIgnored(subject, id, report);
    const Unserved* why = subject.unserved(id);
    if (why == nullptr || why->why == Unserved::Why::kNotInIndex) continue;
    const Pattern& pattern = subject.pattern(id);
    if (IsRandomShard(subject, pattern, *why) || DifferInType(subject, pattern, *why)) continue;
    report.Add(Severity::kError, {pattern.mark, why->entity, id, pattern.index},
               kUnserved(pattern.name, why->message, Remedy(subject, pattern, *why)));
  }
}

// Returns true if no value of the attribute that both compare meets both.
bool Contradict(const Comparison& a, const Comparison& b, const Attribute& attribute) {
  if (a.path != b.path || a.path != a.attribute) return false;
  const auto needs_value = [](const Comparison& one) {
    return one.comparator != Comparator::kMissing && one.comparator != Comparator::kNotEqual;
  };
  if (a.comparator == Comparator::kMissing) return needs_value(b);
  const bool known = a.comparator == Comparator::kEqual && a.right.IsLiteral();
  const bool tests = b.comparator == Comparator::kExists || b.comparator == Comparator::kMissing;
  if (!known || (!tests && b.comparator != Comparator::kIn && !b.right.IsLiteral())) return false;
  if (a.size || b.size) return false;
  const auto declared = [&](std::string_view) { return &attribute; };
  const auto value = [&](std::string_view) { return std::optional(a.right.text); };
  const auto no_input = [](std::string_view) { return std::optional<std::string>(); };
  const std::vector<Operand> operands = b.operands();
  const auto is_literal = [](const Operand& one) { return one.IsLiteral(); };
  return std::all_of(operands.begin(), operands.end(), is_literal) && !Holds(b, {declared, value, no_input, 0});
}

// The sparse rule that keeps out all items that the pattern asks for; nullptr if there is none.
const When* ExcludedBy(const Subject& subject, const Pattern& pattern, EntityId id) {
  const Entity& entity = subject.entity(id);
  const When* when = entity.FindWhen(*pattern.index);
  if (when == nullptr) return nullptr;
  for (const Comparison& held : when->condition.all) {
    for (const Comparison& asked : pattern.where.all) {
      const Attribute* attribute = entity.Find(held.attribute);
      if (attribute == nullptr) continue;
      if (Contradict(held, asked, *attribute) || Contradict(asked, held, *attribute)) return when;
    }
  }
  return nullptr;
}

void CheckExcluded(const Subject& subject, PatternId id, const Access& access, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  std::vector<std::pair<EntityId, const When*>> excluded;
  for (const EntityId wanted : access.read().wanted) {
    if (const When* when = ExcludedBy(subject, pattern, wanted)) excluded.emplace_back(wanted, when);
  }
  const Severity severity = excluded.size() == access.read().wanted.size() ? Severity::kError : Severity::kWarning;
  for (const auto& [entity, when] : excluded) {
    report.Add(severity, {pattern.where.mark, entity, id, pattern.index},
               kExcluded(pattern.name, pattern.where.text, subject.model().indexes[*pattern.index].name,
                         subject.entity(entity).name, when->condition.text, pattern.name));
  }
}

void CheckDeadIndexes(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (!pattern.index) continue;
    const Unserved* why = subject.unserved(id);
    const std::string& index = subject.model().indexes[*pattern.index].name;
    if (why != nullptr && why->why == Unserved::Why::kNotInIndex) {
      const std::string& entity = subject.entity(why->entity).name;
      report.Add(Severity::kError, {pattern.index_mark, why->entity, id, pattern.index},
                 kDeadIndex(pattern.name, index, why->message, entity, index));
    }
    const Access* access = subject.access(id);
    if (access == nullptr || access->reads.empty()) continue;
    for (const EntityId absent : access->read().absent) {
      const std::string& entity = subject.entity(absent).name;
      report.Add(Severity::kWarning, {pattern.index_mark, absent, id, pattern.index},
                 kPartlyDead(pattern.name, index, entity, entity, index));
    }
    CheckExcluded(subject, id, *access, report);
  }
}

void CheckConsistency(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (!pattern.Reads() || !pattern.index || pattern.consistent == Consistency::kEventual) continue;
    const Index& index = subject.model().indexes[*pattern.index];
    const bool transactional = pattern.consistent == Consistency::kTransactional;
    if (index.local && !transactional) continue;
    report.Add(Severity::kError, {pattern.mark, pattern.entities[0], id, pattern.index},
               kStrongOnIndex(pattern.name, transactional ? "transactional" : "strong", index.name));
  }
}

constexpr LintRule kServedRuleRows[] = {
    {"L01", Severity::kError, "A pattern that no request serves",
     "A get needs the whole key, a query the whole partition key. A pattern that does not give them can only be a scan "
     "of the table. An attribute that is in no key does not help a get.",
     "Add the missing attribute to the pattern, or an index whose partition key is built from what the pattern has.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}"}, attributes: {userId: string, orderId: string}}
patterns:
  getOrder: {get: Order, by: [orderId], rps: {avg: 10}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, project: all}}
entities:
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}", GSI1PK: "ORDER#{orderId}"}
    attributes: {userId: string, orderId: string}
patterns:
  getOrder: {query: Order, index: GSI1, by: [orderId], rps: {avg: 10}}
)yaml",
     CheckServed},
    {"L02", Severity::kError, "A pattern reads an index that does not contain its entity",
     "An item is in an index only if it has all its key attributes and meets the rule in when, if there is one. A "
     "query of what is never written there returns an empty list instead of an error.",
     "Give the entity templates (or attributes) for every key attribute of the index, and ask only for what when lets "
     "in.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI2: {pk: GSI2PK}}
entities:
  Order: {keys: {PK: "ORDER#{orderId}", SK: ORDER}, attributes: {orderId: string, status: [pending, done]}}
patterns:
  pending: {query: Order, index: GSI2, by: [status], rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI2: {pk: GSI2PK}}
entities:
  Order:
    keys: {PK: "ORDER#{orderId}", SK: ORDER, GSI2PK: "STATUS#{status}"}
    attributes: {orderId: string, status: [pending, done]}
patterns:
  pending: {query: Order, index: GSI2, by: [status], rps: {avg: 1}}
)yaml",
     CheckDeadIndexes},
    {"L40", Severity::kError, "A strong read of a global index",
     "A global index follows the table with a delay. A request for a strong read of it is refused.",
     "Read the table by its key if the newest state matters; otherwise use an eventually consistent read.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "EMAIL#{email}"}, attributes: {userId: string, email: string}}
patterns:
  byEmail: {query: User, index: GSI1, by: [email], consistent: strong, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "EMAIL#{email}"}, attributes: {userId: string, email: string}}
patterns:
  byEmail: {query: User, index: GSI1, by: [email], rps: {avg: 5}}
)yaml",
     CheckConsistency},
};

}  // namespace

const std::span<const LintRule> kServedRules = kServedRuleRows;

}  // namespace keyfold::model::check
