// Backups and restores, and the recovery settings they rest on. Requests change the catalog and return; the work is
// done by two background threads, which go by the catalog's state alone: a restart begins what was under way again,
// with the same moment.
//
// In the folder: backups/ID/ the files of a backup, MANIFEST the last of them; scratch/ what is being sorted.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "base/random.h"
#include "engine/background/jobs.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/backup.h"
#include "engine/catalog/database.h"
#include "engine/history/verify.h"
#include "files/folder.h"

namespace keyfold {

// Thread-safe.
class BackupJobs {
 public:
  // Removes what an earlier run left in `folder` that the catalog does not know. `jobs` outlives it.
  static Result<std::unique_ptr<BackupJobs>> Open(const Database& db, TableLifecycle& lifecycle, Folder folder,
                                                  uint64_t seed, Jobs& jobs);

  void Start();
  void Stop();
  // Returns once nothing is under way.
  void Finish();
  // There may be a backup to make: of a table that is being deleted.
  void Wake() { backup_task_.Wake(); }

  // One piece of the background work on the caller's thread, where there is some: what the threads do.
  bool WorkOnce();

  // The moment is this call: everything acknowledged before it is in the backup, nothing that is sent after it. Refused
  // where the disk has no room for it and for those that are still to be made; one that finds none all the same goes.
  Result<BackupPtr> Create(std::string_view table, std::string name);
  // The answer is the backup as it was. Of those that are being made only one that waits for room can be deleted.
  Result<BackupPtr> Delete(std::string_view id);
  // Those that have expired go.
  Status RemoveExpired();

  // `described` is RestoredTable of the backup's table, or of the source, changed as the request wants. Nothing is
  // begun from a backup whose files are not what was written.
  Result<TablePtr> RestoreBackup(std::string_view id, Table described);
  // Without `time`: as it is now.
  Result<TablePtr> RestoreMoment(std::string_view source, std::optional<Micros> time, Table described);

  // Turns point-in-time recovery on or off, or changes its days. Off and on again is a new beginning.
  Result<TablePtr> SetRecovery(std::string_view table, bool enabled, std::optional<int32_t> days);

  // Reads all files of every backup that is there. Adds to `found`. An error: it was told to end.
  Status VerifyAll(VerifyProgress progress, Verification& found) const;

  // The latest moment that RestoreMoment takes by its time.
  static Micros LatestRestorable(Micros now);

 private:
  BackupJobs(const Database& db, TableLifecycle& lifecycle, Folder folder, uint64_t seed, Jobs& jobs);

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
  const Folder folder_;
  Jobs& jobs_;

  mutable std::mutex waiting_mutex_;
  std::set<std::string, std::less<>> waiting_;  // under waiting_mutex_: backups that have no room

  std::mutex random_mutex_;
  Random random_;  // under random_mutex_

  BackgroundTask backup_task_, restore_task_;  // last: their threads use the rest
};

}  // namespace keyfold
