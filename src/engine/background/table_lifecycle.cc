#include "engine/background/table_lifecycle.h"

#include <algorithm>
#include <chrono>
#include <limits>

#include "base/log.h"
#include "engine/background/expiry_fill.h"
#include "engine/catalog/rules.h"
#include "engine/items/key.h"

namespace keyfold::engine {
namespace {

constexpr TableAlreadyExists kTableExists{"table-exists", Kind::kResourceInUse};
constexpr Rule<"Attempt to change a resource which is still in use: Table is being {}: {}"> kTableBusy{
    "table-busy", Kind::kResourceInUse};
constexpr Rule<"Attempt to change a resource which is still in use: Table {} is being created"> kTableIsBeingCreated{
    "expiry-table-creating", Kind::kResourceInUse};
constexpr Rule<
    "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.">
    kDeletionProtected{"deletion-protected", Kind::kValidation};
constexpr Rule<"Subscriber limit exceeded: Table {} has used all of its index ids"> kIndexIdsSpent{
    "index-ids-spent", Kind::kLimitExceeded};

constexpr std::string_view kDeletedTableBackup = "$DeletedTableBackup";

// Chunks of items that get their expiry rows while the request that enables time to live waits.
constexpr int kExpiryChunksAtOnce = 20;

constexpr size_t kPurgesAtOnce = 32;

// Delay until the background thread looks again if something is due at a later database time.
constexpr std::chrono::milliseconds kLifecyclePoll{20};

std::string_view Participle(TableStatus status) {
  switch (status) {
    case TableStatus::kCreating:
      return "created";
    case TableStatus::kUpdating:
      return "updated";
    case TableStatus::kDeleting:
      return "deleted";
    case TableStatus::kActive:
      break;
  }
  return "";
}

Result<TablePtr> ExistingTable(const CatalogSnapshot& snapshot, std::string_view name) {
  TablePtr table = snapshot.Find(name);
  if (!table) return kNoSuchTable(name);
  return table;
}

Status IsActive(const Table& table, Micros now) {
  const TableStatus status = table.StatusAt(now);
  if (status != TableStatus::kActive) return kTableBusy(Participle(status), table.name);
  return Ok();
}

// Invariant: AttributeDefinitions names exactly the key attributes of the table and its indexes.
void ForgetUnusedAttributes(Table& table) {
  const auto unused = [&](const KeyAttribute& a) {
    if (table.key.Names(a.name)) return false;
    return std::none_of(table.indexes.begin(), table.indexes.end(),
                        [&](const Index& i) { return i.key.Names(a.name); });
  };
  table.attributes.erase(std::remove_if(table.attributes.begin(), table.attributes.end(), unused),
                         table.attributes.end());
}

// Index ids are never reused: a reader may still be using a removed index.
Status GiveIndexId(Table& table, store::IndexId& id) {
  if (table.next_index_id == std::min(kCollectionIndex, kLogOfTable)) return kIndexIdsSpent(table.name);
  id = table.next_index_id++;
  return Ok();
}

Status GiveIndexIds(Table& table) {
  for (Index& index : table.indexes) {
    if (index.id == 0) RETURN_IF_ERROR(GiveIndexId(table, index.id));
  }
  return Ok();
}

// Returns true if the change only cancels the index that is being filled: the one change that a table accepts during
// that time.
bool OnlyGivesUpNewIndex(const Table& present, const Table& next) {
  Table expected = present;
  for (size_t i = 0; i < expected.indexes.size() && i < next.indexes.size(); ++i) {
    Index& index = expected.indexes[i];
    if (!index.backfilling || next.indexes[i].status != IndexStatus::kDeleting) continue;
    index.status = IndexStatus::kDeleting;
    index.backfilling = false;
  }
  return next == expected && next != present;
}

// Returns the first index that is being deleted (`deleting`), or created or updated (otherwise); null if there is none.
const Index* FindChanging(const Table& table, bool deleting) {
  const auto wanted = [&](const Index& index) {
    return index.status != IndexStatus::kActive && (index.status == IndexStatus::kDeleting) == deleting;
  };
  const auto it = std::find_if(table.indexes.begin(), table.indexes.end(), wanted);
  return it == table.indexes.end() ? nullptr : &*it;
}

// Returns true if an index is added or removed.
bool HasOtherIndexes(const Table& present, const Table& next) {
  const auto same = [](const Index& a, const Index& b) {
    return a.name == b.name && a.IsMaintained() == b.IsMaintained();
  };
  return !std::equal(present.indexes.begin(), present.indexes.end(), next.indexes.begin(), next.indexes.end(), same);
}

// Schedules the removal of the table's rows. Its log stays as long as it has streams; stream retention trims it.
void PurgeRows(const CatalogSnapshot& snapshot, const Table& table, CatalogEdit& edit) {
  edit.purges_added.emplace_back(table.id, store::kBaseTable);
  const bool has_log = table.IsLogged() || table.log_ended > 0;
  if (has_log && !snapshot.HasStreams(table.id)) edit.purges_added.emplace_back(table.id, kLogOfTable);
}

// Frees the name of `table`, which is passed in its current state. Its rows stay until the last hold is released.
void Remove(const CatalogSnapshot& snapshot, Table table, CatalogEdit& edit) {
  edit.removes.push_back(table.name);
  if (table.holds.empty()) return PurgeRows(snapshot, table, edit);
  table.deleting = true;
  edit.departed_puts.push_back(std::move(table));
}

}  // namespace

TableLifecycle::TableLifecycle(const Database& db, Micros delay, uint64_t seed, uint32_t stream_shards,
                               Micros index_delay)
    : db_(db),
      delay_(delay),
      index_delay_(std::max(delay, index_delay)),
      stream_shards_(stream_shards),
      random_(seed),
      task_([this] { return WorkOnce(); }) {}

Result<TablePtr> TableLifecycle::Create(Table described) {
  return Create(std::move(described), [](const CatalogSnapshot&, Table&, CatalogEdit&) { return Ok(); });
}

Result<TablePtr> TableLifecycle::Create(Table described, Beside beside) {
  const Micros now = db_.clock.Now();
  described.created = now;
  if (described.on_demand_billing) described.on_demand_since = now;
  described.creating_until = delay_ > 0 ? now + delay_ : 0;
  {
    MutexLock lock(random_mutex_);
    described.uuid = random_.Uuid();
  }
  RETURN_IF_ERROR(GiveIndexIds(described));
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    if (snapshot.Find(described.name)) return kTableExists(described.name);
    described.id = snapshot.next_table_id;
    edit.next_table_id = snapshot.next_table_id + 1;
    if (described.stream.enabled) OpenStream(snapshot, now, stream_shards_, described, edit);
    RETURN_IF_ERROR(beside(snapshot, described, edit));
    edit.puts.push_back(described);
    return Ok();
  }));
  return std::make_shared<const Table>(std::move(described));
}

