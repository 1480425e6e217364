// The catalog: a table's encoding has all of its fields, changes are serialized, and the store's content is found again
// after reopening.
#include "engine/catalog/catalog.h"

#include <gtest/gtest.h>
#include <time.h>

#include "base/random.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/test_database.h"
#include "testing/store/store.h"

namespace keyfold::engine {
namespace {

// Random values for every field. The structured bindings name all fields, so a new field does not compile until it gets
// a value here.
class RandomTable {
 public:
  explicit RandomTable(uint64_t seed) : random_(seed) {}

  Table Make() {
    Table table;
    auto& [id, name, uuid, key, attributes, indexes, next_index_id, on_demand_billing, on_demand_since, throughput,
           on_demand, warm, table_class, table_class_since, deletion_protection, encryption, stream, expiry, recovery,
           holds, log_ended, restored, filling, tags, created, creating_until, updating_until, deleting,
           deleting_until] = table;
    Fill(id, name, uuid, key, attributes, indexes, next_index_id, on_demand_billing, on_demand_since, throughput,
         on_demand, warm, table_class, table_class_since, deletion_protection, encryption, stream, expiry, recovery,
         holds, log_ended, restored, filling, tags, created, creating_until, updating_until, deleting, deleting_until);
    return table;
  }

 private:
  template <typename... T>
  void Fill(T&... fields) {
    (Set(fields), ...);
  }
  void Set(bool& v) { v = random_.OneIn(2); }
  void Set(std::string& v) {
    v.clear();
    for (size_t n = random_.Below(4) == 0 ? random_.Below(300) : random_.Below(6); n > 0; --n)
      v.push_back(static_cast<char>(random_.Next()));
  }
  void Set(std::integral auto& v) { v = static_cast<std::decay_t<decltype(v)>>(random_.Next()); }
  void Set(Type& v) { v = static_cast<Type>(random_.Below(3)); }
  void Set(IndexStatus& v) { v = static_cast<IndexStatus>(random_.Below(4)); }
  void Set(StreamViewType& v) { v = static_cast<StreamViewType>(random_.Below(5)); }
  void Set(ProjectionKind& v) { v = static_cast<ProjectionKind>(random_.Below(3)); }
  template <typename T>
  void Set(std::optional<T>& v) {
    if (random_.OneIn(2)) Set(v.emplace());
  }
  template <typename T>
  void Set(std::vector<T>& v) {
    for (size_t n = random_.Below(4); n > 0; --n) Set(v.emplace_back());
  }
  void Set(std::pair<std::string, std::string>& v) { Fill(v.first, v.second); }
  void Set(KeyAttribute& v) {
    auto& [name, type] = v;
    Fill(name, type);
  }
  void Set(KeySchema& v) {
    auto& [partition, sort] = v;
    Fill(partition, sort);
  }
  void Set(Throughput& v) {
    auto& [read, write, increase, decrease, today] = v;
    Fill(read, write, increase, decrease, today);
  }
  void Set(UnitPair& v) {
    auto& [read, write] = v;
    Fill(read, write);
  }
  void Set(StreamSettings& v) {
    auto& [enabled, view_type, label] = v;
    Fill(enabled, view_type, label);
  }
  void Set(ExpirySettings& v) {
    auto& [enabled, attribute, index, filled] = v;
    Fill(enabled, attribute, index, filled);
  }
  void Set(store::CommitStamp& v) {
    auto& [commit, time] = v;
    Fill(commit, time);
  }
  void Set(RecoverySettings& v) {
    auto& [enabled, days, since] = v;
    Fill(enabled, days, since);
  }
  void Set(LogHold& v) {
    auto& [by, since] = v;
    Fill(by, since);
  }
  void Set(RestoreSource& v) {
    auto& [backup, table, table_id, time, latest] = v;
    Fill(backup, table, table_id, time, latest);
  }
  void Set(EncryptionSettings& v) {
    auto& [enabled, type, key_arn] = v;
    Fill(enabled, type, key_arn);
  }
  void Set(Index& v) {
    auto& [id, name, global, key, projection, included, throughput, on_demand, warm, status, backfilling] = v;
    Fill(id, name, global, key, projection, included, throughput, on_demand, warm, status, backfilling);
  }

  Random random_;
};

TEST(TableCodec, EveryFieldRoundTrips) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    const Table table = RandomTable(seed).Make();
    const std::optional<Table> back = DecodeTable(EncodeTable(table));
    ASSERT_TRUE(back) << "seed " << seed;
    EXPECT_TRUE(*back == table) << "seed " << seed;
  }
}

