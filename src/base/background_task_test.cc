#include "base/background_task.h"

#include <gtest/gtest.h>

#include <atomic>

namespace keyfold {
namespace {

using std::chrono::milliseconds;

TEST(BackgroundTask, FinishReturnsOnceNothingIsLeft) {
  std::atomic<int> left = 0;
  BackgroundTask task([&left]() -> std::optional<milliseconds> {
    if (left == 0) return std::nullopt;
    --left;
    return milliseconds(0);
  });
  task.Start();
  for (int round = 0; round < 50; ++round) {
    left += 3;
    task.Finish();
    EXPECT_EQ(left, 0);
  }
}

TEST(BackgroundTask, FinishDoesNotWaitForLaterWork) {
  BackgroundTask task([] { return std::optional(milliseconds(3'600'000)); });
  task.Start();
  task.Finish();
  task.Finish();
}

TEST(BackgroundTask, FinishReturnsAtOnceIfNotStarted) {
  BackgroundTask task([]() -> std::optional<milliseconds> { return std::nullopt; });
  task.Finish();
  task.Start();
  task.Stop();
  task.Finish();
}

// Work that never runs out keeps Finish waiting forever, but not past Stop.
TEST(BackgroundTask, StopReleasesFinish) {
  std::atomic<bool> waiting = false;
  BackgroundTask task([] { return std::optional(milliseconds(0)); });
  task.Start();
  std::thread caller([&] {
    waiting = true;
    task.Finish();
  });
  while (!waiting) std::this_thread::yield();
  task.Stop();
  caller.join();
}

}  // namespace
}  // namespace keyfold
