#include "engine/history/backup_jobs.h"

#include <algorithm>

#include "base/log.h"
#include "base/stopping.h"
#include "engine/catalog/rules.h"
#include "engine/history/moment.h"
#include "engine/history/table_builder.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"Table is not in an active state: {}"> kTableNotActive{"backup-table-state", Kind::kTableInUse};
constexpr Rule<"Backup is being created or restored from: {}"> kBackupBusy{"backup-busy", Kind::kBackupInUse};
constexpr TableAlreadyExists kTargetExists{"restore-target-exists", Kind::kTableAlreadyExists};
constexpr Rule<"Restore time is not between EarliestRestorableDateTime and LatestRestorableDateTime"> kOutsideWindow{
    "restore-time", Kind::kInvalidRestoreTime};
constexpr Rule<"The backup is damaged and nothing was restored from it: {}"> kBackupDamaged{"backup-damaged",
                                                                                            Kind::kValidation};
constexpr Rule<"{} is not the file that was written for this backup"> kOtherFile{"damaged-backup-file",
                                                                                 Kind::kInternal};

constexpr std::chrono::milliseconds kBackupsPoll{1000};
constexpr std::string_view kManifest = "MANIFEST", kBackups = "backups/";
constexpr std::string_view kBackupScratch = "scratch/backup", kRestoreScratch = "scratch/restore";
constexpr uint64_t kFileBytes = uint64_t{256} << 20;

std::string FolderOf(std::string_view id) { return std::string(kBackups).append(id); }
std::string FileOf(std::string_view id, std::string_view name) { return FolderOf(id).append("/").append(name); }

std::string RestoreHold(std::string_view target) { return "restore/" + std::string(target); }

const LogHold* FindHold(const Table& table, std::string_view by) {
  const auto it = std::find_if(table.holds.begin(), table.holds.end(), [&](const LogHold& h) { return h.by == by; });
  return it == table.holds.end() ? nullptr : &*it;
}

// Removes that hold from the table, which is found by name and id. Returns false if there is no such table or hold.
bool Release(const CatalogSnapshot& snapshot, std::string_view name, store::TableId id, std::string_view by,
             CatalogEdit& edit) {
  const TablePtr table = snapshot.FindById(name, id);
  if (!table || !FindHold(*table, by)) return false;
  Table next = *table;
  std::erase_if(next.holds, [&](const LogHold& h) { return h.by == by; });
  edit.PutWhereItIs(snapshot, std::move(next));
  return true;
}

// Current number of rows, for progress reports.
uint64_t RowsOf(const Database& db, const Table& table) {
  return static_cast<uint64_t>(std::max<int64_t>(db.store.ReadTally(table.id, store::kBaseTable).rows, 0));
}

// Estimated disk space for a backup of the table or for a table restored from it: about the size that DynamoDB counts.
uint64_t BytesOf(const Database& db, const Table& table) {
  return static_cast<uint64_t>(std::max<int64_t>(db.store.ReadTally(table.id, store::kBaseTable).bytes, 0));
}

// Writes a backup's rows to consecutive files. Used by one thread at a time.
class RowFiles {
 public:
  RowFiles(const files::Folder& folder, Backup& backup) : folder_(folder), backup_(backup) {}

  Status Add(std::string_view key, ItemView item) {
    if (!writer_) {
      const std::string name = "rows-" + std::to_string(backup_.files.size() + 1);
      ASSIGN_OR_RETURN(writer_, files::RecordFileWriter::Create(folder_, name));
    }
    ++backup_.items;
    backup_.bytes += static_cast<int64_t>(ItemSize(item));
    RETURN_IF_ERROR(writer_->Add(key.substr(store::RowKey::kTableIdBytes), item.bytes()));
    return writer_->bytes() >= kFileBytes ? EndFile() : Ok();
  }
  Status EndFile() {
    if (!writer_) return Ok();
    ASSIGN_OR_RETURN(files::RecordFileSummary summary, writer_->Finish(/*durable=*/true));
    backup_.files.push_back(std::move(summary));
    writer_.reset();
    return Ok();
  }

 private:
  const files::Folder& folder_;
  Backup& backup_;
  std::unique_ptr<files::RecordFileWriter> writer_;
};

