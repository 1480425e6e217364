// Parses the right side of a comparison or an assignment.
#pragma once

#include "model/core/condition.h"
#include "model/core/words.h"

namespace keyfold::model {

// A number, a quoted string, true, false, now, or a value of the attribute's enum is a literal. Any other name is an
// input.
Fault ParseOperand(Words&, const Attribute* attribute, Operand& out);

}  // namespace keyfold::model
