// How `keyfold model` commands print text for people: on a terminal, lines are wrapped; elsewhere they stay whole, so
// that tools can search them.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "terminal/console.h"

namespace keyfold::cli {

// The terminal's width, at most 100; nullopt if standard output is not a terminal.
std::optional<size_t> ProseColumns(const terminal::Console& console);

// Prints text whose long lines are prose or rows of tables (base/text/wrap.h).
void PrintProse(std::string_view text, terminal::Console& console);

}  // namespace keyfold::cli
