// The contract of Store, tested on every implementation: what the engine relies on must not depend on which one is
// used.
#include "store/store.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <thread>

#include "base/random.h"
#include "store/key_encoding.h"
#include "store/rocksdb/open.h"
#include "store/rules.h"
#include "testing/store/store.h"

namespace keyfold::store {
namespace {

constexpr Rule<"no"> kRefuse{"test-refuse", Kind::kConditionalCheckFailed};

class StoreTest : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override {
    if (GetParam() == "memory") {
      store = MakeMemoryStore(clock);
      return;
    }
    std::string pattern = testing::TempDir() + "keyfold-store-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
    auto opened = OpenRocksdbStore({.path = folder, .relaxed = GetParam() == "relaxed", .cache_bytes = 8 << 20}, clock);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    store = *std::move(opened);
  }
  void TearDown() override {
    store.reset();
    if (!folder.empty()) std::filesystem::remove_all(folder);
  }

  Access access() { return {.horizon = horizon}; }

  Status Write(std::span<const RowKey> keys, Decide decide) { return store->Mutate(0, keys, decide, access()); }
  void Put(const RowKey& key, std::string value) {
    ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                  changes.Put(key, value);
                  return Ok();
                }).ok());
  }
  std::string Read(const RowKey& key) {
    std::vector<Row> rows;
    EXPECT_TRUE(store->Get({&key, 1}, rows, access()).ok());
    return rows.at(0).exists ? rows[0].value : "(none)";
  }
  // The concatenated values of the rows that Range visits.
  std::string Walk(const PartitionRange& range, size_t limit = 100) {
    std::string seen;
    EXPECT_TRUE(store
                    ->Range(
                        range,
                        [&](const RowView& row) {
                          seen.append(row.value);
                          return --limit > 0;
                        },
                        access())
                    .ok());
    return seen;
  }

  ManualClock clock{1'000'000};
  Horizon horizon;
  std::string folder;
  std::unique_ptr<Store> store;
};

std::string Partition(std::string_view name) { return std::string(name).append("\0\0", 2); }

TEST_P(StoreTest, AMissingRowDoesNotExist) { EXPECT_EQ(Read(TestKey("a")), "(none)"); }

TEST_P(StoreTest, PutIsReadBackAndReplaced) {
  Put(TestKey("a"), "one");
  EXPECT_EQ(Read(TestKey("a")), "one");
  Put(TestKey("a"), "two");
  EXPECT_EQ(Read(TestKey("a")), "two");
}

TEST_P(StoreTest, EmptyAndLargeValuesAreKept) {
  Put(TestKey("empty"), "");
  const std::string large(400 * 1024, 'x');
  Put(TestKey("large"), large);
  EXPECT_EQ(Read(TestKey("empty")), "");
  EXPECT_EQ(Read(TestKey("large")), large);
}

TEST_P(StoreTest, DeleteRemoves) {
  Put(TestKey("a"), "one");
  const RowKey key = TestKey("a");
  ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row> rows, Changes& changes) {
                EXPECT_EQ(rows[0].value, "one");
                changes.Delete(key);
                return Ok();
              }).ok());
  EXPECT_EQ(Read(key), "(none)");
}

TEST_P(StoreTest, DecideSeesRowsInTheOrderOfTheKeys) {
  Put(TestKey("a"), "A");
  Put(TestKey("c"), "C");
  const RowKey keys[] = {TestKey("c"), TestKey("b"), TestKey("a")};
  std::string seen;
  ASSERT_TRUE(Write(keys, [&](Micros, std::span<const Row> rows, Changes&) {
                for (const Row& row : rows) seen.append(row.exists ? row.value : "-");
                return Ok();
              }).ok());
  EXPECT_EQ(seen, "C-A");
}

TEST_P(StoreTest, AnErrorOfDecideAppliesNothing) {
  const RowKey key = TestKey("a");
  const Status status = Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) -> Status {
    changes.Put(key, "x");
    return kRefuse();
  });
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.kind(), Kind::kConditionalCheckFailed);
  EXPECT_EQ(Read(key), "(none)");
}

