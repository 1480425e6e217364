// PutItem.
#include "ops/handlers.h"
#include "ops/one_item_write.h"
#include "wire/requests/items.h"

namespace keyfold::ops {
namespace {

Result<std::optional<expr::Condition>> CheckPutItem(const wire::PutItemRequest& r) {
  RETURN_IF_ERROR(ConditionParametersDoNotMix(r));
  RETURN_IF_ERROR(r.item.Check());
  if (!r.item->empty()) RETURN_IF_ERROR(wire::AttributeNameIsGiven((*r.item->view().entries().begin()).name));
  RETURN_IF_ERROR(ReturnsOldOrNothing(r.return_values));
  RETURN_IF_ERROR(ItemFits(*r.item));
  return ParseOnlyCondition(r);
}

}  // namespace

Status PutItem(Call& call, json::Value request, json::Writer& answer) {
  ASSIGN_OR_RETURN(const wire::PutItemRequest r, wire::Decode<wire::PutItemRequest>(request));
  ASSIGN_OR_RETURN(const std::optional<expr::Condition> condition, CheckPutItem(r));
  return WriteWholeItem(call, r, engine::ItemWrite::Action::kPut, *r.item, condition, answer);
}

}  // namespace keyfold::ops
