// Power cuts. Each round is a separate process on a file system that loses unsynced data. It opens the store that the
// previous round left, checks it against the oracle, then reads and writes with several threads until the power fails
// at a random change of a random file, possibly during opening or closing. Each round has its own boot id, as after a
// real power cut. The oracle is in memory shared through a file, so it survives the cuts.
//
// Each entity e has a counter row and a data row in different places. Version v of the entity puts both in one Mutate,
// with an index row, a log record and the tallies; every third version deletes the data row. So the counter determines
// what everything else must look like. At the same time whole tables are ingested, each under an id of its own.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <rocksdb/env.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <semaphore>
#include <sstream>
#include <thread>

#include "base/bytes.h"
#include "base/check.h"
#include "base/log.h"
#include "base/random.h"
#include "store/rocksdb/open.h"
#include "testing/store/store.h"
#include "testing/store/unsynced_fs.h"

namespace keyfold::store {
namespace {

constexpr size_t kEntities = 24;
constexpr IndexId kIndex = 1;
constexpr size_t kIngestsMax = 4096, kIngestedRows = 500;
constexpr TableId kFirstIngested = 100;
constexpr int kExitCut = 42, kExitClosed = 43, kExitViolation = 44;
constexpr char kChildVariable[] = "KEYFOLD_POWER_CUT_CHILD";

struct Oracle {
  struct Entity {
    std::atomic<uint64_t> released;  // highest version acknowledged, or returned by a read
  };
  Entity entities[kEntities];
  std::atomic<uint64_t> highest_commit;  // highest ever assigned, durable or not
  std::atomic<uint64_t> catalog;         // acknowledged version
  std::atomic<uint64_t> acknowledged, shown, absences;
  std::atomic<uint64_t> latest_time;  // latest time of an acknowledged write
  std::atomic<uint64_t> log_checked_to;
  std::atomic<uint64_t> log_versions[kEntities];
  std::atomic<uint64_t> ingests_begun, ingests_done;
  std::atomic<bool> ingested[kIngestsMax];
};

void RaiseTo(std::atomic<uint64_t>& to, uint64_t value) {
  uint64_t old = to.load();
  while (old < value && !to.compare_exchange_weak(old, value)) {
  }
}

RowKey CounterKey(size_t e) {
  return RowKey(kTestTable, kBaseTable, "counter" + std::to_string(e) + std::string(2, '\0'), {});
}
RowKey DataKey(size_t e) {
  return RowKey(kTestTable, kBaseTable, "data" + std::to_string(e) + std::string(2, '\0'), {});
}
std::string IndexPartition(size_t e) { return "index" + std::to_string(e % 4) + std::string(2, '\0'); }
RowKey IndexKey(size_t e) {
  return RowKey(kTestTable, kIndex, IndexPartition(e), std::to_string(e) + std::string(2, '\0'));
}

// Keys ascend with `row`.
RowKey IngestedKey(size_t table, size_t row) {
  return RowKey(static_cast<TableId>(kFirstIngested + table), kBaseTable, std::string("all\0\0", 5),
                fmt::format("{:06}", row));
}

bool Deleted(uint64_t version) { return version % 3 == 0; }

std::string ValueOf(uint64_t version, size_t padding) {
  std::string value;
  AppendU64(value, version);
  return value.append(padding, static_cast<char>(version));
}
uint64_t VersionOf(std::string_view value) { return value.size() < 8 ? 0 : LoadU64(value.data()); }

#define HOLDS(condition, ...) \
  if (!(condition)) Violation(fmt::format(__VA_ARGS__))

// One round, run in its own process.
class Round {
 public:
  // The power fails before the `cut_at`-th change; 0 derives it from the seed.
  Round(Oracle& oracle, const std::string& folder, uint64_t seed, bool relaxed, uint64_t cut_at)
      : oracle_(oracle),
        folder_(folder),
        relaxed_(relaxed),
        cut_at_(cut_at),
        random_(seed),
        large_one_in_(random_.OneIn(2) ? 8 : 1) {}

