#include "transfer/export/export_jobs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/hash.h"
#include "base/log.h"
#include "base/time_text.h"
#include "engine/catalog/rules.h"
#include "engine/history/moment.h"
#include "engine/items/key.h"
#include "transfer/bucket/bucket_fault.h"
#include "transfer/export/export_changes.h"

namespace keyfold {
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
constexpr Rule<"The export {} was written by a newer version of Keyfold, or is damaged"> kUnreadable{
    "export-unreadable", Kind::kInternal};
constexpr Rule<"The table was removed while it was exported"> kTableGone{"export-table-gone", Kind::kTableNotFound};

constexpr std::chrono::milliseconds kAtOnce{0}, kRetry{1000};
constexpr std::string_view kScratch = "scratch/export";
constexpr size_t kExportsInProgressMax = 300;
constexpr Micros kSecond = 1'000'000, kHour = 3600 * kSecond;
constexpr Micros kTokenLife = 8 * kHour, kExportLife = 90 * 24 * kHour;
constexpr Micros kPeriodMin = kHour / 4, kPeriodMax = 24 * kHour;
constexpr int64_t kIncrementalBilledBytesMin = 10'000'000;
// What a client is told of a failure that it did not cause; the log has the rest.
constexpr std::string_view kInternalMessage = "Internal server error";
constexpr std::string_view kDiskFullCode = "DiskFull";
constexpr std::string_view kDiskFullMessage = "The disk is full. Free some room on it, then export again.";

Micros SecondOf(Micros time) { return time / kSecond * kSecond; }

// Clients know of the recovery window in whole seconds.
bool IsBeforeWindow(Micros time, const Table& table, Micros now) {
  return time < SecondOf(table.recovery.EarliestAt(now));
}

Status TimeIsCovered(const ExportOrder& order, const Table& table, Micros now) {
  if (!table.recovery.enabled) return kRecoveryOff(table.name);
  if (!order.time) return Ok();
  if (*order.time > now || *order.time < SecondOf(table.created)) return kBadTime();
  if (IsBeforeWindow(*order.time, table, now)) return kOutsideWindow();
  return Ok();
}

Status PeriodIsCovered(Micros from, Micros to, const Table& table, Micros now) {
  if (from < SecondOf(table.created)) return kBeforeTable(FormatIsoTime(SecondOf(from)));
  if (to > now) return kToInFuture(FormatIsoTime(SecondOf(to)));
  if (from >= to) return kEndsBeforeStart();
  if (to - from < kPeriodMin) return kPeriodTooShort();
  if (to - from > kPeriodMax) return kPeriodTooLong();
  if (!table.recovery.enabled) return kRecoveryOff(table.name);
  if (IsBeforeWindow(from, table, now)) return kOutsideWindow();
  return Ok();
}

std::string HoldOf(const Export& made) { return ExportNote(made.id); }

TablePtr ExportedTable(const CatalogSnapshot& snapshot, const Export& made) {
  return snapshot.FindById(made.order.table, made.table_id);
}

const LogHold* FindHold(const Table& table, const Export& made) {
  const std::string by = HoldOf(made);
  const auto it = std::find_if(table.holds.begin(), table.holds.end(), [&](const LogHold& h) { return h.by == by; });
  return it == table.holds.end() ? nullptr : &*it;
}

// From where on the export needs the log. Commit 0: from the catalog change on that puts the hold there.
CommitStamp NeedsLogSince(const Export& made, const Table& table) {
  if (made.latest) return {};
  return {table.recovery.since.commit, made.order.IsIncremental() ? made.from : made.time};
}

// The export that came with the same token, if any.
Result<ExportPtr> FindByToken(const std::vector<ExportPtr>& all, const ExportOrder& order, Micros now) {
  if (!order.token) return ExportPtr();
  for (const ExportPtr& made : all) {
    if (made->order.token != order.token || now - made->started >= kTokenLife) continue;
    if (made->order == order) return made;
    return kConflict();
  }
  return ExportPtr();
}

void ForgetOld(const std::vector<ExportPtr>& all, Micros now, CatalogEdit& edit) {
  for (const ExportPtr& made : all) {
    const bool old = made->status != Export::Status::kInProgress && now - made->started >= kExportLife;
    if (old) edit.notes.emplace_back(ExportNote(made->id), std::nullopt);
  }
}

Status PutObject(Bucket& bucket, const std::string& key, std::string_view content) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ByteSink> sink, bucket.Write(key, nullptr));
  RETURN_IF_ERROR(sink->Write(content));
  return sink->Finish();
}

Status RemoveBelow(Bucket& bucket, const std::string& prefix) {
  ASSIGN_OR_RETURN(const std::vector<Bucket::Object> objects, bucket.List(prefix));
  for (const Bucket::Object& object : objects) RETURN_IF_ERROR(bucket.Remove(object.key));
  return Ok();
}

// What an attempt left that did not come to its end, the summary first: what lacks a file must not look whole. Data
// files that stand with those of other exports are looked for only where an attempt got as far.
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

