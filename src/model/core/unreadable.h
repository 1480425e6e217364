// Why a model file cannot be read: a place and one sentence. Wording stands in Rules beside the checks (base/error.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/text/printable.h"
#include "model/core/mark.h"

namespace keyfold::model {

struct Unreadable {
  Mark mark;
  std::string message;

  Unreadable(Mark mark, const Error& error) : mark(mark), message(error.message()) {}
};

// What a step of reading returns: nothing, or why reading ends.
using Fault = std::optional<Unreadable>;

// "FILE:LINE:COLUMN: message", one line: control characters, line separators and bidirectional marks are escaped.
std::string LineOf(std::string_view file, const Unreadable&);

using keyfold::Printable;

}  // namespace keyfold::model
