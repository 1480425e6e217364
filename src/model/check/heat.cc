// Rules about load and size: hot keys, shards, growing collections, large items.
#include <algorithm>
#include <cmath>

#include "model/check/load.h"
#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

constexpr double kWriteUnitsPerKey = 1000;
constexpr double kReadUnitsPerKey = 3000;
constexpr double kTargetShare = 0.7;

constexpr Wording<"One value of {} {} gets {} {} units/s at peak, {} of the {} that one partition provides.", "{}.">
    kHot{"L15"};
constexpr Wording<"It is unknown how many values {} can have, and a single one would be too hot.",
                  "Declare cardinality of the placeholders, or count of {}.">
    kUnknownSpread{"L15"};
constexpr Wording<"{} can have only few values, so the load cannot spread further.",
                  "Nothing to do now: one value can take {} write units/s; check again when traffic grows.">
    kFewValues{"L15"};
constexpr Wording<"{} has only calendar parts, so all {} write units/s go to the current one.",
                  "Put an id before the time, or add {shard}.">
    kCalendarKey{"L16"};
constexpr Wording<"{} is spread over {} shards, but {} write units/s at peak on one value need only {}.",
                  "Use n: {}{}.">
    kOverSharded{"L17"};
constexpr Wording<"{} addresses {} by its key, but the shard is random and cannot be recomputed.",
                  "Shard by hash(...) of an attribute that {} gives.">
    kRandomShard{"L18"};
constexpr Wording<"{} reads every shard, but does not say how to merge the results.",
                  "Add merge: [attribute], or merge: [] if the order does not matter.">
    kNoMerge{"L19"};
constexpr Wording<"{} must read one partition per {} of {}, but gives neither bounds nor the value.",
                  "Add between: {{}: [from, to]}.">
    kEndlessBuckets{"L19"};
constexpr Wording<"{} grows in the partition of {} without limit{}.",
                  "Declare per: {{}: {max}}, expire it by TTL, or put a month into its partition key.">
    kUnbounded{"L20"};
constexpr Wording<"The table has {} local indexes, but DynamoDB allows at most 5.", "Make some of them global.">
    kManyLocal{"L21"};
constexpr Wording<"The local index {} has a different partition key than the table.", "Use {}, or make it global.">
    kLocalKey{"L21"};
constexpr Wording<"With a local index, one partition key value holds at most 10 GB, but {} can reach {}.",
                  "Make the index global, or bound the collection.">
    kLargeCollection{"L21"};
constexpr Wording<"{} can have {}, but an item is limited to 400 KB.",
                  "Keep the large part in an object store and its address in the item.">
    kTooLarge{"L31"};
constexpr Wording<"{} has {} on average, and every read and write pays for all of it.",
                  "Keep the large part in an object store and its address in the item.">
    kLarge{"L31"};
constexpr Wording<
    "{} of {} is a {} without max_length in an item that is updated, so it can grow to the item limit of 400 KB.",
    "Declare max_length, or make each element an item.">
    kOpenList{"L31"};

std::string KeyName(const Subject& subject, EntityId id, std::optional<IndexId> index) {
  std::string name;
  for (const std::string& attribute : subject.model().PartitionKey(index)) {
    name += (name.empty() ? "" : " + ") + attribute + " " + subject.entity(id).FindKey(attribute)->value.text;
  }
  return name;
}

Mark KeyMark(const Subject& subject, EntityId id, std::optional<IndexId> index) {
  return subject.entity(id).FindKey(subject.model().PartitionKey(index)[0])->mark;
}

// Returns true if DynamoDB cannot split a hot partition of this group by sort key.
bool CannotSplit(const Subject& subject, const GroupLoad& load) {
  const std::optional<IndexId> index = load.group->index;
  const std::vector<Index>& indexes = subject.model().indexes;
  if (!index && std::any_of(indexes.begin(), indexes.end(), [](const Index& one) { return one.local; })) return true;
  const std::vector<const TemplatePart*> free = subject.FreeSortParts(load.loaded, index);
  if (free.empty()) return true;
  return IsTimeOrdered(free[0]->type) || StoredAs(free[0]->type) == StoredType::kN;
}

