// Conditions (ConditionExpression, FilterExpression, and the translations of Expected, QueryFilter and ScanFilter): a
// tree that is parsed once and tested against items in place.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/pace.h"
#include "expr/path.h"
#include "expr/placeholders.h"
#include "value/item.h"

namespace keyfold::expr {

// A value, an attribute, or the size() of one of them.
struct Operand {
  enum class Kind : uint8_t { kValue, kPath, kSize, kSizeOfValue };
  Kind kind = Kind::kValue;
  Path path;
  Value value;  // owned, because a tree may outlive its request (a lowered statement, a cache)
};

// Immutable once parsed.
struct Condition {
  enum class Op : uint8_t {
    // Children.
    kAnd,
    kOr,
    kNot,
    // Two operands.
    kEq,
    kNe,
    kLt,
    kLe,
    kGt,
    kGe,
    // The operand, then its bounds or its list of values.
    kBetween,
    kIn,
    // One path.
    kAttributeExists,
    kAttributeNotExists,
    // Two operands.
    kAttributeType,
    kBeginsWith,
    kContains,
    kLegacyNotContains,  // Expected and filters: NOT_CONTAINS, false on a missing attribute
    // Always holds.
    kTrue,
  };
  Op op = Op::kTrue;
  std::vector<Condition> children;
  std::vector<Operand> operands;
};

// `parameter` is what DynamoDB's messages call it: "ConditionExpression" or "FilterExpression".
Result<Condition> ParseCondition(std::string_view parameter, std::string_view text, Placeholders& placeholders);

// Returns false for type mismatches and missing attributes, like DynamoDB; there are no errors. A missing item is
// tested as an empty item. With a pace, each operator counts as one pass over the item and the test may give way
// between operators, so the caller must not hold locks.
bool Test(const Condition& condition, ItemView item, Pace* pace = nullptr);

// Upper bound of the operators that Test evaluates; IN counts each of its values.
uint64_t CountOperators(const Condition& condition);

// Adds every top-level attribute that the condition reads, each once (for key attributes in filters, index
// projections).
void CollectAttributes(const Condition& condition, std::vector<std::string_view>& out);

// Compares values of the same type (S, N, B) in DynamoDB's order; nullopt if they cannot be ordered.
std::optional<int> CompareValues(ValueView a, ValueView b);

}  // namespace keyfold::expr
