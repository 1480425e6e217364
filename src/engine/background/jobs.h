// Jobs: what long work is under way and how far it is, for whoever waits for it. Nothing of it is kept: work that a
// restart begins again is a new job, at its beginning.
#pragma once

#include <atomic>
#include <cstdint>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace keyfold {

enum class JobKind : uint8_t { kBackup, kRestore, kExport, kImport, kVerification };
enum class JobUnit : uint8_t { kItems, kBytes };  // kBytes: of the source's files, as they are stored
std::string_view NameOf(JobKind kind);            // "BACKUP"
std::string_view NameOf(JobUnit unit);            // "ITEMS"

// How far a job is in its present step.
struct JobState {
  JobKind kind = JobKind::kBackup;
  std::string table;      // the one that it reads, of a restore or an import the one that it makes
  std::string id;         // of the backup, export or import; may be empty
  std::string_view step;  // a word or two: "reading"
  JobUnit unit = JobUnit::kItems;
  uint64_t done = 0;
  std::optional<uint64_t> total;  // about; none: not known
  Micros started = 0;
};

class Job;

// Thread-safe.
class Jobs {
 public:
  // By age.
  std::vector<JobState> List() const;

 private:
  friend class Job;
  mutable std::mutex mutex_;
  uint64_t begun_ = 0;                              // under mutex_
  std::set<std::pair<uint64_t, const Job*>> jobs_;  // under mutex_: by when they began
};

// The work's own end of it: it is listed for as long as it lives. Begin on one thread at a time, Advance on any. `jobs`
// outlives it.
class Job {
 public:
  Job(Jobs& jobs, JobKind kind, std::string table, std::string id, Micros now);
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  // The next step, which is counted from 0 on. `step` is a literal.
  void Begin(std::string_view step, JobUnit unit = JobUnit::kItems, std::optional<uint64_t> total = {});
  // An atomic add: for some thousand items at a time, which JobCounter counts.
  void Advance(uint64_t by) { done_.fetch_add(by, std::memory_order_relaxed); }

 private:
  friend class Jobs;
  Jobs& jobs_;
  uint64_t number_ = 0;
  JobState state_;  // under jobs_.mutex_, but for `done`, which is not used
  std::atomic<uint64_t> done_ = 0;
};

// Counts what a loop does, one by one, and tells the job now and then. One thread at a time. The job outlives it.
class JobCounter {
 public:
  explicit JobCounter(Job& job) : job_(job) {}
  ~JobCounter() { Tell(); }
  JobCounter(const JobCounter&) = delete;
  JobCounter& operator=(const JobCounter&) = delete;

  void Add() {
    if (++pending_ == kFlushEvery) Tell();
  }
  // What is left: before the next step begins.
  void Tell() {
    job_.Advance(pending_);
    pending_ = 0;
  }

 private:
  static constexpr uint64_t kFlushEvery = 1024;

  Job& job_;
  uint64_t pending_ = 0;
};

}  // namespace keyfold