// Returns true if the load is on single items that updates compare before they set them, so that no shard can take a
// part of it.
bool IsCompareAndSet(const Subject& subject, EntityId loaded, std::optional<IndexId> index) {
  if (index || !subject.FreeSortParts(loaded, {}).empty()) return false;
  const auto compares = [&](const Action& action) {
    return action.verb == Verb::kUpdate && action.entity == loaded &&
           std::any_of(action.condition.all.begin(), action.condition.all.end(), [](const Comparison& one) {
             return one.comparator != Comparator::kExists && one.comparator != Comparator::kMissing;
           });
  };
  const std::vector<Pattern>& patterns = subject.model().patterns;
  return std::any_of(patterns.begin(), patterns.end(), [&](const Pattern& pattern) {
    return std::any_of(pattern.actions.begin(), pattern.actions.end(), compares);
  });
}

std::string HotRemedy(const Subject& subject, EntityId loaded, std::optional<IndexId> index, bool write,
                      double shards) {
  if (!write) return "Cache it, or spread copies of it";
  if (IsCompareAndSet(subject, loaded, index))
    return "Give each change an item of its own, or queue the changes: an item that is compared cannot be split into "
           "shards";
  return "Spread it over " + Figure(shards) + " shards";
}

// Loads that are only worth mentioning, as one finding for all of them.
struct Mentions {
  std::vector<std::string> keys;
  std::vector<std::string> entities;
  Mark first;

  void Add(const Subject& subject, EntityId loaded, std::optional<IndexId> index, const std::string& about) {
    if (keys.empty()) first = KeyMark(subject, loaded, index);
    keys.push_back(KeyName(subject, loaded, index) + " (" + about + ")");
    const std::string& entity = subject.entity(loaded).name;
    if (!Contains(entities, entity)) entities.push_back(entity);
  }
};

void ReportHot(const Subject& subject, const GroupLoad& load, bool write, Mentions& unknown, Report& report) {
  const double before = write ? load.WritesBeforeSharding() : load.ReadsBeforeSharding();
  const double limit = write ? kWriteUnitsPerKey : kReadUnitsPerKey;
  const double one = before / load.shards;
  if (one <= limit * kTargetShare) return;
  const std::optional<IndexId> index = load.group->index;
  const bool declared = write ? load.declared_writes.has_value() : load.declared_reads.has_value();
  const char* const kind = write ? "write" : "read";
  if (!declared && !load.IsKnown()) {
    unknown.Add(subject, load.loaded, index,
                Figure(write ? load.writes : load.reads) + " " + kind + " units/s at peak");
    return;
  }
  const double shards = std::ceil(before / (limit * kTargetShare));
  std::string sum = declared ? "declared " + Figure(before) + "/s"
                             : Listed(write ? load.write_terms : load.read_terms) + " = " +
                                   Figure(write ? load.writes : load.reads) + "/s; x " + Percent(load.top_share);
  if (load.shards > 1) sum += ", / " + std::to_string(load.shards) + " shards";
  const bool error = one > limit && CannotSplit(subject, load);
  report.Add(error ? Severity::kError : Severity::kWarning,
             {KeyMark(subject, load.loaded, index), load.loaded, {}, index},
             kHot(subject.entity(load.loaded).name, KeyName(subject, load.loaded, index), Figure(one), kind,
                  Percent(one / limit), Figure(limit), HotRemedy(subject, load.loaded, index, write, shards)),
             sum + " = " + Figure(one) + "/s on one value");
}

