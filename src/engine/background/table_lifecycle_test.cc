// The life of tables: statuses over database time, what a restart resumes, and that no row of an old table is ever
// visible.
#include "engine/background/table_lifecycle.h"

#include <gtest/gtest.h>

#include "engine/items/key.h"
#include "store/rules.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

constexpr Micros kDelay = 5'000'000;
std::string StatusOf(DatabaseForTest& test, std::string_view table) {
  const TablePtr found = test.Find(table);
  return found ? std::string(NameOf(found->StatusAt(test.clock.Now()))) : "none";
}

class TableLifecycleTest : public OnEachStore {};
INSTANTIATE_TEST_SUITE_P(Stores, TableLifecycleTest, EachStore(), NameOfStore);

TEST_P(TableLifecycleTest, WithoutADelayEverythingIsAtOnce) {
  DatabaseForTest test(GetParam());
  const TablePtr created = test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  EXPECT_EQ(StatusOf(test, "t"), "ACTIVE");
  EXPECT_EQ(created->created, test.clock.Now());
  EXPECT_EQ(created->uuid.size(), 36u);
  EXPECT_TRUE(*created == *test.Find("t"));
  EXPECT_EQ(test.lifecycle().WorkOnce(), std::nullopt);
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Create(TableOfText("t", "p:S"))), "Table already exists: t");
  EXPECT_TRUE(test.lifecycle().Delete("t").ok());
  EXPECT_EQ(StatusOf(test, "t"), "none");
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Delete("t")), "Requested resource not found: Table: t not found");
  const auto nothing = [](const Table&, Table&) { return Ok(); };
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Update("t", nothing)),
            "Requested resource not found: Table: t not found");
  EXPECT_EQ(test.lifecycle().WorkOnce(), kAtOnce);
  EXPECT_EQ(test.lifecycle().WorkOnce(), std::nullopt);
}

TEST_P(TableLifecycleTest, CreatingTakesItsTime) {
  DatabaseForTest test(GetParam(), kDelay);
  test.Create(TableOfText("t", "p:S"));
  constexpr const char* kBusy = "Attempt to change a resource which is still in use: Table is being created: t";
  EXPECT_EQ(StatusOf(test, "t"), "CREATING");
  EXPECT_EQ(DatabaseForTest::Message(test.Put("t", "{p='k'}")), "Requested resource not found");
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Delete("t")), kBusy);
  EXPECT_EQ(DatabaseForTest::Message(test.AddIndex("t", Global("g", "a:S"))), kBusy);
  test.clock.Advance(kDelay - 1);
  EXPECT_EQ(StatusOf(test, "t"), "CREATING");
  test.Reopen();
  EXPECT_EQ(StatusOf(test, "t"), "CREATING");
  test.clock.Advance(1);
  EXPECT_EQ(StatusOf(test, "t"), "ACTIVE");
  EXPECT_EQ(DatabaseForTest::Message(test.Put("t", "{p='k'}")), "");
}

TEST_P(TableLifecycleTest, UpdatingTakesItsTimeAndItemsStayInUse) {
  DatabaseForTest test(GetParam(), kDelay);
  test.Create(TableOfText("t", "p:S"));
  test.clock.Advance(kDelay);
  test.PutAll("t", {"{p='1', a='v'}"});
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  EXPECT_EQ(StatusOf(test, "t"), "UPDATING");
  test.PutAll("t", {"{p='2', a='v'}"});
  EXPECT_EQ(test.Get("t", "{p='1'}"), "{a='v', p='1'}");
  const auto poll = test.lifecycle().WorkOnce();
  ASSERT_TRUE(poll) << "something is due later";
  EXPECT_GT(*poll, kAtOnce);
  // No index is being filled until the delay is over, so none can be cancelled.
  EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "g")),
            "Attempt to change a resource which is still in use: Table is being updated: t");
  test.clock.Advance(kDelay);
  EXPECT_EQ(StatusOf(test, "t"), "UPDATING");
  test.RunBackgroundWork();
  EXPECT_EQ(StatusOf(test, "t"), "ACTIVE");
  test.ExpectSound("t");
  EXPECT_EQ(test.store().ReadTally(test.Find("t")->id, test.Find("t")->FindIndex("g")->id).rows, 2);
}

