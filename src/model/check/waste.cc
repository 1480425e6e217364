// Rules about reads that pay for items they do not return: filtered items, neighbors in the partition, pages nobody
// follows.
#include <algorithm>

#include "model/check/put.h"
#include "model/check/query.h"
#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

constexpr Wording<
    "{} keeps only {} of what it reads, by a filter on {}, but pays for all of it ({} read units/s wasted).",
    "Put {} into the key of an index.">
    kFiltered{"L11"};
constexpr Wording<
    "{} gives {}, but {} does not have it next in its sort key, so it only filters what has been read and paid for "
    "({} read units/s).",
    "Put {} into the sort key after what else is given; if a filter is meant, write it in where.">
    kFilteredKey{"L11"};
constexpr Wording<"{} gives {} only to compute the shard, and so reads every {} in that shard, whatever its {}.",
                  "Put {} into the partition key as well, or instead of the shard.">
    kSharedShard{"L11"};
constexpr Wording<"{} also reads {}: {} of its bytes.",
                  "Give the wanted entities a common sort key prefix, or move {} to a partition of their own.">
    kOverRead{"L12"};
constexpr Wording<"{} scans {} {} times per second, and a scan reads everything.", "Serve it by a key or an index.">
    kScan{"L13"};
constexpr Wording<
    "{} has a limit and a filter on {}: the limit counts before the filter, so pages come back short or empty.",
    "Add paginate: all, or put {} into the key.">
    kLimitFilter{"L13"};
constexpr Wording<
    "{} has a limit and also reads {}: the limit counts them, so pages come back short or empty.",
    "Add paginate: all, give the wanted entities a common sort key prefix, or move {} to a partition of their own.">
    kLimitUnwanted{"L13"};
constexpr Wording<"{} scans {} {} times per second for {} items in no useful order.", "Serve it by a key or an index.">
    kLimitedScan{"L13"};
constexpr Wording<"{} can return {}, but a query returns at most 1 MB at a time.", "Add paginate: all or a limit.">
    kUnpaged{"L14"};

// The entities that a query reads besides those that it asks for, apart from those that are there instead of them.
std::vector<EntityId> NeighborsOf(const Subject& subject, PatternId id) {
  std::vector<EntityId> all = subject.UnwantedOf(id);
  const auto instead = [&](EntityId one) { return IsOfOtherKind(subject, id, one); };
  all.erase(std::remove_if(all.begin(), all.end(), instead), all.end());
  return all;
}

std::optional<double> SelectivityOf(const Subject& subject, const Pattern& pattern, std::string_view name) {
  for (const EntityId id : pattern.entities) {
    const Attribute* attribute = subject.entity(id).Find(name);
    if (attribute == nullptr) continue;
    if (attribute->cardinality && *attribute->cardinality > 0) return 1 / *attribute->cardinality;
    if (attribute->type == AttributeType::kEnum) return 1.0 / static_cast<double>(attribute->values.size());
    if (attribute->type == AttributeType::kBool) return 0.5;
  }
  return {};
}

// Attributes that a filter compares for equality.
std::vector<std::string> FilteredEqual(const Access& access, const Pattern& pattern) {
  std::vector<std::string> names;
  for (const std::string& name : access.unused_by) {
    if (Subject::InFilter(access, name)) names.push_back(name);
  }
  for (const Comparison& one : pattern.where.all) {
    const bool equal = one.comparator == Comparator::kEqual && one.path == one.attribute;
    if (equal && Subject::InFilter(access, one.attribute)) names.push_back(one.attribute);
  }
  return names;
}

// The attribute that a query is given only to compute the shard; empty if there is none.
std::string OnlyHashed(const KeyRead& read) {
  std::string hashed;
  std::vector<std::string> in_key;
  const auto visit = [&](const Formula& formula) {
    for (const Piece& piece : formula.pieces) {
      if (piece.kind == Piece::Kind::kShardOfHash) hashed = piece.text;
      if (piece.kind == Piece::Kind::kInput) in_key.push_back(piece.text);
    }
  };
  for (const auto* parts : {&read.partition, &read.sort}) {
    for (const KeyPart& part : *parts) visit(part.value);
  }
  visit(read.range.low);
  return Contains(in_key, hashed) ? "" : hashed;
}

// What the query is given but does not have in its key condition: names in `by` whose share of the items is unknown,
// and the attributes of ranges.
std::vector<std::string> GivenInVain(const Subject& subject, const Access& access, const Pattern& pattern) {
  std::vector<std::string> names;
  for (const std::string& name : access.unused_by) {
    if (Subject::InFilter(access, name) && !SelectivityOf(subject, pattern, name)) names.push_back(name);
  }
  const std::string& of = access.read().range.of;
  const auto add_range = [&](const std::string& name) {
    const bool bucket = access.buckets && access.buckets->attribute == name;
    if (access.range_filtered && of != name && !bucket) names.push_back(name);
  };
  if (pattern.between) add_range(pattern.between->attribute);
  if (pattern.begins) add_range(pattern.begins->attribute);
  return names;
}

