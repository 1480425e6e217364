// The units that a read takes by the planner's arithmetic, from the real sizes of the rows that its key condition
// covers in the world.
#pragma once

#include <optional>

#include "model/compile/access.h"
#include "model/compile/request.h"
#include "model_test/sample_table.h"

namespace keyfold {

// Nothing where it depends on how far a filter makes the caller read.
std::optional<double> PlannedReadUnits(const SampleTable& samples, const model::Access& access,
                                       const model::CallInputs& call);

// Of a write that leaves an item so large, from one so large; index entries by the same rule.
double PlannedWriteUnits(const model::Model& model, const SampleEntry* before, const SampleEntry* after,
                         bool transactional);

}  // namespace keyfold
