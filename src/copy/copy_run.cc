#include "copy/copy_run.h"

#include <fmt/format.h>

#include <array>
#include <atomic>

#include "base/text/printable.h"
#include "copy/planning.h"
#include "copy/segment_copy.h"
#include "copy/table_calls.h"
#include "copy/worker_group.h"

namespace keyfold::copy {
namespace {

constexpr Micros kSaveAfter = 500'000;

std::vector<size_t> OpenSegments(const TablePlan& table) {
  std::vector<size_t> open;
  for (size_t i = 0; i < table.segments.size(); ++i) {
    if (!table.segments[i].done) open.push_back(i);
  }
  return open;
}

// The objects of one copying thread. They point at each other, so it must not move.
struct Copier {
  std::unique_ptr<client::ApiCaller> from;
  std::unique_ptr<client::ApiCaller> to;
  BatchWrite write;
  SegmentCopy segment;

  Copier(std::unique_ptr<client::ApiCaller> source, std::unique_ptr<client::ApiCaller> target, const std::string& name,
         CopyPace& pace, StopRequest& stop, Acknowledged& acknowledged, CopyJournal& journal, size_t table)
      : from(std::move(source)),
        to(std::move(target)),
        write(*to, name, pace, stop, acknowledged, Random::SeedFromSystem()),
        segment(*from, write, journal, table, stop) {}
};

// Shows the threads' progress and saves the journal regularly. Used by one thread at a time.
class Overseer {
 public:
  Overseer(terminal::Progress& progress, CopyJournal& journal, const Acknowledged& acknowledged, const Clock& clock)
      : progress_(progress), journal_(journal), acknowledged_(acknowledged), clock_(clock), saved_(clock.Now()) {}

  Status Look() {
    const uint64_t items = acknowledged_.items, bytes = acknowledged_.bytes;
    progress_.Advance(items - items_, bytes - bytes_);
    items_ = items;
    bytes_ = bytes;
    if (clock_.Now() - saved_ < kSaveAfter) return Ok();
    RETURN_IF_ERROR(journal_.Save());
    saved_ = clock_.Now();
    return Ok();
  }

