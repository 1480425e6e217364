// Fuzz target for key conditions: any text parses or is refused, and a parsed one binds to keys of several shapes or is
// refused.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "expr/key_condition.h"
#include "testing/expr/value_notation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;  // NOLINT: one function
  static const KeySchema keys[] = {
      {{{"a", Type::kS}}, {}},
      {{{"a", Type::kS}}, {{"b", Type::kN}}},
      {{{"a", Type::kS}, {"b", Type::kN}}, {{"c", Type::kB}, {"d", Type::kS}}},
  };
  expr::PlaceholdersForTest placeholders("{:a='x', :b=1, :c=x'63', :d='y', :e='', :l=[1]}");
  const auto condition = ParseKeyCondition({reinterpret_cast<const char*>(data), size}, placeholders.get());
  if (!condition.ok()) {
    CHECK(!condition.error().message().empty());
    return 0;
  }
  for (const KeySchema& key : keys) {
    const auto query = BindKeyCondition(*condition, key, false);
    if (!query.ok()) continue;
    CHECK(query->partition.size() == key.partition.size());
    CHECK(query->sort_equal.size() + (query->range ? 1 : 0) <= key.sort.size());
  }
  return 0;
}
