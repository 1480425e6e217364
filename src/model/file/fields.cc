#include "model/file/fields.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "base/check.h"
#include "model/core/names.h"

namespace keyfold::model {
namespace {

constexpr std::string_view kStreams[] = {"none", "keys_only", "new_image", "old_image", "new_and_old_images"};
constexpr std::string_view kBillingModes[] = {"on_demand", "provisioned"};
constexpr std::string_view kClasses[] = {"standard", "standard_ia"};
constexpr std::string_view kProjections[] = {"keys", "all"};
constexpr std::string_view kTypes[] = {"string",     "number",     "decimal",    "bool",  "binary", "list", "map",
                                       "string_set", "number_set", "binary_set", "date",  "time_s", "time", "time_us",
                                       "epoch_s",    "epoch_ms",   "ulid",       "ksuid", "uuid7"};
constexpr std::string_view kSyncs[] = {"transaction", "stream", "none"};
constexpr std::string_view kOrders[] = {"asc", "desc"};
constexpr std::string_view kPaginates[] = {"all"};
constexpr std::string_view kFanouts[] = {"shard"};
constexpr std::string_view kConsistencies[] = {"eventual", "strong", "transactional"};
constexpr std::string_view kVerbNames[] = {"get",    "query",     "scan",        "put",      "update",
                                           "delete", "batch_get", "batch_write", "transact", "transact_get"};

constexpr Field kKeyFields[] = {
    {.name = "pk", .shape = Shape::kTextOrTexts, .required = true, .says = "The partition key's attribute."},
    {.name = "sk", .shape = Shape::kTextOrTexts, .says = "The sort key's attribute."},
};
constexpr Record kKey{"table.key", kKeyFields};

constexpr Field kBillingFields[] = {
    {.name = "mode", .shape = Shape::kChoice, .choices = kBillingModes, .says = "How throughput is billed."},
    {.name = "region", .says = "The AWS Region whose prices apply."},
    {.name = "class", .shape = Shape::kChoice, .choices = kClasses, .says = "The table class."},
    {.name = "pitr", .shape = Shape::kBool, .says = "Point-in-time recovery is on."},
};
constexpr Record kBilling{"table.billing", kBillingFields};

constexpr Field kTableFields[] = {
    {.name = "name", .required = true, .says = "The table's name."},
    {.name = "description", .says = "What the table holds."},
    {.name = "key", .shape = Shape::kRecord, .required = true, .record = &kKey, .says = "The table's key."},
    {.name = "separator", .says = "The separator between the parts of a key; # by default."},
    {.name = "type_attribute", .says = "The attribute that holds the name of each item's entity."},
    {.name = "ttl", .says = "The attribute with the time at which an item expires."},
    {.name = "stream",
     .shape = Shape::kChoice,
     .choices = kStreams,
     .says = "What the records of the table's stream contain."},
    {.name = "billing", .shape = Shape::kRecord, .record = &kBilling, .says = "How the table is billed."},
};
constexpr Record kTable{"table", kTableFields};

constexpr Field kIndexFields[] = {
    {.name = "pk", .shape = Shape::kTextOrTexts, .required = true, .says = "One attribute, or up to four."},
    {.name = "sk", .shape = Shape::kTextOrTexts, .says = "One attribute, or up to four."},
    {.name = "project",
     .shape = Shape::kChoiceOrTexts,
     .choices = kProjections,
     .says = "keys, all, or a list of attributes."},
    {.name = "local", .shape = Shape::kBool, .says = "A local secondary index."},
};
constexpr Record kIndex{"an index", kIndexFields};

extern const Record kAttribute;

constexpr Field kAttributeFields[] = {
    {.name = "type",
     .shape = Shape::kChoiceOrTexts,
     .required = true,
     .choices = kTypes,
     .says = "A type, or a list of values."},
    {.name = "optional", .shape = Shape::kBool, .says = "An item can lack it."},
    {.name = "default", .shape = Shape::kScalar, .says = "The value used if a write gives none."},
    {.name = "unique", .says = "The guard entity that keeps its values unique."},
    {.name = "lock", .shape = Shape::kBool, .says = "A version number that updates compare and increment."},
    {.name = "min", .shape = Shape::kNumber, .least = -1e126, .most = 1e126, .says = "The smallest number."},
    {.name = "max", .shape = Shape::kNumber, .least = -1e126, .most = 1e126, .says = "The largest number."},
    {.name = "max_length",
     .shape = Shape::kInteger,
     .says = "The maximum bytes of a string, or elements of a list, map or set."},
    {.name = "avg_bytes", .shape = Shape::kInteger, .says = "The average bytes of a value."},
    {.name = "cardinality", .shape = Shape::kNumber, .least = 1, .says = "How many distinct values there are."},
    {.name = "top_share",
     .shape = Shape::kNumber,
     .most = 1,
     .says = "The share of the load on the most loaded value."},
    {.name = "fields",
     .shape = Shape::kAttributes,
     .record = &kAttribute,
     .says = "The fields of a map, so that paths below it have types."},
    {.name = "values",
     .shape = Shape::kAttribute,
     .record = &kAttribute,
     .says = "What the other entries of a map are, whose names the callers choose."},
};
constinit const Record kAttribute{"an attribute", kAttributeFields};

constexpr Field kVariantFields[] = {
    {.name = "when", .required = true, .says = "The condition for which an item has these keys."},
    {.name = "keys", .shape = Shape::kNamedTexts, .required = true, .says = "The index keys that differ."},
};
constexpr Record kVariant{"a variant", kVariantFields};

constexpr Field kShardFields[] = {
    {.name = "n",
     .shape = Shape::kInteger,
     .required = true,
     .least = 1,
     .most = 10'000,
     .says = "The number of shards."},
    {.name = "by", .required = true, .says = "hash(attribute), or random."},
};
constexpr Record kShard{"shard", kShardFields};

constexpr Field kSizeFields[] = {
    {.name = "avg",
     .shape = Shape::kNumber,
     .least = 1,
     .says = "The average bytes of an item, including keys and names."},
    {.name = "max", .shape = Shape::kNumber, .least = 1, .says = "Bytes of the largest item."},
};
constexpr Record kSizeRecord{"size", kSizeFields};

constexpr Field kPerFields[] = {
    {.name = "avg", .shape = Shape::kNumber, .says = "How many of these each has on average."},
    {.name = "max", .shape = Shape::kNumber, .says = "How many the largest has."},
};
constexpr Record kPer{"per", kPerFields};

constexpr Field kTtlFields[] = {
    {.name = "after", .required = true, .says = "How long an item lives: an integer followed by s, m, h, d or w."},
};
constexpr Record kTtl{"ttl", kTtlFields};

constexpr Field kCopyFields[] = {
    {.name = "entity", .required = true, .says = "The entity that is copied."},
    {.name = "attributes",
     .shape = Shape::kTexts,
     .required = true,
     .says = "The attributes that are copied besides the key."},
    {.name = "sync",
     .shape = Shape::kChoice,
     .choices = kSyncs,
     .says = "How the copy is kept in sync with its source."},
};
constexpr Record kCopy{"copy_of", kCopyFields};

constexpr Field kHeatFields[] = {
    {.name = "peak_writes_per_key",
     .shape = Shape::kNumber,
     .says = "Write units per second on the hottest key, before sharding."},
    {.name = "peak_reads_per_key",
     .shape = Shape::kNumber,
     .says = "Read units per second on the hottest key, before sharding."},
};
constexpr Record kHeatRecord{"heat", kHeatFields};

constexpr Field kEntityFields[] = {
    {.name = "description", .says = "What the entity is."},
    {.name = "copy_of",
     .shape = Shape::kRecord,
     .record = &kCopy,
     .says = "The entity this one repeats under another key."},
    {.name = "keys", .shape = Shape::kNamedTexts, .says = "A template for each key attribute."},
    {.name = "variants",
     .shape = Shape::kNamedRecords,
     .record = &kVariant,
     .says = "Alternative index keys, each for the items that satisfy a condition."},
    {.name = "when",
     .shape = Shape::kNamedTexts,
     .says = "For each index, the condition under which an item is in it."},
    {.name = "shard", .shape = Shape::kRecord, .record = &kShard, .says = "Spreads one key over several partitions."},
    {.name = "attributes", .shape = Shape::kAttributes, .record = &kAttribute, .says = "The attributes of an item."},
    {.name = "size", .shape = Shape::kRecord, .record = &kSizeRecord, .says = "Bytes of an item."},
    {.name = "count", .shape = Shape::kNumber, .says = "How many items there are."},
    {.name = "per",
     .shape = Shape::kNamedRecords,
     .record = &kPer,
     .says = "How many there are for each parent, or for each value of attributes."},
    {.name = "ttl", .shape = Shape::kRecord, .record = &kTtl, .says = "Items expire automatically."},
    {.name = "heat", .shape = Shape::kRecord, .record = &kHeatRecord, .says = "The load on the hottest key."},
};
constexpr Record kEntityRecord{"an entity", kEntityFields};

constexpr Field kReturnsFields[] = {
    {.name = "items",
     .shape = Shape::kNumber,
     .says = "Items that one call of the pattern reads, before the where filter."},
    {.name = "entry_size", .shape = Shape::kNumber, .says = "Bytes of one item as the index projects it."},
};
constexpr Record kReturns{"returns", kReturnsFields};

constexpr Field kRpsFields[] = {
    {.name = "avg", .shape = Shape::kNumber, .says = "Calls per second on average."},
    {.name = "peak", .shape = Shape::kNumber, .says = "Calls per second at peak."},
};
constexpr Record kRps{"rps", kRpsFields};

constexpr Field kPatternFields[] = {
    {.name = "description", .says = "Who needs this pattern, and why."},
    {.name = "get", .says = "One item by its key."},
    {.name = "query", .shape = Shape::kTextOrTexts, .says = "Items of one partition."},
    {.name = "scan", .shape = Shape::kTextOrTexts, .says = "All items."},
    {.name = "put", .says = "Writes one item."},
    {.name = "update", .says = "Changes one item."},
    {.name = "delete", .says = "Deletes one item."},
    {.name = "batch_get", .says = "Several items by their keys."},
    {.name = "batch_write", .shape = Shape::kTexts, .says = "Several puts and deletes."},
    {.name = "transact", .shape = Shape::kTexts, .says = "Several writes, all or nothing."},
    {.name = "transact_get", .shape = Shape::kTexts, .says = "Several items, read in one transaction."},
    {.name = "by",
     .shape = Shape::kTexts,
     .says = "The attributes that the caller gives; attribute = input renames the input."},
    {.name = "index", .says = "The index to read; the table by default."},
    {.name = "between", .shape = Shape::kBounds, .says = "An attribute and its two bounds, both inclusive."},
    {.name = "begins", .shape = Shape::kPrefix, .says = "An attribute and its prefix."},
    {.name = "from", .says = "The entity whose item a query of several entities starts at."},
    {.name = "where", .says = "A filter on the items that were read."},
    {.name = "set", .shape = Shape::kTexts, .says = "What an update sets."},
    {.name = "remove", .shape = Shape::kTexts, .says = "What an update removes."},
    {.name = "if", .says = "The condition of a write."},
    {.name = "order", .shape = Shape::kChoice, .choices = kOrders, .says = "The order of the result."},
    {.name = "limit", .shape = Shape::kInteger, .least = 1, .most = 1e9, .says = "The request's Limit."},
    {.name = "paginate",
     .shape = Shape::kChoice,
     .choices = kPaginates,
     .says = "Follows LastEvaluatedKey to the end."},
    {.name = "fanout", .shape = Shape::kChoice, .choices = kFanouts, .says = "One query for each shard."},
    {.name = "merge",
     .shape = Shape::kTexts,
     .says = "The order in which shards are merged; an empty list means unordered."},
    {.name = "needs", .shape = Shape::kTexts, .says = "The attributes the caller uses; an update returns them."},
    {.name = "returns", .shape = Shape::kRecord, .record = &kReturns, .says = "How much one call reads."},
    {.name = "consistent", .shape = Shape::kChoice, .choices = kConsistencies, .says = "The consistency of a read."},
    {.name = "token", .says = "The input that makes a transaction idempotent."},
    {.name = "rps", .shape = Shape::kRecord, .record = &kRps, .says = "How often the pattern is called."},
};
constexpr Record kPattern{"a pattern", kPatternFields, kVerbNames};

constexpr Field kConsumerFields[] = {
    {.name = "entities",
     .shape = Shape::kTextOrTexts,
     .required = true,
     .says = "The entities whose changes it processes."},
    {.name = "starts_with", .says = "The prefix of the partition key that it filters by."},
};
constexpr Record kConsumer{"a consumer", kConsumerFields};

constexpr Field kAcceptFields[] = {
    {.name = "rule", .required = true, .says = "The rule, such as L12."},
    {.name = "entity", .says = "Accepts only findings of this entity."},
    {.name = "pattern", .says = "Accepts only findings of this pattern."},
    {.name = "index", .says = "Accepts only findings of this index."},
    {.name = "reason", .required = true, .says = "Why the team accepts it."},
};
constexpr Record kAccept{"an accepted finding", kAcceptFields};

constexpr Field kModelFields[] = {
    {.name = "model",
     .shape = Shape::kInteger,
     .required = true,
     .least = 1,
     .most = 1,
     .says = "The version of this grammar: 1."},
    {.name = "table", .shape = Shape::kRecord, .required = true, .record = &kTable, .says = "The table."},
    {.name = "indexes", .shape = Shape::kNamedRecords, .record = &kIndex, .says = "The table's indexes, by name."},
    {.name = "entities",
     .shape = Shape::kNamedRecords,
     .required = true,
     .record = &kEntityRecord,
     .says = "The kinds of items in the table, by name."},
    {.name = "patterns",
     .shape = Shape::kNamedRecords,
     .record = &kPattern,
     .says = "How the table is read and written, by name."},
    {.name = "consumers",
     .shape = Shape::kNamedRecords,
     .record = &kConsumer,
     .says = "The consumers of the table's stream, by name."},
    {.name = "accept", .shape = Shape::kRecords, .record = &kAccept, .says = "Findings that the team accepts."},
};

constexpr Rule<"{} has no field {}{}"> kUnknownField{"model-field", Kind::kValidation};
constexpr Rule<"{} needs the field {}"> kMissingField{"model-field-missing", Kind::kValidation};
constexpr Rule<"{} must be {}, not {}"> kWrongType{"model-type", Kind::kValidation};
constexpr Rule<"{} must be one of {}, not {}{}"> kWrongChoice{"model-choice", Kind::kValidation};
constexpr Rule<"{} must be from {} to {}, not {}"> kOutOfRange{"model-range", Kind::kValidation};
constexpr Rule<"{} needs one verb: {}"> kNoVerb{"model-verb", Kind::kValidation};
constexpr Rule<"{} has two verbs, {} and {}; it needs exactly one"> kTwoVerbs{"model-verbs", Kind::kValidation};
constexpr Rule<"{} is empty; it needs at least one entry"> kNothing{"model-nothing", Kind::kValidation};
constexpr Rule<"{} has an empty name"> kEmptyName{"model-name", Kind::kValidation};

std::string_view KindName(const Node& node) {
  constexpr std::string_view kNames[] = {"null", "a bool", "an integer", "a number", "a string", "a list", "a mapping"};
  return kNames[static_cast<size_t>(node.kind)];
}

std::string JoinedNames(std::span<const std::string_view> names) {
  std::string out;
  for (const std::string_view name : names) (out += out.empty() ? "" : ", ") += name;
  return out;
}

std::string LimitText(double value) {
  std::string text = std::to_string(static_cast<int64_t>(value));
  return std::abs(value) > 1e15 ? "10^126" : text;
}

// Checks a file against the tables. `place` is the current path, such as entities.User.size. The depth is that of the
// tables, four. Used by one thread at a time.
class Checker {
 public:
  Fault CheckRecord(const Node& node, const Record& record, const std::string& place);