TEST_P(TableLifecycleTest, DeletingTakesItsTime) {
  DatabaseForTest test(GetParam(), kDelay);
  const TablePtr old = test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S")}));
  test.clock.Advance(kDelay);
  test.PutAll("t", {"{p='k', s='1', a='v'}"});
  ASSERT_TRUE(test.lifecycle().Delete("t").ok());
  EXPECT_EQ(StatusOf(test, "t"), "DELETING");
  EXPECT_EQ(test.Get("t", "{p='k', s='1'}"), "Requested resource not found");
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Create(TableOfText("t", "p:S"))), "Table already exists: t");
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Delete("t")),
            "Attempt to change a resource which is still in use: Table is being deleted: t");
  test.RunBackgroundWork();
  EXPECT_EQ(StatusOf(test, "t"), "DELETING");
  EXPECT_EQ(test.Rows(old->id, store::kBaseTable).size(), 1u);
  test.Reopen();
  test.clock.Advance(kDelay);
  test.RunBackgroundWork();
  EXPECT_EQ(StatusOf(test, "t"), "none");
  for (const store::IndexId index : {store::kBaseTable, old->indexes[0].id, kCollectionIndex}) {
    EXPECT_EQ(test.Rows(old->id, index).size(), 0u) << index;
    EXPECT_EQ(test.store().ReadTally(old->id, index).rows, 0) << index;
  }
  EXPECT_TRUE(test.catalog().Current()->purges.empty());
}

TEST_P(TableLifecycleTest, ARecreatedTableNeverShowsOldRows) {
  DatabaseForTest test(GetParam());
  const Table described = TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S"), Global("g", "a:S")});
  for (int round = 0; round < 4; ++round) {
    const TablePtr created = test.Create(described);
    EXPECT_EQ(created->id, static_cast<store::TableId>(round + 1));
    EXPECT_EQ(test.Scan("t")->items.size(), 0u);
    for (const char* index : {"l", "g"}) EXPECT_EQ(test.Scan("t", {.index = index})->items.size(), 0u);
    EXPECT_EQ(test.store().ReadTally(created->id, store::kBaseTable).rows, 0);
    EXPECT_EQ(test.Put("t", "{p='k', s='" + std::to_string(round) + "', a='v'}")->collection_bytes, 12);
    // The table is recreated before its rows are removed, after that, and with a restart in between.
    if (round == 1) test.RunBackgroundWork();
    ASSERT_TRUE(test.lifecycle().Delete("t").ok());
    if (round == 2) test.Reopen();
  }
  test.Create(described);
  test.RunBackgroundWork();
  EXPECT_EQ(test.Scan("t")->items.size(), 0u);
  for (store::TableId id = 1; id <= 4; ++id) EXPECT_EQ(test.Rows(id, store::kBaseTable).size(), 0u);
}

TEST_P(TableLifecycleTest, ARestartResumesUnfinishedWork) {
  DatabaseForTest test(GetParam());
  const TablePtr gone = test.Create(TableOfText("gone", "p:S"));
  test.Create(TableOfText("t", "p:S", {Global("dropped", "a:S")}));
  test.PutAll("gone", {"{p='k'}"});
  test.PutAll("t", {"{p='k', a='v', b=1}"});
  const TablePtr before = test.Find("t");
  ASSERT_TRUE(test.lifecycle().Delete("gone").ok());
  ASSERT_TRUE(test.DropIndex("t", "dropped").ok());
  test.Reopen();
  EXPECT_EQ(test.Rows(gone->id, store::kBaseTable).size(), 1u);
  EXPECT_EQ(StatusOf(test, "t"), "UPDATING");
  test.RunBackgroundWork();
  EXPECT_EQ(test.Rows(gone->id, store::kBaseTable).size(), 0u);
  EXPECT_EQ(test.Rows(before->id, before->indexes[0].id).size(), 0u);
  EXPECT_EQ(StatusOf(test, "t"), "ACTIVE");
  test.ExpectSound("t");
}

