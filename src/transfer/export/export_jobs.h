// Exports: requests change the catalog and return. A background thread does the work, one export at a time, from the
// catalog's state alone: after a restart an unfinished export starts again, with the same moment. Until it ends the
// table is held: its log is kept, and if the table is deleted, its rows are kept too.
#pragma once

#include <chrono>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "base/random.h"
#include "engine/background/jobs.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "transfer/bucket/bucket.h"
#include "transfer/export/export_files.h"
#include "transfer/layout/export.h"

namespace keyfold {

// Thread-safe.
class ExportJobs {
 public:
  // Removes what an earlier run left in scratch/export of `folder`. Returns an error if the catalog has an export of a
  // newer version. `jobs` must outlive it.
  static Result<std::unique_ptr<ExportJobs>> Open(const Database& db, Identity identity, BucketSettings buckets,
                                                  Folder folder, uint64_t seed, Jobs& jobs);

  void Start() { task_.Start(); }
  void AskToStop() { task_.AskToStop(); }  // does not wait
  void Stop() { task_.Stop(); }
  // Returns when no work is in progress.
  void Finish() { task_.Finish(); }

  // Does one step of the background thread's work on the caller's thread, if there is any.
  bool WorkOnce();

  // Without a time, the moment is that of this call. A token that was used before returns its export.
  Result<ExportPtr> Create(const ExportOrder& order);

 private:
  ExportJobs(const Database& db, Identity identity, BucketSettings buckets, Folder folder, uint64_t seed, Jobs& jobs);

  Result<Export> Accept(const ExportOrder& order, const Table& table, Micros now) const;
  void NameAnew(Export& made);
  std::optional<std::chrono::milliseconds> ExportOnce();
  Status Work(const Export& order);
  Status Write(Export& made, Job& job);
  Result<std::unique_ptr<Bucket>> OpenItsBucket(const Export& made) const;
  Status WriteData(Export& made, ExportFiles& files, Job& job);
  Status WriteItems(const Table& table, LogPosition moment, Export& made, ExportFiles& files, Job& job);
  Status WriteChanges(const Table& table, LogPosition start, Export& made, ExportFiles& files, Job& job);
  Status Finish(Export made);
  void GiveUp(Export& made, const Error& error) const;
  void RemoveFiles(const Export& made) const;

  const Database db_;
  const Identity identity_;
  const BucketSettings buckets_;
  const Folder folder_;
  Jobs& jobs_;

  std::mutex random_mutex_;
  Random random_;  // guarded by random_mutex_

  BackgroundTask task_;  // last: its thread uses the members above
};

}  // namespace keyfold
