// Questions about puts that several rules share.
#pragma once

#include "model/check/subject.h"

namespace keyfold::model::check {

// Returns true if an attribute is in the table's key: as a key attribute or as a placeholder of one.
bool IsInBaseKey(const Subject&, EntityId, std::string_view attribute);

// Returns true if patterns put the entity, and each of these puts is on the condition that no item has its key.
bool PutsAreNew(const Subject&, EntityId);

// Returns true if two entities share keys on purpose: they can have the same key, and every put of both is on the
// condition that the key is new. One key then is either the one's or the other's.
bool ShareNames(const Subject&, EntityId, EntityId);

// Returns true if a query that asks for other entities finds items of this one only in partitions that belong to the
// other kind: it shares the names of one that is wanted, or belongs to one that does.
bool IsOfOtherKind(const Subject&, PatternId, EntityId);

}  // namespace keyfold::model::check