TEST(TableCodec, OtherVersionsAndDamageAreRefused) {
  const std::string bytes = EncodeTable(TableOfText("t", "p:S/s:N", {Global("g", "a:S")}));
  ASSERT_TRUE(DecodeTable(bytes));
  for (const uint8_t version : {0, 4, 255}) {
    std::string other = bytes;
    other[0] = static_cast<char>(version);
    EXPECT_FALSE(DecodeTable(other)) << int{version};
  }
  for (size_t n = 0; n < bytes.size(); ++n) EXPECT_FALSE(DecodeTable(bytes.substr(0, n))) << "cut to " << n;
  EXPECT_FALSE(DecodeTable(bytes + "x"));
}

// Version 1 ended before the expiry settings, version 2 before those of recovery.
TEST(TableCodec, EarlierVersionsAreRead) {
  const Table table = TableOfText("t", "p:S/s:N", {Global("g", "a:S")});
  constexpr size_t kExpiryBytes = 1 + 1 + 8 + 1, kRecoveryBytes = 1 + 8 + 16 + 1 + 8 + 1 + 1;
  const std::pair<uint8_t, size_t> earlier[] = {{1, kExpiryBytes + kRecoveryBytes}, {2, kRecoveryBytes}};
  for (const auto& [version, less] : earlier) {
    std::string bytes = EncodeTable(table);
    bytes.resize(bytes.size() - less);
    bytes[0] = static_cast<char>(version);
    const std::optional<Table> back = DecodeTable(bytes);
    ASSERT_TRUE(back) << int{version};
    EXPECT_TRUE(*back == table) << int{version};
  }
}

TEST(Catalog, AStreamsShardsAreStampedByTheirChange) {
  ManualClock clock(7'000'000);
  const std::unique_ptr<store::Store> store = store::MakeMemoryStore(clock);
  const auto change = [&](Catalog& catalog, Stream stream) {
    ASSERT_TRUE(catalog
                    .Change([&](const CatalogSnapshot&, CatalogEdit& edit) {
                      edit.stream_puts.push_back(stream);
                      return Ok();
                    })
                    .ok());
  };
  auto catalog = *Catalog::Open(*store);
  change(*catalog, Stream{.table = "t", .label = "l", .shards = {Shard{.number = 1}}});
  const Stream opened = *catalog->Current()->streams.at("t/l");
  EXPECT_GT(opened.shards[0].start.commit, 0u);
  EXPECT_EQ(opened.shards[0].start.time, 7'000'000);
  EXPECT_EQ(opened.shards[0].end.commit, 0u);
  Stream split = opened;
  split.shards[0].closed = true;
  split.shards.push_back(Shard{.number = 2, .parent = opened.shards[0].name(), .first = 5});
  clock.Advance(1'000'000);
  change(*catalog, split);
  // Existing stamps stay, and all of them are there after a restart.
  catalog = *Catalog::Open(*store);
  const Stream closed = *catalog->Current()->streams.at("t/l");
  EXPECT_EQ(closed.shards[0].start.commit, opened.shards[0].start.commit);
  EXPECT_EQ(closed.shards[0].end.commit, closed.shards[1].start.commit);
  EXPECT_EQ(closed.shards[1].start.time, 8'000'000);
  EXPECT_EQ(closed.shards[1].parent->number, 1u);
  EXPECT_EQ(closed.shards[1].parent->opened, 7'000'000);
  EXPECT_EQ(closed.shards[1].first, 5);
  EXPECT_EQ(catalog->Current()->secret.size(), 32u);
}

Status PutTable(Catalog& catalog, const std::string& name) {
  return catalog.Change([&](const CatalogSnapshot& snapshot, CatalogEdit& edit) {
    Table table = TableOfText(name, "p:S");
    table.id = snapshot.next_table_id;
    edit.next_table_id = snapshot.next_table_id + 1;
    edit.puts.push_back(std::move(table));
    return Ok();
  });
}

std::string NamesIn(const Catalog& catalog) {
  std::string names;
  for (const auto& [name, table] : catalog.Current()->tables) names += name + "=" + std::to_string(table->id) + " ";
  return names;
}

class CatalogTest : public OnEachStore {};
INSTANTIATE_TEST_SUITE_P(Stores, CatalogTest, EachStore(), NameOfStore);

