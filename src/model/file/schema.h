// The grammar of a model file as JSON Schema 2020-12, for editors. Generated from the tables in fields.h.
#pragma once

#include <string>

namespace keyfold::model {

// Indented, with a trailing newline.
std::string SchemaText();

}  // namespace keyfold::model
