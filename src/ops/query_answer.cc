#include "ops/query_answer.h"

#include "ops/consumed.h"
#include "wire/attribute_value.h"

namespace keyfold::ops {
namespace {

constexpr Rule<
    "One or more parameter values were invalid: ALL_PROJECTED_ATTRIBUTES can be used only when Querying using an "
    "IndexName">
    kProjectedNeedsIndex{"select-projected-needs-index", Kind::kValidation};
constexpr Rule<
    "One or more parameter values were invalid: Must specify the AttributesToGet or ProjectionExpression when choosing "
    "to get SPECIFIC_ATTRIBUTES">
    kSpecificNeedsProjection{"select-specific-needs-projection", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: Cannot specify the {} when choosing to get {}">
    kSelectExcludesProjection{"select-excludes-projection", Kind::kValidation};

}  // namespace

Result<engine::Selection> SelectionOf(std::optional<wire::Select> select, std::string_view projected_by,
                                      bool has_index) {
  const bool projected = !projected_by.empty();
  if (!select) return projected ? engine::Selection::kSpecific : engine::Selection::kDefault;
  if (*select == wire::Select::kAllProjectedAttributes && !has_index) return kProjectedNeedsIndex();
  if (*select == wire::Select::kSpecificAttributes && !projected) return kSpecificNeedsProjection();
  if (*select != wire::Select::kSpecificAttributes && projected) {
    const bool count = *select == wire::Select::kCount;
    return kSelectExcludesProjection(projected_by, count ? std::string_view("only the Count") : wire::NameOf(*select));
  }
  switch (*select) {
    case wire::Select::kSpecificAttributes:
      return engine::Selection::kSpecific;
    case wire::Select::kCount:
      return engine::Selection::kCount;
    case wire::Select::kAllAttributes:
      return engine::Selection::kAll;
    case wire::Select::kAllProjectedAttributes:
      return engine::Selection::kAllProjected;
  }
  return engine::Selection::kDefault;
}

Status StartKeyIsWellFormed(const std::optional<wire::Supplied<Item>>& start) {
  if (!start) return Ok();
  Status status = start->Check();
  if (status.ok()) return status;
  Error fault = std::move(status).TakeError();
  if (wire::IsOfNumberOrSet(fault)) return fault;
  return std::move(fault).WithPrefix("The provided starting key is invalid: ");
}

Status WritePage(Call& call, json::Writer& answer, engine::Selection selection,
                 std::optional<wire::ReturnConsumedCapacity> wanted, std::string_view table_name,
                 FunctionRef<Result<engine::QueryOutcome>(engine::Emit)> read) {
  const bool shows_items = selection != engine::Selection::kCount;
  call.account.is_page = true;
  answer.BeginObject();
  if (shows_items) {
    answer.Key("Items");
    answer.BeginArray();
  }
  ASSIGN_OR_RETURN(const engine::QueryOutcome page, read([&](ItemView item) { wire::Write(answer, item); }));
  if (shows_items) answer.EndArray();
  answer.Member("Count", page.count);
  answer.Member("ScannedCount", page.scanned);
  if (page.last_key) {
    answer.Key("LastEvaluatedKey");
    wire::Write(answer, *page.last_key);
  }
  call.account.items_returned = page.count;
  ReportRead(call, answer, wanted, table_name, *page.table, page.units);
  answer.EndObject();
  return Ok();
}

}  // namespace keyfold::ops
