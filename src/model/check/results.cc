// Rules about what a read returns: everything it asks for, nothing else, in the order it asks for.
#include <algorithm>
#include <cmath>

#include "model/check/query.h"
#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/calendar.h"
#include "model/core/figures.h"
#include "model/keys/key_automaton.h"

namespace keyfold::model::check {
namespace {

constexpr Rule<"{} asks for {}, but also reads {} ({}); give {} a sort key prefix of its own, or name {} in the result">
    kLeak{"L04", Kind::kValidation};
constexpr Rule<
    "{} reads {} that begin with {}, but nothing ends {} there, so it also returns those with longer values; end the "
    "shared prefix with the separator {}">
    kOpenPrefix{"L05", Kind::kValidation};
constexpr Rule<
    "the upper bound {} of {} is shorter than the {} it is compared with, so all of its last unit except the first "
    "instant is left out; write the complete {}">
    kShortBound{"L09", Kind::kValidation};
constexpr Rule<
    "{} asks for an order, but the sort key of {} in {} has no time and sorts by {}; put the time first in the "
    "sort key">
    kNoOrder{"L10", Kind::kValidation};
constexpr Rule<
    "{} has about {} {} for each {}, but its sort key has only {} values, so a later item overwrites an earlier one; "
    "add the time to the sort key">
    kNotUnique{"L10", Kind::kValidation};
constexpr Rule<"{} reads {}, which expires by {}, and expired items stay readable for days; add where: \"{} > now\"">
    kExpired{"L39", Kind::kValidation};

// "PK = USER#{userId}, SK begins with ORDER#".
std::string ReadText(const KeyRead& read) {
  std::string text;
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts)
      text += (text.empty() ? "" : ", ") + part.attribute + " = " + part.value.ToString();
  }
  const SortRange& range = read.range;
  if (range.op == SortRange::Op::kNone) return text;
  text += ", " + range.attribute;
  if (range.op == SortRange::Op::kBeginsWith) return text + " begins with " + range.low.ToString();
  if (range.op != SortRange::Op::kBetween) return text + " compared with " + range.low.ToString();
  return text + " between " + range.low.ToString() + " and " + range.high.ToString();
}

void CheckLeaks(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (!IsQuery(access) || !IsLeak(*access)) continue;
    const Pattern& pattern = subject.pattern(id);
    const std::vector<EntityId> unwanted = subject.UnwantedOf(id);
    for (const Coverage::Covered& one : subject.covered(id)) {
      if (std::find(unwanted.begin(), unwanted.end(), one.entity) == unwanted.end()) continue;
      const std::string& other = subject.entity(one.entity).name;
      report.AddPair(Severity::kError, {pattern.mark, {}, id, pattern.index}, pattern.entities[0], one.entity,
                     kLeak(pattern.name, Listed(NamesOf(subject, pattern.entities)), other, ReadText(access->read()),
                           other, other),
                     KeyText(one.example));
    }
  }
}

void CheckOpenPrefixes(const Subject& subject, Report& report) {
  const std::string& separator = subject.model().table.separator;
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (!IsQuery(access)) continue;
    const SortRange& range = access->read().range;
    if (range.op != SortRange::Op::kBeginsWith || !range.of.empty()) continue;
    const Piece& last = range.low.pieces.back();
    if (last.kind != Piece::Kind::kInput || last.origin == nullptr) continue;
    const auto pair = FindPrefixPair(*last.origin, separator);
    if (!pair) continue;
    const Pattern& pattern = subject.pattern(id);
    report.Add(Severity::kWarning, {pattern.mark, pattern.entities[0], id, pattern.index},
               kOpenPrefix(pattern.name, range.attribute, range.low.ToString(), last.text, separator),
               last.text + " = " + pair->first + " also returns " + pair->second);
  }
}

// Returns the first text of the layout that starts with `start`.
std::string Completed(std::string start, std::string_view layout) {
  constexpr std::string_view kFirst = "0000-01-01T00:00:00.000Z";
  for (size_t at = start.size(); at < layout.size(); ++at) {
    const char c = layout[at];
    start += c == 'Y' || c == 'M' || c == 'D' || c == 'h' || c == 'm' || c == 's' || c == 'f' ? kFirst[at] : c;
  }
  return start;
}

// The format that a bound on the attribute is compared with: that of the key part in the range, otherwise the stored
// form.
Format BoundFormat(const Access& access, std::string_view attribute) {
  const SortRange& range = access.read().range;
  const bool in_key = range.of == attribute && !range.low.pieces.empty() && range.low.pieces.back().origin != nullptr;
  const Format format = in_key ? range.low.pieces.back().origin->format : Format::kIsoMillis;
  return format == Format::kPlain ? Format::kIsoMillis : format;
}

