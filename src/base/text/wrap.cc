#include "base/text/wrap.h"

#include <algorithm>

#include "base/text/utf8.h"

namespace keyfold {
namespace {

size_t IndentOf(std::string_view line) { return std::min(line.find_first_not_of(' '), line.size()); }

// Characters that are seen: those outside of escape sequences (ESC [ ... m).
size_t SeenCharacters(std::string_view text) {
  size_t seen = 0;
  for (size_t escape; (escape = text.find("\x1b[")) != std::string_view::npos;) {
    seen += CountCharacters(text.substr(0, escape));
    const size_t end = text.find('m', escape);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return seen + CountCharacters(text);
}

}  // namespace

std::string WrapLine(std::string_view line, size_t columns, size_t indent) {
  const size_t start = IndentOf(line);
  std::string out(start, ' ');
  size_t used = start;
  bool first = true;
  for (line.remove_prefix(start); !line.empty();) {
    const std::string_view word = line.substr(0, line.find(' '));
    line.remove_prefix(word.size());
    line.remove_prefix(IndentOf(line));
    const size_t width = SeenCharacters(word);
    if (!first && used + 1 + width > columns) {
      out.append("\n").append(indent, ' ');
      used = indent;
    } else if (!first) {
      out += ' ';
      ++used;
    }
    out += word;
    used += width;
    first = false;
  }
  return out;
}

std::string WrapProse(std::string_view text, size_t columns) {
  std::string out;
  while (!text.empty()) {
    const size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    const size_t indent = IndentOf(line);
    const bool prose = line.find("  ", indent) == std::string_view::npos;
    out += prose && SeenCharacters(line) > columns ? WrapLine(line, columns, indent + 4) : std::string(line);
    if (end == std::string_view::npos) break;
    out += '\n';
    text.remove_prefix(end + 1);
  }
  return out;
}

}  // namespace keyfold
