// Checks a table's data in a store: index rows, expiry rows, item collections and counts are recomputed from the items,
// by a second implementation of the rules.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/catalog/table.h"
#include "store/store.h"

namespace keyfold::embedded {

// Row key and value, in key order.
using StoredRows = std::vector<std::pair<std::string, std::string>>;

StoredRows ReadRows(store::Store& store, store::TableId table, store::IndexId index);

// Returns empty, or what is wrong. No index of the table may be being filled.
std::string AuditTable(store::Store& store, const engine::Table& table);

}  // namespace keyfold::embedded