TEST_P(CatalogTest, IsFoundAgain) {
  DatabaseForTest test(GetParam());
  ASSERT_TRUE(PutTable(test.catalog(), "a").ok());
  ASSERT_TRUE(PutTable(test.catalog(), "b").ok());
  ASSERT_TRUE(test.catalog()
                  .Change([](const CatalogSnapshot&, CatalogEdit& edit) {
                    edit.removes.push_back("a");
                    edit.purges_added = {{1, 0}, {2, 5}};
                    return Ok();
                  })
                  .ok());
  ASSERT_TRUE(test.catalog()
                  .Change([](const CatalogSnapshot&, CatalogEdit& edit) {
                    edit.purges_done = {{1, 0}};
                    return Ok();
                  })
                  .ok());
  const store::CatalogVersion version = test.catalog().Current()->version;
  test.Reopen();
  EXPECT_EQ(NamesIn(test.catalog()), "b=2 ");
  const SnapshotPtr snapshot = test.catalog().Current();
  EXPECT_EQ(snapshot->version, version);
  EXPECT_EQ(snapshot->next_table_id, 3u);
  EXPECT_EQ(snapshot->purges, (std::vector<std::pair<store::TableId, store::IndexId>>{{2, 5}}));
  EXPECT_TRUE(*snapshot->Find("b") == *test.Find("b"));
  EXPECT_EQ(snapshot->Find("a"), nullptr);
}

TEST_P(CatalogTest, ARefusedOrEmptyChangeChangesNothing) {
  static constexpr Rule<"no"> kNo{"no", Kind::kValidation};
  DatabaseForTest test(GetParam());
  ASSERT_TRUE(PutTable(test.catalog(), "a").ok());
  const SnapshotPtr before = test.catalog().Current();
  const Status refused = test.catalog().Change([](const CatalogSnapshot&, CatalogEdit& edit) -> Status {
    edit.removes.push_back("a");
    return kNo();
  });
  EXPECT_EQ(DatabaseForTest::Message(refused), "no");
  EXPECT_TRUE(test.catalog().Change([](const CatalogSnapshot&, CatalogEdit&) { return Ok(); }).ok());
  EXPECT_EQ(test.catalog().Current(), before);
  EXPECT_EQ(test.store().ReadCatalog().version, before->version);
}

// Two programs on one store: each sees the other's changes when it makes its own.
TEST_P(CatalogTest, ChangesOfTwoProgramsFollowEachOther) {
  DatabaseForTest test(GetParam());
  Result<std::unique_ptr<Catalog>> other = Catalog::Open(test.store());
  ASSERT_TRUE(other.ok());
  ASSERT_TRUE(PutTable(test.catalog(), "a").ok());
  ASSERT_TRUE(PutTable(**other, "b").ok());
  EXPECT_EQ(NamesIn(**other), "a=1 b=2 ");
  ASSERT_TRUE(PutTable(test.catalog(), "c").ok());
  EXPECT_EQ(NamesIn(test.catalog()), "a=1 b=2 c=3 ");
}

TEST_P(CatalogTest, CatchUpFindsWhatAnotherProgramChanged) {
  DatabaseForTest test(GetParam());
  Result<std::unique_ptr<Catalog>> other = Catalog::Open(test.store());
  ASSERT_TRUE(other.ok());
  const store::CatalogVersion planned = test.catalog().Current()->version;
  ASSERT_TRUE(PutTable(**other, "a").ok());
  EXPECT_EQ(NamesIn(test.catalog()), "");
  ASSERT_TRUE(test.catalog().CatchUp(planned).ok());
  EXPECT_EQ(NamesIn(test.catalog()), "a=1 ");
}

TEST(Catalog, UnreadableEntriesAreNamed) {
  struct Case {
    const char *name, *value, *message;
  };
  const Case cases[] = {
      {"t/newer", "\x09xyz", "The catalog entry t/newer was written by a newer version of Keyfold, or is damaged"},
      {"d/00000001", "\x09xyz",
       "The catalog entry d/00000001 was written by a newer version of Keyfold, or is damaged"},
      {"z/unknown", "", "The catalog entry z/unknown was written by a newer version of Keyfold, or is damaged"},
      {"s", "\x01", "The catalog entry s was written by a newer version of Keyfold, or is damaged"},
  };
  for (const Case& c : cases) {
    ManualClock clock(0);
    const std::unique_ptr<store::Store> store = store::MakeMemoryStore(clock);
    const store::CatalogChange change{c.name, c.value};
    ASSERT_TRUE(store::WriteCatalog(*store, 0, {change}).ok());
    EXPECT_EQ(DatabaseForTest::Message(Catalog::Open(*store)), c.message);
  }
}

// Derived state is the same whether it was updated change by change or loaded from the store.
TEST_P(CatalogTest, KnowsWhichTablesHaveWorkAndStreams) {
  DatabaseForTest test(GetParam());
  Table streaming = TableOfText("a", "p:S");
  streaming.stream = {.enabled = true, .view_type = StreamViewType::kKeysOnly, .label = ""};
  const store::TableId id = test.Create(streaming)->id;
  test.Create(TableOfText("b", "p:S"));
  ASSERT_TRUE(test.AddIndex("b", Global("g", "a:S")).ok());
  for (const bool reopened : {false, true}) {
    if (reopened) test.Reopen();
    const SnapshotPtr snapshot = test.catalog().Current();
    EXPECT_TRUE(snapshot->HasStreams(id));
    EXPECT_FALSE(snapshot->HasStreams(id + 1));
    ASSERT_EQ(snapshot->pending.size(), 1u);
    EXPECT_EQ(snapshot->pending.begin()->second, snapshot->Find("b"));
  }
  test.RunBackgroundWork();
  EXPECT_TRUE(test.catalog().Current()->pending.empty());
  ASSERT_TRUE(test.lifecycle().Reset().ok());
  EXPECT_FALSE(test.catalog().Current()->HasStreams(id));
}

