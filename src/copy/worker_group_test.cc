#include "copy/worker_group.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>

#include "copy/interruption.h"

namespace keyfold::copy {
namespace {

constexpr Rule<"job {} failed"> kFailed{"test-failed", Kind::kInternal};
constexpr Rule<"no more"> kTired{"test-tired", Kind::kInternal};

struct Done {
  std::mutex mutex;
  std::multiset<size_t> jobs;
  size_t made = 0;
};

WorkerGroup::MakeWorker WorkersFor(Done& done, size_t fails_at = SIZE_MAX) {
  return [&done, fails_at]() -> Result<WorkerGroup::Job> {
    const std::lock_guard lock(done.mutex);
    ++done.made;
    return WorkerGroup::Job([&done, fails_at](size_t job) -> Status {
      if (job == fails_at) return kFailed(job);
      const std::lock_guard lock(done.mutex);
      done.jobs.insert(job);
      return Ok();
    });
  };
}

TEST(WorkerGroup, DoesEveryJobOnce) {
  for (const size_t threads : {1, 3, 100}) {
    StopRequest stop;
    Done done;
    size_t looks = 0;
    EXPECT_TRUE(WorkerGroup(stop).Run({4, 7, 9, 2}, threads, WorkersFor(done), [&] { return ++looks, Ok(); }).ok());
    EXPECT_EQ(done.jobs, (std::multiset<size_t>{2, 4, 7, 9}));
    EXPECT_EQ(done.made, std::min<size_t>(threads, 4));
    EXPECT_GE(looks, 1u);
    EXPECT_FALSE(stop.raised());
  }
}

TEST(WorkerGroup, NoJobs) {
  StopRequest stop;
  Done done;
  EXPECT_TRUE(WorkerGroup(stop).Run({}, 4, WorkersFor(done), [] { return Ok(); }).ok());
  EXPECT_EQ(done.made, 0u);
}

TEST(WorkerGroup, TheFirstFailureEndsIt) {
  StopRequest stop;
  Done done;
  const Status status = WorkerGroup(stop).Run({1, 2, 3, 4}, 1, WorkersFor(done, 3), [] { return Ok(); });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "job 3 failed");
  EXPECT_EQ(done.jobs, (std::multiset<size_t>{1, 2}));
  EXPECT_TRUE(stop.raised());
}

TEST(WorkerGroup, NoWorkerCanBeMade) {
  StopRequest stop;
  const Status status = WorkerGroup(stop).Run(
      {1, 2}, 2, []() -> Result<WorkerGroup::Job> { return kTired(); }, [] { return Ok(); });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "no more");
}

TEST(WorkerGroup, TheObserverCanEndIt) {
  StopRequest stop;
  const WorkerGroup::MakeWorker waits = [&stop]() -> Result<WorkerGroup::Job> {
    return WorkerGroup::Job([&stop](size_t) -> Status {
      stop.Sleep(60'000'000);
      return kStopped();
    });
  };
  const Status status = WorkerGroup(stop).Run({1, 2, 3}, 2, waits, []() -> Status { return kTired(); });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "no more");
}

TEST(Interruption, RaisesTheStopRequest) {
  StopRequest stop;
  {
    Interruption interruption(stop);
    EXPECT_FALSE(interruption.came());
    ASSERT_EQ(kill(getpid(), SIGTERM), 0);
    stop.Sleep(60'000'000);
    EXPECT_TRUE(stop.raised());
    EXPECT_TRUE(interruption.came());
  }
  sigset_t held;
  pthread_sigmask(SIG_SETMASK, nullptr, &held);
  EXPECT_FALSE(sigismember(&held, SIGTERM));
}

TEST(Interruption, IgnoredSignalsStayIgnored) {
  StopRequest stop;
  const auto before = std::signal(SIGHUP, SIG_IGN);
  {
    const Interruption interruption(stop);
    ASSERT_EQ(kill(getpid(), SIGHUP), 0);
    ASSERT_EQ(kill(getpid(), SIGHUP), 0);
    stop.Sleep(60'000);
    EXPECT_FALSE(interruption.came());
  }
  std::signal(SIGHUP, before);
}

TEST(InterruptionDeathTest, TheSecondEndsTheProcess) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(
      {
        StopRequest stop;
        const Interruption interruption(stop);
        kill(getpid(), SIGINT);
        stop.Sleep(60'000'000);
        for (int i = 0; i < 1000; ++i) {
          kill(getpid(), SIGINT);
          usleep(10'000);
        }
      },
      testing::KilledBySignal(SIGINT), "");
}

}  // namespace
}  // namespace keyfold::copy
