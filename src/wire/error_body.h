// Errors as clients see them: HTTP status, exception name, message, and the additional members of some.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"

namespace keyfold::wire {

int HttpStatusOf(Kind kind);
// "ValidationException": the name without its namespace, for logs and metrics.
std::string_view ExceptionNameOf(Kind kind);
// The inverse of ExceptionNameOf; nullopt for an unknown name.
std::optional<Kind> KindOfException(std::string_view name);

// Appends {"__type":"com.amazon.coral.validate#ValidationException","message":"…"}. Internal errors have one fixed
// message.
void AppendErrorBody(std::string& out, const Error& error);

}  // namespace keyfold::wire
