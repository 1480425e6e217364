// `keyfold health`: checks whether a server responds, for container health checks, service managers and scripts.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunHealth(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
