// Conditions (ConditionExpression, FilterExpression, and what Expected, QueryFilter and ScanFilter translate into): a
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

namespace keyfold {

// A value, an attribute, or the size() of one of them.
struct Operand {
  enum class Kind : uint8_t { kValue, kPath, kSize, kSizeOfValue };
  Kind kind = Kind::kValue;
  Path path;
  Value value;  // owned, so that a tree outlives its request where it must (a lowered statement, a cache)
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
    // The operand, then its bounds or its set.
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
    // No condition.
    kTrue,
  };
  Op op = Op::kTrue;
  std::vector<Condition> children;
  std::vector<Operand> operands;
};

// `parameter` is what DynamoDB's messages call it: "ConditionExpression" or "FilterExpression".
Result<Condition> ParseCondition(std::string_view parameter, std::string_view text, Placeholders& placeholders);

// False on type mismatch and missing attributes, as DynamoDB; never an error. A missing item is the empty item.
// With a pace it counts each operator as a walk over the item and gives way between them: nothing may be held then.
bool Test(const Condition& condition, ItemView item, Pace* pace = nullptr);

// How many operators Test looks at, at most; an IN counts each of its values.
uint64_t CountOperators(const Condition& condition);

// Adds every top-level attribute the condition reads, each once (for key attributes in filters, index projections).
void CollectAttributes(const Condition& condition, std::vector<std::string_view>& out);

// DynamoDB's order within one type (S, N, B); nullopt where the two cannot be ordered.
std::optional<int> CompareValues(ValueView a, ValueView b);

}  // namespace keyfold
