// KeyConditionExpression and KeyConditions: one equality per partition attribute, and equalities for a prefix of the
// sort attributes, the last of which may be a range instead.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "expr/condition.h"
#include "expr/placeholders.h"
#include "value/key_schema.h"

namespace keyfold::expr {

inline constexpr Rule<"Conditions can be of length 1 or 2 only"> kKeyConditionCount{"key-condition-count",
                                                                                    Kind::kValidation};
inline constexpr Rule<
    "One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty {} "
    "value. Key: {}">
    kKeyEmpty{"key-empty", Kind::kValidation};

struct KeyTerm {
  enum class Op : uint8_t {
    kEq,
    kLt,
    kLe,
    kGt,
    kGe,
    kBetween,
    kBeginsWith,
    kNotIndexable,  // an operator of KeyConditions that no key supports; refused when the key is known
  };
  std::string attribute;
  Op op = Op::kEq;
  Value first, second;  // `second` is BETWEEN's upper bound
};

// As written, checked as far as possible without the table. Immutable once parsed.
struct KeyCondition {
  std::vector<KeyTerm> terms;
};

Result<KeyCondition> ParseKeyCondition(std::string_view text, Placeholders& placeholders);

// A key condition matched with a key: one value per partition attribute in the key's order, equalities for the first
// sort attributes, and at most one more term on the next sort attribute. `legacy` means that the request used
// KeyConditions; DynamoDB's wording is the same for both. Errors: "Query condition missed key schema element: pk",
// "Query key condition not supported", type mismatches, empty values.
struct KeyQuery {
  std::vector<Value> partition;
  std::vector<Value> sort_equal;
  std::optional<KeyTerm> range;  // op is neither kEq nor kNotIndexable
};
Result<KeyQuery> BindKeyCondition(const KeyCondition& condition, const KeySchema& key, bool legacy);

}  // namespace keyfold::expr
