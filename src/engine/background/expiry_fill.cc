#include "engine/background/expiry_fill.h"

#include <vector>

#include "engine/items/expiry.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

// Maximum rows to examine per chunk. Bounds the length of one read if few items expire.
constexpr size_t kExpiryFillRows = 1000;

// Reads the items again under their locks and writes an expiry row for each item that still expires.
Status PutExpiryRows(const Database& db, store::CatalogVersion version, const Table& table,
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
Result<bool> FillExpiryChunk(const Database& db, store::CatalogVersion version, const Table& table, std::string& after,
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
    return ++rows < kExpiryFillRows && items.size() < kFillChunkItems;
  };
  RETURN_IF_ERROR(db.store.ScanSlots(range, collect, access));
  RETURN_IF_ERROR(PutExpiryRows(db, version, table, items, access));
  after = std::move(last);
  return rows > 0;
}

}  // namespace

Result<bool> FillExpiry(const Database& db, const IndexTask& task, FunctionRef<bool()> stop) {
  const auto is_being_filled = [&](const Table& table) {
    return table.expiry.enabled && table.expiry.index == task.index_id && !table.expiry.filled;
  };
  const auto fill = [&](store::CatalogVersion version, const Table& table, std::string& after, store::Access access) {
    return FillExpiryChunk(db, version, table, after, access);
  };
  return FillInChunks(db, task, is_being_filled, stop, fill);
}

}  // namespace keyfold::engine