TEST_P(StoreTest, AnEmptyMutateTakesNoCommitNumber) {
  const RowKey a = TestKey("a"), b = TestKey("b");
  Put(a, "1");
  ASSERT_TRUE(Write({&a, 1}, [](Micros, std::span<const Row>, Changes&) { return Ok(); }).ok());
  Put(b, "2");
  std::vector<Row> rows;
  const RowKey both[] = {a, b};
  ASSERT_TRUE(store->Get(both, rows, access()).ok());
  EXPECT_EQ(rows[0].commit + 1, rows[1].commit);
}

TEST_P(StoreTest, AllRowsOfAMutateCarryOneCommitNumber) {
  const RowKey keys[] = {TestKey("a"), TestKey("b")};
  ASSERT_TRUE(Write(keys, [&](Micros, std::span<const Row>, Changes& changes) {
                for (const RowKey& key : keys) changes.Put(key, "v");
                return Ok();
              }).ok());
  std::vector<Row> rows;
  ASSERT_TRUE(store->GetAtomic(keys, rows, access()).ok());
  EXPECT_GT(rows[0].commit, 0u);
  EXPECT_EQ(rows[0].commit, rows[1].commit);
}

TEST_P(StoreTest, DecideGetsTheClocksTimeAndStampsNeverGoBack) {
  const RowKey key = TestKey("a");
  const auto time_of = [&] {
    Micros seen = 0;
    EXPECT_TRUE(Write({&key, 1}, [&](Micros now, std::span<const Row>, Changes& changes) {
                  seen = now;
                  changes.Put(key, "v");
                  changes.Log({kTestTable, 1, "record"});
                  return Ok();
                }).ok());
    return seen;
  };
  EXPECT_EQ(time_of(), 1'000'000);
  clock.Set(3'000'000);
  EXPECT_EQ(time_of(), 3'000'000);
  clock.Set(2'000'000);
  EXPECT_EQ(time_of(), 2'000'000);
  ASSERT_TRUE(WriteCatalog(*store, 0, {}).ok());  // ReadLog ends at the durable mark
  const std::vector<LogEntry> log = ReadLog(*store, {.table = kTestTable});
  ASSERT_EQ(log.size(), 3u);
  EXPECT_EQ(log[0].time, 1'000'000);
  EXPECT_EQ(log[1].time, 3'000'000);
  EXPECT_EQ(log[2].time, 3'000'000);
}

struct RangeCase {
  const char* name;
  std::string lower, upper;
  Direction direction;
  std::string after;
  size_t limit;
  const char* expected;
};

TEST_P(StoreTest, RangeKeepsBoundsDirectionAndStart) {
  for (const char* sort : {"a", "b", "c", "d", "e"}) Put(TestKey("p", sort), sort);
  Put(TestKey("o", "z"), "X");  // neighbors that must never be visited
  Put(TestKey("q", "a"), "Y");
  Put(TestKey("p", "a", 1), "Z");
  const auto at = [](std::string_view sort) { return TestKey("p", sort).bytes(); };
  const auto fwd = Direction::kForward, back = Direction::kBackward;
  const RangeCase cases[] = {
      {"all", "", "", fwd, "", 100, "abcde"},
      {"all backward", "", "", back, "", 100, "edcba"},
      {"limit", "", "", fwd, "", 2, "ab"},
      {"limit backward", "", "", back, "", 2, "ed"},
      {"lower is within", "b", "", fwd, "", 100, "bcde"},
      {"upper is outside", "", "d", fwd, "", 100, "abc"},
      {"both", "b", "d", fwd, "", 100, "bc"},
      {"both backward", "b", "d", back, "", 100, "cb"},
      {"empty", "c", "c", fwd, "", 100, ""},
      {"crossed", "d", "b", fwd, "", 100, ""},
      {"crossed backward", "d", "b", back, "", 100, ""},
      {"after a row", "", "", fwd, at("b"), 100, "cde"},
      {"after a row backward", "", "", back, at("b"), 100, "a"},
      {"after a gap", "", "", fwd, at("bb"), 100, "cde"},
      {"after a gap backward", "", "", back, at("bb"), 100, "ba"},
      {"after the last", "", "", fwd, at("e"), 100, ""},
      {"after the first backward", "", "", back, at("a"), 100, ""},
      {"after is before lower", "c", "", fwd, at("a"), 100, "cde"},
      {"after is past upper, backward", "", "c", back, at("e"), 100, "ba"},
      {"after and bounds", "b", "e", fwd, at("b"), 100, "cd"},
      {"after and bounds backward", "b", "e", back, at("d"), 100, "cb"},
  };
  for (const RangeCase& c : cases) {
    EXPECT_EQ(Walk({.table = kTestTable,
                    .index = kBaseTable,
                    .partition = Partition("p"),
                    .lower = c.lower,
                    .upper = c.upper,
                    .direction = c.direction,
                    .after = c.after},
                   c.limit),
              c.expected)
        << c.name;
  }
  EXPECT_EQ(Walk({.table = kTestTable, .partition = Partition("none")}), "");
}

