// The single-table model as its file declares it: table, indexes, entities, patterns, consumers and accepted findings.
// Every name is resolved; the design is not judged here. model/file/load.h builds it; check, plan, sample, generate and
// observe read it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/core/condition.h"
#include "model/core/mark.h"
#include "model/core/template.h"
#include "model/core/type.h"

namespace keyfold::model {

// Positions in Model's vectors. Declarations refer to each other by these.
using EntityId = uint32_t;
using IndexId = uint32_t;
using PatternId = uint32_t;
// The position of a variant in its entity.
using VariantId = uint32_t;
inline constexpr VariantId kNoVariant = UINT32_MAX;

struct Attribute {
  std::string name;
  Mark mark;
  AttributeType type = AttributeType::kString;
  std::vector<std::string> values;  // enum values, in the order written
  bool optional = false;
  std::optional<Operand> default_value;  // always a literal
  std::optional<EntityId> unique;        // the guard entity
  bool lock = false;                     // a version that updates compare and increment
  std::optional<double> min;
  std::optional<double> max;
  std::optional<uint64_t> max_length;
  std::optional<uint64_t> avg_bytes;
  std::optional<double> cardinality;  // distinct values
  std::optional<double> top_share;    // share of the load on the most loaded value, 0 to 1
  std::vector<Attribute> fields;      // what a map contains, if declared
  std::vector<Attribute> entry;       // what any other entry of a map is, if declared; at most one
};

// A value that an attribute gets: from the input of some name, a literal, or the current time.
struct Binding {
  std::string attribute;
  Mark mark;
  Operand value;
  std::optional<EntityId> entity = {};  // the only entity whose attribute is meant, if the file names one
};
// Returns the binding of an entity's attribute, or nullptr. One that names the entity comes before one that names none.
const Binding* FindBinding(const std::vector<Binding>&, EntityId, std::string_view attribute);
// Returns true if the attribute of some entity is bound.
bool Binds(const std::vector<Binding>&, std::string_view attribute);

struct KeyTemplate {
  std::string attribute;  // a key attribute of the table or an index
  Mark mark;
  Template value;
  bool native = false;  // the key is an attribute of the item itself
};

// The sparse rule of an index: an item is in the index if it has all key attributes and the condition holds.
struct When {
  IndexId index = 0;
  Mark mark;
  Condition condition;
};

// Alternative index keys of an entity: an item for which the condition holds has these keys instead of the entity's
// own.
struct Variant {
  std::string name;
  Mark mark;
  Condition condition;
  std::vector<KeyTemplate> keys;
};

struct Shard {
  Mark mark;
  uint32_t n = 1;
  std::optional<std::string> hash_of;  // the attribute in hash(attribute); nullopt for random
  // hash() is applied to the attribute's text as the first key template with that attribute writes it.
  Format hash_format = Format::kPlain;
  uint8_t hash_width = 0;
};

// How many items of an entity there are for each item of a parent or, without a parent, for each value of some of the
// entity's own attributes.
struct Per {
  std::optional<EntityId> parent;
  std::vector<std::string> attributes;  // empty if there is a parent
  Mark mark;
  double avg = 1;
  std::optional<double> max;
};

enum class Sync : uint8_t { kTransaction, kStream, kNone };

struct CopyOf {
  EntityId source = 0;
  Mark mark;
  std::vector<std::string> attributes;
  Sync sync = Sync::kTransaction;
};

struct Index;

struct Entity {
  std::string name;
  Mark mark;
  std::string description;
  std::vector<KeyTemplate> keys;         // in the order written
  std::vector<KeyTemplate> native_keys;  // key attributes of the table and indexes that the entity has itself
  std::vector<Variant> variants;         // the first whose condition holds counts
  std::vector<When> when;
  std::optional<Shard> shard;
  // In the order written. A copy has the attributes it copies and its key's placeholders, as its source declares them.
  std::vector<Attribute> attributes;
  double size_avg = 1024;  // bytes of the whole item, including names and keys
  bool size_assumed = true;
  std::optional<double> size_max;
  Mark size_mark;
  std::optional<double> count;
  std::vector<Per> per;
  std::optional<uint64_t> ttl_after_s;
  Mark ttl_mark;
  std::optional<CopyOf> copy_of;
  std::optional<double> peak_writes_per_key;
  std::optional<double> peak_reads_per_key;

