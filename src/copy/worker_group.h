// WorkerGroup: threads that do numbered jobs until all are done or one fails, while the caller's thread observes.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "base/error.h"
#include "base/function_ref.h"
#include "base/mutex.h"
#include "copy/stop_request.h"

namespace keyfold::copy {

// Used by one thread at a time. Borrows the StopRequest; a job that fails raises it.
class WorkerGroup {
 public:
  using Job = std::function<Status(size_t number)>;
  // Creates one thread's worker; called on that thread.
  using MakeWorker = std::function<Result<Job>()>;

  explicit WorkerGroup(StopRequest& stop) : stop_(stop) {}

  // `look` is called several times a second on the caller's thread, and once at the end; its failure counts like a
  // job's. Returns the first failure. Every thread has ended when it returns.
  Status Run(const std::vector<size_t>& jobs, size_t threads, const MakeWorker& make_worker,
             FunctionRef<Status()> look);

 private:
  void Work(const std::vector<size_t>& jobs, const MakeWorker& make_worker);
  Status DoJobs(const std::vector<size_t>& jobs, const MakeWorker& make_worker);
  void Fail(Status status);
  void LookOn(FunctionRef<Status()> look);

  StopRequest& stop_;
  std::atomic<size_t> next_ = 0;  // index into the list of jobs

  Mutex mutex_;
  CondVar left_;
  size_t working_ GUARDED_BY(mutex_) = 0;
  Status failure_ GUARDED_BY(mutex_);
};

}  // namespace keyfold::copy