// The summary comes last, behind its checksum too: where it is, all is.
Status WriteManifests(Bucket& bucket, const ExportLayout& layout, const std::vector<ExportedFile>& files,
                      const std::string& summary) {
  const std::string file_lines = FilesManifest(files);
  RETURN_IF_ERROR(PutObject(bucket, layout.Files(), file_lines));
  RETURN_IF_ERROR(PutObject(bucket, layout.FilesChecksum(), ManifestChecksum(file_lines)));
  RETURN_IF_ERROR(PutObject(bucket, layout.SummaryChecksum(), ManifestChecksum(summary)));
  return PutObject(bucket, layout.Summary(), summary);
}

// As AWS has it: S3's own code behind "S3".
std::string FailureCodeOf(const Error& error) {
  if (IsNoRoom(error)) return std::string(kDiskFullCode);
  const std::string_view code = BucketFaultCode(error);
  if (!code.empty()) return "S3" + std::string(code);
  if (error.kind() == Kind::kTableNotFound) return "TableNotFound";
  return error.kind() == Kind::kValidation ? "S3InvalidRequest" : "InternalServerError";
}

int64_t SizeOf(const std::optional<ItemView>& item) { return item ? static_cast<int64_t>(ItemSize(*item)) : 0; }

}  // namespace

Result<std::unique_ptr<ExportJobs>> ExportJobs::Open(const Database& db, Identity identity, BucketSettings buckets,
                                                     Folder folder, uint64_t seed, Jobs& jobs) {
  RETURN_IF_ERROR(folder.RemoveAll(kScratch));
  const std::string prefix = ExportNote("");
  for (const auto& [name, note] : db.catalog.Current()->notes) {
    if (name.starts_with(prefix) && !DecodeExport(*note)) return kUnreadable(name);
  }
  return std::unique_ptr<ExportJobs>(
      new ExportJobs(db, std::move(identity), std::move(buckets), std::move(folder), seed, jobs));
}

ExportJobs::ExportJobs(const Database& db, Identity identity, BucketSettings buckets, Folder folder, uint64_t seed,
                       Jobs& jobs)
    : db_(db),
      identity_(std::move(identity)),
      buckets_(Stoppable(std::move(buckets), [this] { return task_.IsStopping(); })),
      folder_(std::move(folder)),
      jobs_(jobs),
      random_(seed),
      task_([this] { return ExportOnce(); }) {}

bool ExportJobs::WorkOnce() { return ExportOnce() == kAtOnce; }

Result<ExportPtr> ExportJobs::Create(const ExportOrder& order) {
  ExportPtr answer;
  RETURN_IF_ERROR(db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    const Micros now = db_.clock.Now();
    const TablePtr table = snapshot.Find(order.table);
    if (!table || !table->IsUsableAt(now)) return kTableNotFound(TableArn(identity_, order.table));
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
    Table held = *table;
    held.holds.push_back({HoldOf(accepted), NeedsLogSince(accepted, *table)});
    edit.puts.push_back(std::move(held));
    answer = std::make_shared<const Export>(std::move(accepted));
    return Ok();
  }));
  task_.Wake();
  return answer;
}

Result<Export> ExportJobs::Accept(const ExportOrder& order, const Table& table, Micros now) const {
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
    made.latest = made.time == now;  // commits with this time may still come
  }
  return made;
}

// A seed that is used again must not give two exports the same files.
void ExportJobs::NameAnew(Export& made) {
  std::lock_guard lock(random_mutex_);
  made.id = fmt::format("{:014}-{:08x}", made.started / 1000, static_cast<uint32_t>(random_.Next()));
  made.stem = MakeExportStem(Hash64(made.id + made.table_uuid), random_.Next());
}

std::optional<std::chrono::milliseconds> ExportJobs::ExportOnce() {
  for (const ExportPtr& made : AllExports(*db_.catalog.Current())) {
    if (made->status != Export::Status::kInProgress) continue;
    const Status worked = Work(*made);
    if (worked.ok()) return kAtOnce;
    if (!task_.IsStopping()) spdlog::error("export {} of {}: {}", made->id, made->order.table, worked.message());
    return kRetry;
  }
  return std::nullopt;
}

// A bucket asks again by itself where that may help, so what failed here has failed; but for being stopped.
Status ExportJobs::Work(const Export& order) {
  Export made = order;
  Job job(jobs_, JobKind::kExport, made.order.table, made.id, db_.clock.Now());
  if (Status written = Write(made, job); !written.ok()) {
    if (task_.IsStopping()) return written;
    const Error error = std::move(written).TakeError();
    spdlog::warn("export {} of {}: {}", made.id, made.order.table, error.message());
    GiveUp(made, error);
    if (IsNoRoom(error)) RemoveFiles(made);
  } else {
    made.status = Export::Status::kCompleted;
  }
  return Finish(std::move(made));
}

void ExportJobs::GiveUp(Export& made, const Error& error) const {
  made.status = Export::Status::kFailed;
  made.ended = db_.clock.Now();
  made.items = made.billed_bytes = 0;
  made.failure_code = FailureCodeOf(error);
  made.failure_message = made.failure_code == "InternalServerError" ? std::string(kInternalMessage) : error.message();
  if (made.failure_code == kDiskFullCode) made.failure_message = kDiskFullMessage;
}

