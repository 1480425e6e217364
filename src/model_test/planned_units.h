// The units of a read by the planner's arithmetic, from the real sizes of the sample rows that its key condition
// covers.
#pragma once

#include <optional>

#include "model/compile/access.h"
#include "model/compile/request.h"
#include "model_test/sample_table.h"

namespace keyfold::model_test {

// Returns nullopt if the result depends on how many pages a filter makes the caller read.
std::optional<double> PlannedReadUnits(const SampleTable& samples, const model::Access& access,
                                       const model::CallInputs& call);

// Units of a write that turns `before` into `after`, including index entries.
double PlannedWriteUnits(const model::Model& model, const SampleEntry* before, const SampleEntry* after,
                         bool transactional);

}  // namespace keyfold::model_test