Result<TablePtr> TableLifecycle::Update(std::string_view name, FunctionRef<Status(const Table&, Table&)> change) {
  TablePtr updated;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    ASSIGN_OR_RETURN(const TablePtr present, ExistingTable(snapshot, name));
    const Micros now = db_.clock.Now();
    Table next = *present;
    Status active = IsActive(*present, now);
    if (!active.ok()) {
      const bool filling = present->HasBackfillingIndex() && now >= present->updating_until && !present->deleting;
      if (!filling || !change(*present, next).ok() || !OnlyGivesUpNewIndex(*present, next)) return active;
    } else {
      RETURN_IF_ERROR(change(*present, next));
    }
    RETURN_IF_ERROR(GiveIndexIds(next));
    if (next.stream.enabled && !present->stream.enabled) OpenStream(snapshot, now, stream_shards_, next, edit);
    if (!next.stream.enabled && present->stream.enabled) CloseStream(snapshot, now, *present, edit);
    const Micros delay = HasOtherIndexes(*present, next) ? index_delay_ : delay_;
    if (delay > 0) next.updating_until = now + delay;
    updated = std::make_shared<const Table>(next);
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  task_.Wake();
  return updated;
}

Result<TablePtr> TableLifecycle::Delete(std::string_view name) {
  TablePtr deleted;
  const uint64_t random = [this] {
    MutexLock lock(random_mutex_);
    return random_.Next();
  }();
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    ASSIGN_OR_RETURN(deleted, ExistingTable(snapshot, name));
    const Micros now = db_.clock.Now();
    RETURN_IF_ERROR(IsActive(*deleted, now));
    if (deleted->deletion_protection) return kDeletionProtected();
    CloseStream(snapshot, now, *deleted, edit);
    Table next = *deleted;
    if (deleted->recovery.enabled) {
      const std::string backup_name = deleted->name + std::string(kDeletedTableBackup);
      Backup backup = BackupToMake(*deleted, Backup::Kind::kSystem, backup_name, now, random);
      next.holds.push_back(HoldOf(backup));
      edit.backup_puts.push_back(std::move(backup));
    }
    if (delay_ == 0) {
      Remove(snapshot, std::move(next), edit);
      return Ok();
    }
    next.deleting = true;
    next.deleting_until = now + delay_;
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  task_.Wake();
  return deleted;
}

