#include "engine/background/jobs.h"

#include <gtest/gtest.h>

#include <thread>

namespace keyfold::engine {
namespace {

// "EXPORT shop 17 reading 5/9 ITEMS @3, …"
std::string DescribeJobs(const Jobs& jobs) {
  std::string text;
  for (const JobState& job : jobs.List()) {
    if (!text.empty()) text += ", ";
    text.append(NameOf(job.kind)).append(" ").append(job.table).append(" ").append(job.id).append(" ");
    text.append(job.step).append(" ").append(std::to_string(job.done)).append("/");
    text.append(job.total ? std::to_string(*job.total) : "?").append(" ").append(NameOf(job.unit));
    text.append(" @").append(std::to_string(job.started));
  }
  return text;
}

TEST(Jobs, AreListedByAgeForAsLongAsTheyLive) {
  Jobs jobs;
  EXPECT_EQ(DescribeJobs(jobs), "");
  {
    Job first(jobs, JobKind::kExport, "shop", "17", 3);
    EXPECT_EQ(DescribeJobs(jobs), "EXPORT shop 17 beginning 0/? ITEMS @3");
    {
      const Job second(jobs, JobKind::kRestore, "copy", "", 4);
      EXPECT_EQ(DescribeJobs(jobs), "EXPORT shop 17 beginning 0/? ITEMS @3, RESTORE copy  beginning 0/? ITEMS @4");
    }
    EXPECT_EQ(DescribeJobs(jobs), "EXPORT shop 17 beginning 0/? ITEMS @3");
  }
  EXPECT_EQ(DescribeJobs(jobs), "");
}

TEST(Jobs, EachStepIsCountedFromTheBeginning) {
  Jobs jobs;
  Job job(jobs, JobKind::kImport, "t", "1", 0);
  job.Begin("reading", JobUnit::kBytes, 100);
  job.Advance(60);
  EXPECT_EQ(DescribeJobs(jobs), "IMPORT t 1 reading 60/100 BYTES @0");
  job.Begin("writing", JobUnit::kItems, 7);
  EXPECT_EQ(DescribeJobs(jobs), "IMPORT t 1 writing 0/7 ITEMS @0");
  job.Advance(3);
  job.Advance(4);
  EXPECT_EQ(DescribeJobs(jobs), "IMPORT t 1 writing 7/7 ITEMS @0");
  job.Begin("waiting");
  EXPECT_EQ(DescribeJobs(jobs), "IMPORT t 1 waiting 0/? ITEMS @0");
}

TEST(JobCounter, FlushesOnDestruction) {
  Jobs jobs;
  Job job(jobs, JobKind::kBackup, "t", "1", 0);
  {
    JobCounter counter(job);
    for (int i = 0; i < 1023; ++i) counter.Add();
    EXPECT_EQ(jobs.List().front().done, 0u) << "not flushed yet";
    counter.Add();
    EXPECT_EQ(jobs.List().front().done, 1024u);
    counter.Add();
  }
  EXPECT_EQ(jobs.List().front().done, 1025u);
}

TEST(Jobs, ManyThreadsCountWhileOthersLook) {
  Jobs jobs;
  Job job(jobs, JobKind::kExport, "t", "1", 0);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      JobCounter counter(job);
      for (int n = 0; n < 10'000; ++n) counter.Add();
      const Job other(jobs, JobKind::kImport, "u", "2", 1);
    });
  }
  for (uint64_t seen = 0; seen < 40'000;) {
    const uint64_t now = jobs.List().front().done;
    ASSERT_GE(now, seen);
    seen = now;
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(DescribeJobs(jobs), "EXPORT t 1 beginning 40000/? ITEMS @0");
}

}  // namespace
}  // namespace keyfold::engine