  const Attribute* Find(std::string_view name) const;
  // The attribute at the head of a path: that of this whole name, or else of the longest start of the path.
  const Attribute* FindHead(std::string_view path) const;
  // The attribute or the declared field of a map at a path; nullptr if nothing is declared there.
  const Attribute* FindPath(std::string_view path) const;
  // Returns a template or a native key, or nullptr if the entity has no such key attribute.
  const KeyTemplate* FindKey(std::string_view key_attribute) const;
  // The same, as items of a variant have it. `kNoVariant` for items that no variant's condition holds for.
  const KeyTemplate* FindKey(std::string_view key_attribute, VariantId) const;
  // The variants whose keys in the index differ from each other: kNoVariant, and those that replace one of its keys.
  std::vector<VariantId> VariantsIn(const Index&) const;
  // Returns true if the entity has every key attribute of the index, and so can be in it.
  bool Has(const Index&) const;
  const When* FindWhen(IndexId) const;
  // The first `per` with a parent, or nullptr.
  const Per* FirstParent() const;
};

enum class Project : uint8_t { kKeys, kAll, kInclude };

// Attributes of one side of a key: one, or up to four for a multi-attribute key. The loader accepts more; check reports
// them as L44.
using KeySide = std::vector<std::string>;

struct Index {
  std::string name;
  Mark mark;
  KeySide pk;
  KeySide sk;  // empty if there is none
  Project project = Project::kAll;
  std::vector<std::string> included;  // for kInclude
  bool local = false;                 // an LSI
};

// Every key attribute of an index.
std::vector<std::string> KeysOf(const Index&);
bool Contains(const std::vector<std::string>& names, std::string_view name);

enum class Stream : uint8_t { kOff, kKeysOnly, kNewImage, kOldImage, kNewAndOldImages };
enum class BillingMode : uint8_t { kOnDemand, kProvisioned };
enum class TableClass : uint8_t { kStandard, kStandardInfrequentAccess };

struct Table {
  std::string name;
  Mark mark;
  std::string description;
  KeySide pk;  // the loader accepts several; check reports them as L44
  KeySide sk;
  std::string separator = "#";
  std::string type_attribute;  // empty if there is none
  std::string ttl;             // attribute; empty if there is none
  Mark ttl_mark;
  Stream stream = Stream::kOff;
  BillingMode billing = BillingMode::kOnDemand;
  std::string region = "us-east-1";
  TableClass table_class = TableClass::kStandard;
  bool pitr = false;
};

enum class Verb : uint8_t {
  kGet,
  kQuery,
  kScan,
  kPut,
  kUpdate,
  kDelete,
  kBatchGet,
  kBatchWrite,
  kTransact,
  kTransactGet,
  kCheck
};

// `+=` and `-=` compute with a number, add and remove elements of a set, and `+=` appends to a list.
struct Assignment {
  enum class Op : uint8_t { kSet, kAdd, kSubtract };
  std::string path;       // as written: an attribute, or a document path below one
  std::string attribute;  // the attribute at its head
  Mark mark;
  Op op = Op::kSet;
  Operand value;          // for `set a` alone, the input named a
  bool optional = false;  // the caller may leave the input out, and then nothing is assigned

  bool IsWhole() const { return path == attribute; }
};

// One write: an element of transact or batch_write, or a standalone put, update or delete.
struct Action {
  Verb verb = Verb::kPut;  // kPut, kUpdate, kDelete, kCheck
  EntityId entity = 0;
  Mark mark;
  uint32_t times = 1;
  std::vector<Binding> with;  // attributes that do not come from the input of their own name
  bool if_new = false;
  std::vector<Assignment> set;
  std::vector<std::string> remove;  // attributes or paths below one, or key attributes of indexes
  Condition condition;
};

struct Between {
  std::string attribute;
  Mark mark;
  Operand from;
  Operand to;
};

struct Begins {
  std::string attribute;
  Mark mark;
  Operand prefix;
};

enum class Order : uint8_t { kUnsaid, kAscending, kDescending };
enum class Consistency : uint8_t { kEventual, kStrong, kTransactional };

struct Pattern {
  std::string name;
  Mark mark;
  std::string description;
  Verb verb = Verb::kGet;
  Mark verb_mark;
  std::vector<EntityId> entities;  // reads: the entities of the result, in the order written
  std::vector<Action> actions;     // writes: one, or the elements of transact or batch_write
  std::vector<Binding> by;         // inputs only
  Mark by_mark;
  std::optional<IndexId> index;
  Mark index_mark;
  Order order = Order::kUnsaid;
  std::optional<uint64_t> limit;
  std::optional<Between> between;
  std::optional<Begins> begins;
  std::optional<EntityId> from;  // the read starts at this entity's item
  Mark from_mark;
  Condition where;
  std::optional<double> returns_items;
  std::optional<double> entry_size;
  std::optional<std::vector<std::string>> needs;
  bool paginate = false;
  bool fanout = false;                            // fanout: shard
  std::optional<std::vector<std::string>> merge;  // an empty list means unordered
  Consistency consistent = Consistency::kEventual;
  std::string token;  // empty if there is none
  double rps_avg = 0;
  double rps_peak = 0;

  bool Reads() const;  // true for get, query, scan, batch_get, transact_get
};

struct Consumer {
  std::string name;
  Mark mark;
  std::vector<EntityId> entities;
  std::string starts_with;
};

// A finding that the team accepts. An absent name matches any.
struct Accept {
  Mark mark;
  std::string rule;
  std::string reason;
  std::optional<EntityId> entity;
  std::optional<PatternId> pattern;
  std::optional<IndexId> index;
};

// Immutable once loaded.
struct Model {
  std::string file;  // as the user named it
  std::string text;  // the file's bytes, for findings that show a line
  Table table;
  std::vector<Index> indexes;
  std::vector<Entity> entities;
  std::vector<Pattern> patterns;
  std::vector<Consumer> consumers;
  std::vector<Accept> accepted;
  // Positions by name.
  std::unordered_map<std::string, IndexId> index_ids;
  std::unordered_map<std::string, EntityId> entity_ids;
  std::unordered_map<std::string, PatternId> pattern_ids;

  const Entity* FindEntity(std::string_view name) const;
  const Index* FindIndex(std::string_view name) const;
  const Pattern* FindPattern(std::string_view name) const;
  const KeySide& PartitionKey(std::optional<IndexId>) const;  // the index's key, or the table's if nullopt
  const KeySide& SortKey(std::optional<IndexId>) const;
  bool IsBaseKey(std::string_view attribute) const;
};

}  // namespace keyfold::model
