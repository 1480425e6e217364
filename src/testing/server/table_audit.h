// What a store holds of a table, checked against what it should follow from: index rows, expiry rows, item collections
// and counts are computed again from the items, by rules written a second time here.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "store/store.h"

namespace keyfold {

// Row key and value, in key order.
using StoredRows = std::vector<std::pair<std::string, std::string>>;

StoredRows ReadRows(Store& store, TableId table, IndexId index);

// Empty, or what is wrong. No index of the table is being filled.
std::string AuditTable(Store& store, const Table& table);

}  // namespace keyfold
