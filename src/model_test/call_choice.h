// What to call a read pattern with: values that objects of the sample have, the first and most awkward ones and some
// others, and values that none has.
#pragma once

#include <vector>

#include "model_test/trial.h"

namespace keyfold {

// One per invocation; of BatchGetItem the elements are its keys.
std::vector<model::CallInputs> ChooseCalls(const TrialContext& context, const model::Access& access);

}  // namespace keyfold
