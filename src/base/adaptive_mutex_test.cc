#include "base/adaptive_mutex.h"

#include <gtest/gtest.h>

#include <chrono>
#include <thread>
#include <vector>

#include "base/mutex.h"

namespace keyfold {
namespace {

// Some threads hold it long enough that the others go to sleep.
TEST(AdaptiveMutex, ExcludesOthersAndWakesEveryWaiter) {
  constexpr int kThreads = 4, kRounds = 20'000, kLongEvery = 1'000;
  AdaptiveMutex mutex;
  int inside = 0, rounds = 0;
  bool alone = true;
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&] {
      for (int i = 0; i < kRounds; ++i) {
        const MutexLock lock(mutex);
        alone = alone && ++inside == 1;
        ++rounds;
        if (i % kLongEvery == 0) std::this_thread::sleep_for(std::chrono::microseconds(200));
        --inside;
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_TRUE(alone);
  EXPECT_EQ(rounds, kThreads * kRounds);
}

}  // namespace
}  // namespace keyfold
