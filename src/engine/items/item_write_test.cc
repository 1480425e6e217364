// The write path: conditions, images, what is written and counted, collections, size rules, and planning again after
// catalog changes.
#include "engine/items/item_write.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/items/key.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/test_database.h"
#include "testing/expr/value_notation.h"
#include "value/error_detail.h"
#include "value/limits.h"

namespace keyfold::engine {
namespace {

std::string QuotedText(size_t bytes) { return "'" + std::string(bytes, 'x') + "'"; }

struct Step {
  const char* what;
  Action action;
  std::string item;
  WriteText text;
  std::string message;  // empty if it succeeds, and then:
  bool existed = false, exists = false;
  std::string old_item = {}, new_item = {};  // as kept; "{}" if there is no item
};

class ItemWriteTest : public OnEachStore {};
INSTANTIATE_TEST_SUITE_P(Stores, ItemWriteTest, EachStore(), NameOfStore);

TEST_P(ItemWriteTest, OneAfterTheOther) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  constexpr const char* kFailed = "The conditional request failed";
  const Step steps[] = {
      {"put a new one", Action::kPut, "{p='k', a='v'}", {}, "", false, true, "{}", "{a='v', p='k'}"},
      {"put over it", Action::kPut, "{p='k', a='w', x=1}", {}, "", true, true, "{a='v', p='k'}", "{a='w', p='k', x=1}"},
      {"a condition that fails", Action::kPut, "{p='k'}", {.condition = "attribute_not_exists(p)"}, kFailed},
      {"a condition that holds",
       Action::kPut,
       "{p='k', x=1}",
       {.condition = "a = :v", .values = "{:v='w'}"},
       "",
       true,
       true,
       "{a='w', p='k', x=1}",
       "{p='k', x=1}"},
      {"a condition on a missing item reads the empty one",
       Action::kPut,
       "{p='none'}",
       {.condition = "attribute_exists(p)"},
       kFailed},
      {"update",
       Action::kUpdate,
       "{p='k'}",
       {.update = "SET x = x + :v", .values = "{:v=1}"},
       "",
       true,
       true,
       "{p='k', x=1}",
       "{p='k', x=2}"},
      {"update makes an item",
       Action::kUpdate,
       "{p='n'}",
       {.update = "ADD x :v", .values = "{:v=1}"},
       "",
       false,
       true,
       "{}",
       "{p='n', x=1}"},
      {"an update of nothing makes one too", Action::kUpdate, "{p='m'}", {}, "", false, true, "{}", "{p='m'}"},
      {"an update of nothing keeps one",
       Action::kUpdate,
       "{p='n'}",
       {},
       "",
       true,
       true,
       "{p='n', x=1}",
       "{p='n', x=1}"},
      {"taking away makes none", Action::kUpdate, "{p='o'}", {.update = "REMOVE x"}, "", false, false, "{}", "{}"},
      {"the key stays",
       Action::kUpdate,
       "{p='k'}",
       {.update = "SET p = :v", .values = "{:v='z'}"},
       "One or more parameter values were invalid: Cannot update attribute p. This attribute is part of the key"},
      {"an index key of the wrong type",
       Action::kUpdate,
       "{p='k'}",
       {.update = "SET a = :v", .values = "{:v=1}"},
       "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: N IndexName: g"},
      {"the same, found only in the item",
       Action::kUpdate,
       "{p='k'}",
       {.update = "SET a = x"},
       "The update expression attempted to update the secondary index key to unsupported type"},
      {"the same by put",
       Action::kPut,
       "{p='k', a=1}",
       {},
       "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: N IndexName: g"},
      {"a put without key",
       Action::kPut,
       "{a='v'}",
       {},
       "One or more parameter values were invalid: Missing the key p in the item"},
      {"a delete by the wrong key",
       Action::kDelete,
       "{q='k'}",
       {},
       "The provided key element does not match the schema"},
      {"delete with a failing condition",
       Action::kDelete,
       "{p='k'}",
       {.condition = "x = :v", .values = "{:v=1}"},
       kFailed},
      {"delete",
       Action::kDelete,
       "{p='k'}",
       {.condition = "x = :v", .values = "{:v=2}"},
       "",
       true,
       false,
       "{p='k', x=2}",
       "{}"},
      {"delete of nothing", Action::kDelete, "{p='k'}", {}, "", false, false, "{}", "{}"},
  };
  for (const Step& s : steps) {
    const Result<WriteOutcome> written = test.Write(s.action, "t", s.item, s.text);
    EXPECT_EQ(DatabaseForTest::Message(written), s.message) << s.what;
    if (!written.ok() || !s.message.empty()) continue;
    EXPECT_EQ(written->existed, s.existed) << s.what;
    EXPECT_EQ(written->exists, s.exists) << s.what;
    EXPECT_EQ(Print(written->old_item), s.old_item) << s.what;
    EXPECT_EQ(Print(written->new_item), s.new_item) << s.what;
  }
  test.ExpectSound("t");
  EXPECT_EQ(test.Get("t", "{p='n'}"), "{p='n', x=1}");
  EXPECT_EQ(test.Get("t", "{p='k'}"), "");
}

TEST(ItemWrite, NoTable) {
  DatabaseForTest test;
  EXPECT_EQ(DatabaseForTest::Message(test.Put("none", "{p='k'}")), "Requested resource not found");
}

TEST(ItemWrite, AFailedConditionShowsTheItemWhereAsked) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='k', x=1}"});
  struct Case {
    const char *key, *shown;
    bool asked;
  };
  for (const Case& c :
       {Case{"{p='k'}", "{p='k', x=1}", true}, Case{"{p='k'}", "", false}, Case{"{p='none'}", "", true}}) {
    const Result<WriteOutcome> written =
        test.Delete("t", c.key, {.condition = "x = :v", .values = "{:v=2}", .failed_item = c.asked});
    ASSERT_FALSE(written.ok());
    EXPECT_EQ(written.error().kind(), Kind::kConditionalCheckFailed);
    const auto* failed = dynamic_cast<const FailedItem*>(written.error().detail());
    EXPECT_EQ(failed ? Print(failed->item) : "", c.shown) << c.key;
  }
}

