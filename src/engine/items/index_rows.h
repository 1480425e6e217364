// Updates index rows in the commit of their item: derives the rows to remove and add from the item before and after,
// with projection, tally and cost.
#pragma once

#include <optional>

#include "engine/catalog/table.h"
#include "engine/items/capacity.h"
#include "store/store.h"
#include "value/item.h"

namespace keyfold::engine {

// The item with only the attributes that the index projects.
Item ProjectForIndex(const Table& table, const Index& index, ItemView item);

struct IndexUpdate {
  Consumed units;                // units of indexes only
  int64_t local_bytes = 0;       // growth of the item's rows in local indexes, for its collection size
  size_t local_bytes_after = 0;  // size of those rows; 0 if nothing changes
};

// An item and its size by DynamoDB's count. Computing the size walks the whole item, so the write and its indexes share
// the result. Borrows the item.
struct SizedItem {
  explicit SizedItem(ItemView item) : view(item), bytes(ItemSize(item)) {}

  ItemView view;
  size_t bytes;
};

// `before` and `after` fit the table; nullopt means that the item does not exist. An item whose attributes do not fit
// an index is not in that index.
IndexUpdate UpdateIndexRows(const Table& table, const std::optional<SizedItem>& before,
                            const std::optional<SizedItem>& after, store::Changes& changes);

}  // namespace keyfold::engine
