// The last step of an import: turns the draft into text that loads, with accepts for the findings that the table's keys
// make unavoidable.
#pragma once

#include <string>

#include "base/error.h"
#include "model/import/draft.h"

namespace keyfold::model {

// Returns an error if the text would not load: some names, such as one with a brace, cannot be in a model.
Result<std::string> Finalize(Draft draft);

}  // namespace keyfold::model