// Opens the file by its path from the root folder: verifying a backup that is being deleted must not recreate its
// folder.
Status VerifyFile(const files::Folder& folder, std::string_view id, const files::RecordFileSummary& file) {
  files::RecordFileSummary named = file;
  named.name = FileOf(id, file.name);
  return files::VerifyRecordFile(folder, named);
}

// Returns the text that the user sees; the log has the details.
std::string FaultOf(const std::string& file, const Error& error) {
  LogError("cannot verify {}: {}", file, error.message());
  if (files::IsMissing(error)) return file + " is missing";
  return file + (files::IsDamage(error) ? " is damaged" : " cannot be read; see the log for the reason");
}

Status WriteManifest(const files::Folder& folder, const Backup& backup) {
  const std::string unfinished = std::string(kManifest) + ".new";
  ASSIGN_OR_RETURN(const auto writer, files::RecordFileWriter::Create(folder, unfinished));
  RETURN_IF_ERROR(writer->Add("backup", EncodeBackup(backup)));
  RETURN_IF_ERROR(writer->Finish(/*durable=*/true));
  return folder.Rename(unfinished, kManifest);
}

}  // namespace

Result<std::unique_ptr<BackupJobs>> BackupJobs::Open(const Database& db, TableLifecycle& lifecycle,
                                                     files::Folder folder, uint64_t seed, Jobs& jobs) {
  for (const std::string_view left : {kBackupScratch, kRestoreScratch}) RETURN_IF_ERROR(folder.RemoveAll(left));
  ASSIGN_OR_RETURN(const std::vector<files::Folder::Entry> files, folder.List(kBackups));
  const SnapshotPtr snapshot = db.catalog.Current();
  for (const files::Folder::Entry& file : files) {
    const std::string_view rest = std::string_view(file.name).substr(kBackups.size());
    const std::string id(rest.substr(0, rest.find('/')));
    if (!snapshot->backups.contains(id)) RETURN_IF_ERROR(folder.RemoveAll(FolderOf(id)));
  }
  return std::unique_ptr<BackupJobs>(new BackupJobs(db, lifecycle, std::move(folder), seed, jobs));
}

BackupJobs::BackupJobs(const Database& db, TableLifecycle& lifecycle, files::Folder folder, uint64_t seed, Jobs& jobs)
    : db_(db),
      lifecycle_(lifecycle),
      folder_(std::move(folder)),
      jobs_(jobs),
      random_(seed),
      backup_task_([this] { return BackUpOnce(); }),
      restore_task_([this] { return RestoreOnce(); }) {}

void BackupJobs::Start() {
  backup_task_.Start();
  restore_task_.Start();
}

void BackupJobs::Stop() {
  restore_task_.Stop();
  backup_task_.Stop();
}

void BackupJobs::Finish() {
  backup_task_.Finish();
  restore_task_.Finish();
}

bool BackupJobs::WorkOnce() {
  const auto backed_up = BackUpOnce(), restored = RestoreOnce();
  return backed_up == kAtOnce || restored == kAtOnce;
}

uint64_t BackupJobs::NextRandom() {
  MutexLock lock(random_mutex_);
  return random_.Next();
}

Status BackupJobs::HasRoomToBackUp(const Table& table) const {
  uint64_t bytes = BytesOf(db_, table);
  const auto catalog = db_.catalog.Current();
  for (const auto& [id, backup] : catalog->backups) {
    if (backup->status == Backup::Status::kCreating) bytes += BytesOf(db_, backup->table);
  }
  return folder_.HasRoom(bytes);
}

Result<BackupPtr> BackupJobs::Create(std::string_view table, std::string name) {
  if (const TablePtr present = db_.catalog.Current()->Find(table)) RETURN_IF_ERROR(HasRoomToBackUp(*present));
  const uint64_t random = NextRandom();
  std::string id;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    const TablePtr present = snapshot.Find(table);
    if (!present || present->deleting) return kTableNotFound(table);
    const Micros now = db_.clock.Now();
    if (!present->IsUsableAt(now)) return kTableNotActive(table);
    Backup backup = BackupToMake(*present, Backup::Kind::kUser, name, now, random);
    Table held = *present;
    held.holds.push_back(HoldOf(backup));
    id = backup.id;
    edit.puts.push_back(std::move(held));
    edit.backup_puts.push_back(std::move(backup));
    return Ok();
  }));
  backup_task_.Wake();
  const SnapshotPtr snapshot = db_.catalog.Current();
  const auto it = snapshot->backups.find(id);
  if (it == snapshot->backups.end()) return kNoSuchBackup(id);  // a Reset came in between
  return it->second;
}

