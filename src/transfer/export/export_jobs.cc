#include "transfer/export/export_jobs.h"

#include <algorithm>

#include "base/hash.h"
#include "base/log.h"
#include "base/time_text.h"
#include "engine/catalog/rules.h"
#include "engine/history/moment.h"
#include "engine/items/key.h"
#include "transfer/bucket/bucket_fault.h"
#include "transfer/export/export_changes.h"

namespace keyfold::transfer {
namespace {

constexpr Rule<"Export conflict: Duplicate request detected with conflicting parameters"> kConflict{
    "export-conflict", Kind::kExportConflict};
constexpr Rule<"Export Time is invalid"> kBadTime{"export-time", Kind::kInvalidExportTime};
constexpr Rule<"Point in Time Recovery is not available for specified export time"> kOutsideWindow{
    "export-time-window", Kind::kInvalidExportTime};
constexpr Rule<"Incremental export period from time cannot be less than the table creation time : {}"> kBeforeTable{
    "export-from-before-table", Kind::kInvalidExportTime};
constexpr Rule<"Incremental export period to time cannot be greater than the current time : {}"> kToInFuture{
    "export-to-in-future", Kind::kInvalidExportTime};
constexpr Rule<
    "Incremental export period from time should not be greater or equal to incremental export period to time">
    kEndsBeforeStart{"export-period-order", Kind::kInvalidExportTime};
constexpr Rule<"Difference between export period from time and export period to time is less than 15 minutes">
    kPeriodTooShort{"export-period-short", Kind::kInvalidExportTime};
constexpr Rule<"Difference between export period from time and export period to time is greater than 24 hours">
    kPeriodTooLong{"export-period-long", Kind::kInvalidExportTime};
constexpr Rule<"Subscriber limit exceeded: There is a limit of {} exports in progress per subscriber"> kTooMany{
    "export-limit", Kind::kLimitExceeded};
constexpr Rule<"The export {} was written by a newer version of Keyfold, or is damaged"> kExportUnreadable{
    "export-unreadable", Kind::kInternal};
constexpr Rule<"The table was deleted during the export"> kTableGone{"export-table-gone", Kind::kTableNotFound};

constexpr std::string_view kExportScratch = "scratch/export";
constexpr size_t kExportsInProgressMax = 300;
constexpr Micros kPeriodMin = kHour / 4, kPeriodMax = 24 * kHour;
constexpr int64_t kIncrementalBilledBytesMin = 10'000'000;
// The message clients get for a failure they did not cause; the log has the details.
constexpr std::string_view kInternalMessage = "Internal server error";
constexpr std::string_view kDiskFullExport = "The disk is full. Free some space, then export again.";

Micros SecondOf(Micros time) { return time / kSecond * kSecond; }

// Clients see the recovery window in whole seconds.
bool IsBeforeWindow(Micros time, const engine::Table& table, Micros now) {
  return time < SecondOf(table.recovery.EarliestAt(now));
}

Status TimeIsCovered(const ExportOrder& order, const engine::Table& table, Micros now) {
  if (!table.recovery.enabled) return engine::kRecoveryOff(table.name);
  if (!order.time) return Ok();
  if (*order.time > now || *order.time < SecondOf(table.created)) return kBadTime();
  if (IsBeforeWindow(*order.time, table, now)) return kOutsideWindow();
  return Ok();
}

Status PeriodIsCovered(Micros from, Micros to, const engine::Table& table, Micros now) {
  if (from < SecondOf(table.created)) return kBeforeTable(FormatIsoTime(SecondOf(from)));
  if (to > now) return kToInFuture(FormatIsoTime(SecondOf(to)));
  if (from >= to) return kEndsBeforeStart();
  if (to - from < kPeriodMin) return kPeriodTooShort();
  if (to - from > kPeriodMax) return kPeriodTooLong();
  if (!table.recovery.enabled) return engine::kRecoveryOff(table.name);
  if (IsBeforeWindow(from, table, now)) return kOutsideWindow();
  return Ok();
}

std::string HoldOf(const Export& made) { return ExportNote(made.id); }

engine::TablePtr ExportedTable(const engine::CatalogSnapshot& snapshot, const Export& made) {
  return snapshot.FindById(made.order.table, made.table_id);
}

const engine::LogHold* FindHold(const engine::Table& table, const Export& made) {
  const std::string by = HoldOf(made);
  const auto it =
      std::find_if(table.holds.begin(), table.holds.end(), [&](const engine::LogHold& h) { return h.by == by; });
  return it == table.holds.end() ? nullptr : &*it;
}

// The position from which the export needs the log. Commit 0 means the catalog change that adds the hold.
store::CommitStamp NeedsLogSince(const Export& made, const engine::Table& table) {
  if (made.latest) return {};
  return {table.recovery.since.commit, made.order.IsIncremental() ? made.from : made.time};
}

// Returns the export made with the same token, if any.
Result<ExportPtr> FindByToken(const std::vector<ExportPtr>& all, const ExportOrder& order, Micros now) {
  if (!order.token) return ExportPtr();
  for (const ExportPtr& made : all) {
    if (made->order.token != order.token || now - made->started >= kTokenLife) continue;
    if (made->order == order) return made;
    return kConflict();
  }
  return ExportPtr();
}

void ForgetOld(const std::vector<ExportPtr>& all, Micros now, engine::CatalogEdit& edit) {
  for (const ExportPtr& made : all) {
    const bool old = made->status != Export::Status::kInProgress && now - made->started >= kJobLife;
    if (old) edit.notes.emplace_back(ExportNote(made->id), std::nullopt);
  }
}

Status WriteObject(Bucket& bucket, const std::string& key, std::string_view content) {
  ASSIGN_OR_RETURN(const std::unique_ptr<files::ByteSink> sink, bucket.Write(key, nullptr));
  RETURN_IF_ERROR(sink->Write(content));
  return sink->Finish();
}

Status RemoveBelow(Bucket& bucket, const std::string& prefix) {
  ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects, bucket.List(prefix));
  for (const Bucket::Object& object : objects) RETURN_IF_ERROR(bucket.Remove(object.key));
  return Ok();
}

// Removes the files of an incomplete attempt. The summary goes first, because an export that lacks a file must not look
// complete. Data files in a folder shared with other exports are listed only if an attempt got that far.
Status RemoveLeftovers(Bucket& bucket, const ExportLayout& layout) {
  RETURN_IF_ERROR(bucket.RemoveUnfinished(layout.folder()));
  ASSIGN_OR_RETURN(const std::vector<Bucket::Object> left, bucket.List(layout.folder()));
  if (left.empty()) return Ok();
  RETURN_IF_ERROR(bucket.Remove(layout.Summary()));
  if (!layout.data().starts_with(layout.folder())) {
    RETURN_IF_ERROR(bucket.RemoveUnfinished(layout.data()));
    RETURN_IF_ERROR(RemoveBelow(bucket, layout.StemKey()));
  }
  return RemoveBelow(bucket, layout.folder());
}

// The summary is written last, after its checksum: if it exists, everything does.
Status WriteManifests(Bucket& bucket, const ExportLayout& layout, const std::vector<ExportedFile>& files,
                      const std::string& summary) {
  const std::string file_lines = FilesManifest(files);
  RETURN_IF_ERROR(WriteObject(bucket, layout.Files(), file_lines));
  RETURN_IF_ERROR(WriteObject(bucket, layout.FilesChecksum(), ManifestChecksum(file_lines)));
  RETURN_IF_ERROR(WriteObject(bucket, layout.SummaryChecksum(), ManifestChecksum(summary)));
  return WriteObject(bucket, layout.Summary(), summary);
}

// As on AWS: "S3" followed by S3's own code.
std::string ExportFailureCode(const Error& error) {
  if (files::IsNoRoom(error)) return std::string(kDiskFullCode);
  const std::string_view code = BucketFaultCode(error);
  if (!code.empty()) return "S3" + std::string(code);
  if (error.kind() == Kind::kTableNotFound) return "TableNotFound";
  return error.kind() == Kind::kValidation ? "S3InvalidRequest" : "InternalServerError";
}

int64_t SizeOf(const std::optional<ItemView>& item) { return item ? static_cast<int64_t>(ItemSize(*item)) : 0; }

}  // namespace

