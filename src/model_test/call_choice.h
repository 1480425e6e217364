// Chooses the inputs for calls of a read pattern: values that sample objects have, from the first and most awkward ones
// and some others, and values that none has.
#pragma once

#include <vector>

#include "model_test/trial.h"

namespace keyfold::model_test {

// Returns one entry per invocation. For BatchGetItem the elements are its keys.
std::vector<model::CallInputs> ChooseCalls(const TrialContext& context, const model::Access& access);

}  // namespace keyfold::model_test
