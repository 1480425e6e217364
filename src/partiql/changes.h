// Lowers SET and REMOVE of an UPDATE to the update of expr/update.h.
#pragma once

#include "expr/update.h"
#include "partiql/literal.h"

namespace keyfold::partiql {

// set_add and set_delete become ADD and DELETE of a set. Refuses paths that are equal, overlap or conflict.
Result<expr::Update> LowerChanges(const BoundTree& bound);

}  // namespace keyfold::partiql
