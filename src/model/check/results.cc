// Rules about what a read returns: everything it asks for, nothing else, in the order it asks for.
#include <algorithm>
#include <cmath>

#include "model/check/put.h"
#include "model/check/query.h"
#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/calendar.h"
#include "model/core/figures.h"
#include "model/keys/key_automaton.h"

namespace keyfold::model::check {
namespace {

constexpr Wording<"{} asks for {}, but also reads {} ({}).",
                  "Give {} a sort key prefix of its own, or name {} in the result.">
    kLeak{"L04"};
constexpr Wording<
    "{} asks for {}, and reads {} instead if the name that it is called with is that of one; the two share their names "
    "on purpose.",
    "Let the caller tell them apart by the type of the item.">
    kOtherKind{"L04"};
constexpr Wording<
    "{} reads {} that begin with {}, but nothing ends {} there, so it also returns those with longer values.",
    "End the shared prefix with the separator {}.">
    kOpenPrefix{"L05"};
constexpr Wording<
    "The upper bound {} of {} is shorter than the {} it is compared with, so all of its last unit except the first "
    "instant is left out.",
    "Write the complete {}.">
    kShortBound{"L09"};
constexpr Wording<"{} asks for an order, but the sort key of {} in {} has no time and sorts by {}.",
                  "Put the time first in the sort key.">
    kNoOrder{"L10"};
constexpr Wording<
    "{} has about {} {} for each {}, but its sort key has only {} values, so a later item overwrites an earlier one.",
    "Add the time to the sort key.">
    kNotUnique{"L10"};
constexpr Wording<
    "{} tells two {} with the same {} apart only by the second, so of two in one second the later put overwrites the "
    "earlier.",
    "Add an id to {}, or make each put if_new.">
    kSameSecond{"L10"};
constexpr Wording<"{} reads {}, which expires by {}, and expired items stay readable for days.",
                  "Add where: \"{} > now\".">
    kExpired{"L39"};

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
      const std::string wanted = Listed(NamesOf(subject, pattern.entities));
      const bool instead = IsOfOtherKind(subject, id, one.entity);
      report.AddPair(instead ? Severity::kInfo : Severity::kError, {pattern.mark, {}, id, pattern.index},
                     pattern.entities[0], one.entity,
                     instead ? kOtherKind(pattern.name, wanted, other)
                             : kLeak(pattern.name, wanted, other, ReadText(access->read()), other, other),
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
Format BoundFormat(const Access& access, std::string_view attribute, AttributeType type) {
  const SortRange& range = access.read().range;
  const bool in_key = range.of == attribute && !range.low.pieces.empty() && range.low.pieces.back().origin != nullptr;
  const Format format = in_key ? range.low.pieces.back().origin->format : Format::kPlain;
  return format == Format::kPlain ? StoredFormat(type) : format;
}

void CheckBound(const Subject& subject, PatternId id, std::string_view attribute, const Operand& bound, Mark mark,
                Report& report) {
  const Pattern& pattern = subject.pattern(id);
  if (bound.kind != Operand::Kind::kString && bound.kind != Operand::Kind::kNumber) return;
  for (const EntityId entity : pattern.entities) {
    const Attribute* declared = subject.entity(entity).Find(attribute);
    if (declared == nullptr || !IsTimeText(declared->type)) continue;
    const Format format = BoundFormat(*subject.access(id), attribute, declared->type);
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

bool IsText(const Attribute& attribute) { return StoredAs(attribute.type) == StoredType::kS; }

bool IsTime(const Subject& subject, const Attribute& attribute) {
  return model::IsTime(attribute.type) && (attribute.name != subject.model().table.ttl || IsText(attribute));
}

// Returns true if keys with the attribute sort by time.
bool SortsByTime(const Subject& subject, const Attribute& attribute) {
  return IsTime(subject, attribute) || (IsTimeOrdered(attribute.type) && !model::IsTime(attribute.type));
}

// Returns true if a partition of the index has at most one item of the entity, because its key names the item.
bool IsAlone(const Subject& subject, const Entity& entity, IndexId index) {
  std::vector<std::string> named;
  for (const std::string& attribute : subject.model().indexes[index].pk) {
    for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
      if (part.kind == TemplatePart::Kind::kAttribute && Recovers(part.format)) named.push_back(part.text);
    }
  }
  for (const KeySide* side : {&subject.model().table.pk, &subject.model().table.sk}) {
    for (const std::string& attribute : *side) {
      for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
        if (part.kind == TemplatePart::Kind::kAttribute && !Contains(named, part.text)) return false;
      }
    }
  }
  return true;
}

// What a query sorts by. Nullopt if it sorts by time or by a number, or if there is only one item.
std::optional<std::string> OrderedBy(const Subject& subject, PatternId id, EntityId entity_id) {
  const Pattern& pattern = subject.pattern(id);
  if (pattern.from) return {};  // its order is that of the key, in one direction or the other
  const Entity& entity = subject.entity(entity_id);
  const bool has_time = std::any_of(entity.attributes.begin(), entity.attributes.end(),
                                    [&](const Attribute& one) { return IsTime(subject, one); });
  if (!has_time ||
      (!pattern.index && (subject.access(id)->read().whole_key || subject.FreeSortParts(entity_id, {}).empty())))
    return {};
  if (pattern.index && IsAlone(subject, entity, *pattern.index)) return {};
  const TemplatePart* first = nullptr;
  for (const std::string& attribute : subject.model().SortKey(pattern.index)) {
    for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
      if (part.kind != TemplatePart::Kind::kAttribute) continue;
      if (SortsByTime(subject, *entity.Find(part.text))) return {};
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

// Returns true if the parts write a time to the second, and nothing that is finer.
bool TellsSeconds(const Subject& subject, const Entity& entity, const std::vector<const TemplatePart*>& parts) {
  bool seconds = false;
  for (const TemplatePart* part : parts) {
    if (part->kind != TemplatePart::Kind::kAttribute) return false;
    const Attribute& attribute = *entity.Find(part->text);
    if (!IsTime(subject, attribute)) return false;
    const size_t width = TimeLayoutOf(*part).size();
    const size_t to_the_second = LayoutOf(Format::kIsoSeconds).size();
    const bool exact = attribute.type == AttributeType::kEpochSeconds || width == to_the_second;
    if (!exact && (width == 0 || width > to_the_second)) return false;
    seconds |= exact;
  }
  return seconds;
}

// Reports events that are put under a key with nothing but a time to the second. (A key to the millisecond is taken as
// unique, and one to the day as a record for the day.)
void CheckSameSecond(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  const auto puts = [&](EntityId id) {
    return std::any_of(model.patterns.begin(), model.patterns.end(), [&](const Pattern& pattern) {
      return std::any_of(pattern.actions.begin(), pattern.actions.end(),
                         [&](const Action& action) { return action.verb == Verb::kPut && action.entity == id; });
    });
  };
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    if (model.table.sk.empty() || !TellsSeconds(subject, entity, subject.FreeSortParts(id, {}))) continue;
    if (!puts(id) || PutsAreNew(subject, id)) continue;
    const KeyTemplate& key = *entity.FindKey(model.table.sk.back());
    report.Add(Severity::kWarning, {key.mark, id},
               kSameSecond(key.attribute, entity.name, model.table.pk[0], key.attribute),
               key.attribute + " = " + key.value.text + " twice in one second");
  }
}

void CheckHistory(const Subject& subject, Report& report) {
  CheckOrder(subject, report);
  CheckSameSecond(subject, report);
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
     "reached twice overwrites its first entry, as does a second event in the same second under {at|iso_s}.",
     "Put the time first in the sort key, then what makes it unique: STATUS#{at|iso_ms}#{status}. An id that sorts by "
     "time serves as both.",
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
