// Time to live, from enabling it to removing items: expiry rows that follow their items, tables that existed before the
// setting, restarts in the middle, and what the sweep removes.
#include "engine/background/expiry_sweep.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/items/change_record.h"
#include "engine/items/expiry.h"
#include "engine/items/key.h"
#include "store/rules.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

constexpr std::chrono::milliseconds kInterval{1000};
// The time of DatabaseForTest's clock, in seconds.
constexpr int64_t kNow = 1'700'000'000;

std::string Expiring(const std::string& name, int64_t second, const std::string& more = "") {
  return "{p='" + name + "', due=" + std::to_string(second) + more + "}";
}

class ExpirySweepTest : public OnEachStore {
 protected:
  ExpirySweepTest() : test(GetParam()) {}

  void Enable(std::string_view table = "t") {
    const auto on = [](const ExpirySettings&, ExpirySettings& next) -> Status {
      next.enabled = true;
      next.attribute = "due";
      return Ok();
    };
    ASSERT_TRUE(test.lifecycle().UpdateExpiry(table, on).ok());
  }
  void Disable() {
    const auto off = [](const ExpirySettings&, ExpirySettings&) -> Status { return Ok(); };
    ASSERT_TRUE(test.lifecycle().UpdateExpiry("t", off).ok());
  }
  void Sweep() {
    ExpirySweep sweep(test.db(), kInterval);
    EXPECT_EQ(sweep.WorkOnce(), kInterval);
  }
  std::set<std::string> Items(std::string_view table = "t") {
    const Result<QueryAnswer> page = test.Scan(table);
    EXPECT_TRUE(page.ok());
    return {page->items.begin(), page->items.end()};
  }
  std::set<std::string> Names(std::string_view table = "t") {
    std::set<std::string> names;
    const Result<QueryAnswer> page = test.Scan(table, {.projection = "p"});
    EXPECT_TRUE(page.ok());
    for (const std::string& item : page->items) names.insert(item.substr(4, item.size() - 6));
    return names;
  }
  // Expects exactly the expiry rows that follow from the items.
  void ExpectRowsFollowItems() {
    const TablePtr table = test.Find("t");
    std::map<std::string, std::string> expected;
    for (const auto& [key, value] : test.Rows(table->id, store::kBaseTable)) {
      const store::RowKey base = RowKeyOf(*table, ItemView(value));
      const std::optional<uint64_t> expiry = ExpiryOf(*table, ItemView(value));
      if (expiry) expected.emplace(ExpiryRowKey(*table, *expiry, base).bytes(), ExpiryRowValue(base));
    }
    EXPECT_TRUE(test.Rows(table->id, table->expiry.index) == expected);
  }

  DatabaseForTest test;
};
INSTANTIATE_TEST_SUITE_P(Stores, ExpirySweepTest, EachStore(), NameOfStore);

TEST_P(ExpirySweepTest, RemovesWhatIsDueAndNothingElse) {
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {Expiring("before", kNow - 60)});
  Enable();
  EXPECT_TRUE(test.Find("t")->expiry.filled) << "a small table is ready at once";
  test.PutAll("t", {Expiring("past", kNow - 1), Expiring("now", kNow), Expiring("soon", kNow + 10),
                    Expiring("late", kNow + 100), Expiring("old", kNow - kExpiryAgeMaxSeconds - 1),
                    Expiring("five years", kNow - kExpiryAgeMaxSeconds), "{p='never'}", "{p='text', due='1'}",
                    "{p='fraction', due=1699999998.5}"});
  EXPECT_EQ(Items().size(), 10u) << "expired items are there until they are swept";
  Sweep();
  EXPECT_EQ(Names(), (std::set<std::string>{"now", "soon", "late", "old", "never", "text"}));
  test.clock.Advance(11 * kSecond);
  Sweep();
  EXPECT_EQ(Names(), (std::set<std::string>{"late", "old", "never", "text"}));
  ExpectRowsFollowItems();
  test.ExpectSound("t");
}

