// DynamoDB Local's spellings (-port, -inMemory, -sharedDb …), translated before the command line is parsed, so that
// Keyfold drops in.
#pragma once

#include <string>
#include <vector>

namespace keyfold {

struct LocalOptions {
  std::vector<std::string> arguments;  // the same command line in Keyfold's spelling
  std::vector<std::string> notes;
  std::string error;  // one line, where one of them cannot be translated
};

// Arguments without the program's name. A command line with none of DynamoDB Local's spellings comes back as it was, one
// with any begins with "serve", or is "--version".
LocalOptions TranslateLocalOptions(std::vector<std::string> arguments);

}  // namespace keyfold
