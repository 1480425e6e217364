// SET and REMOVE of an UPDATE as the update of expr/update.h.
#pragma once

#include "expr/update.h"
#include "partiql/literal.h"

namespace keyfold::partiql {

// set_add and set_delete become ADD and DELETE of a set. No two paths lead to, into, or conflict with one another.
Result<Update> LowerChanges(const BoundTree& bound);

}  // namespace keyfold::partiql