Result<BackupPtr> BackupJobs::Delete(std::string_view id) {
  BackupPtr deleted;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    const auto it = snapshot.backups.find(id);
    if (it == snapshot.backups.end()) return kNoSuchBackup(id);
    deleted = it->second;
    const auto restores = [&](const auto& entry) {
      return entry.second->filling && entry.second->restored && entry.second->restored->backup == id;
    };
    const bool creating = deleted->status == Backup::Status::kCreating;
    const bool busy =
        (creating && !Waits(id)) || std::any_of(snapshot.pending.begin(), snapshot.pending.end(), restores);
    if (busy) return kBackupBusy(id);
    if (creating) Release(snapshot, deleted->table.name, deleted->table.id, HoldOf(*deleted).by, edit);
    edit.backup_removes.emplace_back(id);
    return Ok();
  }));
  // Files that cannot be removed now are removed at the next start.
  if (const Status s = folder_.RemoveAll(FolderOf(id)); !s.ok())
    LogWarning("cannot remove the files of backup {}: {}", id, s.message());
  return deleted;
}

Status BackupJobs::RemoveExpired() {
  const Micros now = db_.clock.Now();
  const SnapshotPtr snapshot = db_.catalog.Current();
  for (const auto& [id, backup] : snapshot->backups) {
    if (backup->expires == 0 || now < backup->expires || backup->status == Backup::Status::kCreating) continue;
    Result<BackupPtr> deleted = Delete(id);
    if (!deleted.ok() && deleted.error().kind() != Kind::kBackupInUse) return std::move(deleted).TakeError();
  }
  return Ok();
}

// Restores rely on the catalog. A MANIFEST that differs from it means that the backup's files were changed.
Status BackupJobs::VerifyManifest(const Backup& backup) const {
  const std::string name = FileOf(backup.id, kManifest);
  ASSIGN_OR_RETURN(const auto reader, files::RecordFileReader::Open(folder_, name));
  std::string_view key, bytes;
  std::optional<Backup> found;
  size_t records = 0;
  for (;; ++records) {
    ASSIGN_OR_RETURN(const bool more, reader->Next(key, bytes));
    if (!more) break;
    found = DecodeBackup(bytes);
  }
  const bool same = records == 1 && found && EncodeBackup(*found) == EncodeBackup(backup);
  return same ? Ok() : Status(kOtherFile(folder_.path() + "/" + name));
}

Status BackupJobs::Verify(const Backup& backup) const {
  const auto refuse = [&](std::string_view name, const Status& why) {
    LogError("cannot restore backup {}: {}", backup.id, why.message());
    return kBackupDamaged(FileOf(backup.id, name));
  };
  if (const Status whole = VerifyManifest(backup); !whole.ok()) return refuse(kManifest, whole);
  for (const files::RecordFileSummary& file : backup.files) {
    if (const Status whole = VerifyFile(folder_, backup.id, file); !whole.ok()) return refuse(file.name, whole);
  }
  return Ok();
}

Status BackupJobs::VerifyAll(VerifyProgress progress, Verification& found) const {
  const SnapshotPtr snapshot = db_.catalog.Current();
  for (const auto& [id, backup] : snapshot->backups) {
    if (backup->status == Backup::Status::kCreating) continue;
    // A backup that was deleted in the meantime is not a fault.
    const auto look = [&, id = id](std::string_view name, Status whole, uint64_t records) {
      const bool there = db_.catalog.Current()->backups.contains(id);
      if (!whole.ok() && there) found.AddFault(FaultOf(FileOf(id, name), std::move(whole).TakeError()));
      ++found.files;
      found.done += records;
      return progress(found);
    };
    if (!look(kManifest, VerifyManifest(*backup), 0)) return kStopping();
    for (const files::RecordFileSummary& file : backup->files) {
      if (!look(file.name, VerifyFile(folder_, id, file), file.records)) return kStopping();
    }
  }
  return Ok();
}

