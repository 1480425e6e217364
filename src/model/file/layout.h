// The layout of a model file: `keyfold model fmt`. Indentation is two spaces, flow collections have one space after
// each comma and colon, fields are in the order of the tables (fields.h), and there is at most one blank line in a row.
// Comments, quotes and line breaks stay as the author wrote them: the text is moved, never rewritten.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "model/core/unreadable.h"

namespace keyfold::model {

// Returns the formatted text; formatting it again does not change it. Returns Unreadable if the text is not a valid
// tree (yaml.h), or if moving it would change its meaning or lose a comment.
std::variant<std::string, Unreadable> LayOut(std::string_view text);

}  // namespace keyfold::model
