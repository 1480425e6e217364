// Fuzz target for conditions: any text parses or is refused, and a parsed condition can be tested.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "expr/condition.h"
#include "testing/expr/value_notation.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;  // NOLINT: one function
  static const Item item = expr::ValueNotation::ReadItem(
      "{a=1, b='cat', c=x'636174', d=true, ss=<'x', 'y'>, ns=<2, 4>, l=[2, 'dog', [3, {q=4}]], m={x=1, y=[-1, "
      "{q='s'}]}}");
  expr::PlaceholdersForTest placeholders(
      "{:a=1, :b='cat', :c=x'63', :d=true, :e=null, :f=<'x'>, :g=<2>, :l=[1], :m={}, :t='S'}");
  const auto condition =
      ParseCondition("ConditionExpression", {reinterpret_cast<const char*>(data), size}, placeholders.get());
  if (!condition.ok()) {
    CHECK(!condition.error().message().empty());
    return 0;
  }
  keyfold::expr::Condition negated;
  negated.op = expr::Condition::Op::kNot;
  negated.children.push_back(*condition);
  CHECK(Test(*condition, item) != Test(negated, item));
  Test(*condition, ItemView());
  return 0;
}
