// Questions about puts that several rules share.
#pragma once

#include "model/check/subject.h"

namespace keyfold::model::check {

// Returns true if an attribute is in the table's key: as a key attribute or as a placeholder of one.
bool IsInBaseKey(const Subject&, EntityId, std::string_view attribute);

// Returns true if patterns put the entity, and each of these puts is on the condition that no item has its key.
bool PutsAreNew(const Subject&, EntityId);

}  // namespace keyfold::model::check
