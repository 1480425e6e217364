// keyfold copy: copies tables from one endpoint to another.
#pragma once

#include "cli/shell/command.h"

namespace keyfold {

int RunCopy(const Arguments& arguments, Console& console);

}  // namespace keyfold
