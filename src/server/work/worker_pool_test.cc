// The worker pool: everything accepted runs once, the queue is bounded, and the destructor waits for what was accepted.
#include "server/work/worker_pool.h"

#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>

namespace keyfold::server {
namespace {

TEST(WorkerPool, RunsWhatItAccepted) {
  constexpr int kWork = 1'000;
  std::atomic<int> ran = 0;
  {
    WorkerPool pool(3, kWork);
    for (int i = 0; i < kWork; ++i) EXPECT_TRUE(pool.Submit([&ran] { ++ran; }));
  }
  EXPECT_EQ(ran.load(), kWork);
}

TEST(WorkerPool, RefusesBeyondItsQueue) {
  constexpr size_t kQueueMax = 3;
  std::promise<void> busy, release;
  const std::shared_future<void> released = release.get_future().share();
  std::atomic<int> ran = 0;
  {
    WorkerPool pool(1, kQueueMax);
    EXPECT_TRUE(pool.Submit([&] {
      busy.set_value();
      released.wait();
    }));
    busy.get_future().wait();  // it is out of the queue
    for (size_t i = 0; i < kQueueMax; ++i) EXPECT_TRUE(pool.Submit([&ran] { ++ran; }));
    EXPECT_FALSE(pool.Submit([&ran] { ran += 100; }));
    release.set_value();
  }
  EXPECT_EQ(ran.load(), static_cast<int>(kQueueMax));
}

TEST(WorkerPool, WorksOnSeveralThreadsAtOnce) {
  constexpr int kThreads = 4;
  std::promise<void> all_there;
  std::atomic<int> there = 0;
  const std::shared_future<void> together = all_there.get_future().share();
  std::mutex mutex;
  std::set<std::thread::id> ids;
  {
    WorkerPool pool(kThreads, kThreads);
    for (int i = 0; i < kThreads; ++i) {
      EXPECT_TRUE(pool.Submit([&] {
        if (++there == kThreads) all_there.set_value();
        together.wait();  // only returns if all run at the same time
        const std::lock_guard lock(mutex);
        ids.insert(std::this_thread::get_id());
      }));
    }
  }
  EXPECT_EQ(ids.size(), static_cast<size_t>(kThreads));
}

TEST(WorkerPool, WithoutThreadsRunsAtOnceOnTheCallersThread) {
  std::thread::id ran_on;
  WorkerPool pool(0, 0);
  EXPECT_TRUE(pool.Submit([&ran_on] { ran_on = std::this_thread::get_id(); }));
  EXPECT_EQ(ran_on, std::this_thread::get_id());
}

TEST(WorkerPool, WorkMaySubmitWork) {
  std::promise<void> done;
  WorkerPool pool(1, 8);
  EXPECT_TRUE(pool.Submit([&] { EXPECT_TRUE(pool.Submit([&done] { done.set_value(); })); }));
  done.get_future().wait();
}

}  // namespace
}  // namespace keyfold::server
