// Adding an index to a table in use: it is filled under concurrent writes, resumed after a stop, cancelled, and added
// again under the same name.
#include "engine/items/backfill.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "base/random.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

class BackfillTest : public OnEachStore {
 protected:
  static IndexTask TaskOf(DatabaseForTest& test, std::string_view index) {
    const TablePtr table = test.Find("t");
    return {"t", table->id, table->FindIndex(index)->id};
  }
  static void PutMany(DatabaseForTest& test, int count) {
    for (int i = 0; i < count; ++i) {
      const std::string a = std::to_string(i % 10);
      test.PutAll("t", {"{p='" + std::to_string(i) + "', a='" + a + "', x=1}"});
    }
  }
};
INSTANTIATE_TEST_SUITE_P(Stores, BackfillTest, EachStore(), NameOfStore);

TEST_P(BackfillTest, FillsWhatFitsAndSkipsTheRest) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='fits', a='v', n=1, x=1}", "{p='lacks-n', a='v'}", "{p='type', a=1, n=1}",
                    "{p='empty', a='', n=1}", "{p='long', a='" + std::string(2049, 'x') + "', n=1}",
                    "{p='null', a=null, n=1}", "{p='also', a='v', n=1}"});
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S/n:N", ProjectionKind::kInclude, {"x"})).ok());
  EXPECT_EQ(test.Find("t")->StatusAt(test.clock.Now()), TableStatus::kUpdating);
  test.RunBackgroundWork();
  EXPECT_EQ(test.Find("t")->StatusAt(test.clock.Now()), TableStatus::kActive);
  EXPECT_EQ(test.Find("t")->FindIndex("g")->status, IndexStatus::kActive);
  EXPECT_FALSE(test.Find("t")->FindIndex("g")->backfilling);
  const Result<QueryAnswer> page = test.Query("t", {.index = "g", .key = "a = :v", .values = "{:v='v'}"});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items, (std::vector<std::string>{"{a='v', n=1, p='also'}", "{a='v', n=1, p='fits', x=1}"}));
  test.ExpectSound("t");
}

// An item that is not in the index yet does not mislead a writer.
TEST_P(BackfillTest, WritersAheadOfItLeaveRowsAndTalliesExact) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  test.PutAll("t", {"{p='deleted', a='v'}", "{p='changed', a='v'}", "{p='moved', a='v'}", "{p='leaves', a='v'}",
                    "{p='misfit', a=1}", "{p='kept', a='v'}", "{p='untouched', a='v'}", "{p='failed', a='v'}"});
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  EXPECT_TRUE(test.Delete("t", "{p='deleted'}").ok());
  EXPECT_TRUE(test.Change("t", "{p='changed'}", {.update = "SET x = :v", .values = "{:v=1}"}).ok());
  EXPECT_TRUE(test.Change("t", "{p='moved'}", {.update = "SET a = :v", .values = "{:v='w'}"}).ok());
  EXPECT_TRUE(test.Change("t", "{p='leaves'}", {.update = "REMOVE a"}).ok());
  EXPECT_TRUE(test.Put("t", "{p='misfit', a='v'}").ok());
  EXPECT_TRUE(test.Put("t", "{p='kept', a='v'}").ok());
  EXPECT_TRUE(test.Put("t", "{p='new', a='v'}").ok());
  EXPECT_FALSE(test.Delete("t", "{p='failed'}", {.condition = "attribute_exists(y)"}).ok());
  EXPECT_TRUE(test.Put("t", "{p='brief', a='v'}").ok());
  EXPECT_TRUE(test.Delete("t", "{p='brief'}").ok());
  // Before the fill: the index has only the rows that writers added, and its tally counts just those.
  const IndexTask task = TaskOf(test, "g");
  const auto rows = test.Rows(task.table_id, task.index_id);
  EXPECT_EQ(test.store().ReadTally(task.table_id, task.index_id).rows, static_cast<int64_t>(rows.size()));
  test.RunBackgroundWork();
  test.ExpectSound("t");
  EXPECT_EQ(test.store().ReadTally(task.table_id, task.index_id).rows, 7);
}