// Files of an export that came to nothing must not be what fills the disk.
void ExportJobs::RemoveFiles(const Export& made) const {
  const Result<std::unique_ptr<Bucket>> bucket = OpenItsBucket(made);
  Status removed = bucket.ok() ? RemoveLeftovers(**bucket, ExportLayout(made)) : Ok();
  if (!removed.ok()) spdlog::warn("export {}: its files stay: {}", made.id, removed.message());
}

Status ExportJobs::Write(Export& made, Job& job) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Bucket> bucket, OpenItsBucket(made));
  const ExportLayout layout(made);
  RETURN_IF_ERROR(RemoveLeftovers(*bucket, layout));
  RETURN_IF_ERROR(PutObject(*bucket, layout.Started(), {}));
  ExportFiles files(*bucket, layout);
  RETURN_IF_ERROR(WriteData(made, files, job));
  ASSIGN_OR_RETURN(const std::vector<ExportedFile> written, files.Finish());
  // Where the table has gone with its hold meanwhile, rows may have gone too.
  const TablePtr table = ExportedTable(*db_.catalog.Current(), made);
  if (!table || !FindHold(*table, made)) return kTableGone();
  made.ended = db_.clock.Now();
  return WriteManifests(*bucket, layout, written, SummaryManifest(made, identity_));
}

// All folders of the root are this account's buckets; a service knows by itself whose they are.
Result<std::unique_ptr<Bucket>> ExportJobs::OpenItsBucket(const Export& made) const {
  const ExportOrder& order = made.order;
  const bool in_folder = buckets_.endpoint.empty() && !buckets_.root.empty();
  if (in_folder && order.bucket_owner && *order.bucket_owner != identity_.account) {
    return BucketFault("AccessDenied", "Access Denied", "s3://" + order.bucket, FaultIs::kFinal);
  }
  return OpenBucket(buckets_, order.bucket);
}

Status ExportJobs::WriteData(Export& made, ExportFiles& files, Job& job) {
  const TablePtr table = ExportedTable(*db_.catalog.Current(), made);
  const LogHold* const hold = table ? FindHold(*table, made) : nullptr;
  if (!hold) return kTableGone();
  const LogPosition held = LogPosition::AfterCommit(hold->since.commit);
  if (made.latest) return WriteItems(*table, held, made, files, job);
  // The second that the window begins in may begin before it: there is no log of that part.
  const Micros before = made.order.IsIncremental() ? made.from - 1 : made.time;
  ASSIGN_OR_RETURN(LogPosition moment, MomentAt(db_.store, table->id, before));
  moment = std::max(moment, held);
  return made.order.IsIncremental() ? WriteChanges(*table, moment, made, files, job)
                                    : WriteItems(*table, moment, made, files, job);
}

Status ExportJobs::WriteItems(const Table& table, LogPosition moment, Export& made, ExportFiles& files, Job& job) {
  ASSIGN_OR_RETURN(const Folder scratch, folder_.Below(kScratch));
  const DataFormat format = made.order.Format();
  const auto stop = [this] { return task_.IsStopping(); };
  const int64_t rows = db_.store.ReadTally(table.id, kBaseTable).rows;
  job.Begin("writing", JobUnit::kItems, static_cast<uint64_t>(std::max<int64_t>(rows, 0)));
  JobCounter counter(job);
  const auto add = [&](std::string_view row_key, ItemView item) {
    counter.Add();
    ++made.items;
    made.billed_bytes += static_cast<int64_t>(ItemSize(item));
    return files.Add(row_key, [&](std::string& out) { AppendItemLine(format, item, out); });
  };
  return VisitMoment(db_.store, table, moment, scratch, stop, add);
}

Status ExportJobs::WriteChanges(const Table& table, LogPosition start, Export& made, ExportFiles& files, Job& job) {
  ASSIGN_OR_RETURN(const Folder scratch, folder_.Below(kScratch));
  const DataFormat format = made.order.Format();
  const bool shows_before = made.order.ShownView() == ExportPeriod::View::kNewAndOldImages;
  const auto stop = [this] { return task_.IsStopping(); };
  job.Begin("reading the log");
  JobCounter counter(job);
  const auto add = [&](const NetChange& change) {
    if (made.items == 0) job.Begin("writing");
    counter.Add();
    const Item keys = KeyPart(table, nullptr, change.some);
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

// The end, good or bad: the export is what it is from here on, and the table is let go.
Status ExportJobs::Finish(Export made) {
  return db_.catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) -> Status {
    if (!snapshot.notes.contains(ExportNote(made.id))) return Ok();
    edit.notes.emplace_back(ExportNote(made.id), EncodeExport(made));
    const TablePtr table = ExportedTable(snapshot, made);
    if (!table || !FindHold(*table, made)) return Ok();
    Table next = *table;
    std::erase_if(next.holds, [&](const LogHold& h) { return h.by == HoldOf(made); });
    edit.PutWhereItIs(snapshot, std::move(next));
    return Ok();
  });
}

}  // namespace keyfold
