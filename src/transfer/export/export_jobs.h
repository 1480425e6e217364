// Exports: requests change the catalog and return; the work is done by a background thread, one export after the other,
// which goes by the catalog's state alone: a restart begins one that was under way again, with the same moment.
// Meanwhile the table is held: its log stays, and where it is deleted its rows do.
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
  // Removes what an earlier run left in scratch/export of `folder`. An error: the catalog has an export of a newer
  // program. `jobs` outlives it.
  static Result<std::unique_ptr<ExportJobs>> Open(const Database& db, Identity identity, BucketSettings buckets,
                                                  Folder folder, uint64_t seed, Jobs& jobs);

  void Start() { task_.Start(); }
  void AskToStop() { task_.AskToStop(); }  // does not wait
  void Stop() { task_.Stop(); }
  // Returns once nothing is under way.
  void Finish() { task_.Finish(); }

  // One piece of the background work on the caller's thread, where there is some: what the thread does.
  bool WorkOnce();

  // Without a time the moment is this call. The answer to a token that came before is the export it was for.
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
  Random random_;  // under random_mutex_

  BackgroundTask task_;  // last: its thread uses the rest
};

}  // namespace keyfold
