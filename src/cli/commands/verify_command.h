// keyfold verify: has a database looked through, at a server or in its folder, or looks at an export by itself, and
// says what is not as it must be.
#pragma once

#include "cli/shell/command.h"

namespace keyfold {

int RunVerify(const Arguments& arguments, Console& console);

}  // namespace keyfold