Result<TablePtr> TableLifecycle::Annotate(std::string_view name, FunctionRef<Status(Table&)> change) {
  TablePtr annotated;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    ASSIGN_OR_RETURN(const TablePtr present, ExistingTable(snapshot, name));
    Table next = *present;
    RETURN_IF_ERROR(change(next));
    annotated = std::make_shared<const Table>(next);
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  return annotated;
}

Result<TablePtr> TableLifecycle::UpdateExpiry(
    std::string_view name, FunctionRef<Status(const ExpirySettings& present, ExpirySettings& next)> change) {
  TablePtr updated;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    ASSIGN_OR_RETURN(const TablePtr present, ExistingTable(snapshot, name));
    if (present->StatusAt(db_.clock.Now()) == TableStatus::kCreating) return kTableIsBeingCreated(present->name);
    Table next = *present;
    next.expiry = {};
    RETURN_IF_ERROR(change(present->expiry, next.expiry));
    if (present->expiry.enabled) edit.purges_added.emplace_back(present->id, present->expiry.index);
    if (next.expiry.enabled) RETURN_IF_ERROR(GiveIndexId(next, next.expiry.index));
    updated = std::make_shared<const Table>(next);
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  if (updated->expiry.enabled) {
    int chunks = 0;
    const IndexTask task{updated->name, updated->id, updated->expiry.index};
    const Status filled = FinishExpiry(task, [&chunks] { return ++chunks > kExpiryChunksAtOnce; });
    if (!filled.ok()) LogWarning("cannot fill an expiry index yet; it is retried: {}", filled.message());
  }
  task_.Wake();
  return updated;
}

Status TableLifecycle::Reset() {
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    for (const auto& [name, table] : snapshot.tables) {
      edit.removes.push_back(name);
      PurgeRows(snapshot, *table, edit);
    }
    for (const auto& [id, table] : snapshot.departed) {
      edit.departed_removes.push_back(id);
      PurgeRows(snapshot, *table, edit);
    }
    DropStreams(snapshot, edit);
    for (const auto& [id, backup] : snapshot.backups) edit.backup_removes.push_back(id);
    for (const auto& [name, note] : snapshot.notes) edit.notes.emplace_back(name, std::nullopt);
    return Ok();
  }));
  task_.Wake();
  return Ok();
}

// Work that waits for disk space fails every second; the same error is logged only once.
std::chrono::milliseconds TableLifecycle::RestAfter(const Status& work, std::string_view what) {
  std::string fault = work.ok() ? "" : fmt::format("{}: {}", what, work.message());
  if (!work.ok() && fault != last_fault_) LogError("{}", fault);
  last_fault_ = std::move(fault);
  return work.ok() ? kAtOnce : kAfterFailure;
}

