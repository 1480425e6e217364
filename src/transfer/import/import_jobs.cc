#include "transfer/import/import_jobs.h"

#include "base/log.h"
#include "base/stopping.h"
#include "engine/history/table_builder.h"
#include "transfer/bucket/source_fault.h"
#include "transfer/import/import_rows.h"
#include "transfer/import/import_source.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"Duplicate request detected with conflicting parameters"> kTokenTaken{"import-token-taken",
                                                                                     Kind::kImportConflict};

constexpr std::string_view kItemErrorsCode = "ItemValidationError";
constexpr std::string_view kItemErrors =
    "Some of the items failed validation checks. Please check CloudWatch error logs for more details.";

constexpr std::string_view kDiskFullImport = "The disk is full. Free some space, then import again.";

constexpr std::string_view kImportScratch = "scratch/import";
constexpr int kRowsBetweenLooks = 4096;

bool IsUnderWay(const Import& import) { return import.status == Import::Status::kInProgress; }

// The table that the import fills, until it is done.
engine::TablePtr TableOf(const engine::CatalogSnapshot& snapshot, const Import& import) {
  engine::TablePtr table = snapshot.Find(import.table.name);
  return table && table->filling && table->uuid == import.table.uuid ? table : nullptr;
}

}  // namespace

Result<std::unique_ptr<ImportJobs>> ImportJobs::Open(const engine::Database& db, engine::TableLifecycle& lifecycle,
                                                     const engine::Identity& identity, BucketSettings buckets,
                                                     files::Folder folder, uint64_t seed, engine::Jobs& jobs) {
  RETURN_IF_ERROR(folder.RemoveAll(kImportScratch));
  return std::unique_ptr<ImportJobs>(
      new ImportJobs(db, lifecycle, identity, std::move(buckets), std::move(folder), seed, jobs));
}

ImportJobs::ImportJobs(const engine::Database& db, engine::TableLifecycle& lifecycle, const engine::Identity& identity,
                       BucketSettings buckets, files::Folder folder, uint64_t seed, engine::Jobs& jobs)
    : db_(db),
      lifecycle_(lifecycle),
      identity_(identity),
      buckets_(Stoppable(std::move(buckets), [this] { return task_.IsStopping(); })),
      folder_(std::move(folder)),
      jobs_(jobs),
      ids_(seed),
      task_([this] { return ImportOnce(); }) {}

bool ImportJobs::WorkOnce() { return ImportOnce() == kAtOnce; }

// Returns null if the token is free, or if the table already exists: that error takes precedence.
Result<ImportPtr> ImportJobs::FindReplayed(std::string_view token, std::string_view table) const {
  const engine::SnapshotPtr snapshot = db_.catalog.Current();
  const Micros now = db_.clock.Now();
  for (const ImportPtr& import : AllImports(*snapshot)) {
    if (import->order.token != token) continue;
    if (!IsUnderWay(*import) && now >= import->ended + kTokenLife) continue;
    if (snapshot->Find(table) && !(import->table.name == table && TableOf(*snapshot, *import))) return ImportPtr();
    if (import->table.name != table) return kTokenTaken();
    return import;
  }
  return ImportPtr();
}

Result<ImportPtr> ImportJobs::Create(ImportOrder order, engine::Table described) {
  const std::string name = described.name;
  ASSIGN_OR_RETURN(ImportPtr replayed, FindReplayed(order.token, name));
  if (replayed) return replayed;
  Import made;
  made.order = std::move(order);
  made.started = db_.clock.Now();
  made.id = ids_.MakeId(made.started);
  described.filling = true;
  const auto note = [&](const engine::CatalogSnapshot& snapshot, engine::Table& created,
                        engine::CatalogEdit& edit) -> Status {
    for (const ImportPtr& other : AllImports(snapshot)) {
      if (other->order.token == made.order.token && IsUnderWay(*other)) return kTokenTaken();
      const bool old = !IsUnderWay(*other) && made.started >= other->ended + kJobLife;
      if (old) edit.notes.emplace_back(ImportNote(other->id), std::nullopt);
    }
    made.table = created;
    edit.notes.emplace_back(ImportNote(made.id), EncodeImport(made));
    return Ok();
  };
  Result<engine::TablePtr> created = lifecycle_.Create(std::move(described), note);
  if (!created.ok()) {
    // Another request with the same token may have been faster.
    ASSIGN_OR_RETURN(replayed, FindReplayed(made.order.token, name));
    if (replayed) return replayed;
    return std::move(created).TakeError();
  }
  task_.Wake();
  return std::make_shared<const Import>(std::move(made));
}

std::optional<std::chrono::milliseconds> ImportJobs::ImportOnce() {
  const engine::SnapshotPtr snapshot = db_.catalog.Current();
  for (const ImportPtr& import : AllImports(*snapshot)) {
    if (!IsUnderWay(*import)) continue;
    const Status done = Run(*import);
    if (done.ok()) return kAtOnce;
    if (!task_.IsStopping()) LogError("import {} of {}: {}", import->id, import->table.name, done.message());
    return kRetry;
  }
  return std::nullopt;
}

Status ImportJobs::Run(const Import& import) {
  ASSIGN_OR_RETURN(const engine::TablePtr table, TakeTable(import));
  if (!table) return Ok();
  Import ended = import;
  Status filled = Fill(import, *table, ended);
  if (filled.ok()) return Complete(*table, std::move(ended));
  if (task_.IsStopping()) return filled;  // the next start resumes it
  Error error = std::move(filled).TakeError();
  const bool no_room = files::IsNoRoom(error);
  const std::string_view code = no_room ? kDiskFullCode : FailureCodeOf(error);
  if (code.empty()) return error;
  ended = import;
  ended.failure_code = code;
  ended.failure_message = no_room ? std::string(kDiskFullImport) : error.message();
  return Fail(*table, std::move(ended));
}

