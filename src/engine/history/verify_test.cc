// Verification on both stores: it finds no faults in an intact database, even while it is written to or loses tables,
// indexes and parts of its log, and it finds every kind of damage.
#include "engine/history/verify.h"

#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <thread>

#include "engine/history/log_chain.h"
#include "engine/items/change_record.h"
#include "engine/items/key.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/test_database.h"

namespace keyfold::engine {
namespace {

constexpr Rule<"It cannot be read"> kUnreadable{"test-unreadable", Kind::kInternal};

std::string NumberedItem(int n) {
  const std::string text = std::to_string(n);
  return "{p='" + text + "', x='" + text + "', y=" + text + "}";
}

// A logged table with `items` items and two indexes. Used by one thread at a time, except for Put and Delete.
class Verified {
 public:
  explicit Verified(StoreKind kind, int items) : database(kind) {
    Table table = TableOfText("t", "p:S", {Global("g", "x:S", ProjectionKind::kKeysOnly), Global("h", "x:S")});
    table.recovery.enabled = true;
    database.Create(std::move(table));
    for (int i = 0; i < items; ++i) EXPECT_TRUE(database.Put("t", NumberedItem(i)).ok());
    WaitUntilDurable();
  }

  TablePtr table() { return database.Find("t"); }
  // The log shows only durable commits.
  void WaitUntilDurable() {
    store::Horizon horizon;
    ASSERT_TRUE(database.store().ScanSlots({}, [](const store::RowView&) { return true; }, {horizon}).ok());
    while (database.store().Durable() < horizon.number()) std::this_thread::yield();
  }
  Verification Look(VerifyProgress progress = [](const Verification&) { return true; }) {
    return Look(database.store(), progress);
  }
  Verification Look(
      store::Store& store, VerifyProgress progress = [](const Verification&) { return true; }) {
    Verification found;
    const TablePtr looked_at = table();
    const Database db{store, database.catalog(), database.clock};
    const Status status = VerifyTable(db, *looked_at, progress, found);
    EXPECT_TRUE(status.ok()) << DatabaseForTest::Message(status);
    return found;
  }
  // Changes rows directly in the store, bypassing the engine.
  void Tamper(FunctionRef<void(store::Changes&)> change) {
    store::Horizon horizon;
    const auto decide = [&](Micros, std::span<const store::Row>, store::Changes& changes) {
      change(changes);
      return Ok();
    };
    ASSERT_TRUE(database.store().Mutate(database.catalog().Current()->version, {}, decide, {.horizon = horizon}).ok());
    WaitUntilDurable();
  }
  store::RowKey ItemKey(std::string_view item) { return RowKeyOf(*table(), ItemOf(item)); }
  store::RowKey IndexKey(size_t index, std::string_view item) {
    return *IndexRowKeyOf(*table(), table()->indexes[index], ItemOf(item));
  }

