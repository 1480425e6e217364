// DeleteItem.
#include "ops/handlers.h"
#include "ops/one_item_write.h"
#include "wire/requests/items.h"

namespace keyfold::ops {
namespace {

Result<std::optional<expr::Condition>> CheckDeleteItem(const wire::DeleteItemRequest& r) {
  RETURN_IF_ERROR(ConditionParametersDoNotMix(r));
  RETURN_IF_ERROR(r.key.Check());
  RETURN_IF_ERROR(ReturnsOldOrNothing(r.return_values));
  return ParseOnlyCondition(r);
}

}  // namespace

Status DeleteItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::DeleteItemRequest r, wire::Decode<wire::DeleteItemRequest>(request));
  ASSIGN_OR_RETURN(const std::optional<expr::Condition> condition, CheckDeleteItem(r));
  return WriteWholeItem(call, r, engine::ItemWrite::Action::kDelete, *r.key, condition, answer);
}

}  // namespace keyfold::ops
