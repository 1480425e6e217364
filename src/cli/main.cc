// keyfold: the process around the program.
#include <algorithm>
#include <csignal>
#include <string_view>

#include "base/check.h"
#include "base/log.h"
#include "cli/program.h"

namespace {

// By the name it was called, whatever folder that is in.
bool IsCalledJava(std::string_view path) { return path.substr(path.find_last_of('/') + 1) == "java"; }

}  // namespace

int main(int argc, char** argv) {
  // A reader that goes away, of standard output or of a connection, is seen where it is written to.
  std::signal(SIGPIPE, SIG_IGN);
  // A file at the process's size limit is an error of the write, and is reported as one.
  std::signal(SIGXFSZ, SIG_IGN);
  CHECK(keyfold::SetLogLevel("error"));  // of commands; a server has its own
  keyfold::Console console = keyfold::Console::OfProcess();
  const auto run = argc > 0 && IsCalledJava(argv[0]) ? keyfold::RunAsJava : keyfold::RunProgram;
  const int code = run(keyfold::Arguments(argv + std::min(argc, 1), argv + argc), console);
  return console.Finish() || code != keyfold::kExitOk ? code : keyfold::kExitFailure;
}
