#include "copy/worker_group.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace keyfold {
namespace {

constexpr std::chrono::milliseconds kLookAgain{100};

}  // namespace

Status Crew::Run(const std::vector<size_t>& jobs, size_t threads, const Hire& hire, FunctionRef<Status()> look) {
  next_ = 0;
  working_ = std::min(threads, jobs.size());
  failure_ = Ok();
  std::vector<std::thread> crew;
  for (size_t i = working_; i > 0; --i) crew.emplace_back([&] { Work(jobs, hire); });
  LookOn(look);
  for (std::thread& one : crew) one.join();
  return std::move(failure_);
}

void Crew::LookOn(FunctionRef<Status()> look) {
  for (bool over = false; !over;) {
    {
      std::unique_lock lock(mutex_);
      over = left_.wait_for(lock, kLookAgain, [this] { return working_ == 0; });
    }
    Fail(look());
  }
}

void Crew::Work(const std::vector<size_t>& jobs, const Hire& hire) {
  Fail(DoJobs(jobs, hire));
  const std::lock_guard lock(mutex_);
  --working_;
  left_.notify_all();
}

Status Crew::DoJobs(const std::vector<size_t>& jobs, const Hire& hire) {
  ASSIGN_OR_RETURN(const Job job, hire());
  for (size_t i = next_++; i < jobs.size(); i = next_++) {
    if (stop_.raised()) return kStopped();
    RETURN_IF_ERROR(job(jobs[i]));
  }
  return Ok();
}

void Crew::Fail(Status status) {
  if (status.ok()) return;
  {
    const std::lock_guard lock(mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  stop_.Raise();
}

}  // namespace keyfold
