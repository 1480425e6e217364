#include "engine/database.h"

namespace keyfold {
namespace {

constexpr Rule<"Requested resource not found"> kNoTable{"table-not-found", Kind::kResourceNotFound};

}  // namespace

Result<TablePtr> UsableTable(const Database& db, const CatalogSnapshot& snapshot, std::string_view name) {
  TablePtr table = snapshot.Find(name);
  if (!table || !table->IsUsableAt(db.clock.Now())) return kNoTable();
  return table;
}

}  // namespace keyfold
