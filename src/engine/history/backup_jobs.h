// Backups and restores, and the recovery settings that they depend on. Requests change the catalog and return. Two
// background threads do the work and derive it from the catalog's state alone: after a restart, unfinished work starts
// again with the same moment.
//
// In the folder: backups/ID/ has the files of a backup, of which MANIFEST is written last; scratch/ has files for
// sorting.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "base/mutex.h"
#include "base/random.h"
#include "engine/background/jobs.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/backup.h"
#include "engine/catalog/database.h"
#include "engine/history/verify.h"
#include "files/folder.h"

namespace keyfold::engine {

// Thread-safe.
class BackupJobs {
 public:
  // Removes files of an earlier run from `folder` that the catalog does not list. `jobs` outlives it.
  static Result<std::unique_ptr<BackupJobs>> Open(const Database& db, TableLifecycle& lifecycle, files::Folder folder,
                                                  uint64_t seed, Jobs& jobs);

  void Start();
  void Stop();
  // Returns when no work is in progress.
  void Finish();
  // Called when there may be a backup to make because a table is being deleted.
  void Wake() { backup_task_.Wake(); }

  // Does one piece of the background work on the caller's thread. Returns true if it did some.
  bool WorkOnce();

  // Backs up the table as of this call: every write acknowledged before the call is included, no write sent after it
  // is. Fails if the disk has no room for this backup and the pending ones. A backup that runs out of room later is
  // removed.
  Result<BackupPtr> Create(std::string_view table, std::string name);
  // Returns the backup as it was. A backup that is being made can be deleted only while it waits for disk space.
  Result<BackupPtr> Delete(std::string_view id);
  // Deletes expired backups.
  Status RemoveExpired();

  // `described` is RestoredTable of the backup's table, or of the source, with the request's changes. Fails before any
  // work if the backup's files are not as they were written.
  Result<TablePtr> RestoreBackup(std::string_view id, Table described);
  // Without `time`, restores the current state.
  Result<TablePtr> RestoreMoment(std::string_view source, std::optional<Micros> time, Table described);

  // Turns point-in-time recovery on or off, or changes its days. Turning it off and on again starts a new window.
  Result<TablePtr> SetRecovery(std::string_view table, bool enabled, std::optional<int32_t> days);

  // Reads all files of every finished backup and adds to `found`. Returns an error only if `progress` cancels it.
  Status VerifyAll(VerifyProgress progress, Verification& found) const;

  // The latest time that RestoreMoment accepts.
  static Micros LatestRestorable(Micros now);

 private:
  BackupJobs(const Database& db, TableLifecycle& lifecycle, files::Folder folder, uint64_t seed, Jobs& jobs);

  std::optional<std::chrono::milliseconds> BackUpOnce();
  std::optional<std::chrono::milliseconds> RestoreOnce();
  Status BackUp(const Backup& backup);
  Status WriteFiles(const Backup& backup, Backup& made, Job& job);
  Status HasRoomToBackUp(const Table& table) const;
  Status StopForRoom(const Backup& backup);
  bool Waits(std::string_view id) const;
  Status FinishBackup(Backup made);
  Status Restore(const std::string& name);
  Status Fill(const Table& table);
  Status FillFromMoment(const Table& source, const Table& table, Job& job);
  Status FillFromBackup(const Backup& backup, const Table& table, Job& job);
  Status GiveUp(const Table& table);
  Status Verify(const Backup& backup) const;
  Status VerifyManifest(const Backup& backup) const;
  uint64_t NextRandom();

  const Database db_;
  TableLifecycle& lifecycle_;
  const files::Folder folder_;
  Jobs& jobs_;

  mutable Mutex waiting_mutex_;
  std::set<std::string, std::less<>> waiting_ GUARDED_BY(waiting_mutex_);  // backups that wait for disk space

  Mutex random_mutex_;
  Random random_ GUARDED_BY(random_mutex_);

  BackgroundTask backup_task_, restore_task_;  // last members: their threads use the others
};

}  // namespace keyfold::engine