TEST_P(BackfillTest, ResumesAfterAStop) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  PutMany(test, 350);
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S", ProjectionKind::kKeysOnly)).ok());
  const IndexTask task = TaskOf(test, "g");
  int chunks = 0;
  const Result<bool> filled = BackfillIndex(test.db(), task, [&] { return ++chunks > 2; });
  ASSERT_TRUE(filled.ok());
  EXPECT_FALSE(*filled);
  const size_t half = test.Rows(task.table_id, task.index_id).size();
  EXPECT_GT(half, 0u);
  EXPECT_LT(half, 350u);
  test.Reopen();
  EXPECT_TRUE(test.Find("t")->FindIndex("g")->backfilling);
  EXPECT_TRUE(test.Delete("t", "{p='7'}").ok());
  EXPECT_TRUE(test.Put("t", "{p='8', a='elsewhere'}").ok());
  test.RunBackgroundWork();
  EXPECT_EQ(test.Find("t")->FindIndex("g")->status, IndexStatus::kActive);
  test.ExpectSound("t");
  // The index is no longer being filled, so another run does nothing.
  EXPECT_FALSE(*BackfillIndex(test.db(), task, [] { return false; }));
}

TEST_P(BackfillTest, ASecondRunAddsNothing) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  PutMany(test, 120);
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  const IndexTask task = TaskOf(test, "g");
  EXPECT_TRUE(*BackfillIndex(test.db(), task, [] { return false; }));
  test.ExpectSound("t");
  EXPECT_TRUE(*BackfillIndex(test.db(), task, [] { return false; }));
  test.ExpectSound("t");
}

TEST_P(BackfillTest, CanBeCancelled) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S", {Global("old", "a:S")}));
  PutMany(test, 150);
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S/p:S")).ok());
  const IndexTask task = TaskOf(test, "g");
  int chunks = 0;
  ASSERT_TRUE(BackfillIndex(test.db(), task, [&] { return ++chunks > 1; }).ok());
  EXPECT_GT(test.Rows(task.table_id, task.index_id).size(), 0u);
  constexpr const char* kBusy = "Attempt to change a resource which is still in use: Table is being updated: t";
  EXPECT_EQ(DatabaseForTest::Message(test.AddIndex("t", Global("h", "x:N"))), kBusy);
  EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "old")), kBusy);
  EXPECT_EQ(DatabaseForTest::Message(test.lifecycle().Delete("t")), kBusy);
  EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "g")), "");
  EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "g")), kBusy);
  EXPECT_FALSE(*BackfillIndex(test.db(), task, [] { return false; }));
  test.PutAll("t", {"{p='1', a='other'}"});
  test.RunBackgroundWork();
  EXPECT_EQ(test.Find("t")->FindIndex("g"), nullptr);
  EXPECT_EQ(test.Rows(task.table_id, task.index_id).size(), 0u);
  EXPECT_EQ(test.store().ReadTally(task.table_id, task.index_id).rows, 0);
  EXPECT_EQ(test.Find("t")->StatusAt(test.clock.Now()), TableStatus::kActive);
  test.ExpectSound("t");
}

TEST_P(BackfillTest, ANameMayComeBackForAnotherIndex) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S", {Global("g", "a:S")}));
  PutMany(test, 30);
  const IndexTask first = TaskOf(test, "g");
  ASSERT_TRUE(test.DropIndex("t", "g").ok());
  test.RunBackgroundWork();
  EXPECT_EQ(test.Rows(first.table_id, first.index_id).size(), 0u);
  // `a` is no longer a key attribute
  EXPECT_EQ(test.Find("t")->attributes, (std::vector<KeyAttribute>{{"p", Type::kS}}));
  ASSERT_TRUE(test.AddIndex("t", Global("g", "x:N", ProjectionKind::kKeysOnly)).ok());
  test.RunBackgroundWork();
  EXPECT_NE(TaskOf(test, "g").index_id, first.index_id);
  EXPECT_EQ(test.Query("t", {.index = "g", .key = "x = :v", .values = "{:v=1}"})->items.size(), 30u);
  test.ExpectSound("t");
}