void CheckBound(const Subject& subject, PatternId id, std::string_view attribute, const Operand& bound, Mark mark,
                Report& report) {
  const Pattern& pattern = subject.pattern(id);
  if (bound.kind != Operand::Kind::kString && bound.kind != Operand::Kind::kNumber) return;
  for (const EntityId entity : pattern.entities) {
    const Attribute* declared = subject.entity(entity).Find(attribute);
    if (declared == nullptr || declared->type != AttributeType::kTime) continue;
    const Format format = BoundFormat(*subject.access(id), attribute);
    const std::string_view layout = LayoutOf(format);
    if (bound.text.size() >= layout.size()) return;
    const std::string name = FormatName(format, 0);
    report.Add(Severity::kError, {mark, entity, id, pattern.index}, kShortBound(bound.text, attribute, name, name),
               Completed(bound.text, layout) + " is above " + bound.text);
    return;
  }
}

void CheckBounds(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (access == nullptr || access->reads.empty()) continue;
    const Pattern& pattern = subject.pattern(id);
    if (pattern.between)
      CheckBound(subject, id, pattern.between->attribute, pattern.between->to, pattern.between->mark, report);
    for (const Comparison& one : pattern.where.all) {
      if (one.comparator == Comparator::kLessEqual && one.path == one.attribute)
        CheckBound(subject, id, one.attribute, one.right, one.mark, report);
    }
  }
}

bool IsTime(const Subject& subject, const Attribute& attribute) {
  if (attribute.type == AttributeType::kTime) return true;
  return attribute.type == AttributeType::kEpochSeconds && attribute.name != subject.model().table.ttl;
}

// What a query sorts by. Nullopt if it sorts by time or by a number, or if there is only one item.
std::optional<std::string> OrderedBy(const Subject& subject, PatternId id, EntityId entity_id) {
  const Pattern& pattern = subject.pattern(id);
  const Entity& entity = subject.entity(entity_id);
  const bool has_time = std::any_of(entity.attributes.begin(), entity.attributes.end(),
                                    [&](const Attribute& one) { return IsTime(subject, one); });
  if (!has_time ||
      (!pattern.index && (subject.access(id)->read().whole_key || subject.FreeSortParts(entity_id, {}).empty())))
    return {};
  const TemplatePart* first = nullptr;
  for (const std::string& attribute : subject.model().SortKey(pattern.index)) {
    for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
      if (part.kind != TemplatePart::Kind::kAttribute) continue;
      if (IsTime(subject, *entity.Find(part.text))) return {};
      if (first == nullptr && !Subject::IsGiven(pattern, part.text)) first = &part;
    }
  }
  if (first == nullptr) return "nothing";
  if (StoredAs(first->type) == StoredType::kN) return {};
  return first->text;
}

void CheckOrder(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    const Pattern& pattern = subject.pattern(id);
    if (!IsQuery(access) || pattern.order == Order::kUnsaid) continue;
    for (const EntityId entity : access->read().wanted) {
      const auto by = OrderedBy(subject, id, entity);
      if (!by) continue;
      report.Add(Severity::kWarning, {pattern.mark, entity, id, pattern.index},
                 kNoOrder(pattern.name, subject.entity(entity).name, PlaceName(subject, pattern.index), *by));
    }
  }
}

// Reports events whose sort key has fewer values than there are events.
void CheckUniqueEvents(const Subject& subject, Report& report) {
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    const bool event = std::any_of(entity.attributes.begin(), entity.attributes.end(),
                                   [&](const Attribute& one) { return IsTime(subject, one); });
    const std::vector<const TemplatePart*> free = subject.FreeSortParts(id, {});
    if (!event || free.empty() || entity.FirstParent() == nullptr || subject.model().table.sk.empty()) continue;
    double values = 1;
    for (const TemplatePart* part : free) {
      values *= part->alphabet == Alphabet::kChoice ? static_cast<double>(part->values.size()) : INFINITY;
    }
    const Per& per = *entity.FirstParent();
    const double items = per.max.value_or(per.avg);
    if (items <= values) continue;
    report.Add(Severity::kWarning, {entity.FindKey(subject.model().table.sk.back())->mark, id},
               kNotUnique(entity.name, Figure(items), "items", subject.entity(*per.parent).name, Figure(values)),
               "a second " + free[0]->text + " = " + free[0]->values[0] + " replaces the first");
  }
}

void CheckHistory(const Subject& subject, Report& report) {
  CheckOrder(subject, report);
  CheckUniqueEvents(subject, report);
}

void CheckExpiry(const Subject& subject, Report& report) {
  const std::string& ttl = subject.model().table.ttl;
  if (ttl.empty()) return;
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (pattern.verb != Verb::kQuery && pattern.verb != Verb::kScan) continue;
    const bool tested = std::any_of(pattern.where.all.begin(), pattern.where.all.end(), [&](const Comparison& one) {
      return one.attribute == ttl &&
             (one.comparator == Comparator::kGreater || one.comparator == Comparator::kGreaterEqual);
    });
    if (tested) continue;
    for (const EntityId entity : pattern.entities) {
      if (subject.entity(entity).Find(ttl) == nullptr) continue;
      report.Add(Severity::kWarning, {pattern.mark, entity, id, pattern.index},
                 kExpired(pattern.name, subject.entity(entity).name, ttl, ttl));
    }
  }
}