Result<std::unique_ptr<ExportJobs>> ExportJobs::Open(const engine::Database& db, engine::Identity identity,
                                                     BucketSettings buckets, files::Folder folder, uint64_t seed,
                                                     engine::Jobs& jobs) {
  RETURN_IF_ERROR(folder.RemoveAll(kExportScratch));
  const std::string prefix = ExportNote("");
  const auto catalog = db.catalog.Current();
  for (const auto& [name, note] : catalog->notes) {
    if (name.starts_with(prefix) && !DecodeExport(*note)) return kExportUnreadable(name);
  }
  return std::unique_ptr<ExportJobs>(
      new ExportJobs(db, std::move(identity), std::move(buckets), std::move(folder), seed, jobs));
}

ExportJobs::ExportJobs(const engine::Database& db, engine::Identity identity, BucketSettings buckets,
                       files::Folder folder, uint64_t seed, engine::Jobs& jobs)
    : db_(db),
      identity_(std::move(identity)),
      buckets_(Stoppable(std::move(buckets), [this] { return task_.IsStopping(); })),
      folder_(std::move(folder)),
      jobs_(jobs),
      ids_(seed),
      task_([this] { return ExportOnce(); }) {}

bool ExportJobs::WorkOnce() { return ExportOnce() == kAtOnce; }

