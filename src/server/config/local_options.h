// DynamoDB Local's command lines (-port, -inMemory, -sharedDb …, with or without `-jar DynamoDBLocal.jar` and other
// Java arguments before them), translated before the command line is parsed, so that Keyfold is a drop-in replacement.
#pragma once

#include <string>
#include <vector>

namespace keyfold::server {

struct LocalOptions {
  std::vector<std::string> arguments;  // the same command line in Keyfold's spelling
  std::vector<std::string> notes;
  bool any = false;   // whether anything was in DynamoDB Local's or Java's spelling
  std::string error;  // one line, if one of them cannot be translated
};

// Takes the arguments without the program's name. A command line with none of these spellings is returned unchanged;
// one with any begins with "serve" and contains --local-health, or is just "--version". `called_java`: the program was
// called `java`, so the command line is DynamoDB Local's even when it is empty.
LocalOptions TranslateLocalOptions(std::vector<std::string> arguments, bool called_java = false);

}  // namespace keyfold::server
