// Compares a placeholder's text in a key with the item's attribute.
#pragma once

#include <string_view>

#include "model/core/template.h"

namespace keyfold::model {

// Equivalent to text == FormatValue(…, value), but builds the text only if needed. A number `value` is canonical.
bool Agrees(const TemplatePart& part, std::string_view value, std::string_view text);

}  // namespace keyfold::model
