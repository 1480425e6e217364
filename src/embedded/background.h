// Background: the work done in addition to requests, each kind on its own thread.
#pragma once

#include <chrono>
#include <memory>
#include <optional>

#include "base/background_task.h"
#include "engine/background/expiry_sweep.h"
#include "engine/background/stream_retention.h"
#include "engine/background/table_lifecycle.h"
#include "engine/catalog/database.h"
#include "engine/history/backup_jobs.h"
#include "files/folder.h"
#include "ops/operation.h"
#include "transfer/bucket/bucket.h"
#include "transfer/export/export_jobs.h"
#include "transfer/import/import_jobs.h"
#include "transfer/verify/verifier.h"

namespace keyfold::embedded {

struct BackgroundOptions {
  // As in engine::TableLifecycle.
  Micros table_delay = 0, index_delay = 0;
  uint32_t stream_shards = engine::kStreamShards;
  std::chrono::milliseconds expiry_interval{1000};         // between two sweeps
  Micros stream_shard_age = Micros{4} * 3600 * 1'000'000;  // a shard is closed at this age
};

// Thread-safe.
class Background {
 public:
  // Without `folder` there are no backups, exports and imports. `identity` must outlive it.
  Background(const engine::Database& db, const BackgroundOptions& options, const engine::Identity& identity,
             const transfer::BucketSettings& buckets, const std::optional<files::Folder>& folder);

  // The interface passed to operations.
  ops::Service service() const;

  void Start();
  // Makes everything that talks to other machines start nothing new. Does not wait.
  void AskToStop();
  void Stop();
  // Returns when everything due at the current database time has been done.
  void Finish();

 private:
  const engine::Database db_;
  const engine::Identity& identity_;
  engine::Jobs jobs_;
  mutable engine::TableLifecycle lifecycle_;
  engine::ExpirySweep expiry_;
  engine::StreamRetention streams_;
  BackgroundTask tokens_;
  // Null if there is no folder for them.
  std::unique_ptr<engine::BackupJobs> backups_;
  std::unique_ptr<transfer::ExportJobs> exports_;
  std::unique_ptr<transfer::ImportJobs> imports_;
  std::unique_ptr<transfer::Verifier> verifier_;  // last: it reads data owned by the others
};

}  // namespace keyfold::embedded