 private:
  Fault CheckField(const Node& node, const Field& field, const std::string& place);
  Fault CheckScalar(const Node& node, const Field& field, const std::string& place);
  Fault CheckNumber(const Node& node, const Field& field, const std::string& place);
  Fault CheckTexts(const Node& node, const std::string& place);
  Fault CheckNamed(const Node& node, const Field& field, const std::string& place);
  Fault CheckEntry(const Node& node, const Field& field, const std::string& place);
  Fault CheckAttribute(const Node& node, const Field& field, const std::string& place);
  Fault CheckVerbs(const Node& node, const Record& record, const std::string& place);
  Fault Expect(const Node& node, bool is, std::string_view what, const std::string& place) {
    if (is) return {};
    return Unreadable(node.mark, kWrongType(place, what, KindName(node)));
  }
};

Fault Checker::CheckRecord(const Node& node, const Record& record, const std::string& place) {
  if (Fault fault = Expect(node, node.kind == Node::Kind::kMapping, "a mapping", place)) return fault;
  for (const Node& child : node.children) {
    const Field* field = record.Find(child.key);
    if (field == nullptr) {
      std::vector<std::string_view> known;
      for (const Field& one : record.fields) known.push_back(one.name);
      std::string hint = DidYouMean(child.key, known);
      if (hint.empty()) hint = "; its fields are " + JoinedNames(known);
      return Unreadable(child.key_mark, kUnknownField(place, child.key, hint));
    }
    if (Fault fault = CheckField(child, *field, place == kModelRecord.title ? child.key : place + '.' + child.key))
      return fault;
  }
  const Mark mark = node.key_mark.line != 0 ? node.key_mark : node.mark;
  for (const Field& field : record.fields) {
    if (field.required && node.Find(field.name) == nullptr) return Unreadable(mark, kMissingField(place, field.name));
  }
  return CheckVerbs(node, record, place);
}

Fault Checker::CheckVerbs(const Node& node, const Record& record, const std::string& place) {
  const Node* first = nullptr;
  for (const Node& child : node.children) {
    const auto verbs = record.exactly_one_of;
    if (std::find(verbs.begin(), verbs.end(), child.key) == verbs.end()) continue;
    if (first != nullptr) return Unreadable(child.key_mark, kTwoVerbs(place, first->key, child.key));
    first = &child;
  }
  if (first == nullptr && !record.exactly_one_of.empty()) {
    return Unreadable(node.key_mark, kNoVerb(place, JoinedNames(record.exactly_one_of)));
  }
  return {};
}

Fault Checker::CheckField(const Node& node, const Field& field, const std::string& place) {
  switch (field.shape) {
    case Shape::kText:
    case Shape::kBool:
    case Shape::kChoice:
    case Shape::kScalar:
      return CheckScalar(node, field, place);
    case Shape::kInteger:
    case Shape::kNumber:
      return CheckNumber(node, field, place);
    case Shape::kTexts:
      return CheckTexts(node, place);
    case Shape::kTextOrTexts:
      if (node.kind == Node::Kind::kString) return {};
      if (Fault fault = Expect(node, node.kind == Node::Kind::kSequence, "a string or a list of strings", place))
        return fault;
      if (node.children.empty()) return Unreadable(node.mark, kNothing(place));
      return CheckTexts(node, place);
    case Shape::kChoiceOrTexts:
      if (node.kind == Node::Kind::kSequence) return CheckTexts(node, place);
      return CheckScalar(node, field, place);
    case Shape::kRecord:
      return CheckRecord(node, *field.record, place);
    case Shape::kAttribute:
      return CheckAttribute(node, field, place);
    case Shape::kRecords:
      if (Fault fault = Expect(node, node.kind == Node::Kind::kSequence, "a list", place)) return fault;
      for (size_t i = 0; i < node.children.size(); ++i) {
        if (Fault fault = CheckRecord(node.children[i], *field.record, place + '[' + std::to_string(i) + ']'))
          return fault;
      }
      return {};
    default:
      return CheckNamed(node, field, place);
  }
}

Fault Checker::CheckScalar(const Node& node, const Field& field, const std::string& place) {
  if (field.shape == Shape::kBool) return Expect(node, node.kind == Node::Kind::kBool, "true or false", place);
  if (field.shape == Shape::kScalar) {
    return Expect(node, node.IsScalar() && node.kind != Node::Kind::kNull, "a string, a number or a bool", place);
  }
  const bool quotable = node.IsScalar() && node.kind != Node::Kind::kNull;
  if (Fault fault =
          Expect(node, node.kind == Node::Kind::kString, quotable ? "a string (quote it)" : "a string", place)) {
    return fault;
  }
  if (field.shape == Shape::kText) return {};
  if (std::find(field.choices.begin(), field.choices.end(), node.text) != field.choices.end()) return {};
  return Unreadable(node.mark,
                    kWrongChoice(place, JoinedNames(field.choices), node.text, DidYouMean(node.text, field.choices)));
}

Fault Checker::CheckNumber(const Node& node, const Field& field, const std::string& place) {
  const bool integer = node.kind == Node::Kind::kInteger;
  if (field.shape == Shape::kInteger) {
    if (Fault fault = Expect(node, integer, "an integer", place)) return fault;
  } else if (Fault fault = Expect(node, integer || node.kind == Node::Kind::kFloat, "a number", place)) {
    return fault;
  }
  const double value = node.Number();
  if (value >= field.least && value <= field.most) return {};
  return Unreadable(node.mark, kOutOfRange(place, LimitText(field.least), LimitText(field.most), node.text));
}

Fault Checker::CheckTexts(const Node& node, const std::string& place) {
  if (Fault fault = Expect(node, node.kind == Node::Kind::kSequence, "a list of strings", place)) return fault;
  for (size_t i = 0; i < node.children.size(); ++i) {
    const Node& child = node.children[i];
    const bool quotable = child.IsScalar() && child.kind != Node::Kind::kNull;
    const std::string_view what = quotable ? "a string (quote it)" : "a string";
    const bool text = child.kind == Node::Kind::kString;
    if (Fault fault = Expect(child, text, what, text ? place : place + '[' + std::to_string(i) + ']')) return fault;
  }
  return {};
}

Fault Checker::CheckNamed(const Node& node, const Field& field, const std::string& place) {
  if (Fault fault = Expect(node, node.kind == Node::Kind::kMapping, "a mapping", place)) return fault;
  if (field.required && node.children.empty()) return Unreadable(node.key_mark, kNothing(place));
  const bool single = field.shape == Shape::kBounds || field.shape == Shape::kPrefix;
  if (single && node.children.size() != 1) {
    return Unreadable(node.mark,
                      kWrongType(place, "a mapping with one attribute", std::to_string(node.children.size())));
  }
  for (const Node& child : node.children) {
    if (child.key.empty()) return Unreadable(child.key_mark, kEmptyName(place));
    if (Fault fault = CheckEntry(child, field, place + '.' + child.key)) return fault;
  }
  return {};
}

Fault Checker::CheckAttribute(const Node& node, const Field& field, const std::string& place) {
  if (node.kind == Node::Kind::kMapping) return CheckRecord(node, *field.record, place);
  if (node.kind != Node::Kind::kSequence)
    return CheckScalar(node, {.name = "", .shape = Shape::kChoice, .choices = kTypes}, place);
  if (node.children.empty()) return Unreadable(node.mark, kNothing(place));
  return CheckTexts(node, place);
}

Fault Checker::CheckEntry(const Node& node, const Field& field, const std::string& place) {
  constexpr Field kAny{.name = "", .shape = Shape::kScalar};
  constexpr Field kAnyText{.name = ""};
  switch (field.shape) {
    case Shape::kNamedTexts:
      return CheckScalar(node, kAnyText, place);
    case Shape::kNamedRecords:
      return CheckRecord(node, *field.record, place);
    case Shape::kAttributes:
      return CheckAttribute(node, field, place);
    case Shape::kPrefix:
      return CheckScalar(node, kAny, place);
    case Shape::kBounds: {
      const bool two = node.kind == Node::Kind::kSequence && node.children.size() == 2;
      if (Fault fault = Expect(node, two, "a list of two bounds", place)) return fault;
      for (const Node& child : node.children) {
        if (Fault fault = CheckScalar(child, kAny, place)) return fault;
      }
      return {};
    }
    default:
      CHECK(false);
      return {};
  }
}

}  // namespace

const Record kModelRecord{"the model", kModelFields};
const std::span<const std::string_view> kAttributeTypeNames(kTypes);

const Field* Record::Find(std::string_view name) const {
  const auto it = std::find_if(fields.begin(), fields.end(), [&](const Field& field) { return field.name == name; });
  return it == fields.end() ? nullptr : &*it;
}

Fault CheckFields(const Node& root) {
  return Checker().CheckRecord(root, kModelRecord, std::string(kModelRecord.title));
}

}  // namespace keyfold::model