TEST(TableLifecycle, DeletionProtection) {
  DatabaseForTest test;
  Table table = TableOfText("t", "p:S");
  table.deletion_protection = true;
  test.Create(std::move(table));
  EXPECT_EQ(
      DatabaseForTest::Message(test.lifecycle().Delete("t")),
      "Resource cannot be deleted as it is currently protected against deletion. Disable deletion protection first.");
  EXPECT_TRUE(test.lifecycle()
                  .Update("t",
                          [](const Table&, Table& next) {
                            next.deletion_protection = false;
                            return Ok();
                          })
                  .ok());
  EXPECT_TRUE(test.lifecycle().Delete("t").ok());
}

TEST(TableLifecycle, ARefusedUpdateChangesNothing) {
  static constexpr Rule<"no"> kNo{"no", Kind::kValidation};
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  const SnapshotPtr before = test.catalog().Current();
  const auto refuse = [](const Table&, Table& next) -> Status {
    next.deletion_protection = true;
    return kNo();
  };
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Update("t", refuse)), "no");
  EXPECT_EQ(test.catalog().Current(), before);
}

TEST(TableLifecycle, AnnotatingTakesNoTime) {
  DatabaseForTest test(StoreKind::kMemory, kDelay);
  test.Create(TableOfText("t", "p:S"));
  const auto tag = [](Table& table) {
    table.tags.emplace_back("k", "v");
    return Ok();
  };
  EXPECT_TRUE(test.lifecycle().Annotate("t", tag).ok());  // while it is being created
  test.clock.Advance(kDelay);
  EXPECT_TRUE(test.lifecycle().Annotate("t", tag).ok());
  EXPECT_EQ(StatusOf(test, "t"), "ACTIVE");
  EXPECT_EQ(test.Find("t")->tags.size(), 2u);
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Annotate("none", tag)),
            "Requested resource not found: Table: none not found");
}

TEST(TableLifecycle, ResetRemovesEveryTable) {
  DatabaseForTest test(StoreKind::kMemory, kDelay);
  Table table = TableOfText("protected", "p:S");
  table.deletion_protection = true;
  test.Create(std::move(table));
  test.Create(TableOfText("new", "p:S"));
  EXPECT_TRUE(test.lifecycle().Reset().ok());
  EXPECT_TRUE(test.catalog().Current()->tables.empty());
  test.Create(TableOfText("new", "p:S"));
  EXPECT_EQ(test.Find("new")->id, 3u);
}

TEST(TableLifecycle, IndexIdsAreNotGivenTwice) {
  DatabaseForTest test;
  Table table = TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S"), Global("g", "a:S")});
  test.Create(std::move(table));
  EXPECT_EQ(test.Find("t")->FindIndex("l")->id, 1);
  EXPECT_EQ(test.Find("t")->FindIndex("g")->id, 2);
  ASSERT_TRUE(test.DropIndex("t", "g").ok());
  test.RunBackgroundWork();
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  test.RunBackgroundWork();
  EXPECT_EQ(test.Find("t")->FindIndex("g")->id, 3);
  // The last ids are reserved.
  ASSERT_TRUE(test.lifecycle()
                  .Annotate("t",
                            [](Table& t) {
                              t.next_index_id = kLogOfTable - 1;
                              return Ok();
                            })
                  .ok());
  ASSERT_TRUE(test.AddIndex("t", Global("last", "a:S")).ok());
  test.RunBackgroundWork();
  EXPECT_EQ(DatabaseForTest::Message(test.AddIndex("t", Global("none", "a:S"))),
            "Subscriber limit exceeded: Table t has used all of its index ids");
}

// Refuses to purge while `stuck`.
class StuckStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  bool stuck = true;
  Status Purge(store::TableId table, store::IndexId index) override {
    if (stuck) return store::kDiskFull();
    return ForwardingStore::Purge(table, index);
  }
};

