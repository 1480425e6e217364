// A TypedDict of a Python program.
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

// As a class where all its keys are names, and otherwise as a call. What may be missing stands in a class of its own,
// whose name `scope` gives.
void WriteDictionary(const std::string& name, const std::string& about, const std::vector<Field>&, Scope& scope, Code&);

}  // namespace keyfold::model::python
