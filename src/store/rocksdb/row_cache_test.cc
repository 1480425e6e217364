#include "store/rocksdb/row_cache.h"

#include <gtest/gtest.h>

#include <atomic>
#include <string>
#include <thread>
#include <vector>

namespace keyfold::store {
namespace {

RowKey KeyOf(int n, IndexId index = kBaseTable) { return RowKey(1, index, "p" + std::to_string(n), "s"); }

Changes::Write PutOf(int n, std::string value) { return {KeyOf(n), true, std::move(value)}; }

// Reads as a reader would: returns the cached value, or "-" after a miss, which then inserts `below`.
std::string Read(RowCache& cache, int n, const char* below = nullptr) {
  Row row;
  RowCache::Miss miss;
  if (cache.Find(KeyOf(n), row, miss)) return row.value;
  if (below != nullptr) cache.Insert(KeyOf(n), {true, below, 7}, miss);
  return "-";
}

void Write(RowCache& cache, std::vector<Changes::Write> writes, CommitNumber commit) {
  RowCache::Writing writing(cache, writes);
  if (commit != 0) writing.Applied(commit);
}

TEST(RowCache, KeepsWhatWasReadAndWritten) {
  RowCache cache(1 << 20);
  EXPECT_EQ(Read(cache, 1, "one"), "-");
  EXPECT_EQ(Read(cache, 1), "one");
  Write(cache, {PutOf(1, "two"), PutOf(2, "new")}, 9);
  Row row;
  RowCache::Miss miss;
  ASSERT_TRUE(cache.Find(KeyOf(1), row, miss));
  EXPECT_EQ(row.value, "two");
  EXPECT_EQ(row.commit, 9u);
  EXPECT_EQ(Read(cache, 2), "new");
  Write(cache, {{KeyOf(1), false, {}}}, 10);
  EXPECT_EQ(Read(cache, 1), "-");
}

TEST(RowCache, AWriteThatFailedLeavesNothing) {
  RowCache cache(1 << 20);
  Read(cache, 1, "one");
  Write(cache, {PutOf(1, "two")}, 0);
  EXPECT_EQ(Read(cache, 1), "-");
}

TEST(RowCache, MissesWhileARowIsWritten) {
  RowCache cache(1 << 20);
  Read(cache, 1, "old");
  const std::vector<Changes::Write> writes = {PutOf(1, "new")};
  {
    RowCache::Writing writing(cache, writes);
    EXPECT_EQ(Read(cache, 1, "old"), "-") << "RocksDB may have the new one";
    EXPECT_EQ(Read(cache, 1), "-") << "what was read in between may be outdated";
    writing.Applied(3);
  }
  EXPECT_EQ(Read(cache, 1), "new");
}

TEST(RowCache, AReaderThatWasOvertakenInsertsNothing) {
  RowCache cache(1 << 20);
  Row row;
  RowCache::Miss miss;
  ASSERT_FALSE(cache.Find(KeyOf(1), row, miss));
  Write(cache, {{KeyOf(1), false, {}}}, 4);
  cache.Insert(KeyOf(1), {true, "old", 2}, miss);
  EXPECT_EQ(Read(cache, 1), "-");
}

TEST(RowCache, IndexRowsAreNotCached) {
  RowCache cache(1 << 20);
  EXPECT_FALSE(RowCache::Keeps(KeyOf(1, 1)));
  Write(cache, {{KeyOf(1, 1), true, "row"}}, 4);
  EXPECT_EQ(cache.bytes(), 0u);
}

TEST(RowCache, StaysWithinItsBytesAndKeepsWhatIsUsed) {
  constexpr size_t kBytes = 1 << 20;
  RowCache cache(kBytes);
  const std::string value(200, 'v');
  Read(cache, -1, "hot");
  for (int n = 0; n < 20'000; ++n) {
    Read(cache, n, value.c_str());
    ASSERT_EQ(Read(cache, -1), "hot") << n;
    if (n % 1000 == 0) {
      ASSERT_LE(cache.bytes(), kBytes);
    }
  }
  EXPECT_GT(cache.bytes(), kBytes / 2);
  EXPECT_EQ(Read(cache, 0), "-");
  EXPECT_EQ(Read(cache, 19'999), value);
}

TEST(RowCache, LeavesLargeRowsOut) {
  RowCache cache(1 << 20);
  Read(cache, 1, std::string(4096, 'v').c_str());
  EXPECT_EQ(Read(cache, 1), "-");
}

// One writer increments a counter below the cache, and two readers check that it never decreases.
TEST(RowCache, NeverGoesBack) {
  RowCache cache(1 << 16);
  std::atomic<int> below = 0;
  std::atomic<bool> done = false;
  const auto read = [&] {
    int seen = 0;
    while (!done) {
      Row row;
      RowCache::Miss miss;
      if (!cache.Find(KeyOf(1), row, miss)) {
        row = {true, std::to_string(below.load()), 1};
        cache.Insert(KeyOf(1), row, miss);
      }
      const int now = std::stoi(row.value);
      ASSERT_GE(now, seen);
      seen = now;
    }
  };
  std::thread first(read), second(read);
  for (int n = 1; n <= 20'000; ++n) {
    const std::vector<Changes::Write> writes = {PutOf(1, std::to_string(n))};
    RowCache::Writing writing(cache, writes);
    below = n;
    writing.Applied(static_cast<CommitNumber>(n));
  }
  done = true;
  first.join();
  second.join();
}

}  // namespace
}  // namespace keyfold::store
