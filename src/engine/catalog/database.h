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

// Calls `attempt`, a Status(const CatalogSnapshot&), with the current catalog, and again with a later one for as long
// as it returns kStale. It is a template because it is on the path of every write.
template <typename Attempt>
Status RetryWhileStale(const Database& db, store::Wait wait, Attempt attempt) {
  while (true) {
    const SnapshotPtr snapshot = db.catalog.Current();
    Status status = attempt(*snapshot);
    if (status.ok() || status.kind() != Kind::kStale) return status;
    RETURN_IF_ERROR(AwaitLaterCatalog(db, snapshot->version, wait));
  }
}

}  // namespace keyfold::engine
