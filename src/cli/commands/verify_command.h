// keyfold verify: verifies a database, at a server or in its folder, or an export by itself, and reports what is wrong.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

int RunVerify(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
