#include "engine/items/backfill.h"

#include <vector>

#include "engine/items/index_rows.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

// Limits of a chunk, which locks all of its items and their index rows at once. Small, so that no request waits long
// for one of them.
constexpr size_t kChunkItems = 25;
constexpr size_t kChunkBytes = 1 << 20;

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

const Index* FindTask(const Table* table, const IndexTask& task) {
  if (!table || table->id != task.table_id || table->deleting) return nullptr;
  for (const Index& index : table->indexes) {
    if (index.id == task.index_id && index.backfilling) return &index;
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
    return ++items < kChunkItems && bytes < kChunkBytes;
  };
  RETURN_IF_ERROR(db.store.ScanSlots(range, collect, access));
  RETURN_IF_ERROR(Reconcile(db, version, table, index, unreconciled, access));
  after = std::move(last);
  return items > 0;
}

}  // namespace

Result<bool> BackfillIndex(const Database& db, const IndexTask& task, FunctionRef<bool()> stop) {
  store::Horizon horizon;
  const store::Access access{horizon, store::Wait::kAllowed};
  std::string after;
  while (true) {
    const SnapshotPtr snapshot = db.catalog.Current();
    const TablePtr table = snapshot->Find(task.table);
    const Index* index = FindTask(table.get(), task);
    if (!index || stop()) return false;
    Result<bool> more = ReconcileChunk(db, snapshot->version, *table, *index, after, access);
    if (more.ok() && !*more) return true;
    if (more.ok() || more.error().kind() == Kind::kThrottling) continue;
    if (more.error().kind() != Kind::kStale) return more;
    RETURN_IF_ERROR(AwaitLaterCatalog(db, snapshot->version, access.wait));
  }
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
