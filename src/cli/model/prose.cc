#include "cli/model/prose.h"

#include <algorithm>

#include "base/text/wrap.h"

namespace keyfold::cli {

std::optional<size_t> ProseColumns(const terminal::Console& console) {
  constexpr int kFewest = 40, kMost = 100;
  if (!console.out_is_terminal()) return {};
  return static_cast<size_t>(std::clamp(console.columns(), kFewest, kMost));
}

void PrintProse(std::string_view text, terminal::Console& console) {
  const std::optional<size_t> columns = ProseColumns(console);
  if (columns) return console.Print(WrapProse(text, *columns));
  console.Print(text);
}

}  // namespace keyfold::cli
