#include "engine/items/backfill.h"

#include <vector>

#include "engine/items/index_rows.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

constexpr size_t kBackfillChunkBytes = 1 << 20;

// Items that may lack their row in an index: the key of each item and the key of its index row.
struct Unreconciled {
  std::vector<store::RowKey> base_keys, index_keys;

  void Add(const Table& table, const Index& index, ItemView item) {
    std::optional<store::RowKey> index_key = IndexRowKeyOf(table, index, item);
    if (!index_key) return;
    base_keys.push_back(RowKeyOf(table, item));
    index_keys.push_back(*std::move(index_key));
  }
};

// Reads the items again under their locks and adds the missing index rows. An item that has moved to another index key
// in the meantime was moved by a writer that had reconciled it.
Status Reconcile(const Database& db, store::CatalogVersion version, const Table& table, const Index& index,
                 const Unreconciled& unreconciled, store::Access access) {
  const size_t count = unreconciled.base_keys.size();
  if (count == 0) return Ok();
  std::vector<store::RowKey> keys = unreconciled.base_keys;
  keys.insert(keys.end(), unreconciled.index_keys.begin(), unreconciled.index_keys.end());
  const auto decide = [&](Micros, std::span<const store::Row> rows, store::Changes& changes) -> Status {
    for (size_t i = 0; i < count; ++i) {
      const store::Row& base = rows[i];
      if (!base.exists || rows[count + i].exists) continue;
      if (IndexRowKeyOf(table, index, ItemView(base.value)) != unreconciled.index_keys[i]) continue;
      Item shown = ProjectForIndex(table, index, ItemView(base.value));
      changes.AddTally(table.id, index.id, 1, static_cast<int64_t>(ItemSize(shown)));
      changes.Put(unreconciled.index_keys[i], std::move(shown).TakeBytes());
    }
    return Ok();
  };
  return db.store.Mutate(version, keys, decide, access);
}

// Returns the index with that id if it is being filled, or null.
const Index* FindBackfilling(const Table& table, store::IndexId id) {
  for (const Index& index : table.indexes) {
    if (index.id == id && index.backfilling) return &index;
  }
  return nullptr;
}

// Reconciles the next chunk of items after row `after` and advances `after`. Returns false if there were no more items.
Result<bool> ReconcileChunk(const Database& db, store::CatalogVersion version, const Table& table, const Index& index,
                            std::string& after, store::Access access) {
  Unreconciled unreconciled;
  std::string last;
  size_t items = 0, bytes = 0;
  store::SlotRange range;
  range.table = table.id;
  range.after = after;
  const auto collect = [&](const store::RowView& row) {
    unreconciled.Add(table, index, ItemView(row.value));
    last = row.key;
    bytes += row.value.size();
    return ++items < kFillChunkItems && bytes < kBackfillChunkBytes;
  };
  RETURN_IF_ERROR(db.store.ScanSlots(range, collect, access));
  RETURN_IF_ERROR(Reconcile(db, version, table, index, unreconciled, access));
  after = std::move(last);
  return items > 0;
}

}  // namespace

Result<bool> BackfillIndex(const Database& db, const IndexTask& task, FunctionRef<bool()> stop) {
  const auto is_being_filled = [&](const Table& table) { return FindBackfilling(table, task.index_id) != nullptr; };
  const auto fill = [&](store::CatalogVersion version, const Table& table, std::string& after, store::Access access) {
    return ReconcileChunk(db, version, table, *FindBackfilling(table, task.index_id), after, access);
  };
  return FillInChunks(db, task, is_being_filled, stop, fill);
}

Status ReconcileItem(const Database& db, store::CatalogVersion version, const Table& table,
                     const store::RowKey& base_key, store::Access access) {
  std::vector<store::Row> rows;
  RETURN_IF_ERROR(db.store.Get({&base_key, 1}, rows, access));
  if (!rows[0].exists) return Ok();
  for (const Index& index : table.indexes) {
    if (!index.backfilling) continue;
    Unreconciled unreconciled;
    unreconciled.Add(table, index, ItemView(rows[0].value));
    RETURN_IF_ERROR(Reconcile(db, version, table, index, unreconciled, access));
  }
  return Ok();
}

}  // namespace keyfold::engine