  DatabaseForTest database;
};

std::string Bytes(std::string_view item) { return std::string(ItemOf(item).bytes()); }

std::string FaultText(const Verification& found) {
  std::string text;
  for (const std::string& fault : found.first_faults) text += fault + "\n";
  return text;
}

class VerifyTest : public OnEachStore {
 protected:
  // More items than one chunk on the store that allows changes during a visit.
  int Some() const { return GetParam() == StoreKind::kMemory ? 300 : 700; }
};

TEST_P(VerifyTest, ASoundTableHasNoFaults) {
  Verified verified(GetParam(), 1200);
  const uint64_t rows = RowsToVerify(verified.database.db(), *verified.table());
  const Verification found = verified.Look();
  EXPECT_EQ(found.items, 1200u);
  EXPECT_EQ(found.index_rows, 2400u);
  EXPECT_EQ(found.log_records, 1200u);
  EXPECT_EQ(found.done, rows);
  EXPECT_EQ(found.faults, 0u) << FaultText(found);
}

TEST_P(VerifyTest, ATableWithoutIndexesIsReadOnce) {
  DatabaseForTest database(GetParam());
  database.Create(TableOfText("plain", "p:S"));
  database.PutAll("plain", {"{p='a'}", "{p='b'}"});
  EXPECT_EQ(RowsToVerify(database.db(), *database.Find("plain")), 2u);
  Verification found;
  const auto go_on = [](const Verification&) { return true; };
  ASSERT_TRUE(VerifyTable(database.db(), *database.Find("plain"), go_on, found).ok());
  EXPECT_EQ(found.items, 2u);
  EXPECT_EQ(found.done, 2u);
  EXPECT_EQ(found.faults, 0u) << FaultText(found);
}

TEST_P(VerifyTest, NothingIsFoundWhileWritesGoOn) {
  Verified verified(GetParam(), 1200);
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (int w = 0; w < 2; ++w) {
    writers.emplace_back([&, w] {
      for (int i = w; !stop; i += 2) {
        const std::string n = std::to_string(i * 7 % 1500);
        if (i % 5 == 0) {
          (void)verified.database.Delete("t", "{p='" + n + "'}").ok();
        } else {
          (void)verified.database.Put("t", "{p='" + n + "', x='" + std::to_string(i) + "'}").ok();
        }
      }
    });
  }
  for (int round = 0; round < 5; ++round) {
    const Verification found = verified.Look();
    EXPECT_EQ(found.faults, 0u) << FaultText(found);
    EXPECT_GT(found.items, 500u);
  }
  stop = true;
  for (std::thread& writer : writers) writer.join();
}

TEST_P(VerifyTest, EachKindOfDamageIsFound) {
  struct Damage {
    const char* says;
    std::function<void(Verified&, store::Changes&)> make;
  };
  const Damage damages[] = {
      {"index g: an item is missing",
       [](Verified& v, store::Changes& c) { c.Delete(v.IndexKey(0, "{p='7', x='7'}")); }},
      {"index h: a row belongs to an item that is not in the table",
       [](Verified& v, store::Changes& c) { c.Put(v.IndexKey(1, "{p='none', x='7'}"), Bytes("{p='none', x='7'}")); }},
      {"index h: an item differs from the table's",
       [](Verified& v, store::Changes& c) { c.Put(v.IndexKey(1, "{p='7', x='7'}"), Bytes("{p='7', x='7', y=8}")); }},
      {"index g: a row lacks the key of its item",
       [](Verified& v, store::Changes& c) { c.Put(v.IndexKey(0, "{p='7', x='7'}"), Bytes("{x='7'}")); }},
      {"index g: a row is stored under the wrong key",
       [](Verified& v, store::Changes& c) { c.Put(v.IndexKey(0, "{p='7', x='7'}"), Bytes("{p='7', x='8'}")); }},
      {"table t: an item is stored under the wrong key",
       [](Verified& v, store::Changes& c) { c.Put(v.ItemKey("{p='wrong'}"), Bytes("{p='right'}")); }},
      {"table t: the tally is 31 items, the actual count is 30",
       [](Verified& v, store::Changes& c) { c.AddTally(v.table()->id, store::kBaseTable, 1, 0); }},
      {"index h: the tally is 29 items, the actual count is 30",
       [](Verified& v, store::Changes& c) { c.AddTally(v.table()->id, v.table()->indexes[1].id, -1, 0); }},
      {"bytes, the actual size is",
       [](Verified& v, store::Changes& c) { c.AddTally(v.table()->id, store::kBaseTable, 0, 5); }},
      {"table t: the tally is 30 items, the actual count is 29",
       [](Verified& v, store::Changes& c) { c.Delete(v.ItemKey("{p='3'}")); }},
      {"does not continue from the item's previous record",
       [](Verified& v, store::Changes& c) {
         const Item other = ItemOf("{p='7', x='not that one'}"), next = ItemOf("{p='7', x='newer'}");
         c.Log({v.table()->id, 0, EncodeChange({other.view(), next.view(), false})});
       }},
      {"cannot be read",
       [](Verified& v, store::Changes& c) {
         c.Log({v.table()->id, 0, "no change"});
       }},
  };
  for (const Damage& damage : damages) {
    Verified verified(GetParam(), 30);
    EXPECT_EQ(verified.Look().faults, 0u);
    verified.Tamper([&](store::Changes& changes) { damage.make(verified, changes); });
    const Verification found = verified.Look();
    EXPECT_NE(FaultText(found).find(damage.says), std::string::npos) << damage.says << " is not in\n"
                                                                     << FaultText(found);
    EXPECT_EQ(found.faults, found.first_faults.size());
  }
}

TEST_P(VerifyTest, AllFaultsAreCountedAndAHundredKept) {
  Verified verified(GetParam(), 150);
  verified.Tamper([&](store::Changes& changes) {
    for (int i = 0; i < 150; ++i) changes.Delete(verified.IndexKey(0, NumberedItem(i)));
  });
  const Verification found = verified.Look();
  EXPECT_EQ(found.faults, 151u) << "each row, and their count";
  EXPECT_EQ(found.first_faults.size(), 100u);
}

// A store with an index that has a row with a wrong checksum.
class UnreadableStore final : public ForwardingStore {
 public:
  UnreadableStore(store::Store& store, store::IndexId index) : ForwardingStore(store), index_(index) {}
  Result<store::Tally> ScanWithTally(store::TableId table, store::IndexId index, store::Visit visit,
                                     store::Access access) override {
    if (index == index_) return kUnreadable();
    return ForwardingStore::ScanWithTally(table, index, visit, access);
  }
  Status ScanSlots(const store::SlotRange& range, store::Visit visit, store::Access access) override {
    if (range.index == index_) return kUnreadable();
    return ForwardingStore::ScanSlots(range, visit, access);
  }
  Status GetAtomic(std::span<const store::RowKey> keys, std::vector<store::Row>& rows, store::Access access) override {
    for (const store::RowKey& key : keys) {
      if (LoadU16(key.bytes().data() + sizeof(store::TableId)) == index_) return kUnreadable();
    }
    return ForwardingStore::GetAtomic(keys, rows, access);
  }

