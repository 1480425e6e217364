// Verifier: verifies a whole database while it serves requests, on one thread: every table, then the files of all
// backups, then the exports that are still in their buckets. The report is kept in memory until the next verification.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/background_task.h"
#include "base/mutex.h"
#include "engine/background/jobs.h"
#include "engine/catalog/database.h"
#include "engine/history/backup_jobs.h"
#include "engine/history/verify.h"
#include "transfer/bucket/bucket.h"

namespace keyfold::transfer {

// One verification and its progress.
struct VerifierReport {
  enum class Status : uint8_t { kInProgress, kCompleted, kFailed };

  std::string table;  // empty: the whole database
  Status status = Status::kInProgress;
  Micros started = 0, ended = 0;
  engine::Verification found;
  uint64_t total = 0;            // approximate final value of found.done
  uint64_t removed_exports = 0;  // no longer in their buckets, which is not a fault
  std::string step;              // current step: "table t"
  std::string failure;           // why it failed
};
std::string_view NameOf(VerifierReport::Status status);

// Thread-safe.
class Verifier {
 public:
  // `backups` may be null; it and `jobs` must outlive the verifier.
  Verifier(const engine::Database& db, const engine::BackupJobs* backups, BucketSettings buckets, engine::Jobs& jobs);

  void Start() { task_.Start(); }
  void AskToStop() { task_.AskToStop(); }  // does not wait
  void Stop() { task_.Stop(); }
  // Returns when no verification is in progress.
  void Finish() { task_.Finish(); }

  // Verifies one table, or everything if `table` is empty. If the same verification is in progress, returns its report;
  // if another is, returns an error.
  Result<VerifierReport> Begin(std::string_view table);
  // The verification in progress, or the last one.
  std::optional<VerifierReport> Latest() const;

  // Does the thread's work on the caller's thread.
  void WorkOnce() { (void)LookOnce(); }

 private:
  // Approximate numbers of items to verify.
  struct Work {
    uint64_t rows = 0, backed_up = 0, exported = 0;
  };

  std::optional<std::chrono::milliseconds> LookOnce();
  void LookAtRecovery();
  Status Look(const std::string& table, engine::Job& job);
  Status LookAtTables(const engine::CatalogSnapshot& snapshot, const std::string& only, engine::Job& job);
  Status LookAtBackups(engine::Job& job);
  Status LookAtExports(const engine::CatalogSnapshot& snapshot, engine::Job& job);
  Work WorkOf(const engine::CatalogSnapshot& snapshot, const std::string& only) const;
  void BeginStep(std::string step);
  // Updates the report; returns false if the verifier must stop.
  bool Tell(const engine::Verification& so_far, engine::Job& job);

  const engine::Database db_;
  const engine::BackupJobs* const backups_;
  const BucketSettings buckets_;
  engine::Jobs& jobs_;
  engine::Verification found_;  // used by the thread only

  mutable Mutex mutex_;
  std::optional<VerifierReport> report_ GUARDED_BY(mutex_);

  BackgroundTask task_;  // last: its thread uses the members above
};

}  // namespace keyfold::transfer
