// keyfold export: exports a table to a bucket, at a server or from the folder of one that is not running.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunExport(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