void CheckGiven(const Subject& subject, PatternId id, const Access& access, Report& report) {
  const Pattern& pattern = subject.pattern(id);
  const Place place{pattern.mark, pattern.entities[0], id, pattern.index};
  const std::string hashed = OnlyHashed(access.read());
  if (!hashed.empty()) {
    const std::string& entity = subject.entity(access.read().wanted[0]).name;
    report.Add(Severity::kWarning, place, kSharedShard(pattern.name, hashed, entity, hashed, "{" + hashed + "}"));
    return;
  }
  for (const std::string& name : GivenInVain(subject, access, pattern)) {
    const double units = subject.ReadUnits(id) * pattern.rps_avg;
    report.Add(units > 1 ? Severity::kWarning : Severity::kInfo, place,
               kFilteredKey(pattern.name, name, PlaceName(subject, pattern.index), Figure(units), name));
  }
}

void CheckFilters(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (!IsQuery(access)) continue;
    CheckGiven(subject, id, *access, report);
    const Pattern& pattern = subject.pattern(id);
    for (const std::string& name : FilteredEqual(*access, pattern)) {
      const auto share = SelectivityOf(subject, pattern, name);
      if (!share || *share >= 0.5) continue;
      const double units = subject.ReadUnits(id);
      const double wasted = units * (1 - *share) * pattern.rps_avg;
      report.Add(wasted > 1 ? Severity::kWarning : Severity::kInfo,
                 {pattern.mark, pattern.entities[0], id, pattern.index},
                 kFiltered(pattern.name, Percent(*share), name, Figure(wasted), name),
                 Figure(units) + " units x " + Percent(1 - *share) + " x " + Figure(pattern.rps_avg) +
                     "/s = " + Figure(wasted) + " units/s" + subject.DoubtsOf(id));
    }
  }
}

void CheckOverReads(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (!IsQuery(access) || IsLeak(*access)) continue;
    const std::vector<EntityId> unwanted = NeighborsOf(subject, id);
    if (unwanted.empty()) continue;
    const Pattern& pattern = subject.pattern(id);
    const ReadVolume& volume = subject.estimate().pattern(id).volume;
    const double all = volume.bytes;
    double vain = 0;
    for (const ReadPart& part : volume.parts) vain += part.wanted ? 0 : part.bytes();
    const std::string names = Listed(NamesOf(subject, unwanted));
    report.AddPair(vain / all < 0.1 ? Severity::kInfo : Severity::kWarning, {pattern.mark, {}, id, pattern.index},
                   pattern.entities[0], unwanted[0], kOverRead(pattern.name, names, Percent(vain / all), names),
                   names + ": " + Bytes(vain) + " of " + Bytes(all) + subject.DoubtsOf(id));
  }
}

// Attributes in the filter except the expiry attribute. For a scan these include the type attribute.
std::vector<std::string> FilteredBy(const Subject& subject, const Access& access) {
  std::vector<std::string> names;
  for (const auto& [alias, name] : access.aliases.names) {
    if (name != subject.model().table.ttl && Subject::InFilter(access, name)) names.push_back(name);
  }
  return names;
}

// Reports a query whose limit counts items of entities that it does not ask for.
void CheckLimitedCollection(const Subject& subject, PatternId id, const Access& access, const Place& place,
                            Report& report) {
  const Pattern& pattern = subject.pattern(id);
  if (!IsQuery(&access) || IsLeak(access) || !pattern.limit || pattern.paginate) return;
  const std::vector<EntityId> unwanted = NeighborsOf(subject, id);
  if (unwanted.empty()) return;
  const std::string names = Listed(NamesOf(subject, unwanted));
  report.Add(Severity::kError, place, kLimitUnwanted(pattern.name, names, names),
             "the first " + std::to_string(*pattern.limit) + " items read may all be of " + names);
}

void CheckScans(const Subject& subject, Report& report) {
  constexpr double kScansPerSecond = 0.01;
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (access == nullptr || access->reads.empty()) continue;
    const Pattern& pattern = subject.pattern(id);
    const Place place{pattern.mark, pattern.entities[0], id, pattern.index};
    const std::vector<std::string> filtered = FilteredBy(subject, *access);
    const bool first_page = pattern.limit && !pattern.paginate;
    const bool often = pattern.verb == Verb::kScan && pattern.rps_avg > kScansPerSecond;
    if (often && first_page && filtered.empty()) {
      report.Add(
          Severity::kWarning, place,
          kLimitedScan(pattern.name, PlaceName(subject, pattern.index), Figure(pattern.rps_avg), *pattern.limit));
      continue;
    }
    if (often) {
      report.Add(Severity::kError, place,
                 kScan(pattern.name, PlaceName(subject, pattern.index), Figure(pattern.rps_avg)),
                 Figure(subject.ReadUnits(id)) + " read units per scan x " + Figure(pattern.rps_avg) + "/s");
      continue;
    }
    CheckLimitedCollection(subject, id, *access, place, report);
    if (!first_page || filtered.empty()) continue;
    report.Add(Severity::kError, place, kLimitFilter(pattern.name, Listed(filtered), filtered[0]),
               "the first " + std::to_string(*pattern.limit) + " items read may all fail the filter");
  }
}

