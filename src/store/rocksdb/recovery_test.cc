// Opening a folder whose log, mark or clock is wrong: reads that differ, holes after the mark, a lowered mark, commits
// from the future. Also the permissions of the files.
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "store/rocksdb/log_scan.h"
#include "store/rocksdb/open.h"
#include "store/rocksdb/side_file.h"
#include "testing/store/store.h"

namespace keyfold::store {
namespace {

namespace fs = std::filesystem;

constexpr int kRows = 1000;
constexpr uint64_t kWritesPerRow = 2;  // the row and its tally

std::string ReadAll(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void WriteAll(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}
void Flip(const fs::path& path, size_t at) {
  std::string bytes = ReadAll(path);
  bytes.at(at) ^= 1;
  WriteAll(path, bytes);
}

// The files of a folder, with their content.
std::map<std::string, std::string> FilesOf(const std::string& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    if (entry.is_regular_file()) content[entry.path().string()] = ReadAll(entry.path());
  }
  return content;
}

// A disk that once reads one byte of a log wrongly. Thread-safe.
class FlippingFs final : public rocksdb::FileSystemWrapper {
 public:
  FlippingFs() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "FlippingFs"; }

  // Flips byte `at` of the file `name` when it is opened for the `pass`-th time from now.
  void FlipOnce(std::string name, int pass, uint64_t at) {
    name_ = std::move(name);
    passes_left_ = pass;
    at_ = at;
  }

  rocksdb::IOStatus NewSequentialFile(const std::string& path, const rocksdb::FileOptions& options,
                                      std::unique_ptr<rocksdb::FSSequentialFile>* file,
                                      rocksdb::IODebugContext* dbg) override {
    rocksdb::IOStatus s = target()->NewSequentialFile(path, options, file, dbg);
    const bool flips = s.ok() && !name_.empty() && path.ends_with(name_) && --passes_left_ == 0;
    if (flips) *file = std::make_unique<Flipped>(std::move(*file), at_);
    return s;
  }

 private:
  class Flipped final : public rocksdb::FSSequentialFileOwnerWrapper {
   public:
    Flipped(std::unique_ptr<rocksdb::FSSequentialFile> file, uint64_t at)
        : FSSequentialFileOwnerWrapper(std::move(file)), at_(at) {}
    rocksdb::IOStatus Read(size_t n, const rocksdb::IOOptions& options, rocksdb::Slice* result, char* scratch,
                           rocksdb::IODebugContext* dbg) override {
      rocksdb::IOStatus s = FSSequentialFileOwnerWrapper::Read(n, options, result, scratch, dbg);
      if (s.ok() && at_ >= read_ && at_ < read_ + result->size()) const_cast<char*>(result->data())[at_ - read_] ^= 1;
      if (s.ok()) read_ += result->size();
      return s;
    }

   private:
    const uint64_t at_;
    uint64_t read_ = 0;
  };

