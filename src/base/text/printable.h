// Printable: makes text from outside (files, other machines, clients) fit for one line of a log or a terminal.
#pragma once

#include <string>
#include <string_view>

namespace keyfold {

// Escapes characters that would end, redraw or reorder a line: control characters, line separators and bidirectional
// marks (\n, \u001b, \u202e), and bytes that are not UTF-8 (\xff). A backslash stays as it is.
std::string Printable(std::string_view text);

}  // namespace keyfold
