// DynamoDB's reserved words: names that an expression may use only through a #placeholder.
#pragma once

#include <string_view>

namespace keyfold::expr {

// Ignores case.
bool IsReservedWord(std::string_view name);

}  // namespace keyfold::expr
