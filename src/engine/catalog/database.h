// The context of every engine function. Borrows its members; built once in server/.
#pragma once

#include "base/clock.h"
#include "engine/catalog/catalog.h"
#include "store/store.h"

namespace keyfold::engine {

struct Database {
  store::Store& store;
  Catalog& catalog;
  const Clock& clock;  // database time
};

// Returns the table, or "Requested resource not found" if it does not exist or is being created or deleted.
Result<TablePtr> UsableTable(const Database& db, const CatalogSnapshot& snapshot, std::string_view name);

// Called after kStale for a plan made under version `planned`. Ok means that the catalog is now later: plan again.
Status AwaitLaterCatalog(const Database& db, store::CatalogVersion planned, store::Wait wait);

}  // namespace keyfold::engine
