// Index rows follow their item in the same commit: from the item before and after, the rows to remove and add, with projection, tally and
// cost.
#pragma once

#include <optional>

#include "engine/capacity.h"
#include "engine/table.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold {

// An item as its index shows it.
Item ProjectForIndex(const Table& table, const Index& index, ItemView item);

// Bytes by which the item's local index rows grow its collection.
struct UpkeepResult {
  Consumed units;  // of indexes only
  int64_t local_bytes = 0;
  size_t local_bytes_after = 0;  // of the item's rows in local indexes
};

// `before` and `after` fit the table and its indexes; absent: the item does not exist.
UpkeepResult UpkeepIndexes(const Table& table, std::optional<ItemView> before, std::optional<ItemView> after, Changes& changes);

}  // namespace keyfold
