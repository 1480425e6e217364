// The catalog: every table by name, as one immutable snapshot that is swapped on a change. The store keeps it and its
// version fences writers, so a write planned under an old snapshot is planned again. Snapshots share what they have in
// common (base/persistent_map.h): a change costs the same however many tables there are.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "base/persistent_map.h"
#include "engine/catalog/backup.h"
#include "engine/catalog/stream.h"
#include "engine/catalog/table.h"
#include "store/store.h"

namespace keyfold {

// Stands for the table's change log among CatalogSnapshot's purges.
inline constexpr IndexId kLogOfTable = 0xFFFE;

// Immutable.
struct CatalogSnapshot {
  CatalogVersion version = 0;
  PersistentMap<std::string, TablePtr> tables;
  // Tables that were deleted while a backup, an export or a restore reads them: their names are free, their rows stay
  // until the last hold is released.
  PersistentMap<TableId, TablePtr> departed;
  PersistentMap<std::string, StreamPtr> streams;  // by StreamName
  PersistentMap<std::string, BackupPtr> backups;  // by id
  // What layers above keep here, by name (exports and imports).
  PersistentMap<std::string, std::shared_ptr<const std::string>> notes;
  TableId next_table_id = 1;
  std::string
      secret;  // 32 random bytes, as old as the database: what the server hands out to get back is sealed with it
  // Rows still to be removed: tables and indexes that are gone from `tables` but not yet from the store.
  std::vector<std::pair<TableId, IndexId>> purges;  // index kLogOfTable: the table's change log

  // Derived from the above. Those of `tables` that are not at rest (Table::IsAtRest), and how many streams a table has.
  PersistentMap<std::string, TablePtr> unsettled;
  PersistentMap<TableId, uint32_t> stream_counts;

  TablePtr Find(std::string_view name) const {
    const TablePtr* table = tables.Get(name);
    return table ? *table : nullptr;
  }
  // The table of that id, whether it still has the name or has departed; null where another has the name.
  TablePtr FindById(std::string_view name, TableId id) const {
    const TablePtr* departed_table = departed.Get(id);
    if (departed_table) return *departed_table;
    TablePtr table = Find(name);
    return table && table->id == id ? table : nullptr;
  }
  // Whose records are in the table's log.
  bool HasStreams(TableId table) const { return stream_counts.contains(table); }
};

using SnapshotPtr = std::shared_ptr<const CatalogSnapshot>;

// What one change does; filled by the caller of Catalog::Change.
struct CatalogEdit {
  std::vector<Table> puts;           // what begins with this change is stamped with its commit
  std::vector<std::string> removes;  // table names
  std::vector<Table> departed_puts;  // stamped likewise
  std::vector<TableId> departed_removes;
  TableId next_table_id = 0;                // 0: as before
  std::vector<Stream> stream_puts;          // shards that this change opens or closes are stamped with its commit
  std::vector<std::string> stream_removes;  // StreamName
  std::vector<Backup> backup_puts;          // stamped likewise
  std::vector<std::string> backup_removes;
  std::vector<std::pair<std::string, std::optional<std::string>>> notes;  // none: remove
  std::vector<std::pair<TableId, IndexId>> purges_added, purges_done;

  bool empty() const {
    return puts.empty() && removes.empty() && departed_puts.empty() && departed_removes.empty() && next_table_id == 0 &&
           stream_puts.empty() && stream_removes.empty() && backup_puts.empty() && backup_removes.empty() &&
           notes.empty() && purges_added.empty() && purges_done.empty();
  }
  // `table`, which FindById gave, as it is from now on.
  void PutWhereItIs(const CatalogSnapshot& snapshot, Table table) {
    (snapshot.departed.contains(table.id) ? departed_puts : puts).push_back(std::move(table));
  }
};

// Thread-safe.
class Catalog {
 public:
  // Reads what the store holds; an error names a table written by a newer program.
  static Result<std::unique_ptr<Catalog>> Open(Store& store);

  SnapshotPtr Current() const;

  // Runs `edit` on the current snapshot and makes what it filled in current and durable; an error changes nothing.
  // Changes follow each other; `edit` may run again, where another program changed the store's catalog in between.
  Status Change(FunctionRef<Status(const CatalogSnapshot&, CatalogEdit&)> edit);

  // After the store called a write planned under version `planned` stale: returns once Current() is a later one. Waits
  // for a change that the store has taken but that is not durable yet.
  Status CatchUp(CatalogVersion planned);

 private:
  explicit Catalog(Store& store) : store_(store) {}
  Status Load();  // needs change_mutex_
  void SetCurrent(SnapshotPtr snapshot);

  Store& store_;
  std::mutex change_mutex_;  // one change at a time
  mutable std::mutex current_mutex_;
  SnapshotPtr current_;  // under current_mutex_
};

}  // namespace keyfold
