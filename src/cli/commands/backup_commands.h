// keyfold backup: commands for table backups, at a server or in the folder of one that is not running.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunBackup(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