  [[noreturn]] void Run() {
    std::filesystem::create_directories(folder_ + "/limbo");
    fs_ = std::make_shared<UnsyncedFs>(rocksdb::FileSystem::Default(), folder_ + "/limbo", random_.Next());
    env_ = rocksdb::NewCompositeEnv(fs_);
    const uint64_t cut_at = cut_at_ > 0 ? cut_at_ : 1 + random_.Below(random_.OneIn(4) ? 60 : 1500);
    fs_->CutAfter(cut_at, [] { std::_Exit(kExitCut); });
    auto opened = OpenRocksdbStore({.path = folder_ + "/data",
                                    .relaxed = relaxed_,
                                    .cache_bytes = 1 << 20,
                                    .env = env_.get(),
                                    .write_buffer_bytes = 64 << 10,
                                    .surroundings = Surroundings{std::to_string(random_.Next()), "disk"}},
                                   clock_);
    HOLDS(opened.ok(), "the store does not open: {}", opened.error().message());
    store_ = *std::move(opened);
    Check();
    Work();
    store_.reset();
    std::_Exit(kExitClosed);
  }

 private:
  [[noreturn]] void Violation(const std::string& what) {
    while (fs_->dark()) std::this_thread::sleep_for(std::chrono::hours(1));
    std::fprintf(stderr, "VIOLATION: %s\n", what.c_str());
    std::_Exit(kExitViolation);
  }

  void Check() {
    int64_t rows = 0;
    for (size_t e = 0; e < kEntities; ++e) {
      Horizon horizon;
      const RowKey keys[] = {CounterKey(e), DataKey(e), IndexKey(e)};
      std::vector<Row> got;
      HOLDS(store_->Get(keys, got, {.horizon = horizon}).ok(), "a read fails");
      const uint64_t version = VersionOf(got[0].value), released = oracle_.entities[e].released.load();
      HOLDS(version >= released, "entity {}: version {} is left of {}", e, version, released);
      const bool exists = version > 0 && !Deleted(version);
      HOLDS(got[1].exists == exists && (!exists || VersionOf(got[1].value) == version), "entity {}: torn data row", e);
      HOLDS(got[2].exists == exists && (!exists || VersionOf(got[2].value) == version), "entity {}: torn index row", e);
      rows += exists;
      applied_[e] = version;
    }
    HOLDS(store_->ReadTally(kTestTable, kBaseTable).rows == rows, "the tally says {} for {} rows",
          store_->ReadTally(kTestTable, kBaseTable).rows, rows);
    const auto time = static_cast<uint64_t>(store_->Info().last_time);
    HOLDS(time >= oracle_.latest_time.load(), "time goes back from {} to {}", oracle_.latest_time.load(), time);
    catalog_ = store_->ReadCatalog().version;
    HOLDS(catalog_ >= oracle_.catalog.load(), "catalog {} is left of {}", catalog_, oracle_.catalog.load());
    CheckLog();
    CheckIngests();
  }

  // A finished ingest is there completely. (Purging the others is up to the caller.)
  void CheckIngests() {
    for (size_t table = 0; table < oracle_.ingests_begun.load() && table < kIngestsMax; ++table) {
      if (!oracle_.ingested[table].load()) continue;
      size_t rows = 0;
      Horizon horizon;
      const auto id = static_cast<TableId>(kFirstIngested + table);
      const auto visit = [&](const RowView& row) {
        HOLDS(row.key == IngestedKey(table, rows).bytes() && VersionOf(row.value) == rows,
              "ingest {}: row {} is another", table, rows);
        ++rows;
        return true;
      };
      HOLDS(store_->ScanSlots({.table = id}, visit, {.horizon = horizon}).ok(), "ingest {}: a scan fails", table);
      HOLDS(rows == kIngestedRows, "ingest {}: {} rows of {}", table, rows, kIngestedRows);
      HOLDS(store_->ReadTally(id, kBaseTable).rows == kIngestedRows, "ingest {}: another tally", table);
    }
  }

  // The log has every version once, in order, up to the entity's.
  void CheckLog() {
    CommitNumber last = oracle_.log_checked_to.load();
    for (const LogEntry& entry : ReadLog(*store_, {.table = kTestTable, .after = LogPosition::AfterCommit(last)})) {
      const size_t e = LoadU16(entry.body.data());
      const uint64_t version = LoadU64(entry.body.data() + 2);
      HOLDS(version == oracle_.log_versions[e].load() + 1, "entity {}: the log has version {} after {}", e, version,
            oracle_.log_versions[e].load());
      HOLDS(entry.at.commit >= last, "the log's commits go back");
      last = entry.at.commit;
      oracle_.log_versions[e].store(version);
    }
    oracle_.log_checked_to.store(last);
    for (size_t e = 0; e < kEntities; ++e) {
      HOLDS(oracle_.log_versions[e].load() == applied_[e], "entity {}: the log ends at version {} of {}", e,
            oracle_.log_versions[e].load(), applied_[e].load());
    }
  }

