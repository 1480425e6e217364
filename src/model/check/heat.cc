// Rules about load and size: hot keys, shards, growing collections, large items.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/check/rule.h"
#include "model/check/subject.h"
#include "model/core/figures.h"
#include "model/estimate/units.h"
#include "value/limits.h"

namespace keyfold::model::check {
namespace {

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
constexpr Wording<"{} is spread over {} shards, but {} {} units/s at peak on one value need only {}.", "Use n: {}{}.">
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
bool CannotSplit(const Subject& subject, const KeyHeat& heat) {
  const std::vector<Index>& indexes = subject.model().indexes;
  const bool local = std::any_of(indexes.begin(), indexes.end(), [](const Index& one) { return one.local; });
  if (!heat.index && local) return true;
  const std::vector<const TemplatePart*> free = subject.FreeSortParts(heat.loaded, heat.index);
  if (free.empty()) return true;
  return IsTimeOrdered(free[0]->type) || StoredAs(free[0]->type) == StoredType::kN;
}

// The load of one kind on the keys of a group.
struct Load {
  bool write = false;
  bool declared = false;
  double all = 0;     // on all values
  double before = 0;  // on the most loaded value, before sharding
  double limit = 0;   // what one partition provides
  std::string_view kind;
};

Load LoadOf(const Subject& subject, const KeyHeat& heat, bool write) {
  const PlanRules& rules = subject.estimate().rules();
  if (write) {
    return {true, heat.declared_writes, heat.all_write_units, heat.write_units, rules.partition_write_units, "write"};
  }
  return {false, heat.declared_reads, heat.all_read_units, heat.read_units, rules.partition_read_units, "read"};
}

// The patterns that a load comes from: "put 600/s x 3".
std::string TermsOf(const Subject& subject, const KeyHeat& heat, bool write) {
  std::vector<std::string> terms;
  for (const PatternHeat& one : heat.patterns) {
    const Pattern& pattern = subject.pattern(one.pattern);
    if (one.write == write)
      terms.push_back(pattern.name + " " + Figure(pattern.rps_peak) + "/s x " + Figure(one.units));
  }
  return Listed(terms);
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

void ReportHot(const Subject& subject, const KeyHeat& heat, bool write, Mentions& unknown, Report& report) {
  const Load load = LoadOf(subject, heat, write);
  const double most = load.limit * subject.estimate().rules().heat_target;
  const bool known = load.declared || heat.share;
  const double one = (known ? load.before : load.all) / heat.shards;
  if (one <= most) return;
  if (!known) {
    unknown.Add(subject, heat.loaded, heat.index, fmt::format("{} {} units/s at peak", Figure(load.all), load.kind));
    return;
  }
  std::string sum = load.declared
                        ? "declared " + Figure(load.before) + "/s"
                        : TermsOf(subject, heat, write) + " = " + Figure(load.all) + "/s; x " + Percent(*heat.share);
  if (heat.shards > 1) sum += ", / " + std::to_string(heat.shards) + " shards";
  const bool error = one > load.limit && CannotSplit(subject, heat);
  const double shards = Steps(load.before, most);
  report.Add(
      error ? Severity::kError : Severity::kWarning,
      {KeyMark(subject, heat.loaded, heat.index), heat.loaded, {}, heat.index},
      kHot(subject.entity(heat.loaded).name, KeyName(subject, heat.loaded, heat.index), Figure(one), load.kind,
           Percent(one / load.limit), Figure(load.limit), HotRemedy(subject, heat.loaded, heat.index, write, shards)),
      sum + " = " + Figure(one) + "/s on one value");
}

// Mentions low cardinality that is not a hot key yet.
void MentionFewValues(const Subject& subject, const KeyHeat& heat, Mentions& few) {
  constexpr double kFew = 200;
  if (!heat.values || *heat.values > kFew || heat.shards > 1 || !heat.IsLoaded()) return;
  for (const bool write : {true, false}) {
    const Load load = LoadOf(subject, heat, write);
    if (load.before > load.limit * subject.estimate().rules().heat_target) return;
  }
  const bool collection = heat.index || std::any_of(heat.entities.begin(), heat.entities.end(), [&](EntityId id) {
                            return !subject.FreeSortParts(id, heat.index).empty();
                          });
  if (!collection) return;
  const Load writes = LoadOf(subject, heat, true);
  const std::string values = *heat.values == 1 ? "one value" : Figure(*heat.values) + " values";
  few.Add(subject, heat.loaded, heat.index, values + ", " + Figure(writes.before) + " write units/s at peak");
}

void CheckHeat(const Subject& subject, Report& report) {
  Mentions unknown;
  Mentions few;
  for (const KeyHeat& heat : subject.estimate().heat()) {
    ReportHot(subject, heat, true, unknown, report);
    ReportHot(subject, heat, false, unknown, report);
    MentionFewValues(subject, heat, few);
  }
  if (!unknown.keys.empty())
    report.Add(Severity::kInfo, {unknown.first}, kUnknownSpread(Listed(unknown.keys), Listed(unknown.entities)));
  if (!few.keys.empty())
    report.Add(Severity::kInfo, {few.first},
               kFewValues(Listed(few.keys), Figure(subject.estimate().rules().partition_write_units)));
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
  for (const KeyHeat& heat : subject.estimate().heat()) {
    if (!IsCalendarKey(subject, heat.loaded, heat.index)) continue;
    const double writes = std::max(heat.all_write_units, heat.write_units);
    if (writes <= kWriteUnits) continue;
    report.Add(Severity::kWarning, {KeyMark(subject, heat.loaded, heat.index), heat.loaded, {}, heat.index},
               kCalendarKey(KeyName(subject, heat.loaded, heat.index), Figure(writes)),
               TermsOf(subject, heat, true) + " = " + Figure(writes) + "/s on one value");
  }
}

// What fewer shards would save the readers of all shards.
std::string FanOutSaved(const Subject& subject, const KeyHeat& heat, double needed) {
  std::string saved;
  for (PatternId id = 0; id < subject.model().patterns.size(); ++id) {
    const Access* access = subject.access(id);
    if (access == nullptr || access->shards < 2 || access->read().index != heat.index) continue;
    if (access->read().wanted[0] != heat.loaded) continue;
    saved = ", which also saves " + subject.pattern(id).name + " " + Figure(access->shards - needed) + " of its " +
            std::to_string(access->shards) + " requests";
  }
  return saved;
}

void CheckShardCounts(const Subject& subject, Report& report) {
  const double target = subject.estimate().rules().heat_target;
  for (const KeyHeat& heat : subject.estimate().heat()) {
    if (heat.shards < 2) continue;
    // If the spread is unknown, all of the load could be on one value.
    const auto on_one = [&](const Load& load) { return load.declared || heat.share ? load.before : load.all; };
    const auto needs = [&](const Load& load) { return std::max(1.0, Steps(on_one(load), load.limit * target)); };
    const Load writes = LoadOf(subject, heat, true);
    const Load reads = LoadOf(subject, heat, false);
    const Load& load = needs(reads) > needs(writes) ? reads : writes;
    const double needed = needs(load);
    if (heat.shards <= 2 * needed) continue;
    const std::string peak = Figure(on_one(load));
    report.Add(Severity::kInfo, {subject.entity(heat.loaded).shard->mark, heat.loaded, {}, heat.index},
               kOverSharded(KeyName(subject, heat.loaded, heat.index), heat.shards, peak, load.kind, Figure(needed),
                            Figure(needed), FanOutSaved(subject, heat, needed)),
               "2 x ceil(" + peak + " / " + Figure(load.limit * target) + ") = " + Figure(2 * needed) + ", and n is " +
                   std::to_string(heat.shards));
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

// Returns true if something limits the items of one partition: `per`, expiry, or a calendar part of the key.
bool IsBounded(const Subject& subject, EntityId id) {
  const Entity& entity = subject.entity(id);
  const CollectionPart* part = subject.estimate().PartOf(id, {});
  if (entity.ttl_after_s || (part != nullptr && part->items_max)) return true;
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
    std::string growth;
    std::string example;
    const CollectionPart& part = *subject.estimate().PartOf(id, {});
    if (part.bytes_1y > part.bytes()) {
      growth = ", by " + Bytes(part.bytes_1y - part.bytes()) + " a year on average";
      example = "now " + Bytes(part.bytes()) + ", in 1 year " + Bytes(part.bytes_1y) + ", in 3 years " +
                Bytes(part.bytes_3y) + " for each " + subject.entity(*owner).name;
    }
    const std::string& parent = subject.entity(*owner).name;
    report.AddPair(Severity::kWarning, {entity.mark}, id, *owner, kUnbounded(entity.name, parent, growth, parent),
                   example);
  }
}

// Bytes of an item and of its entries in local indexes, which are in the same collection.
double BytesWithLocalEntries(const Subject& subject, EntityId id) {
  const Model& model = subject.model();
  double bytes = subject.EntrySize(id, {});
  for (IndexId index = 0; index < model.indexes.size(); ++index) {
    if (model.indexes[index].local && subject.entity(id).Has(model.indexes[index]))
      bytes += subject.EntrySize(id, index);
  }
  return bytes;
}

// Checks the largest size of a table partition, including the entries of local indexes.
void CheckLocalCollections(const Subject& subject, Report& report) {
  constexpr double kCollectionBytes = 8.0 * (1 << 30);
  for (const Collection& collection : subject.estimate().collections()) {
    if (collection.index) continue;
    double bytes = 0;
    std::vector<std::string> sum;
    for (const CollectionPart& part : collection.parts) {
      const double later = part.item_bytes > 0 ? part.bytes_3y / part.item_bytes : 0;
      const double items = part.items_max.value_or(std::max(part.items, later));
      const double each = BytesWithLocalEntries(subject, part.entity);
      bytes += items * each;
      sum.push_back(Figure(items) + " " + subject.entity(part.entity).name + " x " + Bytes(each));
    }
    if (bytes <= kCollectionBytes) continue;
    const EntityId first = collection.entities[0];
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
