// From a model file's text to a Model, or to the one line that says why not: YAML or JSON (yaml.h), the closed grammar
// (fields.h), then every name resolved.
#pragma once

#include <string>
#include <variant>

#include "model/core/model.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

// `file` is the name for messages. Reads only; opening files is the caller's.
std::variant<Model, Unreadable> Load(std::string file, std::string text);

}  // namespace keyfold::model