TEST_P(ExpirySweepTest, IndexRowsAndCollectionSizesGoWithTheItem) {
  test.Create(TableOfText("t", "p:S/s:N", {Local("l", "p:S/a:S"), Global("g", "a:S", ProjectionKind::kKeysOnly)}));
  Enable();
  for (int i = 0; i < 30; ++i) {
    const std::string ttl = std::to_string(kNow + (i % 3 == 0 ? 100 : -100));
    test.PutAll("t", {"{p='p', s=" + std::to_string(i) + ", a='a', due=" + ttl + "}"});
  }
  Sweep();
  EXPECT_EQ(Items().size(), 10u);
  const Result<QueryAnswer> page = test.Query("t", {.index = "g", .key = "a = :a", .values = "{:a='a'}"});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items.size(), 10u);
  test.ExpectSound("t");
  ExpectRowsFollowItems();
}

TEST_P(ExpirySweepTest, RowsFollowEveryKindOfWrite) {
  test.Create(TableOfText("t", "p:S"));
  Enable();
  test.PutAll("t", {Expiring("moved", kNow - 1), Expiring("removed", kNow - 1), Expiring("text", kNow - 1),
                    Expiring("replaced", kNow - 1), Expiring("deleted", kNow - 1), "{p='given'}",
                    Expiring("touched", kNow + 5)});
  EXPECT_TRUE(
      test.Change("t", "{p='moved'}", {.update = "SET due = :t", .values = "{:t=" + std::to_string(kNow + 1) + "}"})
          .ok());
  EXPECT_TRUE(test.Change("t", "{p='removed'}", {.update = "REMOVE due"}).ok());
  EXPECT_TRUE(test.Change("t", "{p='text'}", {.update = "SET due = :t", .values = "{:t='x'}"}).ok());
  EXPECT_TRUE(test.Put("t", "{p='replaced'}").ok());
  EXPECT_TRUE(test.Delete("t", "{p='deleted'}").ok());
  EXPECT_TRUE(
      test.Change("t", "{p='given'}", {.update = "SET due = :t", .values = "{:t=" + std::to_string(kNow - 1) + "}"})
          .ok());
  EXPECT_TRUE(test.Change("t", "{p='touched'}", {.update = "SET x = :x", .values = "{:x=1}"}).ok());
  ExpectRowsFollowItems();
  Sweep();
  EXPECT_EQ(Names(), (std::set<std::string>{"moved", "removed", "text", "replaced", "touched"}));
  test.clock.Advance(2 * kSecond);
  Sweep();
  EXPECT_EQ(Names(), (std::set<std::string>{"removed", "text", "replaced", "touched"}));
  ExpectRowsFollowItems();
}

// The write path checks again whether an item from the sweep is due.
TEST_P(ExpirySweepTest, AnItemThatIsNotDueAnyMoreStays) {
  test.Create(TableOfText("t", "p:S"));
  Enable();
  test.PutAll("t", {Expiring("later", kNow + 5), "{p='never'}", Expiring("due", kNow - 5)});
  const auto expire = [&](std::string_view key) {
    const Result<WriteOutcome> outcome = test.Write(ItemWrite::Action::kExpire, "t", key);
    EXPECT_TRUE(outcome.ok());
    EXPECT_EQ(outcome->units.table, 0);
  };
  expire("{p='later'}");
  expire("{p='never'}");
  expire("{p='absent'}");
  expire("{p='due'}");
  EXPECT_EQ(Names(), (std::set<std::string>{"later", "never"}));
  Disable();
  test.clock.Advance(10 * kSecond);
  expire("{p='later'}");
  EXPECT_EQ(Names(), (std::set<std::string>{"later", "never"})) << "time to live is off";
}

