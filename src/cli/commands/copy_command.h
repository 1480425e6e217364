// keyfold copy: copies tables from one endpoint to another.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunCopy(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