// Mentions low cardinality that is not a hot key yet.
void MentionFewValues(const Subject& subject, const GroupLoad& load, Mentions& few) {
  constexpr double kFew = 200;
  if (!load.distinct || *load.distinct > kFew || load.shards > 1) return;
  const std::optional<IndexId> index = load.group->index;
  if (load.WritesBeforeSharding() > kWriteUnitsPerKey * kTargetShare) return;
  if (load.ReadsBeforeSharding() > kReadUnitsPerKey * kTargetShare) return;
  bool collection = false;
  for (const EntityId id : load.group->entities) {
    collection |= index.has_value() || !subject.FreeSortParts(id, index).empty();
  }
  if (!collection) return;
  const std::string values = *load.distinct == 1 ? "one value" : Figure(*load.distinct) + " values";
  few.Add(subject, load.loaded, index, values + ", " + Figure(load.WritesBeforeSharding()) + " write units/s at peak");
}

void CheckHeat(const Subject& subject, Report& report) {
  Mentions unknown;
  Mentions few;
  for (const GroupLoad& load : LoadsOf(subject)) {
    ReportHot(subject, load, true, unknown, report);
    ReportHot(subject, load, false, unknown, report);
    MentionFewValues(subject, load, few);
  }
  if (!unknown.keys.empty())
    report.Add(Severity::kInfo, {unknown.first}, kUnknownSpread(Listed(unknown.keys), Listed(unknown.entities)));
  if (!few.keys.empty())
    report.Add(Severity::kInfo, {few.first}, kFewValues(Listed(few.keys), Figure(kWriteUnitsPerKey)));
}

bool IsCalendarKey(const Subject& subject, EntityId id, std::optional<IndexId> index) {
  bool calendar = false;
  for (const std::string& attribute : subject.model().PartitionKey(index)) {
    for (const TemplatePart& part : subject.entity(id).FindKey(attribute)->value.parts) {
      if (part.IsLiteral()) continue;
      if (part.kind == TemplatePart::Kind::kShard || !IsTimeText(part.type)) return false;
      calendar = true;
    }
  }
  return calendar;
}

void CheckCalendarKeys(const Subject& subject, Report& report) {
  constexpr double kWriteUnits = 100;
  for (const GroupLoad& load : LoadsOf(subject)) {
    const std::optional<IndexId> index = load.group->index;
    if (!IsCalendarKey(subject, load.loaded, index)) continue;
    const double writes = std::max(load.writes, load.declared_writes.value_or(0));
    if (writes <= kWriteUnits) continue;
    report.Add(Severity::kWarning, {KeyMark(subject, load.loaded, index), load.loaded, {}, index},
               kCalendarKey(KeyName(subject, load.loaded, index), Figure(writes)),
               Listed(load.write_terms) + " = " + Figure(writes) + "/s on one value");
  }
}

void CheckShardCounts(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  for (const GroupLoad& load : LoadsOf(subject)) {
    if (load.shards < 2) continue;
    const std::optional<IndexId> index = load.group->index;
    const double peak = load.WritesBeforeSharding();
    const double needed = std::max(1.0, std::ceil(peak / (kWriteUnitsPerKey * kTargetShare)));
    if (load.shards <= 2 * needed) continue;
    std::string fanout;
    for (PatternId id = 0; id < model.patterns.size(); ++id) {
      const Access* access = subject.access(id);
      if (access == nullptr || access->shards < 2 || access->read().index != index) continue;
      if (access->read().wanted[0] == load.loaded)
        fanout = ", which also saves " + subject.pattern(id).name + " " + Figure(access->shards - needed) + " of its " +
                 std::to_string(access->shards) + " requests";
    }
    const Entity& entity = subject.entity(load.loaded);
    report.Add(
        Severity::kInfo, {entity.shard->mark, load.loaded, {}, index},
        kOverSharded(KeyName(subject, load.loaded, index), load.shards, Figure(peak), Figure(needed), Figure(needed),
                     fanout),
        "2 x ceil(" + Figure(peak) + " / 700) = " + Figure(2 * needed) + ", and n is " + std::to_string(load.shards));
  }
}

