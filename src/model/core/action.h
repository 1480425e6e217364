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

// ParseAction parses a whole action. ParseActionOf parses a standalone put, update or delete, whose text has no verb.
Fault ParseAction(Phrase, const Model&, Action& out);
Fault ParseActionOf(Verb, Phrase, const Model&, Action& out);

Fault ParseAssignment(Phrase, const Model&, EntityId, Assignment& out);
// Checks that no two assignments overlap.
Fault CheckAssignments(const Action&);
// Parses an entry of a pattern's `by`: an attribute, `attribute = input` or `Entity.attribute = input`.
Fault ParseGiven(Phrase, const Model&, const Pattern&, Binding& out);
// Checks a name given to `remove`: it must be an attribute, or a key attribute of an index.
Fault CheckRemoved(Phrase, const Model&, EntityId);

// Returns the assignments of an update in the pattern. An update of a copy without `set` and `remove` takes the
// pattern's assignments to its source, for the attributes that are copied.
std::vector<Assignment> AssignmentsOf(const Model&, const Pattern&, const Action&);

}  // namespace keyfold::model
