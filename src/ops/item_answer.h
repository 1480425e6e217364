// Checks and response members that the item operations share.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "engine/items/item_write.h"
#include "json/writer.h"
#include "value/item.h"
#include "wire/shapes.h"

namespace keyfold::ops {

// PutItem and DeleteItem: "ReturnValues can only be ALL_OLD or NONE".
Status ReturnsOldOrNothing(std::optional<wire::ReturnValue> return_values);

// At most 400 KB.
Status ItemFits(ItemView item);

// No two of them are equal: keys, or rows, of the items that a batch names.
Status NoItemIsNamedTwice(std::vector<std::string_view> keys);

// "Attributes":{…}
void WriteAttributes(json::Writer& out, ItemView attributes);

// Writes "ItemCollectionMetrics":{…} if the request asks for it and the table has collections.
void ReportCollection(json::Writer& out, std::optional<wire::ReturnItemCollectionMetrics> wanted,
                      const engine::WriteOutcome& outcome, ItemView item);

}  // namespace keyfold::ops
