// keyfold: the process around the program.
#include <csignal>

#include "base/check.h"
#include "base/log.h"
#include "cli/program.h"

int main(int argc, char** argv) {
  // A reader that goes away, of standard output or of a connection, is seen where it is written to.
  std::signal(SIGPIPE, SIG_IGN);
  CHECK(keyfold::SetLogLevel("error"));  // of commands; a server has its own
  keyfold::Console console = keyfold::Console::OfProcess();
  const int code = keyfold::RunProgram(keyfold::Arguments(argv + 1, argv + argc), console);
  return console.Finish() || code != keyfold::kExitOk ? code : keyfold::kExitFailure;
}
