// The last step of an import: the draft becomes text that loads, with what the table's keys cannot avoid accepted and
// said.
#pragma once

#include <string>

#include "model/import/draft.h"
#include "value/error.h"

namespace keyfold::model {

// An error only where the text would not load, which is a fault of import.
Result<std::string> Settle(Draft draft);

}  // namespace keyfold::model
