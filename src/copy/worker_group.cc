#include "copy/worker_group.h"

#include <algorithm>
#include <chrono>
#include <thread>

namespace keyfold::copy {
namespace {

constexpr std::chrono::milliseconds kProgressPeriod{100};

}  // namespace

Status WorkerGroup::Run(const std::vector<size_t>& jobs, size_t threads, const MakeWorker& make_worker,
                        FunctionRef<Status()> look) {
  next_ = 0;
  working_ = std::min(threads, jobs.size());
  failure_ = Ok();
  std::vector<std::thread> threads_running;
  for (size_t i = working_; i > 0; --i) threads_running.emplace_back([&] { Work(jobs, make_worker); });
  LookOn(look);
  for (std::thread& one : threads_running) one.join();
  return std::move(failure_);
}

void WorkerGroup::LookOn(FunctionRef<Status()> look) {
  for (bool over = false; !over;) {
    {
      std::unique_lock lock(mutex_);
      over = left_.wait_for(lock, kProgressPeriod, [this] { return working_ == 0; });
    }
    Fail(look());
  }
}

void WorkerGroup::Work(const std::vector<size_t>& jobs, const MakeWorker& make_worker) {
  Fail(DoJobs(jobs, make_worker));
  const std::lock_guard lock(mutex_);
  --working_;
  left_.notify_all();
}

Status WorkerGroup::DoJobs(const std::vector<size_t>& jobs, const MakeWorker& make_worker) {
  ASSIGN_OR_RETURN(const Job job, make_worker());
  for (size_t i = next_++; i < jobs.size(); i = next_++) {
    if (stop_.raised()) return kStopped();
    RETURN_IF_ERROR(job(jobs[i]));
  }
  return Ok();
}

void WorkerGroup::Fail(Status status) {
  if (status.ok()) return;
  {
    const std::lock_guard lock(mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  stop_.Raise();
}

}  // namespace keyfold::copy