Result<ExportPtr> ExportJobs::Create(const ExportOrder& order) {
  ExportPtr answer;
  RETURN_IF_ERROR(db_.catalog.Change([&](const engine::CatalogSnapshot& snapshot, engine::CatalogEdit& edit) -> Status {
    const Micros now = db_.clock.Now();
    const engine::TablePtr table = snapshot.Find(order.table);
    if (!table || !table->IsUsableAt(now)) return engine::kTableNotFound(engine::TableArn(identity_, order.table));
    const std::vector<ExportPtr> all = AllExports(snapshot);
    ASSIGN_OR_RETURN(answer, FindByToken(all, order, now));
    if (answer) return Ok();
    const auto in_progress = [](const ExportPtr& e) { return e->status == Export::Status::kInProgress; };
    const auto running = static_cast<size_t>(std::count_if(all.begin(), all.end(), in_progress));
    ASSIGN_OR_RETURN(Export accepted, Accept(order, *table, now));
    if (running >= kExportsInProgressMax) return kTooMany(kExportsInProgressMax);
    do {
      NameAnew(accepted);
    } while (snapshot.notes.contains(ExportNote(accepted.id)));
    ForgetOld(all, now, edit);
    edit.notes.emplace_back(ExportNote(accepted.id), EncodeExport(accepted));
    engine::Table held = *table;
    held.holds.push_back({HoldOf(accepted), NeedsLogSince(accepted, *table)});
    edit.puts.push_back(std::move(held));
    answer = std::make_shared<const Export>(std::move(accepted));
    return Ok();
  }));
  task_.Wake();
  return answer;
}

Result<Export> ExportJobs::Accept(const ExportOrder& order, const engine::Table& table, Micros now) const {
  Export made;
  made.order = order;
  made.table_id = table.id;
  made.table_uuid = table.uuid;
  made.started = now;
  if (order.IsIncremental()) {
    made.from = order.period->from;
    made.time = order.period->to.value_or(SecondOf(now));
    made.started = SecondOf(now);
    RETURN_IF_ERROR(PeriodIsCovered(made.from, made.time, table, now));
  } else {
    RETURN_IF_ERROR(TimeIsCovered(order, table, now));
    made.time = order.time.value_or(now);
    made.latest = made.time == now;  // more commits with this time may still come
  }
  return made;
}