TEST(ItemWrite, UnitsOfTableAndIndexes) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S", {Global("all", "a:S"), Global("keys", "a:S", ProjectionKind::kKeysOnly)}));
  struct Case {
    const char* what;
    Action action;
    std::string item;
    double table, all, keys;
  };
  const std::string two = QuotedText(1500), three = QuotedText(2500);
  const Case cases[] = {
      {"delete of nothing", Action::kDelete, "{p='k'}", 1, 0, 0},
      {"in no index", Action::kPut, "{p='k'}", 1, 0, 0},
      {"comes into both", Action::kPut, "{p='k', a='v', x=" + two + "}", 2, 2, 1},
      {"nothing changes", Action::kPut, "{p='k', a='v', x=" + two + "}", 2, 0, 0},
      {"grows", Action::kPut, "{p='k', a='v', x=" + three + "}", 3, 3, 0},
      {"moves and shrinks", Action::kPut, "{p='k', a='w'}", 3, 4, 2},
      {"goes", Action::kDelete, "{p='k'}", 1, 1, 1},
  };
  for (const Case& c : cases) {
    const Result<WriteOutcome> written = test.Write(c.action, "t", c.item);
    ASSERT_EQ(DatabaseForTest::Message(written), "") << c.what;
    EXPECT_EQ(written->units.table, c.table) << c.what;
    const auto of = [&](std::string_view name) {
      for (const auto& i : written->units.indexes) {
        if (i.index == test.Find("t")->FindIndex(name)->id) return i.units;
      }
      return 0.0;
    };
    EXPECT_EQ(of("all"), c.all) << c.what;
    EXPECT_EQ(of("keys"), c.keys) << c.what;
  }
}