TEST_P(BackfillTest, EndsWithItsTable) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  PutMany(test, 150);
  ASSERT_TRUE(test.AddIndex("t", Global("g", "a:S")).ok());
  const IndexTask task = TaskOf(test, "g");
  bool asked = false;
  // After the first chunk the table is replaced by another one with the same name.
  const Result<bool> filled = BackfillIndex(test.db(), task, [&] {
    if (asked) {
      EXPECT_TRUE(test.lifecycle().Reset().ok());
      test.Create(TableOfText("t", "p:S"));
    }
    asked = true;
    return false;
  });
  ASSERT_TRUE(filled.ok()) << DatabaseForTest::Message(filled);
  EXPECT_FALSE(*filled);
  test.RunBackgroundWork();
  test.ExpectSound("t");
  EXPECT_EQ(test.Rows(task.table_id, task.index_id).size(), 0u);
}

// A writer that randomly puts, updates and deletes a few hundred items, which enter the indexes, move within them and
// leave them.
class Writer {
 public:
  Writer(DatabaseForTest& test, uint64_t seed) : test_(test), random_(seed) {}

  void WriteOne() {
    const std::string key = "{p='" + std::to_string(random_.Below(300)) + "'}";
    switch (random_.Below(5)) {
      case 0:
        return Expect(test_.Delete("t", key));
      case 1:
        return Expect(test_.Change("t", key, {.update = "REMOVE a"}));
      case 2:
        return Expect(test_.Change("t", key, {.update = "ADD x :v", .values = "{:v=1}"}));
      case 3:
        return Expect(test_.Change("t", key, {.update = "SET a = :v", .values = "{:v='moved'}"}));
      default:
        return Expect(
            test_.Put("t", key.substr(0, key.size() - 1) + ", a='" + std::to_string(random_.Below(8)) + "', x=1}"));
    }
  }

 private:
  void Expect(const Result<WriteOutcome>& written) { EXPECT_EQ(DatabaseForTest::Message(written), ""); }

  DatabaseForTest& test_;
  Random random_;
};

TEST_P(BackfillTest, RunsUnderConcurrentWrites) {
  DatabaseForTest test(GetParam());
  test.Create(TableOfText("t", "p:S"));
  for (int i = 0; i < 300; ++i) test.PutAll("t", {"{p='" + std::to_string(i) + "', a='0', x=0}"});
  std::atomic<bool> stop = false;
  std::atomic<int> written = 0;
  std::vector<std::thread> writers;
  for (uint64_t w = 0; w < 3; ++w) {
    writers.emplace_back([&, w] {
      for (Writer writer(test, w); !stop; ++written) writer.WriteOne();
    });
  }
  const auto await_writes = [&](int count) {
    for (const int from = written; written < from + count;) std::this_thread::yield();
  };
  for (int round = 0; round < 6; ++round) {
    EXPECT_EQ(DatabaseForTest::Message(test.AddIndex("t", Global("g", "a:S"))), "");
    await_writes(20);
    if (round % 3 == 1) {
      EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "g")), "");
      test.RunBackgroundWork();
      continue;
    }
    test.RunBackgroundWork();
    EXPECT_EQ(DatabaseForTest::Message(test.AddIndex("t", Global("h", "a:S/x:N", ProjectionKind::kKeysOnly))), "");
    test.RunBackgroundWork();
    await_writes(20);
    if (round == 5) break;
    EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "g")), "");
    test.RunBackgroundWork();
    EXPECT_EQ(DatabaseForTest::Message(test.DropIndex("t", "h")), "");
    test.RunBackgroundWork();
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
  ASSERT_EQ(test.Find("t")->indexes.size(), 2u);
  test.ExpectSound("t");
  test.Reopen();
  test.ExpectSound("t");
}

}  // namespace
}  // namespace keyfold::engine
