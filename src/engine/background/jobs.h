// Jobs: the long-running work in progress and how far it is, for clients that wait for it. It is not persistent: work
// that restarts with the process is a new job that starts from the beginning.
#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "base/mutex.h"

namespace keyfold::engine {

enum class JobKind : uint8_t { kBackup, kRestore, kExport, kImport, kVerification };
enum class JobUnit : uint8_t { kItems, kBytes };  // kBytes: bytes of the source's files, as stored
std::string_view NameOf(JobKind kind);            // "BACKUP"
std::string_view NameOf(JobUnit unit);            // "ITEMS"

// Progress of a job in its current step.
struct JobState {
  JobKind kind = JobKind::kBackup;
  std::string table;      // the table it reads, or the one that a restore or an import creates
  std::string id;         // id of the backup, export or import; may be empty
  std::string_view step;  // one or two words, such as "reading"
  JobUnit unit = JobUnit::kItems;
  uint64_t done = 0;
  std::optional<uint64_t> total;  // approximate; nullopt if unknown
  Micros started = 0;
};

class Job;

// Thread-safe.
class Jobs {
 public:
  // Oldest first. It holds mutex_, but the analysis cannot see that each job's `jobs_` is this object.
  std::vector<JobState> List() const NO_THREAD_SAFETY_ANALYSIS;

 private:
  friend class Job;
  mutable Mutex mutex_;
  uint64_t begun_ GUARDED_BY(mutex_) = 0;
  std::set<std::pair<uint64_t, const Job*>> jobs_ GUARDED_BY(mutex_);  // in the order in which they began
};

// One job, owned by the code that does the work. Jobs lists it for as long as it exists. Begin is called by one thread
// at a time, Advance by any thread. `jobs` outlives it.
class Job {
 public:
  Job(Jobs& jobs, JobKind kind, std::string table, std::string id, Micros now);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // Starts the next step, whose count starts at 0. `step` is a string literal.
  void Begin(std::string_view step, JobUnit unit = JobUnit::kItems, std::optional<uint64_t> total = {});
  // An atomic add. Call it for about a thousand items at a time; JobCounter does that.
  void Advance(uint64_t by) { done_.fetch_add(by, std::memory_order_relaxed); }

 private:
  friend class Jobs;
  Jobs& jobs_;
  uint64_t number_ = 0;
  JobState state_ GUARDED_BY(jobs_.mutex_);  // its `done` is not used
  std::atomic<uint64_t> done_ = 0;
};

// Counts the iterations of a loop and adds them to the job in batches. Used by one thread at a time. The job outlives
// it.
class JobCounter {
 public:
  explicit JobCounter(Job& job) : job_(job) {}
  ~JobCounter() { Flush(); }
  JobCounter(const JobCounter&) = delete;
  JobCounter& operator=(const JobCounter&) = delete;

  void Add() {
    if (++pending_ == kFlushEvery) Flush();
  }
  // Adds the pending count to the job. Call it before the next step begins.
  void Flush() {
    job_.Advance(pending_);
    pending_ = 0;
  }

 private:
  static constexpr uint64_t kFlushEvery = 1024;

  Job& job_;
  uint64_t pending_ = 0;
};

}  // namespace keyfold::engine