  void Work() {
    const CommitNumber earlier = oracle_.highest_commit.load();
    std::vector<std::thread> threads;
    for (int i = 0; i < 3; ++i) {
      threads.emplace_back([this, earlier, seed = random_.Next()] { WriteMany(seed, earlier); });
    }
    for (int i = 0; i < 2; ++i) {
      threads.emplace_back([this, seed = random_.Next()] { ReadMany(seed); });
    }
    threads.emplace_back([this] { ChangeCatalog(); });
    threads.emplace_back([this] { IngestSome(); });
    for (size_t i = 0; i < 3; ++i) threads[i].join();
    done_ = true;
    for (size_t i = 3; i < threads.size(); ++i) threads[i].join();
  }

  // Runs `then` as soon as the response may be sent; at most 32 are in flight.
  void Release(CommitNumber number, std::counting_semaphore<32>& places, std::function<void()> then) {
    places.acquire();
    store_->WhenDurable(number, [&places, then = std::move(then)] {
      then();
      places.release();
    });
  }

  void WriteMany(uint64_t seed, CommitNumber earlier) {
    Random random(seed);
    std::counting_semaphore<32> places(32);
    for (int i = 0; i < 400; ++i) WriteOne(random, places, earlier);
    for (int i = 0; i < 32; ++i) places.acquire();
  }

  void WriteOne(Random& random, std::counting_semaphore<32>& places, CommitNumber earlier) {
    const size_t first = random.Below(kEntities), second = (first + 1 + random.Below(kEntities - 1)) % kEntities;
    std::vector<size_t> entities{first};
    if (random.OneIn(3)) entities.push_back(second);
    std::vector<RowKey> keys;
    for (const size_t e : entities) keys.push_back(CounterKey(e));
    const size_t padding = random.OneIn(large_one_in_) ? random.Below(12000) : random.Below(200);
    uint64_t versions[2] = {};
    Micros time = 0;
    Horizon horizon;
    Status status;
    do {
      status = store_->Mutate(catalog_.load(), keys,
                              [&](Micros now, std::span<const Row> rows, Changes& changes) {
                                time = now;
                                for (size_t i = 0; i < entities.size(); ++i) {
                                  versions[i] = VersionOf(rows[i].value) + 1;
                                  Write(entities[i], versions[i], padding, changes);
                                }
                                return Ok();
                              },
                              {.horizon = horizon});
      if (!status.ok() && status.kind() == Kind::kStale) catalog_ = store_->ReadCatalog().version;
    } while (!status.ok() && (status.kind() == Kind::kStale || status.kind() == Kind::kThrottling));
    HOLDS(status.ok(), "a write fails: {}", status.message());
    HOLDS(relaxed_ || horizon.number() > earlier, "commit number {} is given again after {}", horizon.number(),
          earlier);
    RaiseTo(oracle_.highest_commit, horizon.number());
    for (size_t i = 0; i < entities.size(); ++i) RaiseTo(applied_[entities[i]], versions[i]);
    Release(horizon.number(), places, [this, entities, time, a = versions[0], b = versions[1]] {
      RaiseTo(oracle_.latest_time, static_cast<uint64_t>(time));
      RaiseTo(oracle_.entities[entities[0]].released, a);
      if (entities.size() > 1) RaiseTo(oracle_.entities[entities[1]].released, b);
      ++oracle_.acknowledged;
    });
  }

  static void Write(size_t e, uint64_t version, size_t padding, Changes& changes) {
    changes.Put(CounterKey(e), ValueOf(version, 0));
    const bool was = version > 1 && !Deleted(version - 1);
    if (Deleted(version)) {
      changes.Delete(DataKey(e));
      changes.Delete(IndexKey(e));
    } else {
      changes.Put(DataKey(e), ValueOf(version, padding));
      changes.Put(IndexKey(e), ValueOf(version, 0));
    }
    changes.AddTally(kTestTable, kBaseTable, int{!Deleted(version)} - int{was}, 0);
    std::string body;
    AppendU16(body, static_cast<uint16_t>(e));
    AppendU64(body, version);
    changes.Log({kTestTable, static_cast<Slot>(e), body});
  }

