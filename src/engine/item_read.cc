#include "engine/item_read.h"

#include "engine/key.h"

namespace keyfold {

Result<ItemsRead> ReadItems(const Database& db, std::string_view table, std::span<const ItemView> keys,
                            const Projection& projection, Access access) {
  ItemsRead read;
  ASSIGN_OR_RETURN(read.table, UsableTable(db, *db.catalog.Current(), table));
  std::vector<RowKey> row_keys;
  row_keys.reserve(keys.size());
  for (const ItemView key : keys) {
    RETURN_IF_ERROR(KeyFitsTable(*read.table, key));
    row_keys.push_back(RowKeyOf(*read.table, key));
  }
  RETURN_IF_ERROR(KeepsKeysWhole(*read.table, projection));
  RETURN_IF_ERROR(db.store.Get(row_keys, read.rows, access));
  return read;
}

}  // namespace keyfold
