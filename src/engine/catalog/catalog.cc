#include "engine/catalog/catalog.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/random.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"The catalog entry {} was written by a newer version of Keyfold, or is damaged"> kUnreadableEntry{
    "catalog-entry-unreadable", Kind::kInternal};

// Entry names in the store: "t/NAME" a table, "d/ID" a departed table, "x/NAME/LABEL" a stream, "b/ID" a backup,
// "n/NAME" a note, "s" the remaining state, "k" the secret.
constexpr std::string_view kTablePrefix = "t/", kDepartedPrefix = "d/", kStreamPrefix = "x/", kBackupPrefix = "b/",
                           kNotePrefix = "n/";
constexpr std::string_view kStateName = "s", kSecretName = "k";
constexpr size_t kSecretBytes = 32;

std::string EncodeState(const CatalogSnapshot& snapshot) {
  std::string out;
  AppendU32(out, snapshot.next_table_id);
  for (const auto& [table, index] : snapshot.purges) {
    AppendU32(out, table);
    AppendU16(out, index);
  }
  return out;
}

bool DecodeState(std::string_view bytes, CatalogSnapshot& snapshot) {
  ByteReader in(bytes);
  snapshot.next_table_id = in.U32();
  while (in.ok() && !in.at_end()) {
    const store::TableId table = in.U32();
    const store::IndexId index = in.U16();
    snapshot.purges.emplace_back(table, index);
  }
  return in.ok();
}

std::string EntryName(std::string_view prefix, std::string_view name) { return std::string(prefix).append(name); }
std::string DepartedName(store::TableId id) { return fmt::format("{}{:08x}", kDepartedPrefix, id); }

void KeepTable(TablePtr table, CatalogSnapshot& snapshot) {
  if (table->IsAtRest()) {
    snapshot.pending.Erase(table->name);
  } else {
    snapshot.pending.Put(table->name, table);
  }
  std::string name = table->name;
  snapshot.tables.Put(std::move(name), std::move(table));
}

void DropTable(const std::string& name, CatalogSnapshot& snapshot) {
  snapshot.tables.Erase(name);
  snapshot.pending.Erase(name);
}

void DropStream(const std::string& name, CatalogSnapshot& snapshot) {
  const StreamPtr* stream = snapshot.streams.Get(name);
  if (!stream) return;
  const store::TableId table = (*stream)->table_id;
  const uint32_t left = snapshot.stream_counts.at(table) - 1;
  if (left > 0) {
    snapshot.stream_counts.Put(table, left);
  } else {
    snapshot.stream_counts.Erase(table);
  }
  snapshot.streams.Erase(name);
}

void KeepStream(std::string name, StreamPtr stream, CatalogSnapshot& snapshot) {
  DropStream(name, snapshot);
  const uint32_t* others = snapshot.stream_counts.Get(stream->table_id);
  snapshot.stream_counts.Put(stream->table_id, others ? *others + 1 : 1);
  snapshot.streams.Put(std::move(name), std::move(stream));
}

void ApplyStreams(CatalogEdit& edit, store::CommitStamp stamp, CatalogSnapshot& after,
                  std::vector<store::CatalogChange>& changes) {
  for (const std::string& name : edit.stream_removes) {
    DropStream(name, after);
    changes.push_back({EntryName(kStreamPrefix, name), std::nullopt});
  }
  for (Stream& stream : edit.stream_puts) {
    stream.Stamp(stamp);
    std::string name = StreamName(stream.table, stream.label);
    changes.push_back({EntryName(kStreamPrefix, name), EncodeStream(stream)});
    KeepStream(std::move(name), std::make_shared<const Stream>(std::move(stream)), after);
  }
}

void ApplyBackups(CatalogEdit& edit, store::CommitStamp stamp, CatalogSnapshot& after,
                  std::vector<store::CatalogChange>& changes) {
  for (const std::string& id : edit.backup_removes) {
    after.backups.Erase(id);
    changes.push_back({EntryName(kBackupPrefix, id), std::nullopt});
  }
  for (Backup& backup : edit.backup_puts) {
    if (backup.moment.commit == 0) backup.moment = stamp;
    changes.push_back({EntryName(kBackupPrefix, backup.id), EncodeBackup(backup)});
    std::string id = backup.id;
    after.backups.Put(std::move(id), std::make_shared<const Backup>(std::move(backup)));
  }
}

void ApplyNotes(CatalogEdit& edit, CatalogSnapshot& after, std::vector<store::CatalogChange>& changes) {
  for (auto& [name, note] : edit.notes) {
    if (note) {
      after.notes.Put(name, std::make_shared<const std::string>(*note));
    } else {
      after.notes.Erase(name);
    }
    changes.push_back({EntryName(kNotePrefix, name), std::move(note)});
  }
}

// Sets log_ended when a table's log is no longer needed, until its records are gone. `present` is the table before the
// change, or null.
TablePtr Stamped(Table table, const TablePtr& present, store::CommitStamp stamp) {
  table.Stamp(stamp);
  if (table.IsLogged()) {
    table.log_ended = 0;
  } else if (present && present->IsLogged()) {
    table.log_ended = stamp.time;
  }
  return std::make_shared<const Table>(std::move(table));
}

