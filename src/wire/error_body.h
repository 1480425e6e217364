// Errors as a client sees them: HTTP status, exception name, message, and what some carry besides.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold {

int HttpStatusOf(Kind kind);
// "ValidationException": without its namespace, for logs and metrics.
std::string_view ExceptionNameOf(Kind kind);
// The other way round; nothing for a name that is not ours.
std::optional<Kind> KindOfException(std::string_view name);

// {"__type":"com.amazon.coral.validate#ValidationException","message":"…"}. Errors of our own show one fixed sentence.
void AppendErrorBody(std::string& out, const Error& error);

}  // namespace keyfold
