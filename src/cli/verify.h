// keyfold verify: reads all of a data folder and says what in it is not as it must be.
#pragma once

#include "cli/command.h"

namespace keyfold {

int RunVerify(const Arguments& arguments, Console& console);

}  // namespace keyfold