TEST_P(ItemWriteTest, WhatChangesNothingTakesNoCommitNumber) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S")}));
  test.PutAll("t", {"{p='k', s='s', a='v'}"});
  const TablePtr table = test.Find("t");
  const store::RowKey key = RowKeyOf(*table, ItemOf("{p='k', s='s'}"));
  // The commit number of a write to a new row; differences show how many numbers were used in between.
  const auto next_number = [&] {
    static int serial = 0;
    const std::string item = "{p='probe', s='" + std::to_string(++serial) + "'}";
    EXPECT_TRUE(test.Put("t", item).ok());
    const store::RowKey probe = RowKeyOf(*table, ItemOf(item));
    std::vector<store::Row> rows;
    store::Horizon horizon;
    EXPECT_TRUE(test.store().Get({&probe, 1}, rows, {horizon}).ok());
    return rows[0].commit;
  };
  const store::CommitNumber before = next_number();
  EXPECT_TRUE(test.Put("t", "{p='k', s='s', a='v'}").ok());
  EXPECT_TRUE(test.Change("t", "{p='k', s='s'}", {.update = "SET a = :v", .values = "{:v='v'}"}).ok());
  EXPECT_TRUE(test.Change("t", "{p='k', s='s'}", {}).ok());
  EXPECT_TRUE(test.Change("t", "{p='none', s='s'}", {.update = "REMOVE a"}).ok());
  EXPECT_TRUE(test.Delete("t", "{p='none', s='s'}").ok());
  EXPECT_FALSE(test.Delete("t", "{p='k', s='s'}", {.condition = "attribute_exists(x)"}).ok());
  EXPECT_EQ(next_number(), before + 1);
  EXPECT_TRUE(test.Put("t", "{p='k', s='s', a='w'}").ok());
  EXPECT_EQ(next_number(), before + 3);
}

TEST_P(ItemWriteTest, CollectionsKeepTheirSize) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S", ProjectionKind::kKeysOnly), Global("g", "a:S")}));
  struct Case {
    Action action;
    const char* item;
    int64_t bytes;
  };
  const Case cases[] = {
      {Action::kDelete, "{p='k', s='1'}", 0},            //
      {Action::kPut, "{p='k', s='1'}", 4},               //
      {Action::kPut, "{p='k', s='2', a='v'}", 16},       // six in the table, six in the index
      {Action::kPut, "{p='k', s='2', a='v', x=1}", 19},  // three more in the table only
      {Action::kPut, "{p='other', s='2'}", 8},           //
      {Action::kDelete, "{p='k', s='2'}", 4},            //
      {Action::kDelete, "{p='k', s='1'}", 0},            //
  };
  for (const Case& c : cases) {
    const Result<WriteOutcome> written = test.Write(c.action, "t", c.item);
    ASSERT_EQ(DatabaseForTest::Message(written), "") << c.item;
    EXPECT_EQ(written->collection_bytes, c.bytes) << c.item;
    test.ExpectSound("t");
  }
  test.Create(TableOfText("plain", "p:S/s:S", {Global("g", "a:S")}));
  EXPECT_EQ(test.Put("plain", "{p='k', s='1'}")->collection_bytes, std::nullopt);
}

TEST(ItemWrite, ACollectionEndsAtTenGigabytes) {
  DatabaseForTest test;
  const TablePtr table = test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S", ProjectionKind::kKeysOnly)}));
  test.PutAll("t", {"{p='k', s='1', a='v'}"});
  // As if other items of the collection had filled it up to 12 bytes below the limit.
  const store::RowKey row(table->id, kCollectionIndex, EncodeAttributes(table->key.partition, ItemOf("{p='k'}")), {});
  std::string full;
  AppendU64(full, kItemCollectionBytesMax - 12);
  store::Horizon horizon;
  const auto plant = [&](Micros, std::span<const store::Row>, store::Changes& changes) {
    changes.Put(row, full);
    return Ok();
  };
  ASSERT_TRUE(test.store().Mutate(test.catalog().Current()->version, {&row, 1}, plant, {horizon}).ok());
  struct Case {
    Action action;
    const char *item, *message;
  };
  const Case cases[] = {
      {Action::kPut, "{p='k', s='2', a='vv'}", "Collection size exceeded."},  // 14
      {Action::kPut, "{p='k', s='2', a='v'}", ""},                            // exactly 12
      {Action::kPut, "{p='k', s='3'}", "Collection size exceeded."},          //
      {Action::kPut, "{p='k', s='2', a='w'}", ""},                            // no growth
      {Action::kPut, "{p='other', s='3'}", ""},                               // another collection
      {Action::kDelete, "{p='k', s='1'}", ""},                                //
      {Action::kPut, "{p='k', s='3', a='v'}", ""},                            // there is room again
  };
  for (const Case& c : cases)
    EXPECT_EQ(DatabaseForTest::Message(test.Write(c.action, "t", c.item)), c.message) << c.item;
  EXPECT_EQ(DatabaseForTest::Message(test.Change("t", "{p='k', s='3'}", {.update = "SET x = :v", .values = "{:v=1}"})),
            "Collection size exceeded.");
  EXPECT_EQ(test.Put("t", "{p='k', s='3', a='v', x=1}").error().kind(), Kind::kItemCollectionSizeLimitExceeded);
}

