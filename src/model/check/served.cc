// Rules about whether a pattern is served at all: by a request, by an index that holds what it reads, with the
// consistency it asks for.
#include "model/check/rule.h"
#include "model/check/subject.h"

namespace keyfold::model::check {
namespace {

constexpr Rule<"no request serves {}: {}; {}"> kUnserved{"L01", Kind::kValidation};
constexpr Rule<"{} reads {}, but {}, so it returns nothing; give {} templates for {}, or read another index">
    kDeadIndex{"L02", Kind::kValidation};
constexpr Rule<
    "{} reads {}, for which {} has no complete key, so it returns none of those items; give {} templates for {}, or "
    "leave it out of the result">
    kPartlyDead{"L02", Kind::kValidation};
constexpr Rule<
    "{} asks for a {} read of {}, but a global index is always eventually consistent; read the table, or drop "
    "consistent">
    kStrongOnIndex{"L40", Kind::kValidation};

// Rule L18 reports random shards that a reader cannot name.
bool IsRandomShard(const Subject& subject, const Pattern& pattern, const Unserved& why) {
  const Entity& entity = subject.entity(why.entity);
  return pattern.verb != Verb::kQuery && why.missing == "shard" && entity.shard && !entity.shard->hash_of;
}

std::string Remedy(const Subject& subject, const Pattern& pattern, const Unserved& why) {
  if (why.served_by) {
    const std::string& index = subject.model().indexes[*why.served_by].name;
    return "a query of " + index + " would serve it: write query: and index: " + index;
  }
  if (why.served_by_table) return "the table would serve it: leave index out";
  if (why.why == Unserved::Why::kKeysDiffer) return "make it two patterns, or give them one partition key";
  if (why.missing == "shard") return "add fanout: shard, or shard by hash(...) of what is given";
  const bool write = !pattern.Reads();
  if (write) return "add " + why.missing + " to by";
  return "add " + why.missing + " to by, or add an index whose partition key has only what is given";
}

void CheckServed(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Unserved* why = subject.unserved(id);
    if (why == nullptr || why->why == Unserved::Why::kNotInIndex) continue;
    const Pattern& pattern = subject.pattern(id);
    if (IsRandomShard(subject, pattern, *why)) continue;
    report.Add(Severity::kError, {pattern.mark, why->entity, id, pattern.index},
               kUnserved(pattern.name, why->message, Remedy(subject, pattern, *why)));
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
     "of the table.",
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
     "An item is in an index only if it has all its key attributes. Without templates for them, no item is ever "
     "written there, and the query returns an empty list instead of an error.",
     "Give the entity templates (or attributes) for every key attribute of the index.",
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
