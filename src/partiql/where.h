// Lowers WHERE to the condition tree of expr/condition.h.
#pragma once

#include "expr/condition.h"
#include "partiql/literal.h"

namespace keyfold::partiql {

using ConditionOp = expr::Condition::Op;

// Errors are those of condition expressions, in their wording, reported from left to right.
Result<expr::Condition> LowerCondition(const BoundTree& bound, NodeId id);

}  // namespace keyfold::partiql
