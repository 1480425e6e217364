// The program: which command a command line means.
#pragma once

#include "cli/command.h"

namespace keyfold {

// Arguments without the program's name. The process's exit code.
int RunProgram(const Arguments& arguments, Console& console);

}  // namespace keyfold