  void ReadMany(uint64_t seed) {
    Random random(seed);
    std::counting_semaphore<32> places(32);
    while (!done_) {
      const size_t e = random.Below(kEntities);
      // Any read from now on returns at least this version.
      const uint64_t before = applied_[e].load();
      Horizon horizon;
      bool exists = false;
      uint64_t version = 0;
      ReadOne(random, e, horizon, exists, version);
      if (!exists) {
        version = (before + 2) / 3 * 3;
        if (before == 0) version = 0;  // never written
      }
      Release(horizon.number(), places, [this, e, version, exists] {
        RaiseTo(oracle_.entities[e].released, version);
        ++oracle_.shown;
        if (!exists) ++oracle_.absences;
      });
    }
    for (int i = 0; i < 32; ++i) places.acquire();
  }

  // Reads the data row by Get, by GetAtomic, through its index row in a page, or by a scan of the table.
  void ReadOne(Random& random, size_t e, Horizon& horizon, bool& exists, uint64_t& version) {
    const RowKey key = DataKey(e), index_key = IndexKey(e);
    const auto seen = [&](const RowKey& wanted) {
      return [&](const RowView& row) {
        if (row.key != wanted.bytes()) return true;
        exists = true;
        version = VersionOf(row.value);
        return false;
      };
    };
    Status status;
    std::vector<Row> rows;
    switch (random.Below(8)) {
      case 0:
        status = store_->Range({.table = kTestTable, .index = kIndex, .partition = IndexPartition(e)}, seen(index_key),
                               {.horizon = horizon});
        break;
      case 1:
        status = store_->ScanSlots({.table = kTestTable}, seen(key), {.horizon = horizon});
        break;
      default:
        status = random.OneIn(2) ? store_->Get({&key, 1}, rows, {.horizon = horizon})
                                 : store_->GetAtomic({&key, 1}, rows, {.horizon = horizon});
        if (status.ok()) exists = rows[0].exists, version = VersionOf(rows[0].value);
    }
    HOLDS(status.ok(), "a read fails: {}", status.message());
  }

  void ChangeCatalog() {
    for (int i = 0; i < 20 && !done_; ++i) {
      const CatalogVersion version = catalog_.load();
      if (!WriteCatalog(*store_, version, {{"table", std::to_string(version + 1)}}).ok()) continue;
      catalog_ = version + 1;
      RaiseTo(oracle_.catalog, version + 1);
    }
  }

  void IngestSome() {
    for (int i = 0; i < 3 && !done_; ++i) {
      const size_t table = oracle_.ingests_begun.fetch_add(1);
      if (table >= kIngestsMax) return;
      auto ingest = store_->BeginIngest();
      if (!ingest.ok()) return;
      for (size_t row = 0; row < kIngestedRows; ++row) {
        if (!(*ingest)->Add(IngestedKey(table, row).bytes(), ValueOf(row, 100)).ok()) return;
      }
      const auto id = static_cast<TableId>(kFirstIngested + table);
      const Changes::Count tally{id, kBaseTable, {kIngestedRows, kIngestedRows}};
      if (!(*ingest)->Finish({&tally, 1}).ok()) return;
      oracle_.ingested[table].store(true);
      oracle_.ingests_done.fetch_add(1);
    }
  }

