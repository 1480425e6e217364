#include "ops/item_answer.h"

#include <algorithm>

#include "ops/consumed.h"
#include "value/item_limit.h"
#include "wire/attribute_value.h"

namespace keyfold::ops {
namespace {

constexpr Rule<"ReturnValues can only be ALL_OLD or NONE"> kOldOrNothing{"return-old-or-nothing", Kind::kValidation};
constexpr Rule<"Provided list of item keys contains duplicates"> kItemTwice{"batch-item-twice", Kind::kValidation};

}  // namespace

Status ReturnsOldOrNothing(std::optional<wire::ReturnValue> return_values) {
  if (!return_values || *return_values == wire::ReturnValue::kAllOld || *return_values == wire::ReturnValue::kNone)
    return Ok();
  return kOldOrNothing();
}

Status ItemFits(ItemView item) {
  if (ExceedsItemLimit(item)) return kItemSize();
  return Ok();
}

Status NoItemIsNamedTwice(std::vector<std::string_view> keys) {
  std::sort(keys.begin(), keys.end());
  if (std::adjacent_find(keys.begin(), keys.end()) != keys.end()) return kItemTwice();
  return Ok();
}

void WriteAttributes(json::Writer& out, ItemView attributes) {
  out.Key("Attributes");
  wire::Write(out, attributes);
}

void ReportCollection(json::Writer& out, std::optional<wire::ReturnItemCollectionMetrics> wanted,
                      const engine::WriteOutcome& outcome, ItemView item) {
  if (wanted != wire::ReturnItemCollectionMetrics::kSize || !outcome.collection_bytes) return;
  out.Key("ItemCollectionMetrics");
  WriteCollectionMetrics(out, outcome, item);
}

}  // namespace keyfold::ops
