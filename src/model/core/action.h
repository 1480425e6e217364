// The actions of a write pattern: `put Order if_new`, `update Product x3 set stock -= qty if stock >= qty`, and the
// assignments of a standalone update.
#pragma once

#include <cstdint>
#include <vector>

#include "model/core/model.h"
#include "model/core/phrase.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

inline constexpr uint32_t kTimesMax = 100'000;

// A whole action; of a standalone put, update or delete the text without its verb.
Fault ParseAction(Phrase, const Model&, Action& out);
Fault ParseActionOf(Verb, Phrase, const Model&, Action& out);

Fault ParseAssignment(Phrase, const Model&, EntityId, Assignment& out);
// A name that `remove` may take: an attribute, or a key attribute of an index.
Fault CheckRemoved(Phrase, const Model&, EntityId);

// What an update of the pattern sets. One of a copy that says nothing itself follows what the pattern sets of its
// source.
std::vector<Assignment> AssignmentsOf(const Model&, const Pattern&, const Action&);

}  // namespace keyfold::model