TEST_P(StoreTest, RangeWithBaseJoinsTheBaseRow) {
  Put(TestKey("p", "1", 3), "b");
  Put(TestKey("p", "2", 3), "gone");
  Put(TestKey("b"), "base");
  std::string seen;
  ASSERT_TRUE(store
                  ->RangeWithBase(
                      {.table = kTestTable, .index = 3, .partition = Partition("p")},
                      [](const RowView& row) { return TestKey(row.value); },
                      [&](const RowView& row, const RowView& base) {
                        seen.append(row.value).append("=").append(base.value).append(";");
                        EXPECT_EQ(base.key.empty(), row.value == "gone");
                        return true;
                      },
                      access())
                  .ok());
  EXPECT_EQ(seen, "b=base;gone=;");
}

TEST_P(StoreTest, ScanOfSlotRangesSeesEveryRowOnce) {
  std::map<std::string, int> expected;
  for (int i = 0; i < 200; ++i) {
    Put(TestKey("k" + std::to_string(i)), std::to_string(i));
    expected[std::to_string(i)] = 1;
  }
  Put(TestKey("k0", {}, 1), "index");
  Put(TestKey("k0", {}, kBaseTable, kTestTable + 1), "table");
  std::map<std::string, int> seen;
  for (uint32_t segment = 0; segment < 4; ++segment) {
    SlotRange range{.table = kTestTable,
                    .first = static_cast<Slot>(segment * kSlots / 4),
                    .last = static_cast<Slot>((segment + 1) * kSlots / 4 - 1)};
    for (bool more = true; more;) {  // pages of three
      int left = 3;
      more = false;
      std::string last;
      ASSERT_TRUE(store
                      ->ScanSlots(
                          range,
                          [&](const RowView& row) {
                            ++seen[std::string(row.value)];
                            EXPECT_GT(row.key, last);
                            last = row.key;
                            more = --left == 0;
                            return !more;
                          },
                          access())
                      .ok());
      range.after = last;
    }
  }
  EXPECT_EQ(seen, expected);
}

TEST_P(StoreTest, TheCatalogIsComparedAndSet) {
  EXPECT_EQ(store->ReadCatalog().version, 0u);
  const CatalogChange add[] = {{"a", "A"}, {"b", "B"}};
  ASSERT_TRUE(WriteCatalog(*store, 0, {std::begin(add), std::end(add)}).ok());
  const CatalogChange change[] = {{"a", std::nullopt}, {"c", "C"}};
  const Status stale = WriteCatalog(*store, 0, {std::begin(change), std::end(change)});
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.kind(), Kind::kStale);
  ASSERT_TRUE(WriteCatalog(*store, 1, {std::begin(change), std::end(change)}).ok());
  const CatalogState state = store->ReadCatalog();
  EXPECT_EQ(state.version, 2u);
  EXPECT_EQ(state.entries, (std::map<std::string, std::string>{{"b", "B"}, {"c", "C"}}));
}