// A table that has lost its name but is held can be found by its id.
TEST_P(CatalogTest, ADepartedTableIsFoundById) {
  DatabaseForTest test(GetParam());
  Table held = *test.Create(TableOfText("a", "p:S"));
  held.holds.push_back({"reader", {}});
  const auto depart = [&](const CatalogSnapshot&, CatalogEdit& edit) {
    edit.removes.push_back("a");
    edit.departed_puts.push_back(held);
    return Ok();
  };
  ASSERT_TRUE(test.catalog().Change(depart).ok());
  const store::TableId other = test.Create(TableOfText("a", "p:N"))->id;
  for (const bool reopened : {false, true}) {
    if (reopened) test.Reopen();
    const SnapshotPtr snapshot = test.catalog().Current();
    EXPECT_EQ(snapshot->Find("a")->id, other);
    EXPECT_EQ(snapshot->FindById("a", other)->id, other);
    const TablePtr found = snapshot->FindById("a", held.id);
    ASSERT_TRUE(found);
    EXPECT_GT(found->holds.front().since.commit, 0u) << "stamped by its change";
    EXPECT_EQ(snapshot->FindById("a", other + 1), nullptr);
  }
}

Micros ThreadMicros() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return now.tv_sec * Micros{1'000'000} + now.tv_nsec / 1000;
}

// The cost of a change is counted where possible: entries and bytes written, nodes created. The time is CPU time of
// this thread, the minimum of many runs. Its limit is far above the actual value and far below the value from when
// every change copied every table.
TEST_P(CatalogTest, AChangeCostsTheSameHoweverManyTablesThereAre) {
  class CountingStore : public ForwardingStore {
   public:
    using ForwardingStore::ForwardingStore;
    Status WriteCatalog(store::CatalogVersion expected, MakeCatalogChanges make) override {
      return ForwardingStore::WriteCatalog(expected, [&](store::CommitStamp stamp) {
        std::vector<store::CatalogChange> changes = make(stamp);
        entries = changes.size();
        bytes = 0;
        for (const store::CatalogChange& change : changes)
          bytes += change.name.size() + change.value.value_or("").size();
        return changes;
      });
    }
    size_t entries = 0, bytes = 0;
  };
  struct Cost {
    size_t entries = 0, bytes = 0, nodes = 0;
    Micros cpu = 0;
  };
  const auto cost_at = [&](int tables) {
    DatabaseForTest test(GetParam());
    CountingStore store(test.store());
    const std::unique_ptr<Catalog> catalog = *Catalog::Open(store);
    EXPECT_TRUE(catalog
                    ->Change([&](const CatalogSnapshot&, CatalogEdit& edit) {
                      for (int i = 1; i <= tables; ++i) {
                        edit.puts.push_back(TableOfText("table" + std::to_string(100'000 + i), "p:S"));
                        edit.puts.back().id = static_cast<store::TableId>(i);
                      }
                      edit.next_table_id = 50'000;
                      return Ok();
                    })
                    .ok());
    TableLifecycle lifecycle({store, *catalog, test.clock}, 0, 7);
    Cost cost;
    for (int i = 0; i < 40; ++i) {
      const SnapshotPtr before = catalog->Current();
      const Micros begun = ThreadMicros();
      EXPECT_TRUE(lifecycle.Create(TableOfText("table" + std::to_string(100'010 + i) + "x", "p:S")).ok());
      const Micros cpu = ThreadMicros() - begun;
      cost.cpu = i == 0 ? cpu : std::min(cost.cpu, cpu);
      cost.entries = std::max(cost.entries, store.entries);
      cost.bytes = std::max(cost.bytes, store.bytes);
      if (i % 20 == 0) cost.nodes = std::max(cost.nodes, catalog->Current()->tables.NodesNotIn(before->tables));
    }
    return cost;
  };
  const Cost few = cost_at(100), many = cost_at(10'000);
  EXPECT_EQ(many.entries, few.entries);
  EXPECT_EQ(many.bytes, few.bytes);
  EXPECT_LE(many.nodes, 2 * few.nodes + 4);
  EXPECT_LE(many.cpu, 4 * few.cpu + 100);
}

}  // namespace
}  // namespace keyfold::engine
