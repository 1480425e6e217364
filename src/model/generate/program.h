// What generated programs in all languages share: each pattern's request, what its results contain and in which order,
// and how keys are parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"
#include "model/generate/code.h"
#include "model/keys/coverage.h"

namespace keyfold::model {

// The patterns that have a request, in file order. Views the Model, which outlives it. Immutable.
struct Program {
  explicit Program(const Model&);

  // Returns true if the key condition covers only the wanted entities.
  bool CoversOnlyWanted(const KeyRead&) const;

  const Model& model;
  const Coverage coverage;
  std::vector<Access> accesses;
  std::vector<std::string> costs;  // one readable text per access: "1 request, 0.5 read units"
  std::vector<Unserved> unserved;
};

// One entity among a read's results.
struct Returned {
  EntityId entity = 0;
  // True if the result has the whole entity. Otherwise `attributes` are what the index projects or its keys recover, in
  // the entity's order.
  bool whole = true;
  std::vector<std::string> attributes;
};
std::vector<Returned> ReturnsOf(const Model&, const Access&, const KeyRead&);

// How the results of several requests are combined.
enum class Merging : uint8_t {
  kOne,        // one request and its pages
  kInTurn,     // concatenated; no order is promised
  kSorted,     // merged; each result is sorted by `merge`
  kCollected,  // all results are read, then sorted
};
struct FanOut {
  Merging merging = Merging::kOne;
  // True if reading calendar buckets one after the other, each with its shards, gives the order of `merge`.
  bool buckets_in_turn = false;
  std::vector<std::string> by;  // `merge`
};
FanOut FanOutOf(const Model&, const Access&);

// Returns true if the caller does not follow pages: `limit` without `paginate`.
bool IsOnePage(const Pattern&);

// A condition that fits neither the key condition nor a DynamoDB filter, so the program tests it itself.
struct OwnTest {
  std::string attribute;
  bool size = false;           // tests its size
  std::string_view sign;       // from SignOf in target.h
  std::vector<Operand> right;  // one of these; several for `in`
};
// Each condition once, in the order of the attributes.
std::vector<OwnTest> OwnTestsOf(const Model&, const Access&);

// Returns true if the input is compared with a value inside an attribute (m.a > x), and so has no declared type.
bool IsBelowAttribute(const Pattern&, std::string_view input);

// Inputs that are bounds or prefixes, for which the start of a value is enough.
std::vector<std::string> BoundsOf(const Pattern&);
bool IsBound(const Pattern&, std::string_view input);

// Returns true if the caller need not give the input.
bool InputMayMiss(const Input&);

// The entity's expiry attribute, or nullptr.
const Attribute* ExpiryOf(const Model&, const Entity&);

// The request as readable text: "Query of GSI1: GSI1PK = EMAIL#{email|lower}, GSI1SK = PROFILE". The parts of a
// transaction or batch get a line each.
std::vector<std::string> RequestLines(const Model&, const Access&);

// "PK = USER#{userId}, SK = PROFILE"
std::string KeyLine(const Model&, const Entity&, std::optional<IndexId>);

// A regular expression that matches the template's keys, with one group per placeholder. It has no anchors and uses
// only syntax that JavaScript (with the u flag) and Python share.
std::string KeyExpression(const Template&);

// The key attributes of an index or the table that the entity builds from templates.
std::vector<const KeyTemplate*> TemplatesOf(const Model&, const Entity&, std::optional<IndexId>);

// One name per access. They are taken before other names, because callers know the patterns.
std::vector<std::string> NameFunctions(const Program&, Case, Scope&);

const Input* FindInput(const std::vector<Input>&, std::string_view name);

// "shop.yaml" for "models/shop.yaml".
std::string_view LastPart(std::string_view path);

}  // namespace keyfold::model