TEST_P(StoreTest, AMutateOfAnOlderCatalogIsStaleAndAppliesNothing) {
  const RowKey key = TestKey("a");
  ASSERT_TRUE(WriteCatalog(*store, 0, {{"t", "T"}}).ok());
  const auto put = [&](Micros, std::span<const Row>, Changes& changes) {
    changes.Put(key, "x");
    return Ok();
  };
  const Status stale = store->Mutate(0, {&key, 1}, put, access());
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.kind(), Kind::kStale);
  EXPECT_EQ(Read(key), "(none)");
  EXPECT_TRUE(store->Mutate(1, {&key, 1}, put, access()).ok());
  EXPECT_EQ(Read(key), "x");
}

TEST_P(StoreTest, TalliesChangeWithTheRows) {
  const RowKey key = TestKey("a");
  const auto count = [&](TableId table, IndexId index, int64_t rows, int64_t bytes) {
    return Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
      changes.Put(key, "x");
      changes.AddTally(table, index, rows, bytes);
      changes.AddTally(table, index, 1, 1);
      return Ok();
    });
  };
  ASSERT_TRUE(count(kTestTable, 0, 2, 20).ok());
  ASSERT_TRUE(count(kTestTable, 0, -1, -5).ok());
  ASSERT_TRUE(count(kTestTable, 1, 0, 7).ok());
  EXPECT_EQ(store->ReadTally(kTestTable, 0).rows, 3);
  EXPECT_EQ(store->ReadTally(kTestTable, 0).bytes, 17);
  EXPECT_EQ(store->ReadTally(kTestTable, 1).bytes, 8);
  EXPECT_EQ(store->ReadTally(kTestTable, 2).rows, 0);
}

TEST_P(StoreTest, TheLogIsReadInCommitOrderBySlotRange) {
  const RowKey key = TestKey("a");
  const auto log = [&](std::vector<std::pair<Slot, std::string>> records) {
    clock.Advance(1);
    ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                  changes.Put(key, "x");
                  for (auto& [slot, body] : records) changes.Log({kTestTable, slot, body});
                  return Ok();
                }).ok());
  };
  log({{5, "a"}, {900, "b"}, {5, "c"}});
  log({{900, "d"}});
  log({{5, "e"}, {65535, "f"}});
  ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                changes.Log({kTestTable + 1, 5, "other table"});
                return Ok();
              }).ok());
  std::vector<Row> rows;
  ASSERT_TRUE(store->Get({&key, 1}, rows, access()).ok());
  // ReadLog ends at the durable mark, so advance it.
  ASSERT_TRUE(WriteCatalog(*store, 0, {}).ok());

  const auto read = [&](Slot first, Slot last, CommitNumber after, uint16_t ordinal, size_t limit) {
    return ReadLog(*store, {kTestTable, first, last, {after, ordinal}}, limit);
  };
  const auto bodies = [](const std::vector<LogEntry>& entries) {
    std::string text;
    for (const auto& entry : entries) text.append(entry.body);
    return text;
  };
  const auto all = read(0, 65535, 0, 0, 100);
  EXPECT_EQ(bodies(all), "abcdef");
  EXPECT_EQ(bodies(read(0, 10, 0, 0, 100)), "ace");
  EXPECT_EQ(bodies(read(11, 65535, 0, 0, 100)), "bdf");
  EXPECT_EQ(bodies(read(0, 65535, 0, 0, 2)), "ab");
  // Reading from each position continues exactly after its record.
  for (size_t i = 0; i < all.size(); ++i) {
    EXPECT_EQ(bodies(read(0, 65535, all[i].at.commit, all[i].at.ordinal, 100)), std::string("abcdef").substr(i + 1))
        << i;
  }
  EXPECT_LE(all[0].time, all[3].time);
  EXPECT_LT(all[3].time, all[4].time);
  EXPECT_EQ(all[0].at.commit, all[2].at.commit);
  EXPECT_LT(all[2].at.commit, all[3].at.commit);
}

