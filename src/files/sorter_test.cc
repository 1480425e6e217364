#include "files/sorter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/random.h"
#include "testing/files/folder.h"
#include "testing/files/records.h"

namespace keyfold::files {
namespace {

size_t FilesIn(const std::string& path) {
  size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(path)) ++files;
  return files;
}

Records Take(RecordSource& source) {
  Records records;
  std::string_view key, value;
  while (true) {
    const Result<bool> more = source.Next(key, value);
    EXPECT_TRUE(more.ok());
    if (!more.ok() || !*more) return records;
    records.emplace_back(key, value);
  }
}

Records Sorted(Records records) {
  std::stable_sort(records.begin(), records.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return records;
}

// Values are distinct, so that the order of equal keys can be checked.
struct Shape {
  const char* what;
  size_t records;
  std::string common;    // common prefix of all keys
  size_t key_bytes_max;  // after the prefix
  unsigned letters;      // alphabet size: a small one gives many equal keys and common prefixes
  size_t value_bytes_max;
  std::vector<size_t> memories;
};

Records RandomRecords(const Shape& shape, uint64_t seed) {
  Random random(seed);
  Records records;
  for (size_t i = 0; i < shape.records; ++i) {
    std::string key = shape.common;
    for (size_t n = random.Below(shape.key_bytes_max + 1); n > 0; --n) {
      key.push_back(static_cast<char>(random.Below(shape.letters) * 255 / std::max(1u, shape.letters - 1)));
    }
    std::string value = std::to_string(i);
    value.append(random.Below(shape.value_bytes_max + 1), '.');
    records.emplace_back(std::move(key), std::move(value));
  }
  return records;
}

TEST(Sorter, MatchesStableSort) {
  const Shape kShapes[] = {
      {"nothing", 0, "", 0, 1, 0, {0, 1 << 20}},
      {"one", 1, "", 10, 256, 10, {0, 1 << 20}},
      {"empty keys", 1000, "", 0, 1, 10, {0, 1000, 1 << 20}},
      {"any bytes", 20'000, "", 30, 256, 100, {4 << 10, 100 << 10, 1 << 20, 16 << 20}},
      {"short keys of 00 and FF", 20'000, "", 4, 2, 20, {4 << 10, 1 << 20}},
      {"long keys of 00 and FF", 20'000, "", 20, 2, 20, {4 << 10, 1 << 20}},
      {"all share a prefix", 20'000, std::string("table\0\0\0\1", 9), 12, 256, 50, {4 << 10, 1 << 20, 16 << 20}},
      {"large values", 300, "k", 8, 256, 200'000, {64 << 10, 1 << 20, 64 << 20}},
  };
  uint64_t seed = 1;
  for (const Shape& shape : kShapes) {
    const Records records = RandomRecords(shape, seed++);
    const Records expected = Sorted(records);
    for (const size_t memory_bytes : shape.memories) {
      SCOPED_TRACE(std::string(shape.what) + " in " + std::to_string(memory_bytes));
      const FolderForTest around;
      Sorter sorter(around.folder(), "run", memory_bytes);
      for (const auto& [key, value] : records) ASSERT_TRUE(sorter.Add(key, value).ok());
      Result<std::unique_ptr<RecordSource>> source = sorter.Finish();
      ASSERT_TRUE(source.ok()) << source.error().message();
      EXPECT_TRUE(Take(**source) == expected);
      std::string_view key, value;
      EXPECT_FALSE(*(*source)->Next(key, value));  // the end persists
    }
  }
}

// 2, 3, … runs with memory to read two at once: every shape of the tree and of the passes.
TEST(Sorter, AnyNumberOfRuns) {
  for (size_t runs = 1; runs <= 40; ++runs) {
    const FolderForTest around;
    Sorter sorter(around.folder(), "run", 0);  // one record per run
    Records records;
    Random random(runs);
    for (size_t i = 0; i < runs; ++i) records.emplace_back(std::to_string(random.Below(8)), std::to_string(i));
    for (const auto& [key, value] : records) ASSERT_TRUE(sorter.Add(key, value).ok());
    EXPECT_EQ(FilesIn(around.path()), runs);
    const auto source = *sorter.Finish();
    EXPECT_LE(FilesIn(around.path()), 2u);
    EXPECT_EQ(Take(*source), Sorted(records)) << runs;
  }
}

TEST(Sorter, WhatFitsInMemoryStaysThere) {
  const FolderForTest around;
  Sorter sorter(around.folder(), "run", 1 << 20);
  const std::string value(100, 'x');
  // A record takes its bytes, two lengths and a sort entry.
  const size_t fits = (1 << 20) / (4 + 100 + 8 + 16);
  for (size_t i = 0; i < fits; ++i) ASSERT_TRUE(sorter.Add("key" + std::to_string(i % 10), value).ok());
  EXPECT_EQ(FilesIn(around.path()), 0u);
  ASSERT_TRUE(sorter.Add("key0", value).ok());
  EXPECT_EQ(FilesIn(around.path()), 1u);
}

TEST(Sorter, RunsAreRemovedWithTheirOwner) {
  const FolderForTest around;
  const auto fill = [](Sorter& sorter) {
    for (int i = 0; i < 1000; ++i) ASSERT_TRUE(sorter.Add(std::to_string(i), std::string(100, 'x')).ok());
  };
  {
    Sorter never_finished(around.folder(), "a/run", 10'000);
    fill(never_finished);
    EXPECT_GT(FilesIn(around.path() + "/a"), 5u);
  }
  EXPECT_EQ(FilesIn(around.path() + "/a"), 0u);

  std::unique_ptr<RecordSource> source;
  {
    Sorter sorter(around.folder(), "a/run", 10'000);
    fill(sorter);
    source = *sorter.Finish();
  }
  EXPECT_GT(FilesIn(around.path() + "/a"), 0u);
  std::string_view key, value;
  ASSERT_TRUE(*source->Next(key, value));
  EXPECT_EQ(key, "0");
  source.reset();  // read only in part
  EXPECT_EQ(FilesIn(around.path() + "/a"), 0u);
}

TEST(Sorter, LeavesForeignFilesAlone) {
  const FolderForTest around;
  around.Write("run-0", "not ours");
  {
    Sorter sorter(around.folder(), "run", 0);
    const Status added = sorter.Add("key", "value");
    ASSERT_FALSE(added.ok());
    EXPECT_EQ(added.message(), around.path() + "/run-0 already exists");
  }
  EXPECT_EQ(around.Read("run-0"), "not ours");
}

TEST(Sorter, ADamagedRunIsAnError) {
  const FolderForTest around;
  Sorter sorter(around.folder(), "run", 2 << 20);
  const std::string value(1000, 'x');
  for (int i = 0; i < 10'000; ++i) ASSERT_TRUE(sorter.Add("key" + std::to_string(100'000 + i), value).ok());
  const auto source = *sorter.Finish();
  const size_t bytes = around.Read("run-2").size();
  ASSERT_GT(bytes, 1'500'000u);
  // Damages the file that is being read, beyond what was read ahead.
  std::fstream(around.path() + "/run-2", std::ios::binary | std::ios::in | std::ios::out)
      .seekp(static_cast<std::streamoff>(bytes - 100'000))
      .put('y');
  std::string_view key, value_read;
  int shown = 0;
  Result<bool> more = true;
  while ((more = source->Next(key, value_read)).ok() && *more) {
    EXPECT_EQ(key, "key" + std::to_string(100'000 + shown));
    EXPECT_EQ(value_read, value);
    ++shown;
  }
  ASSERT_FALSE(more.ok());
  EXPECT_TRUE(IsDamage(more.error()));
  const std::string& message = more.error().message();
  EXPECT_TRUE(message.starts_with(around.path() + "/run-2 is damaged: block ")) << message;
  EXPECT_GT(shown, 2000);
  EXPECT_LT(shown, 10'000);
  EXPECT_FALSE(source->Next(key, value_read).ok());  // the error persists
}

TEST(Sorter, ADamagedRunIsAnErrorBetweenPasses) {
  const FolderForTest around;
  Sorter sorter(around.folder(), "run", 0);
  for (int i = 0; i < 5; ++i) ASSERT_TRUE(sorter.Add(std::to_string(i), "").ok());
  std::string bytes = around.Read("run-1");
  bytes.pop_back();
  around.Write("run-1", bytes);
  const Result<std::unique_ptr<RecordSource>> source = sorter.Finish();
  ASSERT_FALSE(source.ok());
  EXPECT_EQ(source.error().message(), around.path() + "/run-1 is damaged: it is truncated");
}

}  // namespace
}  // namespace keyfold::files
