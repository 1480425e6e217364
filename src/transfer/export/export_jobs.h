// Exports: requests change the catalog and return. A background thread does the work, one export at a time, from the
// catalog's state alone: after a restart an unfinished export starts again, with the same moment. Until it ends the
// table is held: its log is kept, and if the table is deleted, its rows are kept too.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "engine/background/jobs.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "transfer/bucket/bucket.h"
#include "transfer/export/export_files.h"
#include "transfer/jobs/job_terms.h"
#include "transfer/layout/export.h"

namespace keyfold::transfer {

// Thread-safe.
class ExportJobs {
 public:
  // Removes what an earlier run left in scratch/export of `folder`. Returns an error if the catalog has an export of a
  // newer version. `jobs` must outlive it.
  static Result<std::unique_ptr<ExportJobs>> Open(const engine::Database& db, engine::Identity identity,
                                                  BucketSettings buckets, files::Folder folder, uint64_t seed,
                                                  engine::Jobs& jobs);

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
  ExportJobs(const engine::Database& db, engine::Identity identity, BucketSettings buckets, files::Folder folder,
             uint64_t seed, engine::Jobs& jobs);

  Result<Export> Accept(const ExportOrder& order, const engine::Table& table, Micros now) const;
  void NameAnew(Export& made);
  std::optional<std::chrono::milliseconds> ExportOnce();
  Status Work(const Export& order);
  Status Write(Export& made, engine::Job& job);
  Result<std::unique_ptr<Bucket>> OpenItsBucket(const Export& made) const;
  Status WriteData(Export& made, ExportFiles& files, engine::Job& job);
  Status WriteItems(const engine::Table& table, store::LogPosition moment, Export& made, ExportFiles& files,
                    engine::Job& job);
  Status WriteChanges(const engine::Table& table, store::LogPosition start, Export& made, ExportFiles& files,
                      engine::Job& job);
  Status Finish(Export made);
  void GiveUp(Export& made, const Error& error) const;
  void RemoveFiles(const Export& made) const;

  const engine::Database db_;
  const engine::Identity identity_;
  const BucketSettings buckets_;
  const files::Folder folder_;
  engine::Jobs& jobs_;
  JobIds ids_;

  BackgroundTask task_;  // last: its thread uses the members above
};

}  // namespace keyfold::transfer
