// The program: which command a command line means.
#pragma once

#include "cli/shell/command.h"

namespace keyfold {

// Arguments without the program's name. The process's exit code.
int RunProgram(const Arguments& arguments, Console& console);

// Likewise where the program was called `java`, as by tools that start DynamoDB Local: always serves.
int RunAsJava(const Arguments& arguments, Console& console);

}  // namespace keyfold
