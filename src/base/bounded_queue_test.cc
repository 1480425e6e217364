#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace keyfold {
namespace {

TEST(BoundedQueue, KeepsOrder) {
  BoundedQueue<std::unique_ptr<int>> queue(2);
  std::thread giver([&] {
    for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(queue.Put(std::make_unique<int>(i)));
    queue.Close();
  });
  int expected = 0;
  while (const auto taken = queue.Take()) EXPECT_EQ(**taken, expected++);
  EXPECT_EQ(expected, 10'000);
  giver.join();
}

TEST(BoundedQueue, ElementsCanBeTakenAfterClose) {
  BoundedQueue<int> queue(2);
  EXPECT_TRUE(queue.Put(1));
  EXPECT_TRUE(queue.Put(2));
  queue.Close();
  EXPECT_FALSE(queue.Put(3));
  EXPECT_EQ(queue.Take(), 1);
  EXPECT_EQ(queue.Take(), 2);
  EXPECT_EQ(queue.Take(), std::nullopt);
}

TEST(BoundedQueue, CloseUnblocksPut) {
  BoundedQueue<int> queue(1);
  EXPECT_TRUE(queue.Put(1));
  std::thread giver([&] { EXPECT_FALSE(queue.Put(2)); });
  queue.Close();
  giver.join();
}

}  // namespace
}  // namespace keyfold
