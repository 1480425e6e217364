#include "engine/background/jobs.h"

namespace keyfold::engine {

std::string_view NameOf(JobKind kind) {
  constexpr std::string_view kNames[] = {"BACKUP", "RESTORE", "EXPORT", "IMPORT", "VERIFICATION"};
  return kNames[static_cast<size_t>(kind)];
}

std::string_view NameOf(JobUnit unit) { return unit == JobUnit::kItems ? "ITEMS" : "BYTES"; }

std::vector<JobState> Jobs::List() const {
  MutexLock lock(mutex_);
  std::vector<JobState> states;
  for (const auto& [number, job] : jobs_) {
    states.push_back(job->state_);
    states.back().done = job->done_.load(std::memory_order_relaxed);
  }
  return states;
}

Job::Job(Jobs& jobs, JobKind kind, std::string table, std::string id, Micros now) : jobs_(jobs) {
  state_.kind = kind;
  state_.table = std::move(table);
  state_.id = std::move(id);
  state_.step = "beginning";
  state_.started = now;
  MutexLock lock(jobs_.mutex_);
  number_ = ++jobs_.begun_;
  jobs_.jobs_.emplace(number_, this);
}

Job::~Job() {
  MutexLock lock(jobs_.mutex_);
  jobs_.jobs_.erase({number_, this});
}

void Job::Begin(std::string_view step, JobUnit unit, std::optional<uint64_t> total) {
  MutexLock lock(jobs_.mutex_);
  state_.step = step;
  state_.unit = unit;
  state_.total = total;
  done_.store(0, std::memory_order_relaxed);
}

}  // namespace keyfold::engine
