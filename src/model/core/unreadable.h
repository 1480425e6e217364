// Why a model file cannot be read: a position and one sentence. The wording is in Rules next to the checks
// (base/error.h).
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

// Result of a parsing step: nullopt, or why parsing stopped. It is not a Status, because every fault of a file has a
// position, which a Status has no place for; the compiler thus refuses a step that reports an Error without one.
using Fault = std::optional<Unreadable>;

// "FILE:LINE:COLUMN: message" on one line: control characters, line separators and bidirectional marks are escaped.
std::string LineOf(std::string_view file, const Unreadable&);

using keyfold::Printable;

}  // namespace keyfold::model
