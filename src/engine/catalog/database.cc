#include "engine/catalog/database.h"

#include "store/rules.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"Requested resource not found"> kNoTable{"table-not-found", Kind::kResourceNotFound};

}  // namespace

Result<TablePtr> UsableTable(const Database& db, const CatalogSnapshot& snapshot, std::string_view name) {
  TablePtr table = snapshot.Find(name);
  if (!table || !table->IsUsableAt(db.clock.Now())) return kNoTable();
  return table;
}

Status AwaitLaterCatalog(const Database& db, store::CatalogVersion planned, store::Wait wait) {
  if (db.catalog.Current()->version != planned) return Ok();
  if (wait == store::Wait::kNever) return store::kNotInMemory();
  return db.catalog.CatchUp(planned);
}

}  // namespace keyfold::engine