std::optional<std::chrono::milliseconds> TableLifecycle::WorkOnce() {
  const SnapshotPtr snapshot = db_.catalog.Current();
  const Micros now = db_.clock.Now();
  bool due_later = false;
  for (const auto& [name, table] : snapshot->pending) {
    if (!table->deleting) continue;
    if (now >= table->deleting_until) return RestAfter(FinishDeletion(*table), "deleting a table");
    due_later = true;
  }
  for (const auto& [id, table] : snapshot->departed) {
    if (table->holds.empty()) return RestAfter(FinishDeparture(id), "deleting a table");
    due_later = true;
  }
  if (!snapshot->purges.empty()) return RestAfter(FinishPurges(*snapshot), "removing deleted rows");
  // Deleted indexes go first: the others may be waiting for the disk space that this frees.
  for (const bool deleting : {true, false}) {
    for (const auto& [name, table] : snapshot->pending) {
      const Index* index = table->deleting ? nullptr : FindChanging(*table, deleting);
      if (!index) continue;
      if (now >= table->updating_until)
        return RestAfter(FinishIndex({name, table->id, index->id}, *index), "changing an index");
      due_later = true;
    }
  }
  for (const auto& [name, table] : snapshot->pending) {
    if (table->deleting || !table->expiry.enabled || table->expiry.filled) continue;
    const auto stop = [this] { return task_.IsStopping(); };
    return RestAfter(FinishExpiry({name, table->id, table->expiry.index}, stop), "filling an expiry index");
  }
  return due_later ? std::optional(kLifecyclePoll) : std::nullopt;
}

Status TableLifecycle::FinishDeletion(const Table& table) {
  return db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    const TablePtr still = current.Find(table.name);
    if (still && still->id == table.id) Remove(current, *still, edit);
    return Ok();
  });
}

Status TableLifecycle::FinishDeparture(store::TableId id) {
  return db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    const TablePtr* table = current.departed.Get(id);
    if (!table || !(*table)->holds.empty()) return Ok();
    edit.departed_removes.push_back(id);
    PurgeRows(current, **table, edit);
    return Ok();
  });
}

// Purges in batches, so that a long list of purges in the catalog shrinks early.
Status TableLifecycle::FinishPurges(const CatalogSnapshot& snapshot) {
  std::vector<std::pair<store::TableId, store::IndexId>> done;
  Status status;
  for (const auto& [table, index] : snapshot.purges) {
    if (done.size() == kPurgesAtOnce || (!done.empty() && task_.IsStopping())) break;
    status = index == kLogOfTable ? db_.store.TrimLog(table, std::numeric_limits<Micros>::max())
                                  : db_.store.Purge(table, index);
    if (!status.ok()) break;
    done.emplace_back(table, index);
  }
  if (!done.empty()) {
    RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot&, CatalogEdit& edit) -> Status {
      edit.purges_done = done;
      return Ok();
    }));
  }
  return status;
}

// Finishes the change of an index: it becomes filled and ACTIVE, or is removed.
Status TableLifecycle::FinishIndex(const IndexTask& task, const Index& index) {
  if (index.status == IndexStatus::kDeleting) {
    RETURN_IF_ERROR(db_.store.Purge(task.table_id, task.index_id));
  } else if (index.backfilling) {
    ASSIGN_OR_RETURN(const bool filled, BackfillIndex(db_, task, [this] { return task_.IsStopping(); }));
    if (!filled) return Ok();  // the catalog has changed, or Stop was called
  }
  return db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    const TablePtr present = current.Find(task.table);
    if (!present || present->id != task.table_id) return Ok();
    Table next = *present;
    const auto it =
        std::find_if(next.indexes.begin(), next.indexes.end(), [&](const Index& i) { return i.id == task.index_id; });
    if (it == next.indexes.end() || it->status != index.status) return Ok();
    if (it->status == IndexStatus::kDeleting) {
      next.indexes.erase(it);
      ForgetUnusedAttributes(next);
    } else {
      it->status = IndexStatus::kActive;
      it->backfilling = false;
    }
    edit.puts.push_back(std::move(next));
    return Ok();
  });
}

Status TableLifecycle::FinishExpiry(const IndexTask& task, FunctionRef<bool()> stop) {
  ASSIGN_OR_RETURN(const bool filled, FillExpiry(db_, task, stop));
  if (!filled) return Ok();
  return db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    const TablePtr present = current.Find(task.table);
    if (!present || present->id != task.table_id || present->expiry.index != task.index_id) return Ok();
    if (!present->expiry.enabled || present->expiry.filled) return Ok();
    Table next = *present;
    next.expiry.filled = true;
    edit.puts.push_back(std::move(next));
    return Ok();
  });
}

}  // namespace keyfold::engine
