// What every engine function works on. Borrowed; built once in server/.
#pragma once

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "store/store.h"

namespace keyfold {

struct Database {
  Store& store;
  Catalog& catalog;
  const Clock& clock;  // database time
};

// The table, or "Requested resource not found" where it does not exist or is being created or deleted.
Result<TablePtr> UsableTable(const Database& db, const CatalogSnapshot& snapshot, std::string_view name);

// After kStale for what was planned under version `planned`. Ok: plan again, the catalog is a later one now.
Status AwaitLaterCatalog(const Database& db, CatalogVersion planned, Wait wait);

}  // namespace keyfold
