// Which attributes besides keys the entries of an index have, as DynamoDB projects them.
#pragma once

#include <string_view>

#include "model/core/model.h"

namespace keyfold::model {

// Returns true if the attribute, which is not a key attribute, is in the index's entries. The type attribute is added
// to the list of an index that includes attributes by name; a KEYS_ONLY index cannot have it.
bool Projects(const Model&, const Index&, std::string_view attribute);

// Returns true if an entry of the index gives the attribute of the entity: by projection, as a key, or as part of the
// text of a key from which it can be recovered.
bool EntryGives(const Model&, const Index&, const Entity&, std::string_view attribute);

}  // namespace keyfold::model