TEST_P(StoreTest, TheLogIsTrimmedByTime) {
  const RowKey key = TestKey("a");
  const auto log = [&](TableId table, std::string body) {
    clock.Advance(1'000'000);
    ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                  changes.Log({table, 7, body});
                  return Ok();
                }).ok());
  };
  for (const char* body : {"a", "b", "c"}) log(kTestTable, body);
  log(kTestTable + 1, "other");
  const auto bodies = [&](TableId table) {
    std::string text;
    for (const auto& entry : ReadLog(*store, {.table = table})) text.append(entry.body);
    return text;
  };
  ASSERT_TRUE(WriteCatalog(*store, 0, {}).ok());
  const std::vector<LogEntry> all = ReadLog(*store, {.table = kTestTable});
  ASSERT_EQ(all.size(), 3u);
  ASSERT_TRUE(store->TrimLog(kTestTable, all[1].time).ok());
  EXPECT_EQ(bodies(kTestTable), "bc");
  ASSERT_TRUE(store->TrimLog(kTestTable, INT64_MAX).ok());
  EXPECT_EQ(bodies(kTestTable), "");
  EXPECT_EQ(bodies(kTestTable + 1), "other");
}

TEST_P(StoreTest, ReadLogReturnsHowFarItCame) {
  const RowKey key = TestKey("a");
  for (const Slot slot : {1, 2, 1}) {
    ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                  changes.Log({kTestTable, slot, "x"});
                  return Ok();
                }).ok());
  }
  ASSERT_TRUE(WriteCatalog(*store, 0, {}).ok());
  const std::vector<LogEntry> all = ReadLog(*store, {.table = kTestTable});
  ASSERT_EQ(all.size(), 3u);
  const auto none = [](const LogView&) { return false; };
  const auto any = [](const LogView&) { return true; };
  // The returned position is before the refused record, past records of other slots, or at the end of the log.
  EXPECT_EQ(*store->ReadLog({.table = kTestTable}, none), LogPosition());
  EXPECT_EQ(*store->ReadLog({.table = kTestTable, .first = 2, .last = 2}, none), all[0].at);
  EXPECT_EQ(*store->ReadLog({.table = kTestTable, .first = 9, .last = 9}, none),
            LogPosition::AfterCommit(store->Durable()));
  EXPECT_EQ(*store->ReadLog({.table = kTestTable, .through = all[1].at.commit}, any),
            LogPosition::AfterCommit(all[1].at.commit));
  EXPECT_EQ(*store->ReadLog({.table = kTestTable + 5}, any), LogPosition::AfterCommit(store->Durable()));
}

TEST_P(StoreTest, ACatalogChangeGetsItsStamp) {
  const RowKey key = TestKey("a");
  const auto log = [&](CatalogVersion version) {
    Horizon horizon;
    const auto decide = [](Micros, std::span<const Row>, Changes& changes) {
      changes.Log({kTestTable, 1, "x"});
      return Ok();
    };
    ASSERT_TRUE(store->Mutate(version, {&key, 1}, decide, {.horizon = horizon}).ok());
  };
  log(0);
  CommitStamp stamp;
  ASSERT_TRUE(store
                  ->WriteCatalog(0,
                                 [&](CommitStamp own) {
                                   stamp = own;
                                   return std::vector<CatalogChange>{{"t", std::to_string(own.commit)}};
                                 })
                  .ok());
  EXPECT_EQ(store->ReadCatalog().entries.at("t"), std::to_string(stamp.commit));
  log(1);
  ASSERT_TRUE(WriteCatalog(*store, 1, {}).ok());
  const std::vector<LogEntry> all = ReadLog(*store, {.table = kTestTable});
  ASSERT_EQ(all.size(), 2u);
  EXPECT_LT(all[0].at.commit, stamp.commit);
  EXPECT_GT(all[1].at.commit, stamp.commit);
  EXPECT_LE(all[0].time, stamp.time);
  EXPECT_GE(all[1].time, stamp.time);
}

