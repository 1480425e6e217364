#include "http/in_flight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <utility>

namespace keyfold::http {
namespace {

constexpr size_t kMb = 1 << 20, kLimit = 64 * kMb;

struct Holder final : Waiter {
  explicit Holder(InFlight& in_flight, size_t loop = 0) : Waiter(loop), in_flight(in_flight) {}
  ~Holder() { Hold(0); }
  void GiveWaySoon() override { reported = true; }
  void Hold(size_t bytes) { in_flight.Change(std::exchange(held, bytes), bytes); }
  // Holds this many bytes, all of them moved by now, and waits.
  void Wait(size_t bytes, int64_t now_ms) {
    Hold(bytes);
    in_flight.List(*this, bytes, bytes, now_ms);
  }
  void GoOn() { in_flight.Unlist(*this); }

  InFlight& in_flight;
  size_t held = 0;
  bool reported = false;
};

bool Has(const InFlight::Room& room, const Holder& holder) {
  return std::find(room.here.begin(), room.here.end(), &holder) != room.here.end();
}

TEST(InFlight, KeepsAnEighthForSmallHolders) {
  struct Row {
    size_t large_mb;
    size_t small_bytes;
    bool large_over;
    bool small_over;
  };
  const Row rows[] = {
      {0, 0, false, false},          {56, 0, false, false},      {57, 0, true, false},
      {500, 8 * kMb, true, false},    // small ones have their share, whatever large ones hold
      {56, 8 * kMb, false, false},    // just full
      {56, 8 * kMb + 1, true, true},  // over, because of small ones
      {0, 64 * kMb, false, false},    // small ones may use all of it
      {0, 64 * kMb + 1, true, true}, {57, 7 * kMb, true, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.large_mb << " MB " << row.small_bytes);
    InFlight in_flight(kLimit);
    in_flight.Change(0, row.large_mb * kMb);
    for (size_t left = row.small_bytes; left > 0;) {
      const size_t piece = std::min(left, InFlight::kSmallBytesMax);
      in_flight.Change(0, piece);
      left -= piece;
    }
    EXPECT_EQ(in_flight.IsOver(InFlight::kSmallBytesMax + 1), row.large_over);
    EXPECT_EQ(in_flight.IsOver(InFlight::kSmallBytesMax), row.small_over);
  }
}

TEST(InFlight, HoldersThatGrowAndShrinkChangeSides) {
  InFlight in_flight(kLimit);
  in_flight.Change(0, 60 * kMb);
  EXPECT_TRUE(in_flight.IsOver(kMb));
  in_flight.Change(60 * kMb, 10);
  EXPECT_FALSE(in_flight.IsOver(kMb));
  in_flight.Change(10, 0);
  EXPECT_EQ(in_flight.bytes(), 0);
}

TEST(InFlight, TheLargestAndSlowestGivesWay) {
  InFlight in_flight(kLimit);
  Holder older(in_flight), larger(in_flight), late(in_flight), elsewhere(in_flight, 1), small(in_flight),
      asker(in_flight);
  small.Wait(60'000, 0);
  older.Wait(10 * kMb, 0);
  larger.Wait(16 * kMb, 100);
  elsewhere.Wait(15 * kMb, 100);
  late.Wait(12 * kMb, 90'000);
  constexpr int64_t kNow = 100'000;
  asker.Wait(4 * kMb, kNow);  // 57 MB of 56
  ASSERT_TRUE(in_flight.IsOver(4 * kMb));
  const InFlight::Room room = in_flight.MakeRoom(asker, 4 * kMb, false, kNow);
  EXPECT_FALSE(room.asker_gives_way);
  EXPECT_EQ(room.here.size(), 1u);
  EXPECT_TRUE(Has(room, larger));
  EXPECT_FALSE(elsewhere.reported);
  // It is already leaving, so nobody else has to go.
  EXPECT_TRUE(in_flight.MakeRoom(asker, 4 * kMb, false, kNow).here.empty());
  EXPECT_TRUE(in_flight.IsLeaving(larger));
  larger.GoOn();
  larger.Hold(0);
  EXPECT_FALSE(in_flight.IsOver(4 * kMb));
  // The next one belongs to another loop, which is notified.
  asker.Wait(20 * kMb, kNow);
  EXPECT_TRUE(in_flight.MakeRoom(asker, 20 * kMb, false, kNow).here.empty());
  EXPECT_TRUE(elsewhere.reported);
  for (Holder* holder : {&older, &late, &elsewhere, &small, &asker}) holder->GoOn();
}

TEST(InFlight, WaitersThatKeepPaceStayAndTheAskerGivesWay) {
  InFlight in_flight(kLimit);
  Holder prompt(in_flight), asker(in_flight);
  prompt.Wait(16 * kMb, 0);
  prompt.Hold(50 * kMb);
  in_flight.List(prompt, 50 * kMb, 50 * kMb, 400);
  asker.Wait(10 * kMb, 400);
  EXPECT_TRUE(in_flight.MakeRoom(asker, 10 * kMb, false, 450).asker_gives_way);
  // A response is in memory already, so someone has to go.
  const InFlight::Room room = in_flight.MakeRoom(asker, 10 * kMb, true, 450);
  EXPECT_TRUE(room.asker_gives_way || Has(room, prompt));
  prompt.GoOn();
  asker.GoOn();
}

TEST(InFlight, StalledAndTricklingWaitersAreSlow) {
  struct Row {
    size_t moved;
    int64_t moved_at_ms;
    int64_t now_ms;
    bool slow;
  };
  constexpr int64_t kPatience = InFlight::kPatienceMs;
  const Row rows[] = {
      {0, 0, kPatience - 1, false},
      {0, 0, kPatience, true},
      {kMb, 10, kPatience, false},
      {kMb, 10, 10 + kPatience, true},           // stalls
      {kMb, 1000, 1000 + kPatience - 1, false},  // keeps pace
      {kMb, 1400, 1024 + kPatience, true},       // falls behind
      {10, kPatience - 1, kPatience, true},      // trickles
      {16 * kMb, 16'000, 16'000 + kPatience - 1, false},
  };
  for (const Row& row : rows) {
    SCOPED_TRACE(testing::Message() << row.moved << " bytes, " << row.now_ms << " ms");
    InFlight in_flight(kLimit);
    Holder holder(in_flight);
    in_flight.List(holder, 100, 0, 0);
    in_flight.List(holder, 100, row.moved, row.moved_at_ms);
    EXPECT_EQ(in_flight.AskSlowest(row.now_ms).has_value(), row.slow);
    EXPECT_EQ(holder.reported, row.slow);
    EXPECT_FALSE(in_flight.AskSlowest(row.now_ms));  // none is asked twice
    holder.GoOn();
  }
}

TEST(InFlight, ManySmallHoldersCanReachTheLimit) {
  InFlight in_flight(kLimit);
  std::vector<std::unique_ptr<Holder>> holders;
  for (int i = 0; i < 1100; ++i) {
    holders.push_back(std::make_unique<Holder>(in_flight));
    holders.back()->Wait(60'000, i);
  }
  Holder asker(in_flight);
  asker.Hold(1000);
  while (!in_flight.IsOver(1000)) asker.Hold(asker.held + 1000);
  const InFlight::Room room = in_flight.MakeRoom(asker, 1000, false, 5000);
  EXPECT_FALSE(room.asker_gives_way);
  EXPECT_TRUE(Has(room, *holders.front()));
  EXPECT_FALSE(Has(room, *holders.back()));
  EXPECT_LT(room.here.size(), 60u);
  for (auto& holder : holders) holder->GoOn();
}

}  // namespace
}  // namespace keyfold::http
