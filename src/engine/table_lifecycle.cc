#include "engine/table_lifecycle.h"

#include <algorithm>
#include <chrono>

#include "base/log.h"

namespace keyfold {
namespace {

constexpr Rule<"Table already exists: {}"> kTableExists{"table-exists", Kind::kResourceInUse};
constexpr Rule<"Requested resource not found: Table: {} not found"> kNoSuchTable{"no-such-table", Kind::kResourceNotFound};
constexpr Rule<"Attempt to change a resource which is still in use: Table is being {}: {}"> kTableBusy{"table-busy",
                                                                                                     Kind::kResourceInUse};
constexpr Rule<"Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.">
    kDeletionProtected{"deletion-protected", Kind::kValidation};

// How often the background thread looks when something is due at a later database time.
constexpr std::chrono::milliseconds kPoll{20};

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

// AttributeDefinitions names just the key attributes of the table and its indexes.
void ForgetUnusedAttributes(Table& table) {
  const auto unused = [&](const KeyAttribute& a) {
    if (table.key.Names(a.name)) return false;
    return std::none_of(table.indexes.begin(), table.indexes.end(), [&](const Index& i) { return i.key.Names(a.name); });
  };
  table.attributes.erase(std::remove_if(table.attributes.begin(), table.attributes.end(), unused), table.attributes.end());
}

void GiveIndexIds(Table& table) {
  for (Index& index : table.indexes) {
    if (index.id == 0) index.id = table.next_index_id++;
  }
}

}  // namespace

TableLifecycle::TableLifecycle(const Database& db, Micros delay, uint64_t seed) : db_(db), delay_(delay), random_(seed) {}

TableLifecycle::~TableLifecycle() { Stop(); }

void TableLifecycle::Start() {
  thread_ = std::thread([this] { Run(); });
}

void TableLifecycle::Stop() {
  {
    std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_all();
  if (thread_.joinable()) thread_.join();
}

void TableLifecycle::Wake() {
  {
    std::lock_guard lock(mutex_);
    woken_ = true;
  }
  wake_.notify_all();
}

Result<TablePtr> TableLifecycle::Create(Table described) {
  const Micros now = db_.clock.Now();
  described.created = now;
  described.creating_until = delay_ > 0 ? now + delay_ : 0;
  {
    std::lock_guard lock(random_mutex_);
    described.uuid = random_.Uuid();
  }
  GiveIndexIds(described);
  TablePtr created;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    if (snapshot.Find(described.name)) return kTableExists(described.name);
    described.id = snapshot.next_table_id;
    edit.next_table_id = snapshot.next_table_id + 1;
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
    RETURN_IF_ERROR(IsActive(*present, now));
    Table next = *present;
    RETURN_IF_ERROR(change(*present, next));
    GiveIndexIds(next);
    if (delay_ > 0) next.updating_until = now + delay_;
    updated = std::make_shared<const Table>(next);
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  Wake();
  return updated;
}

Result<TablePtr> TableLifecycle::Delete(std::string_view name) {
  TablePtr deleted;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    ASSIGN_OR_RETURN(deleted, ExistingTable(snapshot, name));
    const Micros now = db_.clock.Now();
    RETURN_IF_ERROR(IsActive(*deleted, now));
    if (deleted->deletion_protection) return kDeletionProtected();
    if (delay_ > 0) {
      Table next = *deleted;
      next.deleting = true;
      next.deleting_until = now + delay_;
      edit.puts.push_back(std::move(next));
    } else {
      edit.removes.push_back(deleted->name);
      edit.purges_added.emplace_back(deleted->id, kBaseTable);
    }
    return Ok();
  }));
  Wake();
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

Status TableLifecycle::Reset() {
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    for (const auto& [name, table] : snapshot.tables) {
      edit.removes.push_back(name);
      edit.purges_added.emplace_back(table->id, kBaseTable);
    }
    return Ok();
  }));
  Wake();
  return Ok();
}