TEST(ItemWrite, AnItemAndItsLocalRowsTogetherFit) {
  DatabaseForTest test;
  test.Create(
      TableOfText("local", "p:S/s:S", {Local("l", "p:S/a:S"), Local("k", "p:S/a:S", ProjectionKind::kKeysOnly)}));
  test.Create(TableOfText("global", "p:S/s:S", {Global("g", "a:S")}));
  constexpr const char* kTooLarge = "Item size has exceeded the maximum allowed size";
  struct Case {
    const char* table;
    std::string item;
    const char* message;
  };
  // p='k', s='s', a='v' are 6 bytes, x and its name 1 + n: the item twice, and its keys once more.
  const size_t fits = (kItemBytesMax - 6) / 2 - 7;
  const Case cases[] = {
      {"local", "{p='k', s='s', a='v', x=" + QuotedText(fits) + "}", ""},
      {"local", "{p='k', s='s', a='v', x=" + QuotedText(fits + 1) + "}", kTooLarge},
      {"local", "{p='k', s='s', x=" + QuotedText(fits + 1) + "}", ""},          // not in a local index
      {"global", "{p='k', s='s', a='v', x=" + QuotedText(fits * 2) + "}", ""},  // global indexes do not count
  };
  for (const Case& c : cases) EXPECT_EQ(DatabaseForTest::Message(test.Put(c.table, c.item)), c.message) << c.table;
  EXPECT_EQ(
      DatabaseForTest::Message(test.Change("local", "{p='k', s='s'}", {.update = "SET a = :v", .values = "{:v='v'}"})),
      kTooLarge);
  test.ExpectSound("local");
}

TEST(ItemWrite, AnUpdateMayNotMakeAnItemTooLarge) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='k', x=" + QuotedText(kItemBytesMax - 3) + "}"});
  EXPECT_EQ(DatabaseForTest::Message(test.Change("t", "{p='k'}", {.update = "SET y = :v", .values = "{:v=''}"})),
            "Item size to update has exceeded the maximum allowed size");
  EXPECT_EQ(DatabaseForTest::Message(test.Change("t", "{p='k'}", {.update = "SET x = :v", .values = "{:v=''}"})), "");
}

TEST(ItemWrite, SeveralAreAllOrNothing) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S/s:S", {Local("l", "p:S/a:S")}));
  test.Create(TableOfText("u", "p:S"));
  expr::PlaceholdersForTest placeholders("{}");
  const expr::Condition exists =
      *expr::ParseCondition("ConditionExpression", "attribute_exists(p)", placeholders.get());
  const Item items[] = {ItemOf("{p='k', s='1', a='v'}"), ItemOf("{p='k', s='2'}"), ItemOf("{p='k'}")};
  std::vector<ItemWrite> writes = {{.table = "t", .item = items[0]},
                                   {.table = "t", .item = items[1]},
                                   {.table = "u", .item = items[2], .condition = &exists}};
  std::vector<WriteOutcome> outcomes(3);
  store::Horizon horizon;
  EXPECT_EQ(DatabaseForTest::Message(WriteItems(test.db(), writes, outcomes, {horizon})),
            "The conditional request failed");
  EXPECT_EQ(test.Scan("t")->items.size(), 0u);
  test.ExpectSound("t");
  writes[2].condition = nullptr;
  EXPECT_EQ(DatabaseForTest::Message(WriteItems(test.db(), writes, outcomes, {horizon})), "");
  // The first two share a collection, whose size is that after both.
  EXPECT_EQ(outcomes[0].collection_bytes, 16);
  EXPECT_EQ(outcomes[1].collection_bytes, 16);
  EXPECT_EQ(outcomes[2].collection_bytes, std::nullopt);
  test.ExpectSound("t");
  test.ExpectSound("u");
}

