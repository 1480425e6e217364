// Index rows follow their item in the same commit: from the item before and after, the rows to remove and add, with
// projection, tally and cost.
#pragma once

#include <optional>

#include "engine/catalog/table.h"
#include "engine/items/capacity.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold {

// An item as its index shows it.
Item ProjectForIndex(const Table& table, const Index& index, ItemView item);

struct IndexUpdate {
  Consumed units;                // of indexes only
  int64_t local_bytes = 0;       // by which the item's rows in local indexes grow its collection
  size_t local_bytes_after = 0;  // of those rows; 0 where nothing changes
};

// An item and its size by DynamoDB's count, which is a walk over the item: the write and its indexes share one. Borrows
// the item.
struct SizedItem {
  explicit SizedItem(ItemView item) : view(item), bytes(ItemSize(item)) {}

  ItemView view;
  size_t bytes;
};

// `before` and `after` fit the table; absent: the item does not exist. What of them does not fit an index is not in it.
IndexUpdate UpdateIndexRows(const Table& table, const std::optional<SizedItem>& before,
                            const std::optional<SizedItem>& after, Changes& changes);

}  // namespace keyfold
