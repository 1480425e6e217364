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

TEST(BackgroundTask, FinishDoesNotWaitForWhatIsDueLater) {
  BackgroundTask task([] { return std::optional(milliseconds(3'600'000)); });
  task.Start();
  task.Finish();
  task.Finish();
}

TEST(BackgroundTask, FinishReturnsWhereNothingRuns) {
  BackgroundTask task([]() -> std::optional<milliseconds> { return std::nullopt; });
  task.Finish();
  task.Start();
  task.Stop();
  task.Finish();
}

// A piece that found something to do each time would keep the caller of Finish for ever, but not past Stop.
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