// Gives each attempt a new table id, because an earlier attempt may have left rows. Returns null if the table is gone;
// the import is then cancelled.
Result<engine::TablePtr> ImportJobs::TakeTable(const Import& import) {
  engine::TablePtr taken;
  RETURN_IF_ERROR(db_.catalog.Change([&](const engine::CatalogSnapshot& snapshot, engine::CatalogEdit& edit) -> Status {
    taken = nullptr;
    const engine::TablePtr present = TableOf(snapshot, import);
    if (!present) {
      Import cancelled = import;
      cancelled.status = Import::Status::kCancelled;
      cancelled.ended = db_.clock.Now();
      edit.notes.emplace_back(ImportNote(import.id), EncodeImport(cancelled));
      return Ok();
    }
    engine::Table next = *present;
    next.id = snapshot.next_table_id;
    edit.next_table_id = snapshot.next_table_id + 1;
    edit.purges_added.emplace_back(present->id, store::kBaseTable);
    taken = std::make_shared<const engine::Table>(next);
    edit.puts.push_back(std::move(next));
    return Ok();
  }));
  return taken;
}

// Records in `ended` what was read.
Status ImportJobs::Fill(const Import& import, const engine::Table& table, Import& ended) {
  const auto stop = [this] { return task_.IsStopping(); };
  engine::Job job(jobs_, engine::JobKind::kImport, table.name, import.id, db_.clock.Now());
  Result<std::unique_ptr<Bucket>> bucket = OpenBucket(buckets_, import.order.bucket);
  if (!bucket.ok()) return SourceFault(bucket.error());
  ASSIGN_OR_RETURN(const std::vector<SourceFile> files, FindSourceFiles(**bucket, import.order));
  ASSIGN_OR_RETURN(const files::Folder scratch, folder_.Below(kImportScratch));
  ASSIGN_OR_RETURN(auto rows, ImportRows::Read(**bucket, files, import.order, table, scratch, stop, job));
  ASSIGN_OR_RETURN(const auto builder, engine::TableBuilder::Begin(db_.store, table, scratch));
  job.Begin("writing", engine::JobUnit::kItems, static_cast<uint64_t>(rows->tally().imported));
  engine::JobCounter counter(job);
  std::string_view place;
  ItemView item;
  for (int looked = 0;;) {
    if (--looked < 0) {
      if (stop()) return kStopping();
      looked = kRowsBetweenLooks;
    }
    ASSIGN_OR_RETURN(const bool more, rows->Next(place, item));
    if (!more) break;
    RETURN_IF_ERROR(builder->Add(place, item));
    counter.Add();
  }
  counter.Flush();
  ended.tally = rows->tally();
  const std::vector<ImportFault> faults = rows->faults();
  rows.reset();  // frees its merge memory for the rows of indexes
  RETURN_IF_ERROR(builder->Finish(job));
  TellFaults(import, faults, ended.tally.errors);
  return Ok();
}

// Logs the faults, which AWS writes to CloudWatch: there is no other place for them.
void ImportJobs::TellFaults(const Import& import, const std::vector<ImportFault>& faults, int64_t errors) const {
  if (errors == 0) return;
  const std::string arn = engine::PartArn(identity_, import.table.name, "import", import.id);
  for (const ImportFault& fault : faults) {
    LogWarning("{}: record {} of s3://{}/{} was not imported: {}{}", arn, fault.record, import.order.bucket, fault.key,
               fault.reason, fault.ends_file ? "; the rest of the file was not read" : "");
  }
  LogWarning("{}: {} records were not imported", arn, errors);
}

// The table is completed with the valid items even if others were invalid.
Status ImportJobs::Complete(const engine::Table& table, Import ended) {
  ended.ended = db_.clock.Now();
  ended.status = ended.tally.errors == 0 ? Import::Status::kCompleted : Import::Status::kFailed;
  if (ended.tally.errors > 0) {
    ended.failure_code = kItemErrorsCode;
    ended.failure_message = kItemErrors;
  }
  return db_.catalog.Change([&](const engine::CatalogSnapshot& snapshot, engine::CatalogEdit& edit) -> Status {
    const engine::TablePtr present = TableOf(snapshot, ended);
    if (!present || present->id != table.id) return Ok();
    engine::Table next = *present;
    next.filling = false;
    edit.puts.push_back(std::move(next));
    edit.notes.emplace_back(ImportNote(ended.id), EncodeImport(ended));
    return Ok();
  });
}

// Removes the table that cannot be filled.
Status ImportJobs::Fail(const engine::Table& table, Import ended) {
  ended.ended = db_.clock.Now();
  ended.status = Import::Status::kFailed;
  LogError("import {} of {}: {}", ended.id, table.name, ended.failure_message);
  return db_.catalog.Change([&](const engine::CatalogSnapshot& snapshot, engine::CatalogEdit& edit) -> Status {
    const engine::TablePtr present = TableOf(snapshot, ended);
    if (!present || present->id != table.id) return Ok();
    edit.removes.push_back(table.name);
    edit.purges_added.emplace_back(table.id, store::kBaseTable);
    edit.notes.emplace_back(ImportNote(ended.id), EncodeImport(ended));
    return Ok();
  });
}

}  // namespace keyfold::transfer
