// Filling a new index while writes go on. The catalog already names the index, and its version fenced every writer, so each write since then
// keeps the index row itself; what is missing are rows of items untouched since. A chunk of items is scanned, and then, under their
// locks, an index row is added where the item still has the same index key and the row is not there yet. Running it twice adds nothing.
#include <vector>

#include "engine/index_upkeep.h"
#include "engine/key.h"
#include "engine/table_lifecycle.h"

namespace keyfold {
namespace {

constexpr size_t kChunkItems = 100;
constexpr size_t kChunkBytes = 1 << 20;

struct Chunk {
  std::vector<std::string> items;
  std::string last_key;  // of the last row seen
};

Result<Chunk> ScanChunk(const Database& db, const IndexTask& task, const std::string& after, Access access) {
  Chunk chunk;
  size_t bytes = 0;
  SlotRange range;
  range.table = task.table_id;
  range.after = after;
  const auto collect = [&](const RowView& row) {
    chunk.items.emplace_back(row.value);
    chunk.last_key = row.key;
    bytes += row.value.size();
    return chunk.items.size() < kChunkItems && bytes < kChunkBytes;
  };
  RETURN_IF_ERROR(db.store.ScanSlots(range, collect, access));
  return chunk;
}

// Base rows, and behind them the index rows they should have.
Status FillChunk(const Database& db, CatalogVersion version, const Table& table, const Index& index, const Chunk& chunk,
                 Access access) {
  std::vector<RowKey> base_keys, index_keys;
  for (const std::string& item : chunk.items) {
    std::optional<RowKey> key = IndexRowKeyOf(table, index, ItemView(item));
    if (!key) continue;
    base_keys.push_back(RowKeyOf(table, ItemView(item)));
    index_keys.push_back(*std::move(key));
  }
  if (base_keys.empty()) return Ok();
  const size_t count = base_keys.size();
  std::vector<RowKey> keys = base_keys;
  keys.insert(keys.end(), index_keys.begin(), index_keys.end());
  const auto decide = [&](Micros, std::span<const Row> rows, Changes& changes) -> Status {
    for (size_t i = 0; i < count; ++i) {
      const Row& base = rows[i];
      if (!base.exists || rows[count + i].exists) continue;
      const std::optional<RowKey> key = IndexRowKeyOf(table, index, ItemView(base.value));
      if (!key || *key != index_keys[i]) continue;
      Item shown = ProjectForIndex(table, index, ItemView(base.value));
      changes.Tallied(table.id, index.id, 1, static_cast<int64_t>(ItemSize(shown)));
      changes.Put(*key, std::move(shown).TakeBytes());
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

}  // namespace

Result<bool> BackfillIndex(const Database& db, const IndexTask& task, FunctionRef<bool()> stop) {
  Horizon horizon;
  const Access access{horizon, Wait::kAllowed};
  std::string after;
  while (true) {
    ASSIGN_OR_RETURN(const Chunk chunk, ScanChunk(db, task, after, access));
    if (chunk.items.empty()) return true;
    while (true) {
      const SnapshotPtr snapshot = db.catalog.Current();
      const TablePtr table = snapshot->Find(task.table);
      const Index* index = FindTask(table.get(), task);
      if (!index || stop()) return false;
      Status status = FillChunk(db, snapshot->version, *table, *index, chunk, access);
      if (status.ok()) break;
      if (status.kind() != Kind::kStale && status.kind() != Kind::kThrottling) return std::move(status).TakeError();
    }
    after = chunk.last_key;
  }
}

}  // namespace keyfold
