#include "transfer/verify/verifier.h"

#include <fmt/format.h>

#include "base/log.h"
#include "engine/catalog/rules.h"
#include "transfer/layout/export.h"
#include "transfer/verify/export_check.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"A verification of {} is in progress. Try again when it has ended."> kUnderWay{"verify-under-way",
                                                                                              Kind::kResourceInUse};
constexpr Rule<"Table {} was deleted while it was verified"> kTableWent{"verify-table-went", Kind::kTableNotFound};

std::string ScopeOf(std::string_view table) {
  return table.empty() ? "the whole database" : fmt::format("table {}", table);
}

// Tables that are being deleted or filled have rows that need not be consistent.
bool IsToVerify(const engine::Table& table) { return !table.deleting && !table.filling; }

bool IsThere(const engine::CatalogSnapshot& snapshot, const engine::Table& table) {
  const engine::TablePtr now = snapshot.Find(table.name);
  return now && now->id == table.id && !now->deleting;
}

}  // namespace

std::string_view NameOf(VerifierReport::Status status) {
  constexpr std::string_view kNames[] = {"IN_PROGRESS", "COMPLETED", "FAILED"};
  return kNames[static_cast<size_t>(status)];
}

Verifier::Verifier(const engine::Database& db, const engine::BackupJobs* backups, BucketSettings buckets,
                   engine::Jobs& jobs)
    : db_(db),
      backups_(backups),
      buckets_(Stoppable(std::move(buckets), [this] { return task_.IsStopping(); })),
      jobs_(jobs),
      task_([this] { return LookOnce(); }) {}

Result<VerifierReport> Verifier::Begin(std::string_view table) {
  const engine::TablePtr named = table.empty() ? nullptr : db_.catalog.Current()->Find(table);
  if (!table.empty() && (!named || !IsToVerify(*named))) return engine::kNoSuchTable(table);
  VerifierReport begun;
  {
    MutexLock lock(mutex_);
    if (report_ && report_->status == VerifierReport::Status::kInProgress) {
      if (report_->table != table) return kUnderWay(ScopeOf(report_->table));
      return *report_;
    }
    begun.table = table;
    begun.started = db_.clock.Now();
    report_ = begun;
  }
  task_.Wake();
  return begun;
}

std::optional<VerifierReport> Verifier::Latest() const {
  MutexLock lock(mutex_);
  return report_;
}

std::optional<std::chrono::milliseconds> Verifier::LookOnce() {
  std::string table;
  {
    MutexLock lock(mutex_);
    if (!report_ || report_->status != VerifierReport::Status::kInProgress) return std::nullopt;
    table = report_->table;
  }
  found_ = {};
  engine::Job job(jobs_, engine::JobKind::kVerification, table, "", db_.clock.Now());
  const Status looked = Look(table, job);
  if (task_.IsStopping()) return std::nullopt;
  MutexLock lock(mutex_);
  report_->status = looked.ok() ? VerifierReport::Status::kCompleted : VerifierReport::Status::kFailed;
  if (!looked.ok()) report_->failure = looked.message();
  report_->ended = db_.clock.Now();
  report_->step.clear();
  report_->found = found_;
  if (looked.ok()) {
    LogInfo("verified {}: {} faults", ScopeOf(table), found_.faults);
  } else {
    LogWarning("the verification of {} failed after {} faults: {}", ScopeOf(table), found_.faults, looked.message());
  }
  for (const std::string& fault : found_.first_faults) LogWarning("{}", fault);
  return std::nullopt;
}

Status Verifier::Look(const std::string& table, engine::Job& job) {
  LookAtRecovery();
  const engine::SnapshotPtr snapshot = db_.catalog.Current();
  const Work work = WorkOf(*snapshot, table);
  {
    MutexLock lock(mutex_);
    report_->total = work.rows + work.backed_up + work.exported;
  }
  job.Begin("tables", engine::JobUnit::kItems, work.rows);
  RETURN_IF_ERROR(LookAtTables(*snapshot, table, job));
  if (!table.empty()) return Ok();
  job.Begin("backups", engine::JobUnit::kItems, work.backed_up);
  RETURN_IF_ERROR(LookAtBackups(job));
  job.Begin("exports", engine::JobUnit::kItems, work.exported);
  return LookAtExports(*snapshot, job);
}