Result<TablePtr> BackupJobs::RestoreBackup(std::string_view id, Table described) {
  const SnapshotPtr snapshot = db_.catalog.Current();
  const auto it = snapshot->backups.find(id);
  if (it == snapshot->backups.end()) return kNoSuchBackup(id);
  const BackupPtr backup = it->second;
  if (backup->status == Backup::Status::kCreating) return kBackupBusy(id);
  if (snapshot->Find(described.name)) return kTargetExists(described.name);
  RETURN_IF_ERROR(Verify(*backup));
  RETURN_IF_ERROR(folder_.HasRoom(static_cast<uint64_t>(backup->bytes)));
  described.restored = RestoreSource{.backup = backup->id, .table = backup->table.name, .time = backup->moment.time};
  const auto still_there = [&](const CatalogSnapshot& current, Table&, CatalogEdit&) -> Status {
    return current.backups.contains(id) ? Ok() : Status(kNoSuchBackup(id));
  };
  ASSIGN_OR_RETURN(TablePtr created, lifecycle_.Create(std::move(described), still_there));
  restore_task_.Wake();
  return created;
}

Micros BackupJobs::LatestRestorable(Micros now) { return (now - 1) / kSecond * kSecond; }

Result<TablePtr> BackupJobs::RestoreMoment(std::string_view source, std::optional<Micros> time, Table described) {
  if (db_.catalog.Current()->Find(described.name)) return kTargetExists(described.name);
  const std::string target = described.name;
  const Micros now = db_.clock.Now();
  described.restored = RestoreSource{
      .backup = {}, .table = std::string(source), .time = time.value_or(now), .latest = !time.has_value()};
  const auto hold = [&](const CatalogSnapshot& snapshot, Table& created, CatalogEdit& edit) -> Status {
    const TablePtr present = snapshot.Find(source);
    if (!present || !present->IsUsableAt(now)) return kTableNotFound(source);
    if (!present->recovery.enabled) return kRecoveryOff(source);
    if (time && (*time < present->recovery.EarliestAt(now) || *time > LatestRestorable(now))) return kOutsideWindow();
    RETURN_IF_ERROR(folder_.HasRoom(BytesOf(db_, *present)));
    created.restored->table_id = present->id;
    Table held = *present;
    // With `time`, the moment is found in the log. Without it, the moment is this catalog change.
    const store::CommitStamp since =
        time ? store::CommitStamp{present->recovery.since.commit, *time} : store::CommitStamp{};
    held.holds.push_back({RestoreHold(target), since});
    edit.puts.push_back(std::move(held));
    return Ok();
  };
  ASSIGN_OR_RETURN(TablePtr created, lifecycle_.Create(std::move(described), hold));
  restore_task_.Wake();
  return created;
}

Result<TablePtr> BackupJobs::SetRecovery(std::string_view table, bool enabled, std::optional<int32_t> days) {
  return lifecycle_.Annotate(table, [&](Table& next) -> Status {
    const bool was = next.recovery.enabled;
    if (!enabled) {
      next.recovery = {};
      return Ok();
    }
    next.recovery.enabled = true;
    if (days) next.recovery.days = *days;
    if (!was) next.recovery.since = {};
    return Ok();
  });
}

std::optional<std::chrono::milliseconds> BackupJobs::BackUpOnce() {
  if (const Status s = RemoveExpired(); !s.ok()) LogError("cannot remove expired backups: {}", s.message());
  const SnapshotPtr snapshot = db_.catalog.Current();
  for (const auto& [id, backup] : snapshot->backups) {
    if (backup->status != Backup::Status::kCreating) continue;
    const Status made = BackUp(*backup);
    if (made.ok()) return kAtOnce;
    if (Waits(id)) continue;
    if (!backup_task_.IsStopping())
      LogError("cannot make backup {} of table {}: {}", id, backup->table.name, made.message());
    return kAfterFailure;
  }
  return kBackupsPoll;
}