void CheckPaging(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    const Pattern& pattern = subject.pattern(id);
    if (!IsQuery(access) || pattern.limit || pattern.paginate) continue;
    const PatternEstimate& estimate = subject.estimate().pattern(id);
    if (estimate.pages_max <= 1) continue;
    std::vector<std::string> sum;
    for (const ReadPart& part : estimate.volume.parts) {
      sum.push_back(Figure(std::max(part.items, part.items_max.value_or(0))) + " " + subject.entity(part.entity).name +
                    " x " + Bytes(part.item_bytes));
    }
    report.Add(Severity::kWarning, {pattern.mark, pattern.entities[0], id, pattern.index},
               kUnpaged(pattern.name, Bytes(estimate.volume.bytes_max / access->shards)),
               Listed(sum) + subject.DoubtsOf(id));
  }
}

constexpr LintRule kWasteRuleRows[] = {
    {"L11", Severity::kWarning, "A filter does the work of a key",
     "A filter drops items after they have been read and paid for. What by, between or begins gives becomes a filter, "
     "too, if it is not the next part of the key; and an attribute that only selects a shard selects everything in it.",
     "Put the attribute into the key of an index, before the part that is ranged over.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}"}
    attributes: {userId: string, orderId: string, status: [pending, paid, shipped, delivered]}
    per: {User: {avg: 100, max: 1000}}
patterns:
  pending: {query: Order, by: [userId, status], paginate: all, rps: {avg: 50}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string}}
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{orderId}", GSI1PK: "USER#{userId}#{status}", GSI1SK: "ORDER#{orderId}"}
    attributes: {userId: string, orderId: string, status: [pending, paid, shipped, delivered]}
    per: {User: {avg: 100, max: 1000}}
patterns:
  pending: {query: Order, index: GSI1, by: [userId, status], paginate: all, rps: {avg: 50}}
)yaml",
     CheckFilters},
    {"L12", Severity::kWarning, "A collection read also reads entities it does not ask for",
     "A query of a whole partition reads every entity in it, and each costs read units.",
     "Sort the wanted entities under a common prefix, or move the large one to a partition of its own.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#{id}"}, attributes: {userId: string, id: string}, per: {User: {avg: 10, max: 100}}}
  Click: {keys: {PK: "USER#{userId}", SK: "CLICK#{id}"}, attributes: {userId: string, id: string}, per: {User: {avg: 500, max: 9000}}}
patterns:
  everything: {query: [User, Order], by: [userId], paginate: all, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Order: {keys: {PK: "USER#{userId}", SK: "ORDER#{id}"}, attributes: {userId: string, id: string}, per: {User: {avg: 10, max: 100}}}
  Click: {keys: {PK: "CLICKS#{userId}", SK: "CLICK#{id}"}, attributes: {userId: string, id: string}}
patterns:
  everything: {query: [User, Order], by: [userId], paginate: all, rps: {avg: 5}}
)yaml",
     CheckOverReads},
    {"L13", Severity::kError, "A scan, or a limit before a filter",
     "A scan reads the whole table. A limit counts the items read, not those a filter keeps or those of the wanted "
     "entities: a page of 20 may be empty although more matches follow.",
     "Serve the pattern by a key; if a filter remains, follow the pages (paginate: all).",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: USER}, attributes: {userId: string, city: string}}
patterns:
  inCity: {scan: User, where: "city = city", rps: {avg: 2}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {GSI1: {pk: GSI1PK, sk: GSI1SK}}
entities:
  User:
    keys: {PK: "USER#{userId}", SK: USER, GSI1PK: "CITY#{city}", GSI1SK: "USER#{userId}"}
    attributes: {userId: string, city: string}
patterns:
  inCity: {query: User, index: GSI1, by: [city], limit: 20, rps: {avg: 2}}
)yaml",
     CheckScans},
    {"L14", Severity::kWarning, "A result longer than a page, read as one page",
     "A query returns at most 1 MB, and the key to continue from. Code that ignores the key misses the rest.",
     "Add paginate: all, or a limit.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{id}"}
    attributes: {userId: string, id: string}
    size: {avg: 600}
    per: {User: {avg: 50, max: 5000}}
patterns:
  orders: {query: Order, by: [userId], rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  User: {keys: {PK: "USER#{userId}", SK: PROFILE}, attributes: {userId: string}}
  Order:
    keys: {PK: "USER#{userId}", SK: "ORDER#{id}"}
    attributes: {userId: string, id: string}
    size: {avg: 600}
    per: {User: {avg: 50, max: 5000}}
patterns:
  orders: {query: Order, by: [userId], paginate: all, rps: {avg: 5}}
)yaml",
     CheckPaging},
};

}  // namespace

const std::span<const LintRule> kWasteRules = kWasteRuleRows;

}  // namespace keyfold::model::check
