// WHERE as the condition tree of expr/condition.h.
#pragma once

#include "expr/condition.h"
#include "partiql/literal.h"

namespace keyfold::partiql {

// Faults are those of condition expressions, in their wording, met from left to right.
Result<Condition> LowerCondition(const BoundTree& bound, NodeId id);

// Shared with the right sides of SET.
inline constexpr Rule<
    "Incorrect number of operands for operator or function; operator or function: {}, number of operands: {}">
    kOperandCount{"partiql-operand-count", Kind::kValidation};
inline constexpr Rule<"Incorrect operand type for operator or function; operator or function: {}, operand type: {}">
    kOperandType{"partiql-operand-type", Kind::kValidation};

}  // namespace keyfold::partiql
