// GetItem and BatchGetItem: items by key.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "engine/database.h"
#include "engine/table.h"
#include "store/store.h"

namespace keyfold {

struct ItemsRead {
  TablePtr table;
  std::vector<Row> rows;  // one per key; a Row's value is the item
};

// Keys of one table, each read by itself.
Result<ItemsRead> ReadItems(const Database& db, std::string_view table, std::span<const ItemView> keys, Access access);

}  // namespace keyfold