// Even if a seed is used again, two exports must not get the same file names.
void ExportJobs::NameAnew(Export& made) {
  made.id = ids_.MakeId(made.started);
  made.stem = MakeExportStem(Hash64(made.id + made.table_uuid), ids_.NextRandom());
}

std::optional<std::chrono::milliseconds> ExportJobs::ExportOnce() {
  for (const ExportPtr& made : AllExports(*db_.catalog.Current())) {
    if (made->status != Export::Status::kInProgress) continue;
    const Status worked = Work(*made);
    if (worked.ok()) return kAtOnce;
    if (!task_.IsStopping()) LogError("export {} of {}: {}", made->id, made->order.table, worked.message());
    return kRetry;
  }
  return std::nullopt;
}

// A bucket retries by itself where that may help, so a failure here is final, except a stop.
Status ExportJobs::Work(const Export& order) {
  Export made = order;
  engine::Job job(jobs_, engine::JobKind::kExport, made.order.table, made.id, db_.clock.Now());
  if (Status written = Write(made, job); !written.ok()) {
    if (task_.IsStopping()) return written;
    const Error error = std::move(written).TakeError();
    LogWarning("export {} of {}: {}", made.id, made.order.table, error.message());
    GiveUp(made, error);
    if (files::IsNoRoom(error)) RemoveFiles(made);
  } else {
    made.status = Export::Status::kCompleted;
  }
  return Finish(std::move(made));
}

void ExportJobs::GiveUp(Export& made, const Error& error) const {
  made.status = Export::Status::kFailed;
  made.ended = db_.clock.Now();
  made.items = made.billed_bytes = 0;
  made.failure_code = ExportFailureCode(error);
  made.failure_message = made.failure_code == "InternalServerError" ? std::string(kInternalMessage) : error.message();
  if (made.failure_code == kDiskFullCode) made.failure_message = kDiskFullExport;
}

// The files of a failed export must not keep the disk full.
void ExportJobs::RemoveFiles(const Export& made) const {
  const Result<std::unique_ptr<Bucket>> bucket = OpenItsBucket(made);
  Status removed = bucket.ok() ? RemoveLeftovers(**bucket, ExportLayout(made)) : Ok();
  if (!removed.ok()) LogWarning("export {}: its files could not be removed: {}", made.id, removed.message());
}

Status ExportJobs::Write(Export& made, engine::Job& job) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Bucket> bucket, OpenItsBucket(made));
  const ExportLayout layout(made);
  RETURN_IF_ERROR(RemoveLeftovers(*bucket, layout));
  RETURN_IF_ERROR(WriteObject(*bucket, layout.Started(), {}));
  ExportFiles files(*bucket, layout);
  RETURN_IF_ERROR(WriteData(made, files, job));
  ASSIGN_OR_RETURN(const std::vector<ExportedFile> written, files.Finish());
  // If the table and its hold are gone by now, rows may be missing from the export.
  const engine::TablePtr table = ExportedTable(*db_.catalog.Current(), made);
  if (!table || !FindHold(*table, made)) return kTableGone();
  made.ended = db_.clock.Now();
  return WriteManifests(*bucket, layout, written, SummaryManifest(made, identity_));
}

// All folders of the root are buckets of this account; a service checks the owner itself.
Result<std::unique_ptr<Bucket>> ExportJobs::OpenItsBucket(const Export& made) const {
  const ExportOrder& order = made.order;
  const bool in_folder = buckets_.endpoint.empty() && !buckets_.root.empty();
  if (in_folder && order.bucket_owner && *order.bucket_owner != identity_.account) {
    return BucketFault("AccessDenied", "Access Denied", "s3://" + order.bucket, FaultIs::kFinal);
  }
  return OpenBucket(buckets_, order.bucket);
}

