// What a pattern compiles to: its DynamoDB request, with every name and value a real request would have, or the reason
// why no request serves it. check, plan, test, generate and observe all use this compiler.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/compile/formula.h"
#include "model/core/model.h"

namespace keyfold::model {

enum class Operation : uint8_t {
  kGetItem,
  kQuery,
  kScan,
  kPutItem,
  kUpdateItem,
  kDeleteItem,
  kBatchGetItem,
  kBatchWriteItem,
  kTransactWriteItems,
  kTransactGetItems,
};
std::string_view NameOf(Operation);  // "GetItem"

// A parameter of a pattern, seen as a function.
struct Input {
  std::string name;
  const Attribute* attribute = nullptr;     // has the input's type; nullptr for a string (a token)
  bool optional = false;                    // can be omitted: the attribute is optional or has a default
  std::optional<uint64_t> default_after_s;  // if omitted: the current time plus this (the TTL attribute)
};

struct KeyPart {
  std::string attribute;  // a key attribute of the table or an index
  Formula value;
};

struct NamedValue {
  std::string name;  // ":SK"
  Formula value;
};

// Expression attribute names and values of one request or one element of a transaction. Every name is aliased.
struct Aliases {
  std::vector<std::pair<std::string, std::string>> names;  // "#SK" -> "SK"
  // Names of entries of maps that the caller chooses: "#username" -> "username", the input whose value is the name.
  std::vector<std::pair<std::string, std::string>> given_names;
  std::vector<NamedValue> values;
};

// The last condition on a sort key, after any equalities. A composite key has a range of its texts, so a bound of one
// part of the key is followed by what makes it include or exclude the whole texts that begin with it.
struct SortRange {
  enum class Op : uint8_t { kNone, kBeginsWith, kBetween, kLess, kLessEqual, kGreater, kGreaterEqual };
  Op op = Op::kNone;
  std::string attribute;  // the key attribute
  // The entity's attribute that ranges (between, begins, where); empty if only a prefix or a starting item is given.
  std::string of;
  Formula low;   // the only operand, or the lower bound
  Formula high;  // for kBetween
};

// The partitions that a bucketed key is read from: one request for each bucket between the bounds.
struct BucketRange {
  std::string attribute;
  Format format = Format::kMonth;
  Operand from;
  Operand to;
};

// Which items a read names: one Query, Scan or GetItem, or an element of BatchGetItem or TransactGetItems.
struct KeyRead {
  std::vector<EntityId> wanted;  // entities to return that the table or index can hold
  std::vector<EntityId> absent;  // entities to return that lack the index's key, so they never are
  std::optional<IndexId> index;
  std::vector<KeyPart> partition;  // empty for a scan
  std::vector<KeyPart> sort;       // equalities, in the key's order
  SortRange range;
  bool whole_key = false;  // an equality fixes every key attribute
  // For each wanted entity, the variants of it that are read; empty if all are.
  std::vector<std::vector<VariantId>> variants;
};

// What a write does to an index: one or two index writes. An index that is not listed is not written.
struct IndexEffect {
  enum class Kind : uint8_t {
    kEnters,    // one write
    kLeaves,    // one write
    kMoves,     // its key changes: two writes
    kRewrites,  // a projected attribute changes: one write
  };
  IndexId index = 0;
  Kind kind = Kind::kEnters;
  // For kLeaves: the update sets an attribute that `when` tests to an input, so the item may stay or enter instead.
  bool depends = false;
};

// An index key that an update cannot rebuild (L27).
struct StaleKey {
  IndexId index = 0;
  std::string key_attribute;
  std::vector<std::string> missing;  // attributes whose values are not known
};

// A condition on the new values of an item, under which a part of a request exists.
struct Guard {
  const Condition* condition = nullptr;
  bool holds = true;  // false: it exists if the condition does not hold
};
using Guards = std::vector<Guard>;  // every one must be met

// A part of an update expression. It belongs to the request if its guards are met and the caller gives all of `given`.
struct Clause {
  enum class Kind : uint8_t { kSet, kRemove, kAdd, kDelete };
  Kind kind = Kind::kSet;
  std::string text;  // "#status = :status", "#GSI2PK", "#tags :tags"
  Guards guards = {};
  std::vector<std::string> given = {};  // optional inputs
};

// An attribute of the item that a put writes.
struct ItemPart {
  std::string attribute;
  Formula value;        // for a list, map or set, the input as it is
  Guards guards = {};   // for an index key. Several parts of one attribute have guards that exclude each other.
  bool is_key = false;  // key of the table or an index; otherwise the entity's or the type attribute
};

// What a write knows about an attribute after it.
struct KnownValue {
  std::string attribute;
  Operand value;  // an input by its name in the request
};

// One write: PutItem, UpdateItem, DeleteItem, or an element of a batch or transaction.
struct Write {
  Verb verb = Verb::kPut;  // kPut, kUpdate, kDelete, kCheck
  EntityId entity = 0;
  uint32_t times = 1;
  const Action* action = nullptr;
  std::vector<KeyPart> key;
  std::vector<ItemPart> item;     // put only
  std::vector<KnownValue> known;  // the new item: everything for a put, otherwise key and assigned attributes
  std::vector<Clause> clauses;    // update only
  std::string condition;          // ConditionExpression, or empty
  Aliases aliases;                // for the condition and all clauses
  // With times > 1, the inputs that each element gives; its other inputs are the pattern's. Empty otherwise.
  std::vector<Input> each;
  std::vector<IndexEffect> effects;
  std::vector<StaleKey> stale;
};

// The expression of one update, with only the aliases in use: DynamoDB rejects unused names and values.
struct UpdateText {
  std::string update;  // UpdateExpression
  Aliases aliases;     // for the update and the condition
};
// `holds` returns whether a condition holds with the new values, `given` whether the caller gives an optional input.
UpdateText UpdateOf(const Write&, FunctionRef<bool(const Condition&)> holds, FunctionRef<bool(std::string_view)> given);
// As the planner assumes: every input is given and no guard's condition holds, so an update that sets a tested
// attribute to an input removes the item from the index.
UpdateText UpdateOf(const Write&);

// Immutable. Views the Model, which outlives it.
struct Access {
  PatternId pattern = 0;
  Operation operation = Operation::kGetItem;
  std::vector<Input> inputs;   // reads: `by`, bounds, conditions; writes: key, then values
  std::vector<KeyRead> reads;  // one, or several for BatchGetItem and TransactGetItems
  std::vector<Write> writes;
  // Query and Scan only.
  std::string key_condition;
  std::string filter;
  Aliases aliases;
  uint32_t shards = 1;  // requests of a fan-out, for each bucket
  std::optional<BucketRange> buckets;
  bool forward = true;
  // Attributes of `by` that are not in the key that is read: a query filters by them, and a get leaves them to its
  // caller if they name the shard, as nothing else can use them.
  std::vector<std::string> unused_by;
  bool range_filtered = false;  // between or begins became a filter
  // Attributes with conditions that the key condition cannot express and that DynamoDB rejects in a filter, as they are
  // key attributes, or that a get cannot have: the caller tests them.
  std::vector<std::string> untested;
  // A query or scan of a local index that needs attributes the index does not project: the request asks for whole
  // items, and DynamoDB reads each of them from the table.
  bool fetches = false;
  std::string token;  // the input used as ClientRequestToken, or empty
  // What an update returns: the attributes that the pattern needs, as they are after it.
  enum class Returned : uint8_t {
    kNothing,
    kUpdated,  // UPDATED_NEW: the needed attributes are among those that it always assigns
    kAll,      // ALL_NEW
  };
  Returned returned = Returned::kNothing;

  const KeyRead& read() const { return reads[0]; }
};

// The reason why no request serves a pattern.
struct Unserved {
  enum class Why : uint8_t {
    kUnbound,     // a placeholder or key attribute is not given (L01)
    kNotInIndex,  // no wanted entity has the index's whole key (L02)
    kKeysDiffer,  // the wanted entities are in different partitions
    kGetOnIndex,  // a get can only read the table
    kFrom,        // the read cannot start at the item that `from` names
    kKeyFilter,   // a condition with `or` or `not` on an attribute of the key
  };
  PatternId pattern = 0;
  Why why = Why::kUnbound;
  EntityId entity = 0;
  std::string key_attribute;
  std::string missing;               // kUnbound: the attribute, or "shard"
  bool served_by_table = false;      // reading the table would serve it
  std::optional<IndexId> served_by;  // or reading this index
  std::string message;               // one clause for the user: what is missing and where
};

using Compiled = std::variant<Access, Unserved>;

// The model must outlive the result.
Compiled Compile(const Model&, PatternId);

}  // namespace keyfold::model