TEST_P(StoreTest, PurgeOfAnIndexLeavesTheRest) {
  for (const IndexId index : {0, 1, 2}) Put(TestKey("a", {}, index), "x");
  Put(TestKey("a", {}, 1, kTestTable + 1), "x");
  ASSERT_TRUE(store->Purge(kTestTable, 1).ok());
  EXPECT_EQ(Read(TestKey("a", {}, 0)), "x");
  EXPECT_EQ(Read(TestKey("a", {}, 1)), "(none)");
  EXPECT_EQ(Read(TestKey("a", {}, 2)), "x");
  EXPECT_EQ(Read(TestKey("a", {}, 1, kTestTable + 1)), "x");
}

TEST_P(StoreTest, PurgeOfATableRemovesRowsIndexesAndTallies) {
  for (const TableId table : {kTestTable - 1, kTestTable, kTestTable + 1}) {
    const RowKey key = TestKey("a", {}, 0, table), indexed = TestKey("a", {}, 5, table);
    ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                  changes.Put(key, "x");
                  changes.Put(indexed, "y");
                  changes.AddTally(table, 0, 1, 1);
                  changes.AddTally(table, 5, 1, 1);
                  changes.Log({table, 1, "l"});
                  return Ok();
                }).ok());
  }
  ASSERT_TRUE(store->Purge(kTestTable, kBaseTable).ok());
  for (const TableId table : {kTestTable - 1, kTestTable, kTestTable + 1}) {
    const bool gone = table == kTestTable;
    EXPECT_EQ(Read(TestKey("a", {}, 0, table)), gone ? "(none)" : "x") << table;
    EXPECT_EQ(Read(TestKey("a", {}, 5, table)), gone ? "(none)" : "y") << table;
    EXPECT_EQ(store->ReadTally(table, 0).rows, gone ? 0 : 1) << table;
    EXPECT_EQ(store->ReadTally(table, 5).rows, gone ? 0 : 1) << table;
    EXPECT_EQ(ReadLog(*store, {.table = table}).size(), 1u) << "the log stays";
  }
  Put(TestKey("a"), "again");
  EXPECT_EQ(Read(TestKey("a")), "again");
}

TEST_P(StoreTest, IngestedRowsAreVisibleAfterFinish) {
  const TableId other = kTestTable + 1;
  std::vector<RowKey> keys;
  for (int i = 0; i < 50; ++i) {
    keys.push_back(TestKey("p" + std::to_string(i), "s", 0, other));
    keys.push_back(TestKey("p" + std::to_string(i), "s", 2, other));
  }
  std::sort(keys.begin(), keys.end());
  const auto ingest_all = [&](bool finish) {
    auto ingest = store->BeginIngest();
    ASSERT_TRUE(ingest.ok());
    for (const RowKey& key : keys) ASSERT_TRUE((*ingest)->Add(key.bytes(), "v" + key.bytes()).ok());
    EXPECT_EQ(Read(keys[0]), "(none)");
    const Changes::Count tallies[] = {{other, 0, {50, 500}}, {other, 2, {50, 700}}};
    EXPECT_TRUE(!finish || (*ingest)->Finish(tallies).ok());
  };
  Put(TestKey("a"), "x");
  ingest_all(false);
  EXPECT_EQ(Read(keys[0]), "(none)") << "abandoned";
  ingest_all(true);
  for (const RowKey& key : keys) EXPECT_EQ(Read(key), "v" + key.bytes());
  EXPECT_EQ(store->ReadTally(other, 0).bytes, 500);
  EXPECT_EQ(store->ReadTally(other, 2).rows, 50);
  EXPECT_EQ(Read(TestKey("a")), "x");
  Put(keys[3], "later");
  EXPECT_EQ(Read(keys[3]), "later");
  ASSERT_TRUE(store->Purge(other, kBaseTable).ok());
  EXPECT_EQ(Read(keys[0]), "(none)");
}

