// keyfold: the process that runs the program.
#include <algorithm>
#include <csignal>
#include <string_view>

#include "base/check.h"
#include "base/log.h"
#include "cli/program.h"

namespace {

// Checks the name it was called by, in whatever folder.
bool IsCalledJava(std::string_view path) { return path.substr(path.find_last_of('/') + 1) == "java"; }

}  // namespace

int main(int argc, char** argv) {
  // A reader of standard output or of a connection that goes away is detected when writing.
  std::signal(SIGPIPE, SIG_IGN);
  // Writing beyond the file size limit then fails and is reported as an error.
  std::signal(SIGXFSZ, SIG_IGN);
  CHECK(keyfold::SetLogLevel("error"));  // for commands; a server sets its own
  keyfold::terminal::Console console = keyfold::terminal::Console::OfProcess();
  const auto run = argc > 0 && IsCalledJava(argv[0]) ? keyfold::cli::RunAsJava : keyfold::cli::RunProgram;
  const int code = run(keyfold::cli::Arguments(argv + std::min(argc, 1), argv + argc), console);
  return console.Finish() || code != keyfold::cli::kExitOk ? code : keyfold::cli::kExitFailure;
}
