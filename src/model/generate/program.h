// What generated programs of any language have in common: each pattern's request, what its results hold, in which order
// they come, and how keys are read back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"
#include "model/generate/code.h"
#include "model/keys/coverage.h"

namespace keyfold::model {

// The patterns with a request, in the order of the file. Views the Model, which outlives it. Immutable.
struct Program {
  explicit Program(const Model&);

  // The key condition covers no entity but the wanted ones.
  bool CoversOnlyWanted(const KeyRead&) const;

  const Model& model;
  const Coverage coverage;
  std::vector<Access> accesses;
  std::vector<std::string> costs;  // of each access, for people: "1 request, 0.5 read units"
  std::vector<Unserved> unserved;
};

// One entity among a read's results.
struct Returned {
  EntityId entity = 0;
  // All of the entity is there. Otherwise what the index projects or its keys give back, in the entity's order.
  bool whole = true;
  std::vector<std::string> attributes;
};
std::vector<Returned> ReturnsOf(const Model&, const KeyRead&);

// How the answers of several requests become one.
enum class Merging : uint8_t {
  kOne,        // one request and its pages
  kInTurn,     // one behind the other: no order is promised
  kSorted,     // each comes in the order of `merge`
  kCollected,  // all are read, then sorted
};
struct FanOut {
  Merging merging = Merging::kOne;
  // Calendar buckets one after the other, each with its shards, are in the order of `merge`.
  bool buckets_in_turn = false;
  std::vector<std::string> by;  // `merge`
};
FanOut FanOutOf(const Model&, const Access&);

// A request that is not followed to its last page: `limit` without `paginate`.
bool IsOnePage(const Pattern&);

// A condition that the key condition could not hold and DynamoDB takes in no filter: the program tests it itself.
struct OwnTest {
  std::string attribute;
  std::string_view sign;  // of target.h's SignOf
  Operand right;
};
// In the order of their attributes, each once.
std::vector<OwnTest> OwnTestsOf(const Model&, const Access&);

// An input that compares with what lies below an attribute (m.a > x), and so has no declared type.
bool IsBelowAttribute(const Pattern&, std::string_view input);

// Inputs that are bounds or prefixes: a start of a value will do.
std::vector<std::string> BoundsOf(const Pattern&);
bool IsBound(const Pattern&, std::string_view input);

// What the caller need not give.
bool MayMiss(const Input&);

// The attribute of an entity that says when its items end, or nullptr.
const Attribute* ExpiryOf(const Model&, const Entity&);

// For people: "Query of GSI1: GSI1PK = EMAIL#{email|lower}, GSI1SK = PROFILE"; the parts of a transaction or batch in
// lines of their own.
std::vector<std::string> RequestLines(const Model&, const Access&);

// "PK = USER#{userId}, SK = PROFILE"
std::string KeyLine(const Model&, const Entity&, std::optional<IndexId>);

// A regular expression that matches the template's keys, one group for each placeholder; without anchors, in the part
// of the syntax that JavaScript (with u) and Python share.
std::string KeyExpression(const Template&);

// The key attributes of an index or the table that the entity makes from templates.
std::vector<const KeyTemplate*> TemplatesOf(const Model&, const Entity&, std::optional<IndexId>);

// One for each access. Taken before the other names, for patterns are what callers know.
std::vector<std::string> NameFunctions(const Program&, Case, Scope&);

const Input* FindInput(const std::vector<Input>&, std::string_view name);

// "shop.yaml" of "models/shop.yaml".
std::string_view LastPart(std::string_view path);

}  // namespace keyfold::model