Status ExportJobs::WriteData(Export& made, ExportFiles& files, engine::Job& job) {
  const engine::TablePtr table = ExportedTable(*db_.catalog.Current(), made);
  const engine::LogHold* const hold = table ? FindHold(*table, made) : nullptr;
  if (!hold) return kTableGone();
  const store::LogPosition held = store::LogPosition::AfterCommit(hold->since.commit);
  if (made.latest) return WriteItems(*table, held, made, files, job);
  // Times are whole seconds, so this one may precede the start of the window, before which there is no log.
  const Micros before = made.order.IsIncremental() ? made.from - 1 : made.time;
  ASSIGN_OR_RETURN(store::LogPosition moment, engine::MomentAt(db_.store, table->id, before));
  moment = std::max(moment, held);
  return made.order.IsIncremental() ? WriteChanges(*table, moment, made, files, job)
                                    : WriteItems(*table, moment, made, files, job);
}

Status ExportJobs::WriteItems(const engine::Table& table, store::LogPosition moment, Export& made, ExportFiles& files,
                              engine::Job& job) {
  ASSIGN_OR_RETURN(const files::Folder scratch, folder_.Below(kExportScratch));
  const DataFormat format = made.order.Format();
  const auto stop = [this] { return task_.IsStopping(); };
  const int64_t rows = db_.store.ReadTally(table.id, store::kBaseTable).rows;
  job.Begin("writing", engine::JobUnit::kItems, static_cast<uint64_t>(std::max<int64_t>(rows, 0)));
  engine::JobCounter counter(job);
  const auto add = [&](std::string_view row_key, ItemView item) {
    counter.Add();
    ++made.items;
    made.billed_bytes += static_cast<int64_t>(ItemSize(item));
    return files.Add(row_key, [&](std::string& out) { AppendItemLine(format, item, out); });
  };
  return engine::VisitMoment(db_.store, table, moment, scratch, stop, add);
}

Status ExportJobs::WriteChanges(const engine::Table& table, store::LogPosition start, Export& made, ExportFiles& files,
                                engine::Job& job) {
  ASSIGN_OR_RETURN(const files::Folder scratch, folder_.Below(kExportScratch));
  const DataFormat format = made.order.Format();
  const bool shows_before = made.order.ShownView() == ExportPeriod::View::kNewAndOldImages;
  const auto stop = [this] { return task_.IsStopping(); };
  job.Begin("reading the log");
  engine::JobCounter counter(job);
  const auto add = [&](const NetChange& change) {
    if (made.items == 0) job.Begin("writing");
    counter.Add();
    const Item keys = engine::KeyPart(table, nullptr, change.some);
    ChangeLine line{.written = change.written, .keys = keys, .before = {}, .after = change.after};
    if (shows_before) line.before = change.before;
    ++made.items;
    made.billed_bytes += SizeOf(change.before) + SizeOf(change.after);
    return files.Add(change.row_key, [&](std::string& out) { AppendChangeLine(format, line, out); });
  };
  RETURN_IF_ERROR(VisitNetChanges(db_.store, table, start, made.from, made.time, scratch, stop, add));
  made.billed_bytes = std::max(made.billed_bytes, kIncrementalBilledBytesMin);
  return Ok();
}

// Records the final state of the export, completed or failed, and releases the hold on the table.
Status ExportJobs::Finish(Export made) {
  return db_.catalog.Change([&](const engine::CatalogSnapshot& snapshot, engine::CatalogEdit& edit) -> Status {
    if (!snapshot.notes.contains(ExportNote(made.id))) return Ok();
    edit.notes.emplace_back(ExportNote(made.id), EncodeExport(made));
    const engine::TablePtr table = ExportedTable(snapshot, made);
    if (!table || !FindHold(*table, made)) return Ok();
    engine::Table next = *table;
    std::erase_if(next.holds, [&](const engine::LogHold& h) { return h.by == HoldOf(made); });
    edit.PutWhereItIs(snapshot, std::move(next));
    return Ok();
  });
}

}  // namespace keyfold::transfer
