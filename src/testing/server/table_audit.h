// Checks a table's data in a store: index rows, expiry rows, item collections and counts are recomputed from the items,
// by a second implementation of the rules.
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

// Returns empty, or what is wrong. No index of the table may be being filled.
std::string AuditTable(Store& store, const Table& table);

}  // namespace keyfold
