// Loads a model file's text into a Model, or returns the one line that says why it cannot: parses YAML or JSON
// (yaml.h), checks the closed grammar (fields.h), then resolves every name.
#pragma once

#include <string>
#include <variant>

#include "model/core/model.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

// `file` is the name used in messages. The caller reads the file.
std::variant<Model, Unreadable> Load(std::string file, std::string text);

}  // namespace keyfold::model
