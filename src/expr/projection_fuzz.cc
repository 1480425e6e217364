// Fuzz target for projections: any text parses or is refused, and a parsed one extracts a well-formed part of an item.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "expr/projection.h"
#include "testing/expr/value_notation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;  // NOLINT: one function
  static const Item item =
      expr::ValueNotation::ReadItem("{a=1, b={a={a=1}, b=[1, 2]}, l=[2, 'dog', [3, {q=4}]], m={x=1, y=[-1, {q='s'}]}}");
  expr::PlaceholdersForTest placeholders("{}");
  const auto projection = ParseProjection({reinterpret_cast<const char*>(data), size}, placeholders.get());
  if (!projection.ok()) {
    CHECK(!projection.error().message().empty());
    return 0;
  }
  const Item part = Project(*projection, item);
  CHECK(IsWellFormedItem(part.bytes()));
  CHECK(part.bytes().size() <= item.bytes().size());
  return 0;
}
