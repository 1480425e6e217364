// Writes a TypedDict of a Python program.
#pragma once

#include <string>
#include <vector>

#include "model/generate/code.h"

namespace keyfold::model::python {

struct Field {
  std::string name;
  std::string type;
  bool optional = false;
};

// Writes a class if all keys are valid names, otherwise a call.
void WriteDictionary(const std::string& name, const std::string& about, const std::vector<Field>&, Code&);

}  // namespace keyfold::model::python
