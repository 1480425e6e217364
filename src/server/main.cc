// keyfold: the program.
#include <cstdio>
#include <string>
#include <vector>

#include "server/config.h"
#include "server/serve.h"

int main(int argc, char** argv) {
  const keyfold::CommandLine line = keyfold::ParseCommandLine(std::vector<std::string>(argv + 1, argv + argc));
  if (!line.serve) {
    std::fputs(line.text.c_str(), line.exit_code == 0 ? stdout : stderr);
    return line.exit_code;
  }
  for (const std::string& note : line.notes) std::fprintf(stderr, "keyfold: %s\n", note.c_str());
  return keyfold::Serve(*line.serve);
}