 private:
  const store::IndexId index_;
};

TEST_P(VerifyTest, UnreadableRowsAreReportedOnce) {
  Verified verified(GetParam(), 20);
  UnreadableStore base(verified.database.store(), store::kBaseTable);
  EXPECT_EQ(FaultText(verified.Look(base)), "table t: a row cannot be read: It cannot be read\n");
  UnreadableStore index(verified.database.store(), verified.table()->indexes[1].id);
  EXPECT_EQ(FaultText(verified.Look(index)), "table t: index h: a row cannot be read: It cannot be read\n");
}

TEST_P(VerifyTest, ATableOrIndexRemovedDuringVerificationHasNoFaults) {
  const std::pair<const char*, std::function<void(Verified&)>> losses[] = {
      {"the table", [](Verified& v) { EXPECT_TRUE(v.database.lifecycle().Delete("t").ok()); }},
      {"an index", [](Verified& v) { EXPECT_TRUE(v.database.DropIndex("t", "g").ok()); }},
  };
  for (const auto& [what, lose] : losses) {
    for (int at = 0, calls = 1; at < calls; ++at) {
      Verified verified(GetParam(), Some());
      calls = 0;
      const Verification found = verified.Look([&, &lose = lose](const Verification&) {
        if (calls++ != at) return true;
        lose(verified);
        for (int i = 0; i < 50; ++i) (void)verified.database.Put("t", NumberedItem(i + 1000)).ok();
        verified.database.RunBackgroundWork();
        return true;
      });
      EXPECT_EQ(found.faults, 0u) << what << " goes at step " << at << ": " << FaultText(found);
    }
  }
}

TEST_P(VerifyTest, ProgressCanCancelIt) {
  Verified verified(GetParam(), Some());
  for (int at = 0, calls = 1; at < calls; ++at) {
    calls = 0;
    Verification found;
    const Status status = VerifyTable(
        verified.database.db(), *verified.table(), [&](const Verification&) { return calls++ != at; }, found);
    EXPECT_EQ(status.ok(), calls == at);
  }
}

// Returns its log in small pieces and calls `between` before the second read.
class SlowLogStore final : public ForwardingStore {
 public:
  SlowLogStore(store::Store& store, std::function<void()> between)
      : ForwardingStore(store), between_(std::move(between)) {}
  Result<store::LogPosition> ReadLog(const store::LogRange& range, store::VisitLog visit) override {
    if (++reads_ == 2) between_();
    int left = 10;
    return ForwardingStore::ReadLog(range, [&](const store::LogView& record) { return left-- > 0 && visit(record); });
  }