// Runs `decide` one extra time, on other rows, before the real call.
class TwiceStore final : public ForwardingStore {
 public:
  using ForwardingStore::ForwardingStore;
  std::vector<store::Row> first_rows;

  Status Mutate(store::CatalogVersion catalog, std::span<const store::RowKey> keys, store::Decide decide,
                store::Access access) override {
    store::Changes thrown_away;
    EXPECT_TRUE(decide(0, first_rows, thrown_away).ok());
    return ForwardingStore::Mutate(catalog, keys, decide, access);
  }
};

TEST(ItemWrite, NothingOfAnEarlierRunStays) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  TwiceStore twice(test.store());
  twice.first_rows.resize(1);
  twice.first_rows[0] = {true, ItemOf("{p='k', a='v', x=1}").bytes(), 1};
  const Database db{twice, test.catalog(), test.clock};
  const Item key = ItemOf("{p='k'}");
  const ItemWrite write{.action = Action::kDelete, .table = "t", .item = key, .keep_old = true};
  WriteOutcome outcome;
  store::Horizon horizon;
  ASSERT_TRUE(WriteItems(db, {&write, 1}, {&outcome, 1}, {horizon}).ok());
  EXPECT_FALSE(outcome.existed);
  EXPECT_EQ(Print(outcome.old_item), "{}");
  EXPECT_EQ(outcome.units.indexes.size(), 0u);
}

TEST(ItemWrite, ABatchChecksItsWritesBeforeTheFirst) {
  DatabaseForTest test;
  const TablePtr table = test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  struct Case {
    Action action;
    const char *item, *message;
  };
  const Case cases[] = {
      {Action::kPut, "{p='k', a='v'}", ""},
      {Action::kDelete, "{p='k'}", ""},
      {Action::kPut, "{a='v'}", "The provided key element does not match the schema"},
      {Action::kDelete, "{p='k', a='v'}", "The provided key element does not match the schema"},
      {Action::kPut, "{p='k', a=1}",
       "One or more parameter values were invalid: Type mismatch for Index Key a Expected: S Actual: N IndexName: g"},
  };
  for (const Case& c : cases) {
    const Item item = ItemOf(c.item);
    const Result<store::RowKey> row = RowOfBatchWrite(test.db(), {.action = c.action, .table = "t", .item = item});
    EXPECT_EQ(DatabaseForTest::Message(row), c.message) << c.item;
    EXPECT_TRUE(!row.ok() || *row == RowKeyOf(*table, item)) << c.item;
  }
}

// A write planned under an old catalog is planned again: it waits if it may, and otherwise returns kWouldBlock.
TEST_P(ItemWriteTest, AStaleWriteFindsTheLaterCatalog) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  Result<std::unique_ptr<Catalog>> other = Catalog::Open(test.store());
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE((*other)
                  ->Change([](const CatalogSnapshot&, CatalogEdit& edit) {
                    edit.puts.push_back(TableOfText("u", "p:S"));
                    return Ok();
                  })
                  .ok());
  const Result<WriteOutcome> refused = test.Write(Action::kPut, "t", "{p='k'}", {}, store::Wait::kNever);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), Kind::kWouldBlock);
  EXPECT_EQ(DatabaseForTest::Message(test.Put("t", "{p='k'}")), "");
  EXPECT_TRUE(test.Find("u"));
}