bool HasShardInKey(const Subject& subject, const Entity& entity) {
  for (const KeySide* side : {&subject.model().table.pk, &subject.model().table.sk}) {
    for (const std::string& attribute : *side) {
      for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
        if (part.kind == TemplatePart::Kind::kShard) return true;
      }
    }
  }
  return false;
}

void CheckRandomShards(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    std::vector<EntityId> named;
    if (pattern.verb == Verb::kGet || pattern.verb == Verb::kBatchGet || pattern.verb == Verb::kTransactGet)
      named = pattern.entities;
    for (const Action& action : pattern.actions) {
      if (action.verb != Verb::kPut) named.push_back(action.entity);
    }
    for (const EntityId one : named) {
      const Entity& entity = subject.entity(one);
      if (!entity.shard || entity.shard->hash_of || !HasShardInKey(subject, entity)) continue;
      report.Add(Severity::kError, {pattern.mark, one, id}, kRandomShard(pattern.name, entity.name, pattern.name));
    }
  }
}

// The calendar part of a partition key for which a query gives no value; nullptr if there is none.
const TemplatePart* MissingBucket(const Subject& subject, const Unserved& why) {
  if (why.why != Unserved::Why::kUnbound) return nullptr;
  const KeyTemplate* key = subject.entity(why.entity).FindKey(why.key_attribute);
  if (key == nullptr) return nullptr;
  for (const TemplatePart& part : key->value.parts) {
    if (part.kind == TemplatePart::Kind::kAttribute && part.text == why.missing && IsBucket(part.format)) return &part;
  }
  return nullptr;
}

void CheckFanOut(const Subject& subject, Report& report) {
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Pattern& pattern = subject.pattern(id);
    if (!pattern.Reads()) continue;
    if (pattern.fanout && !pattern.merge)
      report.Add(Severity::kError, {pattern.mark, pattern.entities[0], id, pattern.index}, kNoMerge(pattern.name));
    const Unserved* why = subject.unserved(id);
    const TemplatePart* part = why != nullptr && pattern.verb == Verb::kQuery ? MissingBucket(subject, *why) : nullptr;
    if (part == nullptr) continue;
    report.Add(Severity::kError, {pattern.mark, why->entity, id, pattern.index},
               kEndlessBuckets(pattern.name, FormatName(part->format, 0), part->text, part->text));
  }
}

double PutsPerSecond(const Subject& subject, EntityId entity) {
  double puts = 0;
  for (const Pattern& pattern : subject.model().patterns) {
    for (const Action& action : pattern.actions) {
      if (action.verb == Verb::kPut && action.entity == entity) puts += pattern.rps_avg * action.times;
    }
  }
  return puts;
}

constexpr double kYearSeconds = 365.0 * 86400;

bool IsBounded(const Subject& subject, EntityId id) {
  const Entity& entity = subject.entity(id);
  if (entity.ttl_after_s || (!entity.per.empty() && entity.per[0].max)) return true;
  for (const std::string& attribute : subject.model().table.pk) {
    for (const TemplatePart& part : entity.FindKey(attribute)->value.parts) {
      if (IsBucket(part.format)) return true;
    }
  }
  return false;
}

void CheckGrowth(const Subject& subject, Report& report) {
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    const auto owner = subject.OwnerOf(id);
    if (!owner || subject.FreeSortParts(id, {}).empty() || IsBounded(subject, id)) continue;
    // Sort keys made only of enum values are bounded.
    const auto free = subject.FreeSortParts(id, {});
    if (std::all_of(free.begin(), free.end(), [](auto* part) { return part->alphabet == Alphabet::kChoice; })) continue;
    const double puts = PutsPerSecond(subject, id);
    const auto owners = subject.Count(*owner);
    std::string growth;
    std::string example;
    if (puts > 0 && owners) {
      const double a_year = puts * kYearSeconds / *owners * entity.size_avg;
      growth = ", by " + Bytes(a_year) + " a year on average";
      example = "in 1 year " + Bytes(a_year) + ", in 3 years " + Bytes(3 * a_year) + " for each " +
                subject.entity(*owner).name;
    }
    const std::string& parent = subject.entity(*owner).name;
    report.AddPair(Severity::kWarning, {entity.mark}, id, *owner, kUnbounded(entity.name, parent, growth, parent),
                   example);
  }
}

