// The program: runs the command that a command line names.
#pragma once

#include "cli/shell/command.h"

namespace keyfold::cli {

// Takes the arguments without the program's name. Returns the process's exit code.
int RunProgram(const Arguments& arguments, terminal::Console& console);

// The same if the program was called `java`, as by tools that start DynamoDB Local: always serves.
int RunAsJava(const Arguments& arguments, terminal::Console& console);

}  // namespace keyfold::cli
