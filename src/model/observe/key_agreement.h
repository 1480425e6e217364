// Does a placeholder's text in a key say what the item's attribute says?
#pragma once

#include <string_view>

#include "model/core/template.h"

namespace keyfold::model {

// As text == FormatValue(…, value), without making it where that is not needed. `value` is canonical where it is a
// number.
bool Agrees(const TemplatePart& part, std::string_view value, std::string_view text);

}  // namespace keyfold::model
