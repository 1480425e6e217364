// `keyfold serve`: builds the parts, runs until a signal, stops in order.
#pragma once

#include "server/config.h"

namespace keyfold {

// The process's exit code.
int Serve(const Config& config);

}  // namespace keyfold
