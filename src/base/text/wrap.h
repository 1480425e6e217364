// Breaks lines of text at spaces, for a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace keyfold {

// Returns the line broken into lines of at most `columns` characters, where possible: a longer word stays whole. Every
// line after the first starts with `indent` spaces. Escape sequences for colors take no space. The spaces at the start
// of the line are kept; between words there is one.
std::string WrapLine(std::string_view line, size_t columns, size_t indent);

// Wraps each line of prose in a text by WrapLine, with lines after the first indented by four more spaces than the line
// itself. Lines with several spaces in a row after their indentation are rows of tables and stay as they are.
std::string WrapProse(std::string_view text, size_t columns);

}  // namespace keyfold