// Departing tables go first: here they are still among `tables`, and the same change may give their name to another
// table.
void ApplyTables(CatalogEdit& edit, store::CommitStamp stamp, CatalogSnapshot& after,
                 std::vector<store::CatalogChange>& changes) {
  for (Table& table : edit.departed_puts) {
    const TablePtr present = after.FindById(table.name, table.id);
    const TablePtr departed = Stamped(std::move(table), present, stamp);
    changes.push_back({DepartedName(departed->id), EncodeTable(*departed)});
    after.departed.Put(departed->id, departed);
  }
  for (const store::TableId id : edit.departed_removes) {
    after.departed.Erase(id);
    changes.push_back({DepartedName(id), std::nullopt});
  }
  for (const std::string& name : edit.removes) {
    DropTable(name, after);
    changes.push_back({EntryName(kTablePrefix, name), std::nullopt});
  }
  for (Table& table : edit.puts) {
    const TablePtr present = after.FindById(table.name, table.id);
    TablePtr put = Stamped(std::move(table), present, stamp);
    changes.push_back({EntryName(kTablePrefix, put->name), EncodeTable(*put)});
    KeepTable(std::move(put), after);
  }
}

// Returns the snapshot after `edit`, and adds the store entries for it to `changes`.
CatalogSnapshot Apply(const CatalogSnapshot& before, CatalogEdit edit, store::CommitStamp stamp,
                      std::vector<store::CatalogChange>& changes) {
  CatalogSnapshot after = before;
  after.version = before.version + 1;
  if (after.secret.empty()) {
    after.secret = SystemRandomBytes(kSecretBytes);
    changes.push_back({std::string(kSecretName), after.secret});
  }
  ApplyTables(edit, stamp, after, changes);
  ApplyStreams(edit, stamp, after, changes);
  ApplyBackups(edit, stamp, after, changes);
  ApplyNotes(edit, after, changes);
  if (edit.next_table_id != 0) after.next_table_id = edit.next_table_id;
  for (const auto& purge : edit.purges_added) after.purges.push_back(purge);
  for (const auto& purge : edit.purges_done) {
    after.purges.erase(std::remove(after.purges.begin(), after.purges.end(), purge), after.purges.end());
  }
  std::string state = EncodeState(after);
  if (state != EncodeState(before)) changes.push_back({std::string(kStateName), std::move(state)});
  return after;
}

// Returns null if the bytes could not be decoded.
template <typename T>
std::shared_ptr<const T> Shared(std::optional<T> decoded) {
  return decoded ? std::make_shared<const T>(*std::move(decoded)) : nullptr;
}

bool LoadEntry(const std::string& name, const std::string& bytes, CatalogSnapshot& snapshot) {
  if (name == kStateName) return DecodeState(bytes, snapshot);
  if (name == kSecretName) {
    snapshot.secret = bytes;
    return bytes.size() == kSecretBytes;
  }
  if (name.starts_with(kStreamPrefix)) {
    StreamPtr stream = Shared(DecodeStream(bytes));
    if (!stream) return false;
    KeepStream(name.substr(kStreamPrefix.size()), std::move(stream), snapshot);
    return true;
  }
  if (name.starts_with(kBackupPrefix)) {
    BackupPtr backup = Shared(DecodeBackup(bytes));
    if (!backup) return false;
    snapshot.backups.Put(name.substr(kBackupPrefix.size()), std::move(backup));
    return true;
  }
  if (name.starts_with(kNotePrefix)) {
    snapshot.notes.Put(name.substr(kNotePrefix.size()), std::make_shared<const std::string>(bytes));
    return true;
  }
  const bool departed = name.starts_with(kDepartedPrefix);
  if (!departed && !name.starts_with(kTablePrefix)) return false;
  TablePtr table = Shared(DecodeTable(bytes));
  if (!table) return false;
  if (departed) {
    const store::TableId id = table->id;
    snapshot.departed.Put(id, std::move(table));
  } else {
    KeepTable(std::move(table), snapshot);
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<Catalog>> Catalog::Open(store::Store& store) {
  std::unique_ptr<Catalog> catalog(new Catalog(store));
  MutexLock one_change(catalog->change_mutex_);
  RETURN_IF_ERROR(catalog->Load());
  return catalog;
}

Status Catalog::Load() {
  const store::CatalogState state = store_.ReadCatalog();
  auto snapshot = std::make_shared<CatalogSnapshot>();
  snapshot->version = state.version;
  for (const auto& [name, bytes] : state.entries) {
    if (!LoadEntry(name, bytes, *snapshot)) return kUnreadableEntry(name);
  }
  SetCurrent(std::move(snapshot));
  return Ok();
}

void Catalog::SetCurrent(SnapshotPtr snapshot) {
  MutexLock lock(current_mutex_);
  current_ = std::move(snapshot);
}

SnapshotPtr Catalog::Current() const {
  MutexLock lock(current_mutex_);
  return current_;
}

Status Catalog::Change(FunctionRef<Status(const CatalogSnapshot&, CatalogEdit&)> edit) {
  MutexLock one_change(change_mutex_);
  while (true) {
    const SnapshotPtr before = Current();
    CatalogEdit edited;
    RETURN_IF_ERROR(edit(*before, edited));
    if (edited.empty()) return Ok();
    SnapshotPtr after;
    Status status = store_.WriteCatalog(before->version, [&](store::CommitStamp stamp) {
      std::vector<store::CatalogChange> changes;
      after = std::make_shared<const CatalogSnapshot>(Apply(*before, edited, stamp, changes));
      return changes;
    });
    if (status.ok()) SetCurrent(std::move(after));
    if (status.ok() || status.kind() != Kind::kStale) return status;
    RETURN_IF_ERROR(Load());
  }
}

Status Catalog::CatchUp(store::CatalogVersion planned) {
  MutexLock one_change(change_mutex_);
  return Current()->version == planned ? Load() : Ok();
}

}  // namespace keyfold::engine