Status BackupJobs::BackUp(const Backup& backup) {
  Backup made = backup;
  Status written = folder_.HasRoom(BytesOf(db_, backup.table));
  if (written.ok()) {
    Job job(jobs_, JobKind::kBackup, backup.table.name, backup.id, db_.clock.Now());
    written = WriteFiles(backup, made, job);
  }
  if (!written.ok()) {
    Error error = std::move(written).TakeError();
    if (!files::IsNoRoom(error)) return error;
    RETURN_IF_ERROR(StopForRoom(backup));
    return backup.kind == Backup::Kind::kSystem ? Status(std::move(error)) : Ok();
  }
  RETURN_IF_ERROR(FinishBackup(std::move(made)));
  MutexLock lock(waiting_mutex_);
  waiting_.erase(backup.id);
  return Ok();
}

bool BackupJobs::Waits(std::string_view id) const {
  MutexLock lock(waiting_mutex_);
  return waiting_.contains(id);
}

// Removes what was written of the backup. A user's backup is removed altogether. The backup of a deleted table waits
// for disk space, because it is all that is left of the table.
Status BackupJobs::StopForRoom(const Backup& backup) {
  RETURN_IF_ERROR(folder_.RemoveAll(FolderOf(backup.id)));
  if (backup.kind == Backup::Kind::kSystem) {
    MutexLock lock(waiting_mutex_);
    const bool fresh = waiting_.insert(backup.id).second;
    if (fresh) LogError("backup {} of table {} is waiting: the disk is full", backup.id, backup.table.name);
    return Ok();
  }
  LogError("backup {} of table {} was abandoned: the disk is full", backup.id, backup.table.name);
  return db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    if (!snapshot.backups.contains(backup.id)) return Ok();
    Release(snapshot, backup.table.name, backup.table.id, HoldOf(backup).by, edit);
    edit.backup_removes.push_back(backup.id);
    return Ok();
  });
}

Status BackupJobs::WriteFiles(const Backup& backup, Backup& made, Job& job) {
  RETURN_IF_ERROR(folder_.RemoveAll(FolderOf(backup.id)));
  ASSIGN_OR_RETURN(const files::Folder folder, folder_.Below(FolderOf(backup.id)));
  ASSIGN_OR_RETURN(const files::Folder scratch, folder_.Below(kBackupScratch));
  RowFiles files(folder, made);
  const auto stop = [this] { return backup_task_.IsStopping(); };
  job.Begin("writing", JobUnit::kItems, RowsOf(db_, backup.table));
  JobCounter counter(job);
  const auto add = [&](std::string_view key, ItemView item) {
    counter.Add();
    return files.Add(key, item);
  };
  const store::LogPosition moment = store::LogPosition::AfterCommit(backup.moment.commit);
  RETURN_IF_ERROR(VisitMoment(db_.store, backup.table, moment, scratch, stop, add));
  RETURN_IF_ERROR(files.EndFile());
  made.status = Backup::Status::kAvailable;
  return WriteManifest(folder, made);
}

// If the table and its hold have disappeared in the meantime, rows may be missing, so the backup is discarded.
Status BackupJobs::FinishBackup(Backup made) {
  bool kept = true;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    kept =
        snapshot.backups.contains(made.id) && Release(snapshot, made.table.name, made.table.id, HoldOf(made).by, edit);
    if (kept) {
      edit.backup_puts.push_back(made);
    } else {
      edit.backup_removes.push_back(made.id);
    }
    return Ok();
  }));
  return kept ? Ok() : folder_.RemoveAll(FolderOf(made.id));
}

std::optional<std::chrono::milliseconds> BackupJobs::RestoreOnce() {
  const SnapshotPtr snapshot = db_.catalog.Current();
  for (const auto& [name, table] : snapshot->pending) {
    if (!table->filling || !table->restored) continue;
    const Status restored = Restore(name);
    if (restored.ok()) return kAtOnce;
    if (!restore_task_.IsStopping()) LogError("cannot restore table {}: {}", name, restored.message());
    return kAfterFailure;
  }
  return std::nullopt;
}