  std::string name_;
  int passes_left_ = 0;
  uint64_t at_ = 0;
};

class RecoveryTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "keyfold-recovery-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root = pattern;
    options.path = root + "/data";
    options.cache_bytes = 4 << 20;
    options.env = env.get();
    options.keep_period_ms = 3'600'000;  // keeps the mark that opening set
    options.surroundings = Surroundings{"boot-1", "mount-1"};
  }
  void TearDown() override {
    store.reset();
    fs::remove_all(root);
  }

  static RowKey Key(int row) { return RowKey(kTestTable, kBaseTable, std::to_string(row).append("\0\0", 2), {}); }
  // The rule id of the error of opening; empty if it opens.
  std::string TryToOpen() {
    store.reset();
    auto opened = OpenRocksdbStore(options, clock);
    if (!opened.ok()) refusal = opened.error().message();
    if (!opened.ok()) return std::string(opened.error().rule());
    store = *std::move(opened);
    return "";
  }
  void Open() { ASSERT_EQ(TryToOpen(), "") << refusal; }
  void PutRows(int count) {
    Horizon horizon;
    for (int row = 0; row < count; ++row) {
      const RowKey key = Key(row);
      const auto decide = [&](Micros, std::span<const Row>, Changes& changes) {
        changes.Put(key, std::string(150, static_cast<char>('a' + row % 26)));
        changes.AddTally(kTestTable, 0, 1, 2);
        return Ok();
      };
      ASSERT_TRUE(store->Mutate(0, {&key, 1}, decide, {.horizon = horizon}).ok());
    }
    store->WaitUntilDurable(horizon.number());
  }
  // A copy of the folder as a kill would leave it: the rows are only in the log, after the mark.
  void MakeKilledFolder(int rows = kRows) {
    Open();
    PutRows(rows);
    killed = root + "/killed";
    fs::copy(options.path, killed, fs::copy_options::recursive);
    store.reset();
  }
  void CopyKilled(const std::string& name) {
    store.reset();
    options.path = root + "/" + name;
    fs::remove_all(options.path);
    fs::copy(killed, options.path, fs::copy_options::recursive);
  }
  fs::path Log() const {
    fs::path largest;
    for (const auto& entry : fs::directory_iterator(options.path + "/db")) {
      if (entry.path().extension() != ".log") continue;
      if (largest.empty() || fs::file_size(largest) < entry.file_size()) largest = entry.path();
    }
    return largest;
  }
  LogScan Scan() {
    LogScan scan;
    EXPECT_TRUE(ScanLogs(*flipping, options.path + "/db", 0, 0, scan).ok());
    return scan;
  }
  // Number of rows present, counted from the first. No row may be present after a missing one.
  int RowsThere(int count = kRows) {
    int there = 0;
    for (int row = 0; row < count; ++row) {
      const RowKey key = Key(row);
      std::vector<Row> rows;
      Horizon horizon;
      EXPECT_TRUE(store->Get({&key, 1}, rows, {.horizon = horizon}).ok());
      if (!rows[0].exists) continue;
      EXPECT_EQ(row, there) << "a hole before it";
      ++there;
    }
    EXPECT_EQ(store->ReadTally(kTestTable, 0).rows, there);
    return there;
  }
  SideRecord ReadSide(const std::string& name) {
    std::optional<SideRecord> record;
    EXPECT_TRUE(ReadSideFile(*flipping, options.path + "/" + name, record).ok() && record) << name;
    return record.value_or(SideRecord{});
  }
  void WriteSide(const std::string& name, const SideRecord& record) {
    ASSERT_TRUE(ReplaceSideFile(*flipping, options.path, name, record).ok());
  }
  // Makes the side file claim that this many writes were on disk.
  void SetSequence(const std::string& name, uint64_t sequence) {
    SideRecord record = ReadSide(name);
    record["sequence"] = std::to_string(sequence);
    WriteSide(name, record);
  }

  std::string root, killed, refusal;
  std::shared_ptr<FlippingFs> flipping = std::make_shared<FlippingFs>();
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(flipping);
  ManualClock clock{kDay};
  RocksdbOptions options{.app_version = "test"};
  std::unique_ptr<Store> store;
};

// The log is read by the inspection, by the scan, and by RocksDB's replay.
class FlippedReadTest : public RecoveryTest, public testing::WithParamInterface<int> {
 protected:
  void CheckFlipAt(double where) {
    constexpr int kScan = 2;
    CopyKilled("flipped");
    const auto at = static_cast<uint64_t>(static_cast<double>(fs::file_size(Log())) * where);
    flipping->FlipOnce(Log().filename(), GetParam(), at);
    const std::string mark = ReadAll(options.path + "/MARK"), log = ReadAll(Log());
    // RocksDB overrules the scan if it got further.
    EXPECT_EQ(TryToOpen(), GetParam() == kScan ? "" : "store-reads-disagree");
    if (!store) {
      EXPECT_EQ(ReadAll(options.path + "/MARK"), mark);
      EXPECT_TRUE(ReadAll(Log()) == log);
    }
    flipping->FlipOnce("", 0, 0);
    for (int again = 0; again < 2; ++again) {
      Open();
      EXPECT_EQ(RowsThere(), kRows);
    }
  }
};

