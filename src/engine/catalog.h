// The catalog: every table by name, as one immutable snapshot that is swapped on a change. The store keeps it and its
// version fences writers, so a write planned under an old snapshot is planned again.
#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "engine/backup.h"
#include "engine/stream.h"
#include "engine/table.h"
#include "store/store.h"

namespace keyfold {

// Stands for the table's change log among CatalogSnapshot's purges.
inline constexpr IndexId kLogOfTable = 0xFFFE;

// Immutable.
struct CatalogSnapshot {
  CatalogVersion version = 0;
  std::map<std::string, TablePtr, std::less<>> tables;
  std::map<std::string, StreamPtr, std::less<>> streams;  // by StreamName
  std::map<std::string, BackupPtr, std::less<>> backups;  // by id
  // What layers above keep here, by name (exports and imports).
  std::map<std::string, std::shared_ptr<const std::string>, std::less<>> notes;
  TableId next_table_id = 1;
  std::string
      secret;  // 32 random bytes, as old as the database: what the server hands out to get back is sealed with it
  // Rows still to be removed: tables and indexes that are gone from `tables` but not yet from the store.
  std::vector<std::pair<TableId, IndexId>> purges;  // index kLogOfTable: the table's change log

  TablePtr Find(std::string_view name) const {
    const auto it = tables.find(name);
    return it == tables.end() ? nullptr : it->second;
  }
  // Whose records are in the table's log.
  bool HasStreams(TableId table) const {
    return std::any_of(streams.begin(), streams.end(), [&](const auto& e) { return e.second->table_id == table; });
  }
};

using SnapshotPtr = std::shared_ptr<const CatalogSnapshot>;

// What one change does; filled by the caller of Catalog::Change.
struct CatalogEdit {
  std::vector<Table> puts;                  // what begins with this change is stamped with its commit
  std::vector<std::string> removes;         // table names
  TableId next_table_id = 0;                // 0: as before
  std::vector<Stream> stream_puts;          // shards that this change opens or closes are stamped with its commit
  std::vector<std::string> stream_removes;  // StreamName
  std::vector<Backup> backup_puts;  // stamped likewise
  std::vector<std::string> backup_removes;
  std::vector<std::pair<std::string, std::optional<std::string>>> notes;  // none: remove
  std::vector<std::pair<TableId, IndexId>> purges_added, purges_done;

  bool empty() const {
    return puts.empty() && removes.empty() && next_table_id == 0 && stream_puts.empty() && stream_removes.empty() &&
           backup_puts.empty() && backup_removes.empty() && notes.empty() && purges_added.empty() &&
           purges_done.empty();
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