TEST_P(StoreTest, AnEmptyIngestFinishes) {
  auto ingest = store->BeginIngest();
  ASSERT_TRUE(ingest.ok());
  EXPECT_TRUE((*ingest)->Finish({}).ok());
}

TEST_P(StoreTest, WhenDurableCallsOnceTheMarkIsReached) {
  Put(TestKey("a"), "x");
  std::atomic<bool> called = false;
  std::mutex mutex;
  std::condition_variable done;
  store->WhenDurable(horizon.number(), [&] {
    std::lock_guard lock(mutex);
    called = true;
    done.notify_one();
  });
  std::unique_lock lock(mutex);
  done.wait(lock, [&] { return called.load(); });
  EXPECT_GE(store->Durable(), horizon.number());
}

TEST_P(StoreTest, OnlyADurableStoreRaisesTheHorizon) {
  const bool waits = GetParam() == "rocksdb";
  Put(TestKey("a"), "x");
  const CommitNumber written = horizon.number();
  EXPECT_EQ(written > 0, waits);
  const auto horizon_of = [&](auto read) {
    Horizon seen;
    read(Access{.horizon = seen});
    return seen.number();
  };
  std::vector<Row> rows;
  const RowKey key = TestKey("a");
  const auto none = [](const RowView&) { return true; };
  EXPECT_EQ(horizon_of([&](Access a) { (void)store->Get({&key, 1}, rows, a); }), written);
  EXPECT_EQ(horizon_of([&](Access a) { (void)store->GetAtomic({&key, 1}, rows, a); }), written);
  EXPECT_EQ(horizon_of([&](Access a) {
              (void)store->Range({.table = kTestTable, .partition = Partition("a"), .lower = "zz"}, none, a);
            }),
            written)
      << "a page without rows";
  EXPECT_EQ(horizon_of([&](Access a) { (void)store->ScanSlots({.table = kTestTable + 5}, none, a); }), written);
  EXPECT_EQ(horizon_of([&](Access a) {
              (void)store->Mutate(
                  0, {&key, 1}, [](Micros, std::span<const Row>, Changes&) -> Status { return kRefuse(); }, a);
            }),
            written)
      << "a failed condition";
  ASSERT_TRUE(Write({&key, 1}, [&](Micros, std::span<const Row>, Changes& changes) {
                changes.Delete(key);
                return Ok();
              }).ok());
  EXPECT_EQ(horizon_of([&](Access a) { (void)store->Get({&key, 1}, rows, a); }), horizon.number()) << "a miss";
}

TEST_P(StoreTest, IncrementsByManyThreadsSumUp) {
  constexpr int kThreads = 4, kEach = 300;
  const RowKey keys[] = {TestKey("a"), TestKey("b"), TestKey("c")};
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) {
    threads.emplace_back([&, t] {
      Random random(t + 1);
      for (int i = 0; i < kEach; ++i) {
        // Two keys in either order: taking locks in the given order would deadlock here.
        const size_t first = random.Below(3), second = (first + 1 + random.Below(2)) % 3;
        const RowKey two[] = {keys[first], keys[second]};
        Horizon mine;
        EXPECT_TRUE(store
                        ->Mutate(0, two,
                                 [&](Micros, std::span<const Row> rows, Changes& changes) {
                                   for (size_t k = 0; k < 2; ++k) {
                                     changes.Put(two[k], std::to_string(1 + atoi(rows[k].value.c_str())));
                                   }
                                   changes.AddTally(kTestTable, 0, 2, 0);
                                   return Ok();
                                 },
                                 {.horizon = mine})
                        .ok());
      }
    });
  }
  for (auto& thread : threads) thread.join();
  int sum = 0;
  for (const RowKey& key : keys) sum += atoi(Read(key).c_str());
  EXPECT_EQ(sum, kThreads * kEach * 2);
  EXPECT_EQ(store->ReadTally(kTestTable, 0).rows, kThreads * kEach * 2);
}

