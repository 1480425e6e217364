// What an index's entries hold besides keys, as DynamoDB projects it.
#pragma once

#include <string_view>

#include "model/core/model.h"

namespace keyfold::model {

// Is the attribute, none of a key, in the index's entries? The type attribute is listed with the others that an index
// includes; KEYS_ONLY has no place for it.
bool Projects(const Model&, const Index&, std::string_view attribute);

}  // namespace keyfold::model
