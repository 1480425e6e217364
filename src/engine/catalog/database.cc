#include "engine/catalog/database.h"

#include "engine/catalog/rules.h"
#include "store/rules.h"

namespace keyfold::engine {

Result<TablePtr> UsableTable(const Database& db, const CatalogSnapshot& snapshot, std::string_view name) {
  TablePtr table = snapshot.Find(name);
  if (!table || !table->IsUsableAt(db.clock.Now())) return kResourceNotFound();
  return table;
}

Status AwaitLaterCatalog(const Database& db, store::CatalogVersion planned, store::Wait wait) {
  if (db.catalog.Current()->version != planned) return Ok();
  if (wait == store::Wait::kNever) return store::kNotInMemory();
  return db.catalog.CatchUp(planned);
}

}  // namespace keyfold::engine