  Oracle& oracle_;
  const std::string folder_;
  const bool relaxed_;
  const uint64_t cut_at_;
  Random random_;
  // With large values only, much more of the log is unsynced at a time, across several logs.
  const uint64_t large_one_in_;
  SystemClock clock_;
  std::shared_ptr<UnsyncedFs> fs_;
  std::unique_ptr<rocksdb::Env> env_;
  std::unique_ptr<Store> store_;
  std::atomic<uint64_t> applied_[kEntities] = {};
  std::atomic<uint64_t> catalog_ = 0;
  std::atomic<bool> done_ = false;
};

// Parent and child process map the same file.
Oracle& MapOracle(const std::string& folder) {
  const int fd = open((folder + "/oracle").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  CHECK(fd >= 0 && ftruncate(fd, sizeof(Oracle)) == 0);
  void* const memory = mmap(nullptr, sizeof(Oracle), PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  CHECK(memory != MAP_FAILED);
  close(fd);
  return *static_cast<Oracle*>(memory);
}

// The folder of a run and its rounds.
class PowerCut : public testing::Test {
 protected:
  void SetUp() override {
    if (const char* child = getenv(kChildVariable)) RunChild(child);
    std::string pattern = testing::TempDir() + "keyfold-cut-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    oracle_ = &MapOracle(folder_);
  }
  void TearDown() override {
    munmap(oracle_, sizeof(Oracle));
    if (!HasFailure()) std::filesystem::remove_all(folder_);
  }

  [[noreturn]] static void RunChild(const std::string& words) {
    CHECK(SetLogLevel("error"));
    std::istringstream in(words);
    std::string folder;
    uint64_t seed = 0, cut_at = 0;
    bool relaxed = false;
    in >> folder >> seed >> relaxed >> cut_at;
    std::make_unique<Round>(MapOracle(folder), folder, seed, relaxed, cut_at)->Run();
  }

  int RunRound(uint64_t seed, bool relaxed, uint64_t cut_at = 0) {
    const std::string test = testing::UnitTest::GetInstance()->current_test_info()->name();
    const std::string filter = "--gtest_filter=PowerCut." + test;
    const std::string words = folder_ + " " + std::to_string(seed) + (relaxed ? " 1 " : " 0 ") + std::to_string(cut_at);
    const pid_t child = fork();
    if (child == 0) {
      setenv(kChildVariable, words.c_str(), 1);
      execl("/proc/self/exe", "store_test", filter.c_str(), "--gtest_brief=1", nullptr);
      _exit(1);
    }
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
  }

  std::string folder_;
  Oracle* oracle_ = nullptr;
};

uint64_t NumberFrom(const char* variable, uint64_t otherwise) {
  const char* text = getenv(variable);
  return text == nullptr ? otherwise : strtoull(text, nullptr, 10);
}

TEST_F(PowerCut, NothingAcknowledgedOrShownIsLost) {
  const uint64_t cuts = NumberFrom("KEYFOLD_POWER_CUTS", 20);
  const uint64_t seed = NumberFrom("KEYFOLD_SEED", Random::SeedFromSystem());
  std::printf("KEYFOLD_SEED=%llu\n", static_cast<unsigned long long>(seed));
  Random random(seed);
  uint64_t cut = 0, closed = 0;
  while (cut < cuts) {
    const int result = RunRound(random.Next(), false);
    ASSERT_TRUE(result == kExitCut || result == kExitClosed)
        << "round " << cut + closed << " ended with " << result << "; its data stays in " << folder_;
    ++(result == kExitCut ? cut : closed);
  }
  std::printf("%llu cuts, %llu clean stops, %llu acknowledged, %llu shown (%llu absences), catalog %llu\n",
              static_cast<unsigned long long>(cut), static_cast<unsigned long long>(closed),
              static_cast<unsigned long long>(oracle_->acknowledged.load()),
              static_cast<unsigned long long>(oracle_->shown.load()),
              static_cast<unsigned long long>(oracle_->absences.load()),
              static_cast<unsigned long long>(oracle_->catalog.load()));
  EXPECT_GT(oracle_->acknowledged.load(), cuts);
  EXPECT_GT(oracle_->absences.load(), 0u);
}

// A folder whose creation was interrupted at any point opens again.
TEST_F(PowerCut, AFolderBeingCreatedOpensAgain) {
  Random random(7);
  for (uint64_t cut_at = 1; cut_at <= 40; ++cut_at) {
    std::filesystem::remove_all(folder_ + "/data");
    ASSERT_EQ(RunRound(random.Next(), false, cut_at), kExitCut) << "cut at " << cut_at;
    const int again = RunRound(random.Next(), false);
    ASSERT_TRUE(again == kExitCut || again == kExitClosed) << "after a cut at " << cut_at << ": " << again;
    std::construct_at(oracle_);
  }
}

// Tests the harness itself: a store that does not wait for the disk loses acknowledged writes, and that must be
// noticed.
TEST_F(PowerCut, ARelaxedStoreIsCaught) {
  Random random(5);
  int result = kExitCut;
  for (int round = 0; round < 40 && result != kExitViolation; ++round) {
    result = RunRound(random.Next(), true);
    ASSERT_TRUE(result == kExitCut || result == kExitClosed || result == kExitViolation) << result;
  }
  EXPECT_EQ(result, kExitViolation);
}

}  // namespace
}  // namespace keyfold::store