 private:
  terminal::Progress& progress_;
  CopyJournal& journal_;
  const Acknowledged& acknowledged_;
  const Clock& clock_;
  Micros saved_;
  uint64_t items_ = 0;
  uint64_t bytes_ = 0;
};

}  // namespace

std::string TitleOf(const TablePlan& table) {
  return Printable(table.source == table.target ? table.source : table.source + " as " + table.target);
}

CopyRun::CopyRun(CopyJournal& journal, const CopyEnds& ends, terminal::Console& console, const Clock& clock,
                 StopRequest& stop)
    : journal_(journal),
      ends_(ends),
      console_(console),
      clock_(clock),
      stop_(stop),
      plan_(journal.plan()),
      pace_(plan_.speed.limits, clock) {}

Result<bool> CopyRun::Run() {
  ASSIGN_OR_RETURN(from_, ends_.from());
  ASSIGN_OR_RETURN(to_, ends_.to());
  Status status;
  for (size_t i = 0; i < plan_.tables.size() && status.ok(); ++i) status = RunTable(i);
  const Status saved = journal_.Save();
  RETURN_IF_ERROR(status);
  if (!saved.ok()) return saved.Clone().TakeError();
  return counts_right_;
}

Status CopyRun::Enter(size_t number, TablePhase phase) {
  journal_.SetPhase(number, phase);
  return journal_.Save();
}

Status CopyRun::RunTable(size_t number) {
  const TablePlan table = journal_.table(number);
  if (table.phase == TablePhase::kDone) return Ok();
  if (stop_.raised()) return kStopped();
  const Micros began = clock_.Now();
  if (table.phase == TablePhase::kWaiting) {
    RETURN_IF_ERROR(Prepare(table));
    RETURN_IF_ERROR(Enter(number, TablePhase::kCopying));
  }
  if (table.phase <= TablePhase::kCopying) {
    if (!plan_.schema_only) RETURN_IF_ERROR(CopyItems(number));
    RETURN_IF_ERROR(Enter(number, TablePhase::kCopied));
  }
  if (plan_.verify && !plan_.schema_only) RETURN_IF_ERROR(Verify(table));
  RETURN_IF_ERROR(Complete(table));
  RETURN_IF_ERROR(Enter(number, TablePhase::kDone));
  Report(journal_.table(number), clock_.Now() - began);
  return Ok();
}

Status CopyRun::Prepare(const TablePlan& table) {
  ASSIGN_OR_RETURN(const TableDescription source, DescribeSource(*from_, table));
  ASSIGN_OR_RETURN(const std::optional<TableDescription> there, TableDescription::Ask(*to_, table.target));
  if (there) {
    RETURN_IF_ERROR(CheckTarget(plan_, table, source, *there, *to_));
    if (!table.creates) console_.NoteLine(fmt::format("{} already exists; its settings are not changed", table.target));
  } else {
    std::string tags;
    if (plan_.settings.tags) {
      ASSIGN_OR_RETURN(tags, ReadTags(*from_, source.arn()));
    }
    RETURN_IF_ERROR(to_->Call("CreateTable", source.CreateBody(table.target, plan_.settings, tags)));
  }
  return WaitUntilActive(*to_, table.target, stop_);
}

Status CopyRun::CopyItems(size_t number) {
  const TablePlan table = journal_.table(number);
  Acknowledged acknowledged;
  const std::optional<uint64_t> about = table.items_about > 0 ? std::optional(table.items_about) : std::nullopt;
  terminal::Progress progress(console_, clock_, "Copying " + TitleOf(table), about, table.Total().items);
  Overseer overseer(progress, journal_, acknowledged, clock_);
  const WorkerGroup::MakeWorker make_worker = [&]() -> Result<WorkerGroup::Job> {
    ASSIGN_OR_RETURN(std::unique_ptr<client::ApiCaller> from, ends_.from());
    ASSIGN_OR_RETURN(std::unique_ptr<client::ApiCaller> to, ends_.to());
    // A std::function is copied by its owner, so the copier is shared.
    const auto copier = std::make_shared<Copier>(std::move(from), std::move(to), table.target, pace_, stop_,
                                                 acknowledged, journal_, number);
    return WorkerGroup::Job([copier](size_t segment) { return copier->segment.Run(segment); });
  };
  const size_t threads = plan_.speed.threads;
  RETURN_IF_ERROR(WorkerGroup(stop_).Run(OpenSegments(table), threads, make_worker, [&] { return overseer.Look(); }));
  progress.Finish();
  return Ok();
}

Status CopyRun::Verify(const TablePlan& table) {
  const size_t segments = table.segments.size();
  std::array<std::atomic<uint64_t>, 2> counts{};  // items at the source and at the target
  std::vector<size_t> jobs(segments * 2);
  for (size_t i = 0; i < jobs.size(); ++i) jobs[i] = i;
  terminal::Progress progress(console_, clock_, "Counting " + TitleOf(table), jobs.size());
  uint64_t shown = 0;
  std::atomic<uint64_t> done = 0;
  const WorkerGroup::MakeWorker make_worker = [&]() -> Result<WorkerGroup::Job> {
    ASSIGN_OR_RETURN(std::unique_ptr<client::ApiCaller> from, ends_.from());
    ASSIGN_OR_RETURN(std::unique_ptr<client::ApiCaller> to, ends_.to());
    const auto ends = std::make_shared<std::array<std::unique_ptr<client::ApiCaller>, 2>>();
    *ends = {std::move(from), std::move(to)};
    return WorkerGroup::Job([&, ends](size_t job) -> Status {
      const size_t end = job % 2;
      const std::string& name = end == 0 ? table.source : table.target;
      ASSIGN_OR_RETURN(const uint64_t count, CountSegment(*(*ends)[end], name, job / 2, segments, stop_));
      counts[end] += count;
      ++done;
      return Ok();
    });
  };
  RETURN_IF_ERROR(WorkerGroup(stop_).Run(jobs, plan_.speed.threads, make_worker, [&] {
    progress.Advance(done - shown);
    shown = done;
    return Ok();
  }));
  const uint64_t source = counts[0], target = counts[1];
  const bool right = plan_.append ? target >= source : target == source;
  const std::string_view says = right ? "verified" : "NOT EQUAL";
  counts_right_ = counts_right_ && right;
  console_.Print(fmt::format("{}: {}, {} items at the source, {} at the target\n", TitleOf(table), says,
                             terminal::Grouped(source), terminal::Grouped(target)));
  return Ok();
}

Status CopyRun::Complete(const TablePlan& table) {
  if (!table.creates || !plan_.settings.ttl) return Ok();
  ASSIGN_OR_RETURN(const std::string attribute, ReadTtl(*from_, table.source));
  return attribute.empty() ? Ok() : SetTtl(*to_, table.target, attribute);
}

void CopyRun::Report(const TablePlan& table, Micros took) {
  const SegmentMark total = table.Total();
  const std::string what = plan_.schema_only ? std::string("created")
                                             : fmt::format("{} items, {} copied", terminal::Grouped(total.items),
                                                           terminal::BytesWords(total.bytes));
  console_.Print(fmt::format("{}: {} in {}\n", TitleOf(table), what, terminal::DurationWords(took)));
}

}  // namespace keyfold::copy
