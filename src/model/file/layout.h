// The layout of a model file: `keyfold model fmt`. Indentation of two, one space inside flow collections, fields in the
// order of the tables (fields.h), at most one blank line; comments, quotes and line breaks stay as their author set
// them. The text is moved, never written anew.
#pragma once

#include <string>
#include <string_view>
#include <variant>

#include "model/core/unreadable.h"

namespace keyfold::model {

// The text in its layout; laying that out again gives the same. Unreadable where the text is no model's tree (yaml.h),
// or where moving it would change what it says or lose a comment.
std::variant<std::string, Unreadable> LayOut(std::string_view text);

}  // namespace keyfold::model
