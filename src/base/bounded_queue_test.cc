#include "base/bounded_queue.h"

#include <gtest/gtest.h>

#include <memory>
#include <thread>

namespace keyfold {
namespace {

TEST(Handover, AllComeThroughInOrder) {
  Handover<std::unique_ptr<int>> handover(2);
  std::thread giver([&] {
    for (int i = 0; i < 10'000; ++i) EXPECT_TRUE(handover.Put(std::make_unique<int>(i)));
    handover.Close();
  });
  int expected = 0;
  while (const auto taken = handover.Take()) EXPECT_EQ(**taken, expected++);
  EXPECT_EQ(expected, 10'000);
  giver.join();
}

TEST(Handover, WhatWaitsWhenItIsClosedCanStillBeTaken) {
  Handover<int> handover(2);
  EXPECT_TRUE(handover.Put(1));
  EXPECT_TRUE(handover.Put(2));
  handover.Close();
  EXPECT_FALSE(handover.Put(3));
  EXPECT_EQ(handover.Take(), 1);
  EXPECT_EQ(handover.Take(), 2);
  EXPECT_EQ(handover.Take(), std::nullopt);
}

TEST(Handover, ClosingFreesAGiverThatWaitsForRoom) {
  Handover<int> handover(1);
  EXPECT_TRUE(handover.Put(1));
  std::thread giver([&] { EXPECT_FALSE(handover.Put(2)); });
  handover.Close();
  giver.join();
}

}  // namespace
}  // namespace keyfold