TEST(TableLifecycle, WorkThatFailedIsTriedAgain) {
  DatabaseForTest test;
  StuckStore store(test.store());
  TableLifecycle lifecycle({store, test.catalog(), test.clock}, 0, 1);
  ASSERT_TRUE(lifecycle.Create(TableOfText("t", "p:S")).ok());
  ASSERT_TRUE(lifecycle.Delete("t").ok());
  const auto rest = lifecycle.WorkOnce();
  ASSERT_TRUE(rest);
  EXPECT_GT(*rest, kAtOnce);
  EXPECT_EQ(test.catalog().Current()->purges.size(), 1u);
  store.stuck = false;
  EXPECT_EQ(lifecycle.WorkOnce(), kAtOnce);
  EXPECT_TRUE(test.catalog().Current()->purges.empty());
}

// Calls `at_end` after the first scan that finds no more rows.
class LastScanStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::function<void()> at_end;
  Status ScanSlots(const store::SlotRange& range, store::Visit visit, store::Access access) override {
    bool any = false;
    const auto seen = [&](const store::RowView& row) {
      any = true;
      return visit(row);
    };
    Status status = ForwardingStore::ScanSlots(range, seen, access);
    if (!any && at_end) std::exchange(at_end, nullptr)();
    return status;
  }
};

TEST(TableLifecycle, AnIndexCancelledAtItsLastItemIsStillRemoved) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='k', a='v'}"});
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  const TablePtr table = test.Find("t");
  LastScanStore store(test.store());
  store.at_end = [&] { EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "g")), ""); };
  TableLifecycle lifecycle({store, test.catalog(), test.clock}, 0, 1);
  EXPECT_EQ(lifecycle.WorkOnce(), kAtOnce);
  EXPECT_EQ(test.Rows(table->id, table->indexes[0].id).size(), 1u);
  test.RunBackgroundWork();
  EXPECT_EQ(test.Find("t")->indexes.size(), 0u);
  EXPECT_EQ(test.Rows(table->id, table->indexes[0].id).size(), 0u);
}

// The thread finds on its own what is due: a restart with other settings does not change what the catalog says.
TEST(TableLifecycle, ItsThreadFinishesWhatIsDue) {
  DatabaseForTest test(StoreKind::kMemory, kDelay);
  test.Create(TableOfText("t", "p:S"));
  test.Create(TableOfText("u", "p:S"));
  test.clock.Advance(kDelay);
  ASSERT_TRUE(test.lifecycle().Delete("t").ok());
  ASSERT_TRUE(test.AddIndex("u", Global("g", "a:S")).ok());
  test.set_delay(0);
  test.Reopen();
  test.lifecycle().Start();
  EXPECT_EQ(StatusOf(test, "t"), "DELETING");
  test.clock.Advance(kDelay);
  while (StatusOf(test, "t") != "none" || StatusOf(test, "u") != "ACTIVE" ||
         !test.catalog().Current()->purges.empty()) {
    std::this_thread::yield();
  }
  test.PutAll("u", {"{p='k', a='v'}"});
  ASSERT_TRUE(test.DropIndex("u", "g").ok());  // wakes the thread; it does not poll
  while (StatusOf(test, "u") != "ACTIVE") std::this_thread::yield();
  test.lifecycle().Stop();
  test.ExpectSound("u");
}

TEST(TableLifecycle, StopsInTheMiddleOfFilling) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  for (int i = 0; i < 300; ++i) test.PutAll("t", {"{p='" + std::to_string(i) + "', a='v'}"});
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  test.lifecycle().Stop();
  EXPECT_EQ(test.lifecycle().WorkOnce(), kAtOnce);  // it began, and stopped
  EXPECT_TRUE(test.Find("t")->FindIndex("g")->backfilling);
  test.Reopen();
  test.RunBackgroundWork();
  test.ExpectSound("t");
}

}  // namespace
}  // namespace keyfold::engine
