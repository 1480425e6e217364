#include "engine/items/chunked_fill.h"

namespace keyfold::engine {

Result<bool> FillInChunks(const Database& db, const IndexTask& task, IsBeingFilled is_being_filled,
                          FunctionRef<bool()> stop, FillChunk fill) {
  store::Horizon horizon;
  const store::Access access{horizon, store::Wait::kAllowed};
  std::string after;
  while (true) {
    bool goes_on = false, more = false;
    Status filled = RetryWhileStale(db, access.wait, [&](const CatalogSnapshot& snapshot) -> Status {
      const TablePtr table = snapshot.Find(task.table);
      goes_on = table && table->id == task.table_id && !table->deleting && is_being_filled(*table) && !stop();
      if (!goes_on) return Ok();
      ASSIGN_OR_RETURN(more, fill(snapshot.version, *table, after, access));
      return Ok();
    });
    if (!goes_on) return false;
    if (filled.ok() && !more) return true;
    if (!filled.ok() && filled.kind() != Kind::kThrottling) return std::move(filled).TakeError();
  }
}

}  // namespace keyfold::engine
