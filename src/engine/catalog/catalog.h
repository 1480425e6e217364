// The catalog: all tables by name, in one immutable snapshot that is swapped on every change. The store persists it and
// fences writers by its version, so a write planned under an old snapshot is planned again. Snapshots share common
// parts (base/persistent_map.h): the cost of a change does not depend on the number of tables.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/mutex.h"
#include "base/persistent_map.h"
#include "engine/catalog/backup.h"
#include "engine/catalog/stream.h"
#include "engine/catalog/table.h"
#include "store/store.h"

namespace keyfold::engine {

// Denotes the table's change log in CatalogSnapshot's purges.
inline constexpr store::IndexId kLogOfTable = 0xFFFE;

// Immutable.
struct CatalogSnapshot {
  store::CatalogVersion version = 0;
  PersistentMap<std::string, TablePtr> tables;
  // Tables that were deleted while a backup, an export or a restore reads them. Their names are free; their rows stay
  // until the last hold is released.
  PersistentMap<store::TableId, TablePtr> departed;
  PersistentMap<std::string, StreamPtr> streams;  // by StreamName
  PersistentMap<std::string, BackupPtr> backups;  // by id
  // Data of higher layers, by name (exports and imports).
  PersistentMap<std::string, std::shared_ptr<const std::string>> notes;
  store::TableId next_table_id = 1;
  std::string secret;  // 32 random bytes, never changed; seals what the server hands out and gets back
  // Rows that remain to be removed: tables and indexes that are gone from `tables` but not yet from the store.
  std::vector<std::pair<store::TableId, store::IndexId>> purges;  // index kLogOfTable means the table's change log

  // Derived from the above: the tables that have background work due (not Table::IsAtRest), and the number of streams
  // per table.
  PersistentMap<std::string, TablePtr> pending;
  PersistentMap<store::TableId, uint32_t> stream_counts;

  TablePtr Find(std::string_view name) const {
    const TablePtr* table = tables.Get(name);
    return table ? *table : nullptr;
  }
  // Returns the table with that id, whether it still has the name or has departed; null if there is none.
  TablePtr FindById(std::string_view name, store::TableId id) const {
    const TablePtr* departed_table = departed.Get(id);
    if (departed_table) return *departed_table;
    TablePtr table = Find(name);
    return table && table->id == id ? table : nullptr;
  }
  // Returns true if the table has streams, whose records are in its log.
  bool HasStreams(store::TableId table) const { return stream_counts.contains(table); }
};

using SnapshotPtr = std::shared_ptr<const CatalogSnapshot>;

// The content of one change; filled by the caller of Catalog::Change.
struct CatalogEdit {
  std::vector<Table> puts;           // recovery and holds that begin with this change are stamped with its commit
  std::vector<std::string> removes;  // table names
  std::vector<Table> departed_puts;  // stamped in the same way
  std::vector<store::TableId> departed_removes;
  store::TableId next_table_id = 0;         // 0: unchanged
  std::vector<Stream> stream_puts;          // shards that this change opens or closes are stamped with its commit
  std::vector<std::string> stream_removes;  // StreamName
  std::vector<Backup> backup_puts;          // stamped in the same way
  std::vector<std::string> backup_removes;
  std::vector<std::pair<std::string, std::optional<std::string>>> notes;  // nullopt: remove
  std::vector<std::pair<store::TableId, store::IndexId>> purges_added, purges_done;

  bool empty() const {
    return puts.empty() && removes.empty() && departed_puts.empty() && departed_removes.empty() && next_table_id == 0 &&
           stream_puts.empty() && stream_removes.empty() && backup_puts.empty() && backup_removes.empty() &&
           notes.empty() && purges_added.empty() && purges_done.empty();
  }
  // Replaces `table`, which FindById returned, among the tables or the departed tables.
  void PutWhereItIs(const CatalogSnapshot& snapshot, Table table) {
    (snapshot.departed.contains(table.id) ? departed_puts : puts).push_back(std::move(table));
  }
};

// Thread-safe.
class Catalog {
 public:
  // Reads the catalog from the store. Returns an error if an entry is damaged or was written by a newer program.
  static Result<std::unique_ptr<Catalog>> Open(store::Store& store);

  SnapshotPtr Current() const;

  // Runs `edit` on the current snapshot and makes the result current and durable. An error changes nothing. Changes are
  // serialized; `edit` may run again if another program has changed the store's catalog in between.
  Status Change(FunctionRef<Status(const CatalogSnapshot&, CatalogEdit&)> edit);

  // Called after the store reported that a write planned under version `planned` is stale. Returns as soon as Current()
  // is a later version, and waits for a change that the store has accepted but that is not durable yet.
  Status CatchUp(store::CatalogVersion planned);

 private:
  explicit Catalog(store::Store& store) : store_(store) {}
  Status Load() REQUIRES(change_mutex_);
  void SetCurrent(SnapshotPtr snapshot);

  store::Store& store_;
  Mutex change_mutex_;  // serializes changes
  mutable Mutex current_mutex_;
  SnapshotPtr current_ GUARDED_BY(current_mutex_);
};

}  // namespace keyfold::engine