// Checks the largest size of a table partition, including the entries of local indexes.
void CheckLocalCollections(const Subject& subject, Report& report) {
  constexpr double kCollectionBytes = 8.0 * (1 << 30);
  const Model& model = subject.model();
  for (const PartitionGroup& group : subject.groups()) {
    if (group.index) continue;
    double bytes = 0;
    std::vector<std::string> sum;
    for (const EntityId id : group.entities) {
      const Entity& entity = subject.entity(id);
      double items = subject.ItemsPerPartition(id, {}, true);
      const auto owner = subject.OwnerOf(id);
      const auto owners = owner ? subject.Count(*owner) : std::nullopt;
      if (!IsBounded(subject, id) && owners)
        items = std::max(items, PutsPerSecond(subject, id) * 3 * kYearSeconds / *owners);
      double each = entity.size_avg;
      for (IndexId index = 0; index < model.indexes.size(); ++index) {
        if (model.indexes[index].local && entity.Has(model.indexes[index])) each += subject.EntrySize(id, index);
      }
      bytes += items * each;
      sum.push_back(Figure(items) + " " + entity.name + " x " + Bytes(each));
    }
    if (bytes <= kCollectionBytes) continue;
    const EntityId first = group.entities[0];
    report.Add(Severity::kError, {KeyMark(subject, first, {}), first},
               kLargeCollection(KeyName(subject, first, {}), Bytes(bytes)), Listed(sum) + " = " + Bytes(bytes));
  }
}

void CheckLocalIndexes(const Subject& subject, Report& report) {
  const Model& model = subject.model();
  size_t locals = 0;
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const Index& index = model.indexes[id];
    if (!index.local) continue;
    if (++locals == 6) {
      const auto is_local = [](const Index& one) { return one.local; };
      report.Add(Severity::kError, {index.mark, {}, {}, id},
                 kManyLocal(std::count_if(model.indexes.begin(), model.indexes.end(), is_local)));
    }
    if (index.pk != model.table.pk)
      report.Add(Severity::kError, {index.mark, {}, {}, id}, kLocalKey(index.name, Listed(model.table.pk)));
  }
  if (locals > 0) CheckLocalCollections(subject, report);
}

bool IsUpdated(const Subject& subject, EntityId entity) {
  for (const Pattern& pattern : subject.model().patterns) {
    for (const Action& action : pattern.actions) {
      if (action.verb == Verb::kUpdate && action.entity == entity) return true;
    }
  }
  return false;
}

void CheckSizes(const Subject& subject, Report& report) {
  constexpr double kLargeBytes = 100 * 1024;
  for (EntityId id = 0; id < subject.model().entities.size(); ++id) {
    const Entity& entity = subject.entity(id);
    const double most = std::max(entity.size_avg, entity.size_max.value_or(0));
    const Place place{entity.size_mark.line > 0 ? entity.size_mark : entity.mark, id};
    if (most > kItemBytesMax) {
      report.Add(Severity::kError, place, kTooLarge(entity.name, Bytes(most)), Figure(most) + " > 409,600 bytes");
    } else if (entity.size_avg > kLargeBytes) {
      report.Add(Severity::kWarning, place, kLarge(entity.name, Bytes(entity.size_avg)),
                 Figure(std::ceil(entity.size_avg / kWriteUnitBytes)) + " write units per write");
    }
    if (!IsUpdated(subject, id)) continue;
    for (const Attribute& attribute : entity.attributes) {
      const bool open = attribute.type == AttributeType::kList || attribute.type == AttributeType::kMap;
      if (open && !attribute.max_length)
        report.Add(Severity::kWarning, {attribute.mark, id}, kOpenList(attribute.name, entity.name, attribute.type));
    }
  }
}

