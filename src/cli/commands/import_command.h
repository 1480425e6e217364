// keyfold import: imports a new table from a bucket's files, at a server or in the folder of one that is not running.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunImport(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
