// Verifier: looks a whole database through beside its requests, on one thread: every table, then the files of all
// backups, then the exports that are still in their buckets. What it found is kept until the next time, and not beyond
// the process.
#pragma once

#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "engine/background/jobs.h"
#include "engine/catalog/database.h"
#include "engine/history/backup_jobs.h"
#include "engine/history/verify.h"
#include "transfer/bucket/bucket.h"

namespace keyfold {

// One look through the database, as far as it is.
struct VerifierReport {
  enum class Status : uint8_t { kInProgress, kCompleted, kFailed };

  std::string table;  // empty: the whole database
  Status status = Status::kInProgress;
  Micros started = 0, ended = 0;
  Verification found;
  uint64_t total = 0;            // what found.done comes to, about
  uint64_t removed_exports = 0;  // no longer in their buckets, which is no fault
  std::string step;              // what is looked at now: "table t"
  std::string failure;           // why it came to no end
};
std::string_view NameOf(VerifierReport::Status status);

// Thread-safe.
class Verifier {
 public:
  // `backups` may be null; it and `jobs` outlive it.
  Verifier(const Database& db, const BackupJobs* backups, BucketSettings buckets, Jobs& jobs);

  void Start() { task_.Start(); }
  void AskToStop() { task_.AskToStop(); }  // does not wait
  void Stop() { task_.Stop(); }
  // Returns once nothing is under way.
  void Finish() { task_.Finish(); }

  // One table, or with "" everything. Where the same is under way, that goes on; anything else has to wait for it.
  Result<VerifierReport> Begin(std::string_view table);
  // The one under way, or the last.
  std::optional<VerifierReport> Latest() const;

  // What the thread does, on the caller's.
  void WorkOnce() { (void)LookOnce(); }

 private:
  // Items of each to look at, about.
  struct Work {
    uint64_t rows = 0, backed_up = 0, exported = 0;
  };

  std::optional<std::chrono::milliseconds> LookOnce();
  void LookAtRecovery();
  Status Look(const std::string& table, Job& job);
  Status LookAtTables(const CatalogSnapshot& snapshot, const std::string& only, Job& job);
  Status LookAtBackups(Job& job);
  Status LookAtExports(const CatalogSnapshot& snapshot, Job& job);
  Work WorkOf(const CatalogSnapshot& snapshot, const std::string& only) const;
  void BeginStep(std::string step);
  // Into the report; false where it is to stop.
  bool Tell(const Verification& so_far, Job& job);

  const Database db_;
  const BackupJobs* const backups_;
  const BucketSettings buckets_;
  Jobs& jobs_;
  Verification found_;  // of the thread

  mutable std::mutex mutex_;
  std::optional<VerifierReport> report_;  // under mutex_

  BackgroundTask task_;  // last: its thread uses the rest
};

}  // namespace keyfold
