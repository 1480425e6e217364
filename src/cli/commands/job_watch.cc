#include "cli/commands/job_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <thread>

#include "cli/commands/answer.h"

namespace keyfold::cli {
namespace {

constexpr Micros kSayAgain = 5 * kSecond;
constexpr Micros kLookAgainMin = kSecond / 50, kLookAgainMax = kSecond / 2;
constexpr Micros kAskForeignMax = 5 * kSecond;  // other servers may bill or limit requests

const SystemClock kSystemClock;

void ReallySleep(Micros time) { std::this_thread::sleep_for(std::chrono::microseconds(time)); }

std::string Capitalized(std::string text) {
  if (!text.empty()) text[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(text[0])));
  return text;
}

}  // namespace

JobWatch::JobWatch(terminal::Console& console, client::ApiCaller& caller) : JobWatch(console, caller, Pace()) {}

JobWatch::JobWatch(terminal::Console& console, client::ApiCaller& caller, Pace pace)
    : console_(console),
      caller_(caller),
      pace_{pace.clock ? pace.clock : &kSystemClock, pace.sleep ? std::move(pace.sleep) : ReallySleep} {}

Status JobWatch::Wait(const WatchedWork& work, FunctionRef<Result<bool>()> under_way) {
  began_ = said_ = pace_.clock->Now();
  for (Micros pause = kLookAgainMin;;) {
    Result<bool> more = under_way();
    waited_ = pace_.clock->Now() - began_;
    if (!more.ok() || !*more) TakeBarAway();
    RETURN_IF_ERROR(more);
    if (!*more) return Ok();
    const std::optional<Seen> seen = Look(work);
    seen ? Show(work, *seen) : SayAgain(work);
    pace_.sleep(pause);
    pause = std::min(pause * 2, jobs_are_reported_ ? kLookAgainMax : kAskForeignMax);
  }
}

// Returns nullopt if the job is queued or the server does not report jobs.
std::optional<JobWatch::Seen> JobWatch::Look(const WatchedWork& work) {
  if (!jobs_are_reported_) return std::nullopt;
  const Result<Answer> answer = Answer::Ask(caller_, "ListJobs", "{}");
  // A server that cannot be reached, or is busy, may report jobs later.
  if (!answer.ok() && (answer.error().kind() == Kind::kUnavailable || answer.error().kind() == Kind::kThrottling)) {
    return std::nullopt;
  }
  const std::optional<json::Value> jobs = answer.ok() ? answer->Find({"Jobs"}) : std::nullopt;
  jobs_are_reported_ = jobs && jobs->is_array();
  if (!jobs_are_reported_) return std::nullopt;
  for (const json::Value job : jobs->elements()) {
    const bool named =
        work.id.empty() ? json::TextAt(job, "TableName") == work.table : json::TextAt(job, "Id") == work.id;
    if (!named || json::TextAt(job, "Kind") != engine::NameOf(work.kind)) continue;
    Seen seen;
    seen.step = json::TextAt(job, "Step");
    seen.unit = json::TextAt(job, "Unit") == engine::NameOf(engine::JobUnit::kBytes) ? engine::JobUnit::kBytes
                                                                                     : engine::JobUnit::kItems;
    seen.done = static_cast<uint64_t>(json::NumberAt(job, "Done"));
    if (json::Find(job, "Total")) seen.total = static_cast<uint64_t>(json::NumberAt(job, "Total"));
    return seen;
  }
  return std::nullopt;
}

void JobWatch::Show(const WatchedWork& work, const Seen& seen) {
  const bool goes_on = bar_ && seen.step == shown_.step && seen.total == shown_.total && seen.done >= shown_.done;
  if (!goes_on) {
    TakeBarAway();
    const terminal::Progress::Unit unit =
        seen.unit == engine::JobUnit::kBytes ? terminal::Progress::Unit::kBytes : terminal::Progress::Unit::kThings;
    // A bar leaves room only for the step.
    std::string title = Capitalized(console_.err_is_terminal() ? seen.step : work.doing + ", " + seen.step);
    bar_ =
        std::make_unique<terminal::Progress>(console_, *pace_.clock, std::move(title), seen.total, /*before=*/0, unit);
    shown_ = {};
  }
  bar_->Advance(seen.done - shown_.done);
  shown_ = seen;
  said_ = pace_.clock->Now();
}

void JobWatch::SayAgain(const WatchedWork& work) {
  const Micros now = pace_.clock->Now();
  if (now - said_ < kSayAgain) return;
  TakeBarAway();
  console_.Note(fmt::format("still {}, {}\n", work.doing, terminal::DurationWords(now - began_)));
  said_ = now;
}

void JobWatch::TakeBarAway() {
  if (bar_) bar_->TakeAway();
  bar_.reset();
}

}  // namespace keyfold::cli