TEST_P(ExpirySweepTest, TheLogSaysWhoRemovedAnItem) {
  Table table = TableOfText("t", "p:S");
  table.stream = {true, StreamViewType::kNewAndOldImages, "label"};
  test.Create(std::move(table));
  Enable();
  test.PutAll("t", {Expiring("swept", kNow - 5), Expiring("deleted", kNow - 5)});
  EXPECT_TRUE(test.Delete("t", "{p='deleted'}").ok());
  Sweep();
  if (GetParam() == StoreKind::kRocksdb) test.Reopen();  // readers see only the durable part of the log
  std::vector<std::string> removed;
  const auto visit = [&](const store::LogView& record) {
    const std::optional<ItemChange> change = DecodeChange(record.body);
    EXPECT_TRUE(change.has_value());
    if (change && !change->after) removed.push_back(Print(*change->before) + (change->expired ? " expired" : ""));
    return true;
  };
  ASSERT_TRUE(test.store().ReadLog({.table = test.Find("t")->id}, visit).ok());
  EXPECT_EQ(removed,
            (std::vector<std::string>{"{due=1699999995, p='deleted'}", "{due=1699999995, p='swept'} expired"}));
}

TEST_P(ExpirySweepTest, MoreThanAChunkIsDue) {
  test.Create(TableOfText("t", "p:S/s:N"));
  Enable();
  for (int i = 0; i < 350; ++i) {
    test.PutAll("t",
                {"{p='one partition', s=" + std::to_string(i) + ", due=" + std::to_string(kNow - 1 - i % 7) + "}"});
  }
  Sweep();
  EXPECT_EQ(Items(), (std::set<std::string>{}));
  ExpectRowsFollowItems();
  test.ExpectSound("t");
}

TEST_P(ExpirySweepTest, ALargeTableIsFilledInTheBackgroundWhileWritesGoOn) {
  test.Create(TableOfText("t", "p:S"));
  for (int i = 0; i < 700; ++i) test.PutAll("t", {Expiring("item" + std::to_string(i), kNow - 1)});
  Enable();
  ASSERT_FALSE(test.Find("t")->expiry.filled);
  Sweep();
  EXPECT_EQ(Items().size(), 700u) << "no item is removed before the index is complete";
  for (int i = 0; i < 700; i += 7) {
    const std::string name = "item" + std::to_string(i);
    EXPECT_TRUE(test.Change("t", "{p='" + name + "'}", {.update = "SET x = :x", .values = "{:x=1}"}).ok());
    EXPECT_TRUE(test.Delete("t", "{p='item" + std::to_string(i + 1) + "'}").ok());
    EXPECT_TRUE(test.Put("t", Expiring("item" + std::to_string(i + 2), kNow + 50)).ok());
    EXPECT_TRUE(test.Put("t", "{p='item" + std::to_string(i + 3) + "'}").ok());
  }
  test.RunBackgroundWork();
  EXPECT_TRUE(test.Find("t")->expiry.filled);
  ExpectRowsFollowItems();
  Sweep();
  EXPECT_EQ(Items().size(), 200u);
  ExpectRowsFollowItems();
  test.ExpectSound("t");
}

TEST_P(ExpirySweepTest, FillingResumesAfterARestart) {
  test.Create(TableOfText("t", "p:S"));
  for (int i = 0; i < 700; ++i) test.PutAll("t", {Expiring(std::to_string(i), kNow + i)});
  Enable();
  test.Reopen();
  ASSERT_FALSE(test.Find("t")->expiry.filled);
  EXPECT_EQ(test.Find("t")->expiry.attribute, "due");
  test.RunBackgroundWork();
  EXPECT_TRUE(test.Find("t")->expiry.filled);
  ExpectRowsFollowItems();
}

