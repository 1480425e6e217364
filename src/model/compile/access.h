// What a pattern compiles to: the DynamoDB request it makes, with every name and value a real request would have, or
// why no request serves it. The one compiler behind check, plan, test, generate and observe.
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

// A parameter of the function that a pattern is.
struct Input {
  std::string name;
  const Attribute* attribute = nullptr;     // whose type it has; nullptr: a string (a token)
  bool optional = false;                    // may be left out: the attribute is optional or has a default
  std::optional<uint64_t> default_after_s;  // left out, it is the present plus this many seconds (the TTL attribute)
};

struct KeyPart {
  std::string attribute;  // of the table's or an index's key
  Formula value;
};

struct NamedValue {
  std::string name;  // ":SK"
  Formula value;
};

// Expression attribute names and values of one request or one transaction element. Every name is aliased.
struct Aliases {
  std::vector<std::pair<std::string, std::string>> names;  // "#SK" -> "SK"
  std::vector<NamedValue> values;
};

// The last condition on a sort key, behind any equalities.
struct SortRange {
  enum class Op : uint8_t { kNone, kBeginsWith, kBetween, kLess, kLessEqual, kGreater, kGreaterEqual };
  Op op = Op::kNone;
  std::string attribute;  // the key attribute
  std::string of;         // the entity's attribute that ranges (between, begins, where); empty: only a prefix is given
  Formula low;            // the only operand, or the lower bound
  Formula high;           // of kBetween
};

// Partitions that a bucketed key is read from: one request for each text of the format between the bounds.
struct BucketRange {
  std::string attribute;
  Format format = Format::kMonth;
  Operand from;
  Operand to;
};

// Which items a read names: one Query, Scan or GetItem, or an element of BatchGetItem and TransactGetItems.
struct KeyRead {
  std::vector<EntityId> wanted;  // that the table or index can hold
  std::vector<EntityId> absent;  // wanted, but without the index's key, and so never returned
  std::optional<IndexId> index;
  std::vector<KeyPart> partition;  // empty: a scan
  std::vector<KeyPart> sort;       // equalities, in the key's order
  SortRange range;
  bool whole_key = false;  // every key attribute is named by an equality
};

// What a write does to an index. A write unit or two; none where it is not listed.
struct IndexEffect {
  enum class Kind : uint8_t {
    kEnters,    // one write
    kLeaves,    // one write
    kMoves,     // its key changes: two writes
    kRewrites,  // a projected attribute changes: one write
  };
  IndexId index = 0;
  Kind kind = Kind::kEnters;
  // kLeaves: the update sets what `when` tests to an input, so the item may stay or enter instead.
  bool depends = false;
};

// An index key that an update cannot rebuild (L27).
struct StaleKey {
  IndexId index = 0;
  std::string key_attribute;
  std::vector<std::string> missing;  // attributes whose value is not known
};

// A part of an update expression. With `when`, it belongs to the request only if that condition holds with the new
// values, or, with `unless`, only if it does not.
struct Clause {
  enum class Kind : uint8_t { kSet, kRemove };
  Kind kind = Kind::kSet;
  std::string text;  // "#status = :status", "#GSI2PK"
  const When* when = nullptr;
  bool unless = false;
};

// An attribute of the item that a put writes.
struct ItemPart {
  std::string attribute;
  Formula value;               // of a list or map: the input as it is
  const When* when = nullptr;  // an index key that the item has only if this holds
  bool is_key = false;         // of the table or an index; else an attribute of the entity, or the type attribute
};

// One write: PutItem, UpdateItem, DeleteItem or an element of a batch or transaction.
struct Write {
  Verb verb = Verb::kPut;  // kPut, kUpdate, kDelete, kCheck
  EntityId entity = 0;
  uint32_t times = 1;
  const Action* action = nullptr;
  std::vector<KeyPart> key;
  std::vector<ItemPart> item;   // of a put
  std::vector<Clause> clauses;  // of an update
  std::string condition;        // ConditionExpression, or empty
  Aliases aliases;              // of the condition and all clauses
  // times > 1: what each element gives; its other inputs are the pattern's. Empty otherwise.
  std::vector<Input> each;
  std::vector<IndexEffect> effects;
  std::vector<StaleKey> stale;
};

// The expressions of one update: DynamoDB refuses names and values that none of them uses, so they come with their own.
struct UpdateText {
  std::string update;  // UpdateExpression
  Aliases aliases;     // of the update and the condition
};
// `holds` tells whether a `when` holds with the new values.
UpdateText UpdateOf(const Write&, FunctionRef<bool(const When&)> holds);
// The same as the planner sees it: an update that sets what `when` tests to an input leaves the index.
UpdateText UpdateOf(const Write&);

// Immutable. Views the Model, which outlives it.
struct Access {
  PatternId pattern = 0;
  Operation operation = Operation::kGetItem;
  std::vector<Input> inputs;   // in the order of the file: by, bounds, conditions; of writes key, then values
  std::vector<KeyRead> reads;  // one, or several of TransactGetItems
  std::vector<Write> writes;
  // Of Query and Scan.
  std::string key_condition;
  std::string filter;
  Aliases aliases;
  uint32_t shards = 1;  // requests by fan-out, times those by buckets
  std::optional<BucketRange> buckets;
  bool forward = true;
  std::vector<std::string> unused_by;  // given, but in no key: filtered by, or of a get useless
  bool range_filtered = false;         // between or begins could only become a filter
  // Conditions on attributes of the key itself that the key condition cannot hold, and DynamoDB refuses in a filter:
  // the caller tests them.
  std::vector<std::string> untested;
  std::string token;  // the input that is the ClientRequestToken, or empty

  const KeyRead& read() const { return reads[0]; }
};

// Why no request serves a pattern.
struct Unserved {
  enum class Why : uint8_t {
    kUnbound,     // a placeholder or key attribute is not given (L01)
    kNotInIndex,  // no wanted entity has the index's whole key (L02)
    kKeysDiffer,  // the wanted entities lie in different partitions
    kGetOnIndex,  // a get reads the table only
  };
  PatternId pattern = 0;
  Why why = Why::kUnbound;
  EntityId entity = 0;
  std::string key_attribute;
  std::string missing;               // kUnbound: the attribute, or "shard"
  bool served_by_table = false;      // reading there would serve it
  std::optional<IndexId> served_by;  // or there
  std::string message;               // one clause, for people: what is missing and where
};

using Compiled = std::variant<Access, Unserved>;

// The model outlives what is returned.
Compiled Compile(const Model&, PatternId);

}  // namespace keyfold::model
