// Imports: jobs that make new tables from a bucket's files. A request puts the table, which cannot be used yet, and the
// import's note into the catalog and returns. A background thread does the work, from the catalog's state alone: after
// a restart an unfinished import starts again, under a new table id.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "engine/background/jobs.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/arn.h"
#include "engine/catalog/database.h"
#include "files/folder.h"
#include "transfer/bucket/bucket.h"
#include "transfer/import/import.h"
#include "transfer/import/import_ledger.h"
#include "transfer/jobs/job_terms.h"

namespace keyfold::transfer {

// Thread-safe.
class ImportJobs {
 public:
  // Removes what an earlier run left in scratch/import of `folder`. `identity` and `jobs` must outlive it.
  static Result<std::unique_ptr<ImportJobs>> Open(const engine::Database& db, engine::TableLifecycle& lifecycle,
                                                  const engine::Identity& identity, BucketSettings buckets,
                                                  files::Folder folder, uint64_t seed, engine::Jobs& jobs);

  void Start() { task_.Start(); }
  void AskToStop() { task_.AskToStop(); }  // does not wait
  void Stop() { task_.Stop(); }
  // Returns when no work is in progress.
  void Finish() { task_.Finish(); }
  // Does one step of the background thread's work on the caller's thread, if there is any.
  bool WorkOnce();

  // `described` is what TableLifecycle::Create takes. A token that another import has returns that import, as long as
  // its table is still being filled or no longer exists.
  Result<ImportPtr> Create(ImportOrder order, engine::Table described);

 private:
  ImportJobs(const engine::Database& db, engine::TableLifecycle& lifecycle, const engine::Identity& identity,
             BucketSettings buckets, files::Folder folder, uint64_t seed, engine::Jobs& jobs);

  std::optional<std::chrono::milliseconds> ImportOnce();
  Result<ImportPtr> FindReplayed(std::string_view token, std::string_view table) const;
  Status Run(const Import& import);
  Result<engine::TablePtr> TakeTable(const Import& import);
  Status Fill(const Import& import, const engine::Table& table, Import& ended);
  Status Complete(const engine::Table& table, Import ended);
  Status Fail(const engine::Table& table, Import ended);
  void TellFaults(const Import& import, const std::vector<ImportFault>& faults, int64_t errors) const;

  const engine::Database db_;
  engine::TableLifecycle& lifecycle_;
  const engine::Identity& identity_;
  const BucketSettings buckets_;
  const files::Folder folder_;
  engine::Jobs& jobs_;
  JobIds ids_;

  BackgroundTask task_;  // last: its thread uses the members above
};

}  // namespace keyfold::transfer
