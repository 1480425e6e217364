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
  const size_t count = std::min(threads, jobs.size());
  {
    MutexLock lock(mutex_);
    working_ = count;
    failure_ = Ok();
  }
  std::vector<std::thread> threads_running;
  for (size_t i = count; i > 0; --i) threads_running.emplace_back([&] { Work(jobs, make_worker); });
  LookOn(look);
  for (std::thread& one : threads_running) one.join();
  MutexLock lock(mutex_);
  return std::move(failure_);
}

void WorkerGroup::LookOn(FunctionRef<Status()> look) {
  for (bool over = false; !over;) {
    {
      const auto end = std::chrono::steady_clock::now() + kProgressPeriod;
      MutexLock lock(mutex_);
      while (working_ > 0 && left_.WaitUntil(mutex_, end)) {
      }
      over = working_ == 0;
    }
    Fail(look());
  }
}

void WorkerGroup::Work(const std::vector<size_t>& jobs, const MakeWorker& make_worker) {
  Fail(DoJobs(jobs, make_worker));
  MutexLock lock(mutex_);
  --working_;
  left_.NotifyAll();
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
    MutexLock lock(mutex_);
    if (failure_.ok()) failure_ = std::move(status);
  }
  stop_.Raise();
}

}  // namespace keyfold::copy