 private:
  const std::function<void()> between_;
  int reads_ = 0;
};

TEST_P(VerifyTest, ALogTrimmedDuringVerificationHasNoFaults) {
  Verified verified(GetParam(), 0);
  DatabaseForTest& database = verified.database;
  const Micros began = database.clock.Now();
  for (int i = 0; i < 40; ++i) {
    database.clock.Set(began + i * kSecond);
    EXPECT_TRUE(database.Put("t", "{p='same', x='" + std::to_string(i) + "'}").ok());
  }
  verified.WaitUntilDurable();
  SlowLogStore whole(database.store(), [] {});
  EXPECT_EQ(verified.Look(whole).log_records, 40u);
  const store::TableId id = verified.table()->id;
  SlowLogStore trimmed(database.store(), [&] { EXPECT_TRUE(database.store().TrimLog(id, began + 25 * kSecond).ok()); });
  const Verification found = verified.Look(trimmed);
  EXPECT_EQ(found.faults, 0u) << FaultText(found);
  EXPECT_EQ(found.log_records, 25u) << "ten before, fifteen that were left";
}

TEST_P(VerifyTest, ALogRestartedDuringVerificationHasNoFaults) {
  Verified verified(GetParam(), 0);
  DatabaseForTest& database = verified.database;
  const auto put = [&](int n) { EXPECT_TRUE(database.Put("t", "{p='same', x='" + std::to_string(n) + "'}").ok()); };
  const auto set_recovery = [&](bool enabled) {
    EXPECT_TRUE(database.lifecycle()
                    .Annotate("t",
                              [&](Table& next) {
                                next.recovery = {};
                                next.recovery.enabled = enabled;
                                return Ok();
                              })
                    .ok());
  };
  for (int i = 0; i < 15; ++i) put(i);
  set_recovery(false);
  put(100);
  set_recovery(true);
  const TablePtr before = [&] {
    Table old = *verified.table();
    old.recovery.since = {.commit = 0, .time = 0};  // as it was before
    return std::make_shared<const Table>(old);
  }();
  for (int i = 15; i < 30; ++i) put(i);
  verified.WaitUntilDurable();
  Verification found;
  const auto go_on = [](const Verification&) { return true; };
  ASSERT_TRUE(VerifyTable(database.db(), *before, go_on, found).ok());
  EXPECT_EQ(found.log_records, 30u);
  EXPECT_EQ(found.faults, 0u) << FaultText(found);
}

INSTANTIATE_TEST_SUITE_P(Stores, VerifyTest, EachStore(), NameOfStore);

TEST(LogChain, FollowsEachKey) {
  LogChain chain(0, 100);
  EXPECT_FALSE(chain.Add(1, 0, 10, 1));
  EXPECT_FALSE(chain.Add(2, 0, 20, 2));
  EXPECT_FALSE(chain.Add(1, 10, 11, 3));
  EXPECT_EQ(chain.Add(2, 21, 22, 4), 2u);
  EXPECT_FALSE(chain.Add(2, 22, 0, 5));
  EXPECT_EQ(chain.last(), UINT64_MAX);
}

TEST(LogChain, FollowsEveryKeyInSomePassWhereMemoryIsShort) {
  constexpr uint64_t kKeys = 1000, kStep = UINT64_MAX / kKeys;
  size_t broken = 0, passes = 0;
  for (uint64_t from = 0;; ++passes) {
    LogChain chain(from, 64);
    for (const bool again : {false, true}) {
      for (uint64_t key = 0; key < kKeys; ++key) {
        const bool breaks = again && key % 10 == 0;
        broken += chain.Add(key * kStep, again ? key + (breaks ? 1 : 0) : 0, key, 1 + (again ? 1 : 0)) ? 1 : 0;
      }
    }
    if (chain.last() == UINT64_MAX) break;
    from = chain.last() + 1;
  }
  EXPECT_EQ(broken, kKeys / 10) << "each once";
  EXPECT_GE(passes, kKeys / 64);
}

}  // namespace
}  // namespace keyfold::engine
