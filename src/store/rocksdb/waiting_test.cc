// What an event loop relies on: a call that may not wait returns promptly, whatever is locked and however much was
// deleted.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <future>
#include <thread>

#include "store/rocksdb/open.h"
#include "store/rules.h"
#include "testing/store/store.h"

namespace keyfold::store {
namespace {

class WaitingTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "keyfold-waiting-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    Result<std::unique_ptr<Store>> opened = OpenRocksdbStore({.path = folder_, .cache_bytes = 8 << 20}, clock_);
    ASSERT_TRUE(opened.ok());
    store_ = *std::move(opened);
  }
  void TearDown() override {
    store_.reset();
    std::filesystem::remove_all(folder_);
  }

  Status Put(const RowKey& key, Wait wait, FunctionRef<void()> meanwhile) {
    Horizon horizon;
    return store_->Mutate(0, {&key, 1},
                          [&](Micros, std::span<const Row>, Changes& changes) {
                            meanwhile();
                            changes.Put(key, "value");
                            return Ok();
                          },
                          {horizon, wait});
  }

  ManualClock clock_{1'000'000};
  std::string folder_;
  std::unique_ptr<Store> store_;
};

TEST_F(WaitingTest, ALockedRow) {
  std::promise<void> held, release;
  std::thread holder([&] {
    EXPECT_TRUE(Put(TestKey("k"), Wait::kAllowed, [&] {
                  held.set_value();
                  release.get_future().wait();
                }).ok());
  });
  held.get_future().wait();
  const Status status = Put(TestKey("k"), Wait::kNever, [] { FAIL() << "the row is locked"; });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.kind(), Kind::kWouldBlock);
  // If one of several rows is locked, none of them stays locked.
  const RowKey both[] = {TestKey("j"), TestKey("k")};
  Horizon horizon;
  const auto decide = [](Micros, std::span<const Row>, Changes&) { return Ok(); };
  EXPECT_EQ(store_->Mutate(0, both, decide, {horizon, Wait::kNever}).kind(), Kind::kWouldBlock);
  EXPECT_TRUE(Put(TestKey("j"), Wait::kNever, [] {}).ok());
  release.set_value();
  holder.join();
  EXPECT_TRUE(Put(TestKey("k"), Wait::kNever, [] {}).ok());
}

TEST_F(WaitingTest, ManyDeletedRows) {
  constexpr int kRows = 5'000;
  Horizon horizon;
  for (const bool put : {true, false}) {
    for (int i = 0; i < kRows; ++i) {
      const RowKey key = TestKey("p", std::to_string(i));
      ASSERT_TRUE(store_
                      ->Mutate(0, {&key, 1},
                               [&](Micros, std::span<const Row>, Changes& changes) {
                                 put ? changes.Put(key, "value") : changes.Delete(key);
                                 return Ok();
                               },
                               {horizon, Wait::kNever})
                      .ok());
    }
  }
  const PartitionRange range{.table = kTestTable, .index = kBaseTable, .partition = std::string("p\0\0", 3)};
  const auto visit = [](const RowView&) { return true; };
  const Status status = store_->Range(range, visit, {horizon, Wait::kNever});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.kind(), Kind::kWouldBlock);
  EXPECT_TRUE(store_->Range(range, visit, {horizon, Wait::kAllowed}).ok());
}

TEST_F(WaitingTest, MoreRowsThanItsPaceAllows) {
  const RowKey keys[] = {TestKey("a"), TestKey("b"), TestKey("c")};
  for (const RowKey& key : keys) ASSERT_TRUE(Put(key, Wait::kAllowed, [] {}).ok());
  Horizon horizon;
  std::vector<Row> rows;
  Pace enough = Pace::OfSteps(15), few = Pace::OfSteps(14);
  EXPECT_TRUE(store_->Get(keys, rows, {horizon, Wait::kNever, &enough}).ok());
  EXPECT_EQ(store_->Get(keys, rows, {horizon, Wait::kNever, &few}).kind(), Kind::kWouldBlock);
  EXPECT_TRUE(few.refused());
}

}  // namespace
}  // namespace keyfold::store
