// The error of work that stops before it is complete, because the process or its owner is stopping.
#pragma once

#include "base/error.h"

namespace keyfold {

inline constexpr Rule<"Stopping. Try again."> kStopping{"stopping", Kind::kUnavailable};

}  // namespace keyfold