TEST_P(ItemWriteTest, WritersGoOnWhileTheCatalogChanges) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S/s:N", {Local("l", "p:S/a:S"), Global("g", "a:S")}));
  constexpr int kWriters = 3, kWrites = 150;
  std::atomic<int> left = kWriters;
  std::vector<std::thread> writers;
  for (int w = 0; w < kWriters; ++w) {
    writers.emplace_back([&, w] {
      for (int i = 0; i < kWrites; ++i) {
        const std::string item = "{p='k', s=" + std::to_string(w * kWrites + i) + ", a='v'}";
        EXPECT_EQ(DatabaseForTest::Message(test.Put("t", item)), "");
        EXPECT_EQ(
            DatabaseForTest::Message(test.Change("t", "{p='k', s=-1}", {.update = "ADD n :v", .values = "{:v=1}"})),
            "");
      }
      --left;
    });
  }
  int changes = 0;
  while (left > 0) {
    EXPECT_TRUE(test.lifecycle()
                    .Annotate("t",
                              [&](Table& table) {
                                table.tags = {{"change", std::to_string(++changes)}};
                                return Ok();
                              })
                    .ok());
  }
  for (std::thread& writer : writers) writer.join();
  EXPECT_GT(changes, 0);
  EXPECT_EQ(test.Get("t", "{p='k', s=-1}"), "{n=" + std::to_string(kWriters * kWrites) + ", p='k', s=-1}");
  EXPECT_EQ(test.store().ReadTally(1, store::kBaseTable).rows, kWriters * kWrites + 1);
  test.ExpectSound("t");
}

// Changes a row between a decision and its application, `times` times.
class ChangingStore final : public ForwardingStore {
 public:
  ChangingStore(DatabaseForTest& test, int times) : ForwardingStore(test.store()), test_(test), times_(times) {}
  Status GetAtomic(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) override {
    RETURN_IF_ERROR(ForwardingStore::GetAtomic(keys, rows, access));
    ++decisions;
    if (times_-- > 0) {
      EXPECT_TRUE(test_.Change("t", "{p='k'}", {.update = "ADD n :one", .values = "{:one=1}"}).ok());
    }
    return Ok();
  }
  int decisions = 0;

 private:
  DatabaseForTest& test_;
  int times_;
};

// Runs ADD n 10, decided before the row is locked. Returns the message of its error, if any.
std::string AddTenAhead(DatabaseForTest& test, ChangingStore& store) {
  expr::PlaceholdersForTest placeholders("{:ten=10}");
  const expr::Update update = *expr::ParseUpdate("ADD n :ten", placeholders.get());
  const Item key = ItemOf("{p='k'}");
  const ItemWrite write{
      .action = ItemWrite::Action::kUpdate, .table = "t", .item = key, .update = &update, .keep_new = true};
  WriteOutcome outcome;
  store::Horizon horizon;
  GivesWay turns;
  Pace pace = Pace::InTurns(turns);
  pace.LimitLocked(0);
  const Database db{store, test.catalog(), test.clock};
  const Status status = WriteItems(db, {&write, 1}, {&outcome, 1}, {{horizon, store::Wait::kAllowed, &pace}});
  if (!status.ok()) return status.message();
  EXPECT_EQ(Print(outcome.new_item), test.Get("t", "{p='k'}"));
  return "";
}

TEST(ItemWriteAhead, DecidesAgainWhereTheRowHasChanged) {
  for (const StoreKind kind : {StoreKind::kMemory, StoreKind::kRocksdb}) {
    DatabaseForTest test(kind);
    test.Create(TableOfText("t", "p:S"));
    test.PutAll("t", {"{p='k', n=1}"});
    ChangingStore store(test, 3);
    EXPECT_EQ(AddTenAhead(test, store), "");
    EXPECT_EQ(store.decisions, 4);
    EXPECT_EQ(test.Get("t", "{p='k'}"), "{n=14, p='k'}");
  }
}

TEST(ItemWriteAhead, GivesUpWhereTheRowChangesAllTheTime) {
  DatabaseForTest test;
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='k', n=1}"});
  ChangingStore store(test, 1000);
  EXPECT_EQ(AddTenAhead(test, store), "The items are changing too fast to process this request. Try again.");
  EXPECT_EQ(test.Get("t", "{p='k'}"), "{n=" + std::to_string(1 + store.decisions) + ", p='k'}");
}

}  // namespace
}  // namespace keyfold::engine
