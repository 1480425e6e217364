// Turns: a limited number at a time, in order of arrival; a thread that gives way goes to the end of the queue.
#include "server/work/turn_queue.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace keyfold::server {
namespace {

TEST(TurnQueue, GivingWayWithNoWaitersReturnsAtOnce) {
  TurnQueue queue(1);
  const TurnQueue::Turn turn(queue);
  queue.GiveWay();
  queue.GiveWay();
}

// Two threads that share one turn alternate, whatever the scheduler does.
TEST(TurnQueue, ThoseWhoGiveWayAlternate) {
  constexpr int kRounds = 100;
  TurnQueue queue(1);
  std::string order;  // names in the order of turns
  const auto work = [&](char name) {
    const TurnQueue::Turn turn(queue);
    for (int i = 0; i < kRounds; ++i) {
      order.push_back(name);
      queue.GiveWay();
    }
  };
  std::thread a, b;
  {
    const TurnQueue::Turn turn(queue);  // held until both wait
    a = std::thread(work, 'a');
    b = std::thread(work, 'b');
    while (queue.waiting() < 2) std::this_thread::yield();
  }
  a.join();
  b.join();
  ASSERT_EQ(order.size(), 2U * kRounds);
  for (size_t i = 1; i < order.size(); ++i) EXPECT_NE(order[i], order[i - 1]) << i;
}

TEST(TurnQueue, LimitsConcurrentTurns) {
  constexpr int kAtOnce = 3, kThreads = 12;
  TurnQueue queue(kAtOnce);
  std::atomic<int> inside = 0, most = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&] {
      const TurnQueue::Turn turn(queue);
      for (int round = 0; round < 50; ++round) {
        const int now = ++inside;
        for (int seen = most; now > seen && !most.compare_exchange_weak(seen, now);) {
        }
        std::this_thread::yield();
        --inside;
        queue.GiveWay();
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_LE(most, kAtOnce);
  EXPECT_GE(most, 1);
}

TEST(TurnQueue, DoesNotGiveWayWhenStopping) {
  TurnQueue queue(1);
  std::thread other;
  {
    const TurnQueue::Turn turn(queue);
    other = std::thread([&] { const TurnQueue::Turn mine(queue); });
    while (queue.waiting() < 1) std::this_thread::yield();
    queue.BeginStop();
    EXPECT_TRUE(queue.stopping());
    queue.GiveWay();  // returns although another thread waits
    EXPECT_EQ(queue.waiting(), 1U);
  }
  other.join();
}

}  // namespace
}  // namespace keyfold::server