void TableLifecycle::Run() {
  while (true) {
    while (WorkOnce()) {
    }
    std::unique_lock lock(mutex_);
    const auto due = [this] { return woken_ || stopping_; };
    // Without a delay everything is done as soon as it is asked for; with one, something may come due as database time moves.
    delay_ > 0 ? void(wake_.wait_for(lock, kPoll, due)) : wake_.wait(lock, due);
    if (stopping_) return;
    woken_ = false;
  }
}

bool TableLifecycle::WorkOnce() {
  {
    std::lock_guard lock(mutex_);
    if (stopping_) return false;
  }
  const SnapshotPtr snapshot = db_.catalog.Current();
  return FinishDeletions(*snapshot) || FinishPurges(*snapshot) || FinishIndexes(*snapshot);
}

bool TableLifecycle::FinishDeletions(const CatalogSnapshot& snapshot) {
  const Micros now = db_.clock.Now();
  for (const auto& [name, table] : snapshot.tables) {
    if (!table->deleting || now < table->deleting_until) continue;
    const Status status = db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
      const TablePtr still = current.Find(table->name);
      if (!still || still->id != table->id) return Ok();
      edit.removes.push_back(table->name);
      edit.purges_added.emplace_back(table->id, kBaseTable);
      return Ok();
    });
    if (!status.ok()) spdlog::error("deleting table {}: {}", table->name, status.message());
    return status.ok();
  }
  return false;
}

bool TableLifecycle::FinishPurges(const CatalogSnapshot& snapshot) {
  if (snapshot.purges.empty()) return false;
  const std::pair<TableId, IndexId> purge = snapshot.purges.front();
  Status status = db_.store.Purge(purge.first, purge.second);
  if (status.ok()) {
    status = db_.catalog.Change([&](const CatalogSnapshot&, CatalogEdit& edit) -> Status {
      edit.purges_done.push_back(purge);
      return Ok();
    });
  }
  if (!status.ok()) spdlog::error("removing the rows of a deleted table: {}", status.message());
  return status.ok();
}

bool TableLifecycle::FinishIndexes(const CatalogSnapshot& snapshot) {
  const Micros now = db_.clock.Now();
  for (const auto& [name, table] : snapshot.tables) {
    if (table->deleting || now < table->updating_until) continue;
    for (const Index& index : table->indexes) {
      if (index.status == IndexStatus::kActive) continue;
      const Result<bool> finished = FinishIndex({name, table->id, index.id}, index);
      if (!finished.ok()) spdlog::error("index {} of table {}: {}", index.name, name, finished.error().message());
      return finished.ok() && *finished;
    }
  }
  return false;
}

// Brings an index to its resting state: filled and ACTIVE, or gone. False: not any more, or not before a restart.
Result<bool> TableLifecycle::FinishIndex(const IndexTask& task, const Index& index) {
  if (index.status == IndexStatus::kDeleting) {
    RETURN_IF_ERROR(db_.store.Purge(task.table_id, task.index_id));
  } else if (index.backfilling) {
    const auto stop = [this] {
      std::lock_guard lock(mutex_);
      return stopping_;
    };
    ASSIGN_OR_RETURN(const bool filled, BackfillIndex(db_, task, stop));
    if (!filled) return false;
  }
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& current, CatalogEdit& edit) -> Status {
    const TablePtr present = current.Find(task.table);
    if (!present || present->id != task.table_id) return Ok();
    Table next = *present;
    const auto it = std::find_if(next.indexes.begin(), next.indexes.end(), [&](const Index& i) { return i.id == task.index_id; });
    if (it == next.indexes.end()) return Ok();
    if (it->status == IndexStatus::kDeleting) {
      next.indexes.erase(it);
      ForgetUnusedAttributes(next);
    } else {
      it->status = IndexStatus::kActive;
      it->backfilling = false;
    }
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  return true;
}

}  // namespace keyfold