constexpr LintRule kHeatRuleRows[] = {
    {"L15", Severity::kError, "A hot partition key",
     "One partition provides 1,000 write and 3,000 read units per second, whatever the table's capacity, in both "
     "billing modes. Load on one key value above that is throttled.",
     "Choose a partition key with more values, or add a shard: {shard} in the key, and shard: {n, by}.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Vote: {keys: {PK: "POLL#{answer}", SK: "{at|iso_ms}#{voter}"}, attributes: {answer: ["yes", "no"], at: time, voter: string}}
patterns:
  vote: {put: Vote, rps: {avg: 500, peak: 4000}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Vote:
    keys: {PK: "POLL#{answer}#{shard}", SK: "{at|iso_ms}#{voter}"}
    shard: {n: 5, by: random}
    attributes: {answer: ["yes", "no"], at: time, voter: string}
patterns:
  vote: {put: Vote, rps: {avg: 500, peak: 2000}}
)yaml",
     CheckHeat},
    {"L16", Severity::kWarning, "A partition key that is the current time",
     "With a date or an hour as the partition key, all current writes go to one partition, and yesterday's partition "
     "is idle.",
     "Put the id of what the events belong to before the time, or add a shard.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Event: {keys: {PK: "DAY#{at|day}", SK: "{at|iso_ms}#{id}"}, attributes: {at: time, id: string}}
patterns:
  record: {put: Event, rps: {avg: 200}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Event: {keys: {PK: "DEVICE#{device}#{at|day}", SK: "{at|iso_ms}#{id}"}, attributes: {device: string, at: time, id: string}}
patterns:
  record: {put: Event, rps: {avg: 200}}
)yaml",
     CheckCalendarKeys},
    {"L17", Severity::kInfo, "More shards than the load needs",
     "Every shard adds a request to each read of the whole. Shards that the load does not need cost money and bring no "
     "benefit.",
     "Lower n to what the peak needs at 70 % of 1,000 write units per second.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Job:
    keys: {PK: "QUEUE#{shard}", SK: "{at|iso_ms}#{id}"}
    shard: {n: 20, by: "hash(id)"}
    attributes: {at: time, id: string}
patterns:
  enqueue: {put: Job, rps: {avg: 5}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Job:
    keys: {PK: "QUEUE#{shard}", SK: "{at|iso_ms}#{id}"}
    shard: {n: 4, by: "hash(id)"}
    attributes: {at: time, id: string}
patterns:
  enqueue: {put: Job, rps: {avg: 1200}}
)yaml",
     CheckShardCounts},
    {"L18", Severity::kError, "An item in a random shard cannot be found by its key",
     "A get, an update or a delete needs the whole key. A random suffix is known only when the item is written.",
     "Derive the shard from the id: shard: {n: 10, by: hash(id)}.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Job:
    keys: {PK: "QUEUE#{shard}", SK: "JOB#{id}"}
    shard: {n: 4, by: random}
    attributes: {id: string}
patterns:
  enqueue: {put: Job, rps: {avg: 1200}}
  getJob: {get: Job, by: [id], rps: {avg: 10}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Job:
    keys: {PK: "QUEUE#{shard}", SK: "JOB#{id}"}
    shard: {n: 4, by: "hash(id)"}
    attributes: {id: string}
patterns:
  enqueue: {put: Job, rps: {avg: 1200}}
  getJob: {get: Job, by: [id], rps: {avg: 10}}
)yaml",
     CheckRandomShards},
    {"L19", Severity::kError, "A fan-out whose results cannot be combined",
     "Each shard returns items in its own order, so the results must be merged. Calendar buckets are enumerated, which "
     "needs both bounds.",
     "Add merge: [attribute] to a fan-out, and between: {attribute: [from, to]} to a read of buckets.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Job:
    keys: {PK: "QUEUE#{shard}", SK: "{at|iso_ms}#{id}"}
    shard: {n: 4, by: "hash(id)"}
    attributes: {at: time, id: string}
patterns:
  enqueue: {put: Job, rps: {avg: 1200}}
  oldest: {query: Job, fanout: shard, limit: 10, rps: {avg: 1}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Job:
    keys: {PK: "QUEUE#{shard}", SK: "{at|iso_ms}#{id}"}
    shard: {n: 4, by: "hash(id)"}
    attributes: {at: time, id: string}
patterns:
  enqueue: {put: Job, rps: {avg: 1200}}
  oldest: {query: Job, fanout: shard, merge: [at], limit: 10, rps: {avg: 1}}
)yaml",
     CheckFanOut},
    {"L20", Severity::kWarning, "A collection that grows without limit",
     "If a partition collects events forever, reads of the whole collection get slower and more expensive every month.",
     "Declare how many there can be (per.max), expire them, or put a month into the partition key.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Chat: {keys: {PK: "CHAT#{chatId}", SK: CHAT}, attributes: {chatId: string}, count: 1000}
  Message:
    keys: {PK: "CHAT#{chatId}", SK: "MSG#{at|iso_ms}"}
    attributes: {chatId: string, at: time}
    per: {Chat: {avg: 200}}
patterns:
  send: {put: Message, rps: {avg: 20}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Chat: {keys: {PK: "CHAT#{chatId}", SK: CHAT}, attributes: {chatId: string}, count: 1000}
  Message:
    keys: {PK: "CHAT#{chatId}#{at|month}", SK: "MSG#{at|iso_ms}"}
    attributes: {chatId: string, at: time}
    per: {Chat: {avg: 200}}
patterns:
  send: {put: Message, rps: {avg: 20}}
)yaml",
     CheckGrowth},
    {"L21", Severity::kError, "A local index limits the size of collections",
     "With a local index, all items of one partition key value and their index entries may take 10 GB in total; beyond "
     "that, writes fail.",
     "Use a global index, or bound the collection.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByTitle: {pk: PK, sk: title, local: true}}
entities:
  Shelf: {keys: {PK: "SHELF#{shelf}", SK: SHELF}, attributes: {shelf: string}}
  Book:
    keys: {PK: "SHELF#{shelf}", SK: "BOOK#{book}"}
    attributes: {shelf: string, book: string, title: string}
    size: {avg: 4096}
    per: {Shelf: {avg: 1000, max: 2000000}}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
indexes: {ByTitle: {pk: PK, sk: title, local: true}}
entities:
  Shelf: {keys: {PK: "SHELF#{shelf}", SK: SHELF}, attributes: {shelf: string}}
  Book:
    keys: {PK: "SHELF#{shelf}", SK: "BOOK#{book}"}
    attributes: {shelf: string, book: string, title: string}
    size: {avg: 4096}
    per: {Shelf: {avg: 1000, max: 20000}}
)yaml",
     CheckLocalIndexes},
    {"L31", Severity::kError, "An item that is too large",
     "An item is limited to 400 KB, including attribute names, and every write pays for each KB of it.",
     "Keep large parts in an object store and their address in the item; make the elements of a growing list separate "
     "items.",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Post:
    keys: {PK: "POST#{postId}", SK: POST}
    attributes: {postId: string, content: string}
    size: {avg: 20000, max: 10000000}
)yaml",
     R"yaml(model: 1
table: {name: App, key: {pk: PK, sk: SK}}
entities:
  Post:
    keys: {PK: "POST#{postId}", SK: POST}
    attributes: {postId: string, contentUrl: string}
    size: {avg: 500, max: 2000}
)yaml",
     CheckSizes},
};

}  // namespace

const std::span<const LintRule> kHeatRules = kHeatRuleRows;

}  // namespace keyfold::model::check