TEST_P(ExpirySweepTest, TurningItOffRemovesTheRowsAndOnAgainStartsOver) {
  test.Create(TableOfText("t", "p:S"));
  Enable();
  test.PutAll("t", {Expiring("a", kNow - 1), Expiring("b", kNow + 5)});
  const TablePtr before = test.Find("t");
  EXPECT_EQ(test.Rows(before->id, before->expiry.index).size(), 2u);
  Disable();
  EXPECT_EQ(test.Find("t")->expiry, ExpirySettings());
  Sweep();
  EXPECT_EQ(Names(), (std::set<std::string>{"a", "b"}));
  test.Reopen();
  test.RunBackgroundWork();
  EXPECT_EQ(test.Rows(before->id, before->expiry.index).size(), 0u);
  test.PutAll("t", {Expiring("c", kNow - 1)});
  EXPECT_EQ(test.Rows(before->id, before->expiry.index).size(), 0u) << "no rows are written there any more";
  Enable();
  EXPECT_NE(test.Find("t")->expiry.index, before->expiry.index);
  ExpectRowsFollowItems();
  Sweep();
  EXPECT_EQ(Names(), (std::set<std::string>{"b"}));
}

TEST_P(ExpirySweepTest, ADeletedTableTakesItsRowsWithIt) {
  test.Create(TableOfText("t", "p:S"));
  Enable();
  test.PutAll("t", {Expiring("a", kNow + 5)});
  const TablePtr before = test.Find("t");
  ASSERT_TRUE(test.lifecycle().Delete("t").ok());
  Sweep();
  test.RunBackgroundWork();
  EXPECT_EQ(test.Rows(before->id, before->expiry.index).size(), 0u);
}

TEST_P(ExpirySweepTest, TablesAreSweptEachByItsOwnSetting) {
  for (const char* name : {"t", "u", "v"}) test.Create(TableOfText(name, "p:S"));
  Enable("t");
  Enable("v");
  for (const char* name : {"t", "u", "v"}) test.PutAll(name, {Expiring("due", kNow - 1), Expiring("later", kNow + 1)});
  Sweep();
  EXPECT_EQ(Names("t"), (std::set<std::string>{"later"}));
  EXPECT_EQ(Names("u"), (std::set<std::string>{"due", "later"}));
  EXPECT_EQ(Names("v"), (std::set<std::string>{"later"}));
}

// Rejects the next `failures` writes.
class StalledStore : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  Status Mutate(store::CatalogVersion catalog, std::span<const store::RowKey> keys, store::Decide decide,
                store::Access access) override {
    if (failures > 0 && failures-- > 0) return full ? store::kNoRoom() : store::kWriteStall();
    return ForwardingStore::Mutate(catalog, keys, decide, access);
  }
  int failures = 0;
  bool full = false;
};

TEST_P(ExpirySweepTest, PausesWhereTheStoreAsksForItAndGoesOn) {
  test.Create(TableOfText("t", "p:S"));
  Enable();
  test.PutAll("t", {Expiring("a", kNow - 1), Expiring("b", kNow - 1)});
  StalledStore store(test.store());
  store.failures = 1;
  const Database db{store, test.catalog(), test.clock};
  ExpirySweep sweep(db, kInterval);
  const auto pause = sweep.WorkOnce();
  ASSERT_TRUE(pause.has_value());
  EXPECT_GT(*pause, std::chrono::milliseconds(0));
  EXPECT_LT(*pause, kInterval);
  EXPECT_EQ(Items().size(), 2u);
  store.failures = 1;
  store.full = true;
  EXPECT_EQ(sweep.WorkOnce(), kInterval);
  EXPECT_EQ(Items().size(), 2u);
  EXPECT_EQ(sweep.WorkOnce(), kInterval);
  EXPECT_EQ(Items().size(), 0u);
}

TEST_P(ExpirySweepTest, ItsThreadHasSweptWhenFinishReturns) {
  test.Create(TableOfText("t", "p:S"));
  Enable();
  ExpirySweep sweep(test.db(), std::chrono::hours(1));
  sweep.Start();
  for (int round = 1; round <= 20; ++round) {
    test.PutAll("t", {Expiring("a", kNow + round)});
    test.clock.Set((kNow + round) * kSecond + 1);
    sweep.Finish();
    EXPECT_EQ(Items().size(), 0u);
  }
}

}  // namespace
}  // namespace keyfold::engine
