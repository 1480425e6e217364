// Random operations on the durable store and on the memory store, including reopening and purging. Both must agree on
// everything except commit numbers. The seed is printed, and KEYFOLD_SEED repeats a run.
#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <set>

#include "base/random.h"
#include "store/rocksdb/open.h"
#include "store/store.h"
#include "testing/store/store.h"

namespace keyfold::store {
namespace {

class RandomOperations : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "keyfold-random-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override {
    store.reset();
    std::filesystem::remove_all(folder);
  }
  void Open() {
    store.reset();
    // Small write buffers, so that rows are also read from tables of several levels.
    auto opened = OpenRocksdbStore(
        {.path = folder + "/data", .relaxed = true, .cache_bytes = 1 << 20, .write_buffer_bytes = 64 << 10}, clock);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    store = *std::move(opened);
  }

  std::string Fresh(const char* kind, uint64_t choices) { return kind + std::to_string(random.Below(choices)); }
  RowKey RandomKey() {
    const IndexId index = static_cast<IndexId>(random.Below(3));
    return RowKey(kTestTable, index, Fresh("p", 6).append("\0\0", 2), Fresh("s", 20).append("\0\0", 2));
  }
  void Mutate() {
    std::vector<RowKey> keys;
    std::set<std::string> seen;
    for (uint64_t n = 1 + random.Below(4); n > 0; --n) {
      RowKey key = RandomKey();
      if (seen.insert(key.bytes()).second) keys.push_back(std::move(key));
    }
    const uint64_t plan = random.Next();
    const bool refuse = random.OneIn(10);
    const auto decide = [&](Micros now, std::span<const Row> rows, Changes& changes) -> Status {
      Random choice(plan);
      for (size_t i = 0; i < keys.size(); ++i) {
        const IndexId index = keys[i].index();
        const auto size_of = [](const Row& row) { return static_cast<int64_t>(row.value.size()); };
        if (choice.OneIn(3)) {
          changes.Delete(keys[i]);
          changes.AddTally(kTestTable, index, rows[i].exists ? -1 : 0, -size_of(rows[i]));
        } else {
          std::string value = std::to_string(now) + rows[i].value.substr(0, 20) + std::string(choice.Below(300), 'x');
          changes.AddTally(kTestTable, index, rows[i].exists ? 0 : 1,
                           static_cast<int64_t>(value.size()) - size_of(rows[i]));
          changes.Log({kTestTable, keys[i].slot(), value});
          changes.Put(keys[i], std::move(value));
        }
      }
      if (refuse) return kRefused();
      return Ok();
    };
    const CatalogVersion version = random.OneIn(20) ? catalog + 1 : catalog;
    const auto run = [&](Store& s) {
      const Status status = s.Mutate(version, keys, decide, {.horizon = horizon});
      return status.ok() ? "ok" : std::to_string(static_cast<int>(status.kind()));
    };
    EXPECT_EQ(run(*store), run(*reference));
  }
  void Compare() {
    PartitionRange range{.table = kTestTable,
                         .index = static_cast<IndexId>(random.Below(3)),
                         .partition = Fresh("p", 6).append("\0\0", 2)};
    if (random.OneIn(2)) range.lower = Fresh("s", 20);
    if (random.OneIn(2)) range.upper = Fresh("s", 20);
    if (random.OneIn(2)) range.direction = Direction::kBackward;
    if (random.OneIn(2)) {
      range.after = RowKey(kTestTable, range.index, range.partition, Fresh("s", 20).append("\0\0", 2)).bytes();
    }
    SlotRange slots{.table = kTestTable, .index = range.index};
    if (random.OneIn(2)) slots.first = static_cast<Slot>(random.Below(kSlots));
    if (random.OneIn(2)) slots.last = static_cast<Slot>(random.Below(kSlots));
    if (random.OneIn(2)) slots.after = RandomKey().bytes();
    const size_t limit = 1 + random.Below(30);
    const RowKey keys[] = {RandomKey(), RandomKey()};
    const auto dump = [&](Store& s) { return Dump(s, range, slots, limit, keys); };
    EXPECT_EQ(dump(*store), dump(*reference));
  }
  std::string Dump(Store& s, const PartitionRange& range, const SlotRange& slots, size_t limit,
                   std::span<const RowKey> keys) {
    std::string text;
    size_t left = limit;
    const auto visit = [&](const RowView& row) {
      text.append(row.key).append("=").append(row.value).append("\n");
      return --left > 0;
    };
    const auto pair = [&](const RowView& row, const RowView& base) {
      text.append(base.value);
      return visit(row);
    };
    const Access access{.horizon = horizon};
    EXPECT_TRUE(s.Range(range, visit, access).ok());
    left = limit;
    EXPECT_TRUE(s.RangeWithBase(
                     range, [&](const RowView&) { return keys[0]; }, pair, access)
                    .ok());
    left = limit;
    EXPECT_TRUE(s.ScanSlots(slots, visit, access).ok());
    std::vector<Row> rows;
    EXPECT_TRUE(s.Get(keys, rows, access).ok());
    for (const Row& row : rows) text.append(row.exists ? row.value : "-").append("\n");
    EXPECT_TRUE(s.GetAtomic(keys, rows, access).ok());
    for (const Row& row : rows) text.append(row.exists ? row.value : "-").append("\n");
    const Tally tally = s.ReadTally(kTestTable, range.index);
    text.append(std::to_string(tally.rows)).append(" ").append(std::to_string(tally.bytes));
    for (const auto& entry : ReadLog(s, {kTestTable, slots.first, slots.last}, limit))
      text.append(std::to_string(entry.time)).append(entry.body);
    return text;
  }
  void Step() {
    clock.Advance(static_cast<Micros>(random.Below(1000)));
    switch (random.Below(400)) {
      case 0: {
        const std::vector<CatalogChange> change = {{Fresh("t", 5), Fresh("v", 100)}};
        EXPECT_TRUE(WriteCatalog(*store, catalog, change).ok());
        EXPECT_TRUE(WriteCatalog(*reference, catalog, change).ok());
        EXPECT_EQ(store->ReadCatalog().entries, reference->ReadCatalog().entries);
        ++catalog;
        break;
      }
      case 1: {
        const IndexId index = static_cast<IndexId>(random.Below(3));
        EXPECT_TRUE(store->Purge(kTestTable, index).ok());
        EXPECT_TRUE(reference->Purge(kTestTable, index).ok());
        break;
      }
      case 2:
        Open();
        break;
      default:
        random.OneIn(2) ? Mutate() : Compare();
    }
  }

  static constexpr Rule<"refused"> kRefused{"test-refused", Kind::kConditionalCheckFailed};
  std::string folder;
  ManualClock clock{1'000'000};
  Horizon horizon;
  std::unique_ptr<Store> store;
  Random random{0};
  CatalogVersion catalog = 0;
  std::unique_ptr<Store> reference;
};

TEST_F(RandomOperations, AgreeWithTheMemoryStore) {
  const char* count_text = getenv("KEYFOLD_RANDOM_OPS");
  const char* seed_text = getenv("KEYFOLD_SEED");
  const uint64_t count = count_text ? strtoull(count_text, nullptr, 10) : 5000;
  const uint64_t seed = seed_text ? strtoull(seed_text, nullptr, 10) : Random::SeedFromSystem();
  std::printf("KEYFOLD_SEED=%llu\n", static_cast<unsigned long long>(seed));
  random = Random(seed);
  reference = MakeMemoryStore(clock);
  Open();
  for (uint64_t i = 0; i < count && !HasFailure(); ++i) Step();
}

}  // namespace
}  // namespace keyfold::store