TEST_P(StoreTest, AtomicReadsNeverSeeHalfAMutate) {
  const RowKey keys[] = {TestKey("a"), TestKey("b"), TestKey("p", "1", 2), TestKey("p", "2", 2)};
  std::atomic<bool> stop = false;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      Horizon mine;
      EXPECT_TRUE(store
                      ->Mutate(0, keys,
                               [&](Micros, std::span<const Row>, Changes& changes) {
                                 for (const RowKey& key : keys) changes.Put(key, std::to_string(i));
                                 return Ok();
                               },
                               {.horizon = mine})
                      .ok());
    }
  });
  for (int i = 0; i < 500; ++i) {
    Horizon mine;
    std::vector<Row> rows;
    ASSERT_TRUE(store->GetAtomic(keys, rows, {.horizon = mine}).ok());
    for (const Row& row : rows) EXPECT_EQ(row.value, rows[0].value);
    ASSERT_TRUE(store
                    ->RangeWithBase(
                        {.table = kTestTable, .index = 2, .partition = Partition("p")},
                        [&](const RowView&) { return keys[0]; },
                        [&](const RowView& row, const RowView& base) {
                          EXPECT_EQ(row.value, base.value);
                          return true;
                        },
                        {.horizon = mine})
                    .ok());
  }
  stop = true;
  writer.join();
}

TEST_P(StoreTest, AScanWithTallySeesBothAtOnePointInTime) {
  std::atomic<bool> stop = false;
  std::vector<std::thread> writers;
  for (int t = 0; t < 2; ++t) {
    writers.emplace_back([&, t] {
      Random random(t + 1);
      while (!stop) {
        const RowKey key = TestKey(std::to_string(random.Below(60)));
        Horizon mine;
        const auto turn = [&](Micros, std::span<const Row> rows, Changes& changes) {
          rows[0].exists ? changes.Delete(key) : changes.Put(key, "four");
          changes.AddTally(kTestTable, 0, rows[0].exists ? -1 : 1, rows[0].exists ? -4 : 4);
          return Ok();
        };
        EXPECT_TRUE(store->Mutate(0, {&key, 1}, turn, {.horizon = mine}).ok());
      }
    });
  }
  for (int i = 0; i < 300; ++i) {
    Tally seen;
    const auto visit = [&](const RowView& row) {
      ++seen.rows;
      seen.bytes += static_cast<int64_t>(row.value.size());
      return true;
    };
    const Result<Tally> tally = store->ScanWithTally(kTestTable, 0, visit, access());
    ASSERT_TRUE(tally.ok());
    EXPECT_EQ(tally->rows, seen.rows);
    EXPECT_EQ(tally->bytes, seen.bytes);
  }
  stop = true;
  for (auto& writer : writers) writer.join();
}

TEST_P(StoreTest, AScanWithTallyEndsWhenVisitReturnsFalse) {
  const RowKey keys[] = {TestKey("a"), TestKey("b")};
  ASSERT_TRUE(Write(keys, [&](Micros, std::span<const Row>, Changes& changes) {
                for (const RowKey& key : keys) changes.Put(key, "x");
                changes.AddTally(kTestTable, 0, 2, 2);
                return Ok();
              }).ok());
  int seen = 0;
  const Result<Tally> tally = store->ScanWithTally(
      kTestTable, 0, [&](const RowView&) { return ++seen < 1; }, access());
  EXPECT_EQ(seen, 1);
  EXPECT_EQ(tally->rows, 2);
  EXPECT_EQ(store
                ->ScanWithTally(
                    kTestTable + 1, 0, [](const RowView&) { return true; }, access())
                ->rows,
            0);
}

INSTANTIATE_TEST_SUITE_P(Stores, StoreTest, testing::Values("memory", "rocksdb", "relaxed"),
                         [](const auto& info) { return info.param; });

}  // namespace
}  // namespace keyfold::store
