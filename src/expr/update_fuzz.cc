// Fuzz target for updates: any text parses or is refused, and a parsed one turns an item into a well-formed item or is
// refused.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "expr/update.h"
#include "testing/expr/value_notation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;  // NOLINT: one function
  static const Item item = expr::ValueNotation::ReadItem(
      "{a=1, b='cat', c=x'636174', d=true, ss=<'x', 'y'>, ns=<2, 4>, l=[2, 'dog', [3, {q=4}]], m={x=1, y=[-1, "
      "{q='s'}]}}");
  expr::PlaceholdersForTest placeholders(
      "{:a=1, :b='cat', :c=x'63', :d=true, :e=null, :f=<'x'>, :g=<2>, :l=[1], :m={}, :h=9e125}");
  const auto update = ParseUpdate({reinterpret_cast<const char*>(data), size}, placeholders.get());
  if (!update.ok()) {
    CHECK(!update.error().message().empty());
    return 0;
  }
  for (const ItemView old : {item.view(), ItemView()}) {
    const auto updated = ApplyUpdate(*update, old);
    if (!updated.ok()) continue;
    CHECK(IsWellFormedItem(updated->bytes()));
    CHECK(IsWellFormedItem(UpdatedPart(*update, *updated).bytes()));
  }
  return 0;
}
