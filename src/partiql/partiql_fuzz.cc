// Parses arbitrary text as a statement: it is refused or parses, and what parses can be planned against a key and
// evaluated.
#include <cstddef>
#include <cstdint>

#include "base/check.h"
#include "base/text/utf8.h"
#include "partiql/plan.h"
#include "testing/partiql/statement_notation.h"

namespace keyfold::partiql {
namespace {

template <typename T>
void CheckOutcome(const Result<T>& result) {
  if (!result.ok()) CHECK(!result.error().message().empty());
}

void UseSelect(const Select& select, const KeySchema& key, ItemView item) {
  CHECK(IsWellFormedItem(SelectRow(select.projection, item).bytes()));
  expr::Test(select.where, item);
  CheckOutcome(PlanExists(select, key));
  for (const StatementUse use : {StatementUse::kBatch, StatementUse::kTransaction})
    CheckOutcome(PlanRead(select, key, use));
  const Result<SelectPlan> plan = PlanSelect(select, key);
  CheckOutcome(plan);
  if (!plan.ok()) return;
  for (const expr::Condition& filter : plan->filters) expr::Test(filter, item);
  for (const PlannedQuery& query : plan->queries) CheckOutcome(expr::BindKeyCondition(query.key, key, false));
}

void UseWrite(const expr::Condition& where, const KeySchema& key, ItemView item) {
  for (const StatementUse use : {StatementUse::kStatement, StatementUse::kTransaction}) {
    const Result<KeyedWrite> write = PlanWrite(where, key, use);
    CheckOutcome(write);
    if (write.ok() && write->condition) expr::Test(*write->condition, item);
  }
}

void Use(const Statement& statement, const KeySchema& key, ItemView item) {
  if (const auto* select = std::get_if<Select>(&statement)) UseSelect(*select, key, item);
  if (const auto* exists = std::get_if<Exists>(&statement)) UseSelect(exists->select, key, item);
  if (const auto* insert = std::get_if<Insert>(&statement)) CHECK(IsWellFormedItem(insert->item.bytes()));
  if (const auto* deletion = std::get_if<Delete>(&statement)) UseWrite(deletion->where, key, item);
  if (const auto* change = std::get_if<Change>(&statement)) {
    UseWrite(change->where, key, item);
    const Result<Item> updated = expr::ApplyUpdate(change->update, item);
    CheckOutcome(updated);
    if (updated.ok()) CHECK(IsWellFormedItem(updated->bytes()));
  }
}

}  // namespace
}  // namespace keyfold::partiql

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  using namespace keyfold;           // NOLINT: one function
  using namespace keyfold::partiql;  // NOLINT: one function
  static const Item item = expr::ValueNotation::ReadItem(
      "{pk='a', sk='b', n=1, ss=<'x', 'y'>, ns=<2, 4>, l=[2, 'dog', [3, {q=4}]], m={x=1, y=[-1, {q='s'}]}}");
  static const std::vector<Value> parameters = ReadParameters("['a', 1, x'63', true, null, <'x'>, <2>, [1], {}, 'S']");
  static const KeySchema simple{{{"pk", Type::kS}}, {}};
  static const KeySchema composite{{{"pk", Type::kS}}, {{"sk", Type::kS}}};
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (size > kStatementBytesMax || !IsUtf8(text)) return 0;
  const Result<Statement> statement = ParseStatement(text, parameters);
  if (!statement.ok()) {
    CHECK(!statement.error().message().empty());
    return 0;
  }
  for (const KeySchema* key : {&simple, &composite}) Use(*statement, *key, item);
  return 0;
}