// Each attempt uses a new table id, because an earlier attempt may have left rows.
Status BackupJobs::Restore(const std::string& name) {
  TablePtr table;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    table = nullptr;
    const TablePtr present = snapshot.Find(name);
    if (!present || !present->filling) return Ok();
    Table next = *present;
    next.id = snapshot.next_table_id;
    edit.next_table_id = snapshot.next_table_id + 1;
    edit.purges_added.emplace_back(present->id, store::kBaseTable);
    table = std::make_shared<const Table>(next);
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  if (!table) return Ok();
  if (Status filled = Fill(*table); !filled.ok()) {
    Error error = std::move(filled).TakeError();
    if (!files::IsDamage(error) && !files::IsNoRoom(error)) return error;
    LogError("cannot restore table {}: {}", name, error.message());
    return GiveUp(*table);
  }
  return db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    const TablePtr present = snapshot.FindById(name, table->id);
    if (!present) return Ok();
    Table next = *present;
    next.filling = false;
    edit.puts.push_back(std::move(next));
    Release(snapshot, table->restored->table, table->restored->table_id, RestoreHold(name), edit);
    return Ok();
  });
}

Status BackupJobs::Fill(const Table& table) {
  const RestoreSource& from = *table.restored;
  Job job(jobs_, JobKind::kRestore, table.name, from.backup, db_.clock.Now());
  RETURN_IF_ERROR(folder_.HasRoom(files::kRoomStepBytes));
  const SnapshotPtr snapshot = db_.catalog.Current();
  if (from.backup.empty()) {
    const TablePtr source = snapshot->FindById(from.table, from.table_id);
    return source ? FillFromMoment(*source, table, job) : GiveUp(table);
  }
  const auto it = snapshot->backups.find(from.backup);
  return it == snapshot->backups.end() ? GiveUp(table) : FillFromBackup(*it->second, table, job);
}

Status BackupJobs::FillFromMoment(const Table& source, const Table& table, Job& job) {
  const LogHold* hold = FindHold(source, RestoreHold(table.name));
  if (!hold) return GiveUp(table);
  store::LogPosition moment = store::LogPosition::AfterCommit(hold->since.commit);
  if (!table.restored->latest) {
    ASSIGN_OR_RETURN(moment, MomentAt(db_.store, source.id, table.restored->time));
  }
  ASSIGN_OR_RETURN(const files::Folder scratch, folder_.Below(kRestoreScratch));
  ASSIGN_OR_RETURN(const auto builder, TableBuilder::Begin(db_.store, table, scratch));
  job.Begin("reading", JobUnit::kItems, RowsOf(db_, source));
  JobCounter counter(job);
  const auto add = [&](std::string_view key, ItemView item) {
    counter.Add();
    return builder->Add(key.substr(store::RowKey::kTableIdBytes), item);
  };
  const auto stop = [this] { return restore_task_.IsStopping(); };
  RETURN_IF_ERROR(VisitMoment(db_.store, source, moment, scratch, stop, add));
  counter.Flush();
  return builder->Finish(job);
}

Status BackupJobs::FillFromBackup(const Backup& backup, const Table& table, Job& job) {
  ASSIGN_OR_RETURN(const files::Folder folder, folder_.Below(FolderOf(backup.id)));
  ASSIGN_OR_RETURN(const files::Folder scratch, folder_.Below(kRestoreScratch));
  ASSIGN_OR_RETURN(const auto builder, TableBuilder::Begin(db_.store, table, scratch));
  job.Begin("reading", JobUnit::kItems, static_cast<uint64_t>(backup.items));
  JobCounter counter(job);
  for (const files::RecordFileSummary& file : backup.files) {
    if (restore_task_.IsStopping()) return kStopping();
    ASSIGN_OR_RETURN(const auto reader, files::RecordFileReader::Open(folder, file.name));
    std::string_view place, item;
    for (;;) {
      ASSIGN_OR_RETURN(const bool more, reader->Next(place, item));
      if (!more) break;
      RETURN_IF_ERROR(builder->Add(place, ItemView(item)));
      counter.Add();
    }
    if (reader->summary() != file) return kOtherFile(folder.path() + "/" + file.name);
  }
  counter.Flush();
  return builder->Finish(job);
}

// Removes the table that cannot be filled.
Status BackupJobs::GiveUp(const Table& table) {
  return db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    if (!snapshot.FindById(table.name, table.id)) return Ok();
    edit.removes.push_back(table.name);
    edit.purges_added.emplace_back(table.id, store::kBaseTable);
    Release(snapshot, table.restored->table, table.restored->table_id, RestoreHold(table.name), edit);
    return Ok();
  });
}

}  // namespace keyfold::engine
