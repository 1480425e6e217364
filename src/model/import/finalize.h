// The last step of an import: the draft becomes text that loads, with what the table's keys cannot avoid accepted and
// said.
#pragma once

#include <string>

#include "base/error.h"
#include "model/import/draft.h"

namespace keyfold::model {

// An error where the text would not load: some names, as one with a brace, have no place in a model.
Result<std::string> Finalize(Draft draft);

}  // namespace keyfold::model
