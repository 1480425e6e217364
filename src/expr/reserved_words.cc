// Looks up a name in the generated table of reserved words.
#include "expr/reserved_words.h"

#include <algorithm>
#include <array>
#include <cstddef>

#include "base/text/ascii.h"

namespace keyfold::expr {
namespace {
#include "expr/reserved_words.inc"
static_assert(std::is_sorted(kReservedWords.begin(), kReservedWords.end()));
}  // namespace

bool IsReservedWord(std::string_view name) {
  if (name.size() > kReservedWordBytesMax) return false;
  char upper[kReservedWordBytesMax];
  std::transform(name.begin(), name.end(), upper, ToUpper);
  return std::binary_search(kReservedWords.begin(), kReservedWords.end(), std::string_view(upper, name.size()));
}

}  // namespace keyfold::expr