TEST_P(FlippedReadTest, IsRefusedAndLosesNothing) {
  MakeKilledFolder();
  // With the small write buffer RocksDB would flush and retire the log during the replay.
  for (const uint64_t write_buffer_bytes : {uint64_t{64} << 20, uint64_t{64} << 10}) {
    options.write_buffer_bytes = write_buffer_bytes;
    for (const double where : {0.01, 0.5, 0.97}) {
      SCOPED_TRACE(testing::Message() << "at " << where << ", buffer " << write_buffer_bytes);
      CheckFlipAt(where);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Passes, FlippedReadTest, testing::Values(1, 2, 3));

TEST_F(RecoveryTest, ALogLargerThanTheWriteBufferIsReplayedWhole) {
  MakeKilledFolder();
  options.write_buffer_bytes = 64 << 10;
  CopyKilled("small");
  ASSERT_GT(fs::file_size(Log()), 2 * options.write_buffer_bytes);
  Open();
  EXPECT_EQ(RowsThere(), kRows);
  PutRows(kRows);  // with write buffers of the requested size
  Open();
  EXPECT_EQ(store->ReadTally(kTestTable, 0).rows, 2 * kRows);
}

TEST_F(RecoveryTest, AHoleAfterTheMarkIsRefusedIfNoPowerCutExplainsIt) {
  MakeKilledFolder();
  struct Case {
    const char* name;
    Surroundings now;
    bool accept = false;
    bool old_mark = false;
    const char* refused_by;
  };
  const Case cases[] = {
      {"same", {"boot-1", "mount-1"}, false, false, "store-log-hole"},
      {"restarted", {"boot-2", "mount-1"}, false, false, ""},
      {"remounted", {"boot-1", "mount-2"}, false, false, ""},
      {"unknown", {"", ""}, false, false, ""},
      {"accepted", {"boot-1", "mount-1"}, true, false, ""},
      {"older version", {"boot-1", "mount-1"}, false, true, ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    CopyKilled(c.name);
    if (c.old_mark) {
      SideRecord mark = ReadSide("MARK");
      EXPECT_EQ(mark.erase("boot") + mark.erase("mount"), 2u);
      WriteSide("MARK", mark);
      fs::remove(options.path + "/LEDGER");
    }
    const size_t bytes = fs::file_size(Log());
    Flip(Log(), bytes / 2);
    const auto before = FilesOf(options.path);
    options.surroundings = c.now;
    options.accept_data_loss = c.accept;
    EXPECT_EQ(TryToOpen(), c.refused_by);
    if (!store) {
      EXPECT_TRUE(FilesOf(options.path) == before);
      continue;
    }
    EXPECT_GT(store->Info().recovery.dropped_bytes, bytes / 3);
    EXPECT_LE(store->Info().recovery.dropped_bytes, bytes);
    const int there = RowsThere();
    EXPECT_GT(there, kRows / 3);
    EXPECT_LT(there, kRows * 2 / 3);
    options.accept_data_loss = false;
    options.surroundings = Surroundings{"boot-1", "mount-1"};
    Open();
    EXPECT_EQ(store->Info().recovery.dropped_bytes, 0u);
    EXPECT_EQ(RowsThere(), there);
  }
}

TEST_F(RecoveryTest, ATornTailIsNotAHole) {
  MakeKilledFolder();
  CopyKilled("whole");
  const LogScan whole = Scan();
  EXPECT_FALSE(whole.has_hole);
  EXPECT_EQ(whole.last_sequence, kRows * kWritesPerRow);
  EXPECT_EQ(whole.log_bytes, ReadAll(Log()).size());
  const std::string log = ReadAll(Log());
  std::vector<size_t> sizes;
  for (size_t cut = 1; cut < 300; ++cut) sizes.push_back(log.size() - cut);
  for (const size_t block : {32768u, 65536u, 131072u}) {
    for (size_t around = block - 10; around <= block + 10; ++around) sizes.push_back(around);
  }
  for (const size_t size : sizes) {
    fs::resize_file(Log(), size);
    const LogScan scan = Scan();
    EXPECT_FALSE(scan.has_hole) << size;
    EXPECT_LT(scan.last_sequence, whole.last_sequence);
    WriteAll(Log(), log);
  }
  for (const size_t size : {log.size() - 1, log.size() - 100, size_t{65536}, size_t{32768 + 3}}) {
    CopyKilled("torn");
    fs::resize_file(Log(), size);
    ASSERT_EQ(TryToOpen(), "") << size << " " << refusal;
    EXPECT_EQ(store->Info().recovery.dropped_bytes, 0u);
  }
}

// A damaged length at the end of the log looks like a truncated record. Only the last record can be lost that way.
TEST_F(RecoveryTest, AFlippedByteHidesAtMostTheLastRecord) {
  MakeKilledFolder();
  CopyKilled("flipped");
  const std::string log = ReadAll(Log());
  for (size_t back = 1; back <= 500; ++back) {
    for (const char bits : {'\x01', '\x80'}) {
      std::string flipped = log;
      flipped[log.size() - back] = static_cast<char>(flipped[log.size() - back] ^ bits);
      WriteAll(Log(), flipped);
      const LogScan scan = Scan();
      if (scan.has_hole) {
        EXPECT_GE(scan.dropped_bytes, 1u);
        EXPECT_LE(scan.dropped_bytes, 1500u);
      } else {
        EXPECT_GE(scan.last_sequence, (kRows - 1) * kWritesPerRow) << back;
      }
    }
  }
}

TEST_F(RecoveryTest, ALoweredMarkIsReported) {
  Open();
  PutRows(kRows);
  store.reset();
  const uint64_t last = kRows * kWritesPerRow;
  EXPECT_EQ(ReadSide("MARK").at("sequence"), std::to_string(last));
  EXPECT_EQ(ReadSide("LEDGER").at("sequence"), std::to_string(last));
  SetSequence("MARK", 400);
  Open();
  EXPECT_EQ(store->Info().recovery.mark_lowered_by, last - 400);
  EXPECT_EQ(RowsThere(), kRows);
  Open();
  EXPECT_EQ(store->Info().recovery.mark_lowered_by, 0u) << "nothing is missing, and the mark is right again";
}

TEST_F(RecoveryTest, ALoweredMarkDoesNotHideThatWritesAreMissing) {
  MakeKilledFolder();
  CopyKilled("short");
  SetSequence("LEDGER", kRows * kWritesPerRow);  // as it would be one second later
  fs::resize_file(Log(), fs::file_size(Log()) / 2);
  const auto before = FilesOf(options.path);
  EXPECT_EQ(TryToOpen(), "store-log-too-short");
  EXPECT_TRUE(FilesOf(options.path) == before);
  options.accept_data_loss = true;
  Open();
  const int there = RowsThere();
  const uint64_t given_up = (kRows - static_cast<uint64_t>(there)) * kWritesPerRow;
  EXPECT_EQ(store->Info().recovery.given_up_writes, given_up);
  options.accept_data_loss = false;
  for (int again = 0; again < 2; ++again) {
    Open();
    EXPECT_EQ(RowsThere(), there);
    EXPECT_EQ(store->Info().recovery.given_up_writes, given_up) << "is remembered, and added once";
  }
}

TEST_F(RecoveryTest, AnyStateOfTheLedgerThatAKillMayLeaveOpens) {
  MakeKilledFolder();
  const auto nothing_lowered = [&] {
    Open();
    EXPECT_EQ(store->Info().recovery.mark_lowered_by, 0u);
    EXPECT_EQ(RowsThere(), kRows);
    store.reset();
    EXPECT_EQ(ReadSide("LEDGER").at("sequence"), ReadSide("MARK").at("sequence"));
  };
  CopyKilled("none");  // as an older version leaves it
  fs::remove(options.path + "/LEDGER");
  nothing_lowered();
  CopyKilled("behind");  // killed between writing MARK and LEDGER
  SetSequence("MARK", 900);
  nothing_lowered();
  CopyKilled("half");
  WriteAll(options.path + "/LEDGER.new", "sequ");
  nothing_lowered();
  CopyKilled("damaged");
  WriteAll(options.path + "/LEDGER", "sequence 7\n");
  nothing_lowered();
}

TEST_F(RecoveryTest, AFolderFarAheadOfTheClockIsRefusedUnlessThatIsAccepted) {
  clock.Set(100 * kDay);
  MakeKilledFolder(5);
  struct Case {
    Micros now;
    std::optional<Micros> ahead_max;
    const char* refused_by;
  };
  const Case cases[] = {
      {100 * kDay, 7 * kDay, ""},
      {93 * kDay, 7 * kDay, ""},
      {93 * kDay - 1, 7 * kDay, "store-ahead-of-clock"},
      {kDay, 7 * kDay, "store-ahead-of-clock"},
      {kDay, std::nullopt, ""},
      {200 * kDay, 7 * kDay, ""},
  };
  for (const bool clean : {false, true}) {
    for (const Case& c : cases) {
      SCOPED_TRACE(testing::Message() << c.now << (clean ? " closed" : " killed"));
      if (!clean) CopyKilled("ahead");
      if (clean) options.path = root + "/data";
      const auto before = FilesOf(options.path);
      clock.Set(c.now);
      options.ahead_max = c.ahead_max;
      EXPECT_EQ(TryToOpen(), c.refused_by);
      if (!store) {
        EXPECT_TRUE(FilesOf(options.path) == before);
      } else {
        EXPECT_GE(store->Info().last_time, 100 * kDay) << "the time survives a kill";
      }
      store.reset();
    }
  }
}

TEST_F(RecoveryTest, ExpiryFollowsTheClockAndStampsNeverGoBack) {
  clock.Set(100 * kDay);
  Open();
  const RowKey key = Key(0);
  Horizon horizon;
  Micros now = 0;
  const auto write = [&] {
    const auto decide = [&](Micros at, std::span<const Row>, Changes& changes) {
      now = at;
      changes.Log({kTestTable, 1, "record"});
      return Ok();
    };
    return store->Mutate(0, {&key, 1}, decide, {.horizon = horizon}).ok();
  };
  ASSERT_TRUE(write());
  for (int round = 0; round < 2; ++round) {
    clock.Set(99 * kDay);
    ASSERT_TRUE(write());
    EXPECT_EQ(now, 99 * kDay);
    EXPECT_EQ(store->Info().last_time, 100 * kDay);
    Open();
  }
  const std::vector<LogEntry> log = ReadLog(*store, {.table = kTestTable});
  ASSERT_EQ(log.size(), 3u);
  for (const LogEntry& entry : log) EXPECT_EQ(entry.time, 100 * kDay);
}

mode_t ModeOf(const fs::path& path) {
  struct stat found;
  EXPECT_EQ(stat(path.c_str(), &found), 0) << path;
  return found.st_mode & 07777;
}

TEST_F(RecoveryTest, AnOwnFolderIsTightenedExceptForItsBuckets) {
  MakeKilledFolder(5);
  CopyKilled("open");
  fs::create_directories(options.path + "/s3/bucket");
  WriteAll(options.path + "/s3/bucket/object", "for others");
  for (const auto& entry : fs::recursive_directory_iterator(options.path)) {
    fs::permissions(entry.path(), static_cast<fs::perms>(entry.is_directory() ? 0755 : 0644));
  }
  fs::permissions(options.path, static_cast<fs::perms>(0755));
  Open();
  EXPECT_EQ(ModeOf(options.path), 0700u);
  for (const char* name : {"FORMAT", "MARK", "LOCK", "db/CURRENT"}) {
    EXPECT_EQ(ModeOf(options.path + "/" + name), 0600u) << name;
  }
  EXPECT_EQ(ModeOf(options.path + "/db"), 0700u);
  EXPECT_EQ(ModeOf(options.path + "/s3"), 0755u);
  EXPECT_EQ(ModeOf(options.path + "/s3/bucket/object"), 0644u);
  EXPECT_EQ(RowsThere(5), 5);
}

TEST_F(RecoveryTest, APathThatIsAFileOrBelowOneIsRefused) {
  const std::string file = root + "/file";
  WriteAll(file, "text");
  for (const char* below : {"", "/data", "/deep/er", "/"}) {
    options.path = file + below;
    EXPECT_EQ(TryToOpen(), "folder-not-a-folder") << below;
    EXPECT_EQ(ReadAll(file), "text");
  }
}

TEST(SurroundingsTest, MatchForAFolderButNotForItsCopy) {
  std::string pattern = testing::TempDir() + "keyfold-surroundings-XXXXXX";
  ASSERT_NE(mkdtemp(pattern.data()), nullptr);
  const std::string folder = pattern, copy = pattern + "/copy";
  WriteAll(folder + "/FORMAT", "x");
  const Surroundings found = FindSurroundings(folder);
  fs::create_directory(copy);
  WriteAll(copy + "/FORMAT", "x");
  EXPECT_EQ(found, FindSurroundings(folder));
  EXPECT_FALSE(found.IsSameAs(FindSurroundings(copy)));
  EXPECT_FALSE(Surroundings{}.IsSameAs({}));
  EXPECT_EQ(FindSurroundings(folder + "/none").mount, "");
  fs::remove_all(folder);
}

}  // namespace
}  // namespace keyfold::store
