#include "engine/background/expiry_fill.h"

#include <vector>

#include "engine/items/expiry.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

// Items per chunk. A chunk locks all of its items at once, so it is small: no request waits long for one of them.
constexpr size_t kChunkItems = 25;
// Maximum rows to examine per chunk. Bounds the length of one read if few items expire.
constexpr size_t kChunkRows = 1000;

bool IsBeingFilled(const Table* table, const IndexTask& task) {
  if (!table || table->id != task.table_id || table->deleting) return false;
  return table->expiry.enabled && table->expiry.index == task.index_id && !table->expiry.filled;
}

// Reads the items again under their locks and writes an expiry row for each item that still expires.
Status PutRows(const Database& db, store::CatalogVersion version, const Table& table,
               const std::vector<store::RowKey>& items, store::Access access) {
  if (items.empty()) return Ok();
  const auto decide = [&](Micros, std::span<const store::Row> rows, store::Changes& changes) -> Status {
    for (size_t i = 0; i < items.size(); ++i) {
      if (!rows[i].exists) continue;
      const std::optional<uint64_t> expiry = ExpiryOf(table, ItemView(rows[i].value));
      if (expiry) changes.Put(ExpiryRowKey(table, *expiry, items[i]), ExpiryRowValue(items[i]));
    }
    return Ok();
  };
  return db.store.Mutate(version, items, decide, access);
}

// Fills the next chunk after row `after` and advances `after`. Returns false if there were no more rows.
Result<bool> FillChunk(const Database& db, store::CatalogVersion version, const Table& table, std::string& after,
                       store::Access access) {
  std::vector<store::RowKey> items;
  std::string last;
  size_t rows = 0;
  store::SlotRange range;
  range.table = table.id;
  range.after = after;
  const auto collect = [&](const store::RowView& row) {
    const ItemView item(row.value);
    if (ExpiryOf(table, item)) items.push_back(RowKeyOf(table, item));
    last = row.key;
    return ++rows < kChunkRows && items.size() < kChunkItems;
  };
  RETURN_IF_ERROR(db.store.ScanSlots(range, collect, access));
  RETURN_IF_ERROR(PutRows(db, version, table, items, access));
  after = std::move(last);
  return rows > 0;
}

}  // namespace

Result<bool> FillExpiry(const Database& db, const IndexTask& task, FunctionRef<bool()> stop) {
  store::Horizon horizon;
  const store::Access access{horizon, store::Wait::kAllowed};
  std::string after;
  while (true) {
    const SnapshotPtr snapshot = db.catalog.Current();
    const TablePtr table = snapshot->Find(task.table);
    if (!IsBeingFilled(table.get(), task) || stop()) return false;
    Result<bool> more = FillChunk(db, snapshot->version, *table, after, access);
    if (more.ok() && !*more) return true;
    if (more.ok() || more.error().kind() == Kind::kThrottling) continue;
    if (more.error().kind() != Kind::kStale) return more;
    RETURN_IF_ERROR(AwaitLaterCatalog(db, snapshot->version, access.wait));
  }
}

}  // namespace keyfold::engine