// Reports what was lost before the database was opened, which no row shows.
void Verifier::LookAtRecovery() {
  const store::StoreInfo::Recovery recovery = db_.store.Info().recovery;
  if (recovery.mark_lowered_by > 0) {
    found_.AddFault(
        fmt::format("MARK: it did not record {} writes that were known to be on disk", recovery.mark_lowered_by));
  }
  if (recovery.given_up_writes > 0) {
    LogWarning("{} writes were lost with --accept-data-loss", recovery.given_up_writes);
  }
}

Verifier::Work Verifier::WorkOf(const engine::CatalogSnapshot& snapshot, const std::string& only) const {
  Work work;
  for (const auto& [name, table] : snapshot.tables) {
    if ((only.empty() || name == only) && IsToVerify(*table)) work.rows += engine::RowsToVerify(db_, *table);
  }
  if (!only.empty()) return work;
  for (const auto& [id, backup] : snapshot.backups) work.backed_up += static_cast<uint64_t>(backup->items);
  for (const ExportPtr& made : AllExports(snapshot)) work.exported += static_cast<uint64_t>(made->items);
  return work;
}

Status Verifier::LookAtTables(const engine::CatalogSnapshot& snapshot, const std::string& only, engine::Job& job) {
  engine::TablePtr last;
  for (const auto& [name, table] : snapshot.tables) {
    if ((!only.empty() && name != only) || !IsToVerify(*table)) continue;
    BeginStep("table " + name);
    RETURN_IF_ERROR(engine::VerifyTable(
        db_, *table, [&](const engine::Verification& v) { return Tell(v, job); }, found_));
    last = table;
  }
  // A deleted table does not matter when all are verified, but is an error when it was the one to verify.
  const bool went = !only.empty() && (!last || !IsThere(*db_.catalog.Current(), *last));
  return went ? Status(kTableWent(only)) : Ok();
}

Status Verifier::LookAtBackups(engine::Job& job) {
  if (!backups_) return Ok();
  BeginStep("backups");
  return backups_->VerifyAll([&](const engine::Verification& v) { return Tell(v, job); }, found_);
}

Status Verifier::LookAtExports(const engine::CatalogSnapshot& snapshot, engine::Job& job) {
  for (const ExportPtr& made : AllExports(snapshot)) {
    if (made->status != Export::Status::kCompleted) continue;
    const std::string folder = ExportLayout(*made).folder();
    BeginStep(fmt::format("export s3://{}/{}", made->order.bucket, folder));
    const Result<std::unique_ptr<Bucket>> bucket = OpenBucket(buckets_, made->order.bucket);
    bool there = bucket.ok();
    if (bucket.ok()) {
      const auto tell = [&](const engine::Verification& v) { return Tell(v, job); };
      ASSIGN_OR_RETURN(there, VerifyExport(**bucket, folder, tell, found_));
    } else if (BucketFaultCode(bucket.error()) != "NoSuchBucket") {
      found_.AddFault(
          fmt::format("s3://{}/{} cannot be read: {}", made->order.bucket, folder, bucket.error().message()));
      continue;
    }
    if (there) continue;
    MutexLock lock(mutex_);
    ++report_->removed_exports;
  }
  return Ok();
}

void Verifier::BeginStep(std::string step) {
  MutexLock lock(mutex_);
  report_->step = std::move(step);
}

bool Verifier::Tell(const engine::Verification& so_far, engine::Job& job) {
  if (task_.IsStopping()) return false;
  MutexLock lock(mutex_);
  if (so_far.done > report_->found.done) job.Advance(so_far.done - report_->found.done);
  report_->found = so_far;
  return true;
}

}  // namespace keyfold::transfer
