// The grammar of a model file as JSON Schema 2020-12, for editors. Made from the tables in fields.h.
#pragma once

#include <string>

namespace keyfold::model {

// Indented, with a newline at its end.
std::string SchemaText();

}  // namespace keyfold::model
