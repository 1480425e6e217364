#include "base/background_task.h"

#include <gtest/gtest.h>

#include <atomic>

namespace keyfold {
namespace {

using std::chrono::milliseconds;

TEST(Chore, FinishReturnsOnceNothingIsLeft) {
  std::atomic<int> left = 0;
  Chore chore([&left]() -> std::optional<milliseconds> {
    if (left == 0) return std::nullopt;
    --left;
    return milliseconds(0);
  });
  chore.Start();
  for (int round = 0; round < 50; ++round) {
    left += 3;
    chore.Finish();
    EXPECT_EQ(left, 0);
  }
}

TEST(Chore, FinishDoesNotWaitForWhatIsDueLater) {
  Chore chore([] { return std::optional(milliseconds(3'600'000)); });
  chore.Start();
  chore.Finish();
  chore.Finish();
}

TEST(Chore, FinishReturnsWhereNothingRuns) {
  Chore chore([]() -> std::optional<milliseconds> { return std::nullopt; });
  chore.Finish();
  chore.Start();
  chore.Stop();
  chore.Finish();
}

// A piece that found something to do each time would keep the caller of Finish for ever, but not past Stop.
TEST(Chore, StopReleasesFinish) {
  std::atomic<bool> waiting = false;
  Chore chore([] { return std::optional(milliseconds(0)); });
  chore.Start();
  std::thread caller([&] {
    waiting = true;
    chore.Finish();
  });
  while (!waiting) std::this_thread::yield();
  chore.Stop();
  caller.join();
}

}  // namespace
}  // namespace keyfold