constexpr LintRule kResultRuleRows[] = {
    {"L04", Severity::kError, "A query returns another entity's items",
     "begins_with and BETWEEN compare bytes and know nothing about entities. If another entity in the partition has "
     "keys in the range, its items are returned too, and code that expects one shape gets another.",
     "Give each entity in a partition its own prefix, ended by the separator, so that none is the start of another.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}"}, attributes: {userId: string, orderId: string}}
  Note: {keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}#NOTE#{at|iso_s}"}, attributes: {userId: string, orderId: string, at: time}}
patterns:
  orders: {query: Order, by: [userId], limit: 20, rps: {avg: 10}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}"}, attributes: {userId: string, orderId: string}}
  Note: {keys: {PK: "USER#{userId}", SK: "NOTE#{orderId}#{at|iso_s}"}, attributes: {userId: string, orderId: string, at: time}}
patterns:
  orders: {query: Order, by: [userId], limit: 20, rps: {avg: 10}}
)yaml",
     CheckLeaks},
    {"L05", Severity::kWarning, "A prefix that also matches longer values",
     "begins_with(SK, \"DEPT#engineering\") also finds DEPT#engineering-ops. A prefix with a value of variable width "
     "at its end needs the separator after it.",
     "End every template of the group with the separator and a word, such as DEPT#{dept}#META.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Dept: {keys: {PK: "ORG#{org}", SK: "DEPT#{dept}"}, attributes: {org: string, dept: string}}
  Member: {keys: {PK: "ORG#{org}", SK: "DEPT#{dept}#USER#{userId}"}, attributes: {org: string, dept: string, userId: string}}
patterns:
  department: {query: [Dept, Member], by: [org, dept], paginate: all, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Dept: {keys: {PK: "ORG#{org}", SK: "DEPT#{dept}#META"}, attributes: {org: string, dept: string}}
  Member: {keys: {PK: "ORG#{org}", SK: "DEPT#{dept}#USER#{userId}"}, attributes: {org: string, dept: string, userId: string}}
patterns:
  department: {query: [Dept, Member], by: [org, dept], paginate: all, rps: {avg: 5}}
)yaml",
     CheckOpenPrefixes},
    {"L09", Severity::kError, "An upper bound that cuts off its last unit",
     "Keys compare as text: \"2024-06\" is below \"2024-06-01T00:00:00Z\", so BETWEEN ... AND '2024-06' leaves June "
     "out.",
     "Write the bound in the full length of the key's format, such as 2024-06-30T23:59:59Z, or make it an input: the "
     "planner extends inputs.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Event: {keys: {PK: "USER#{userId}", SK: "EVENT#{at|iso_s}"}, attributes: {userId: string, at: time}}
patterns:
  half: {query: Event, by: [userId], between: {at: ["2024-01", "2024-06"]}, paginate: all, rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Event: {keys: {PK: "USER#{userId}", SK: "EVENT#{at|iso_s}"}, attributes: {userId: string, at: time}}
patterns:
  half: {query: Event, by: [userId], between: {at: ["2024-01", "2024-06-30T23:59:59Z"]}, paginate: all, rps: {avg: 1}}
)yaml",
     CheckBounds},
    {"L10", Severity::kWarning, "A history that is not in time order",
     "DynamoDB sorts only by the sort key. STATUS#{status} sorts by the name of the status, and a status that is "
     "reached twice overwrites its first entry.",
     "Put the time first in the sort key, then what makes it unique: STATUS#{at|iso_ms}#{status}.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Status: {keys: {PK: "ORDER#{orderId}", SK: "STATUS#{status}"}, attributes: {orderId: string, status: string, at: time}}
patterns:
  history: {query: Status, by: [orderId], order: asc, limit: 50, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Status: {keys: {PK: "ORDER#{orderId}", SK: "STATUS#{at|iso_ms}#{status}"}, attributes: {orderId: string, status: string, at: time}}
patterns:
  history: {query: Status, by: [orderId], order: asc, limit: 50, rps: {avg: 5}}
)yaml",
     CheckHistory},
    {"L39", Severity::kWarning, "A read returns items that have expired",
     "DynamoDB deletes expired items within days, not at once. Until then every read returns them.",
     "Filter: where: \"expiresAt > now\".",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}, ttl: expiresAt}
entities:
  Session:
    keys: {PK: "USER#{userId}", SK: "SESSION#{id}"}
    attributes: {userId: string, id: string, expiresAt: epoch_s}
    ttl: {after: 30d}
patterns:
  sessions: {query: Session, by: [userId], paginate: all, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}, ttl: expiresAt}
entities:
  Session:
    keys: {PK: "USER#{userId}", SK: "SESSION#{id}"}
    attributes: {userId: string, id: string, expiresAt: epoch_s}
    ttl: {after: 30d}
patterns:
  sessions: {query: Session, by: [userId], where: "expiresAt > now", paginate: all, rps: {avg: 5}}
)yaml",
     CheckExpiry},
};

}  // namespace

const std::span<const LintRule> kResultRules = kResultRuleRows;

}  // namespace keyfold::model::check
