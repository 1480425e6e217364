// Guarantees of the durable store only: which folders it refuses to open and leaves unchanged, what survives a restart,
// which damage it detects, and how it behaves when the disk is slow, full or failing. power_cut_test.cc covers power
// cuts.
#include <gtest/gtest.h>
#include <rocksdb/db.h>
#include <rocksdb/env.h>
#include <rocksdb/file_system.h>
#include <stdlib.h>
#include <unistd.h>

#include <condition_variable>
#include <filesystem>
#include <fstream>
#include <future>
#include <mutex>
#include <thread>

#include "store/rocksdb/open.h"
#include "store/rocksdb/row_format.h"
#include "store/rocksdb/side_file.h"
#include "store/rocksdb/wal_audit.h"
#include "testing/store/store.h"

namespace keyfold::store {
namespace {

namespace fs = std::filesystem;

// A file system with switchable faults. Thread-safe.
class MoodyFs final : public rocksdb::FileSystemWrapper {
 public:
  MoodyFs() : FileSystemWrapper(rocksdb::FileSystem::Default()) {}
  const char* Name() const override { return "MoodyFs"; }

  rocksdb::IOStatus NewWritableFile(const std::string& path, const rocksdb::FileOptions& options,
                                    std::unique_ptr<rocksdb::FSWritableFile>* file,
                                    rocksdb::IODebugContext* dbg) override {
    if (read_only) return rocksdb::IOStatus::IOError(path, "Read-only file system");
    if (path.ends_with(".sst")) {
      std::unique_lock lock(mutex);
      changed.wait(lock, [&] { return !hold_tables; });
    }
    const rocksdb::IOStatus s = target()->NewWritableFile(path, options, file, dbg);
    if (s.ok() && path.ends_with(".log")) *file = std::make_unique<Log>(*this, std::move(*file));
    if (s.ok() && path.ends_with(".sst")) *file = std::make_unique<TableFile>(*this, path, std::move(*file));
    return s;
  }
  rocksdb::IOStatus GetChildren(const std::string& path, const rocksdb::IOOptions& options,
                                std::vector<std::string>* names, rocksdb::IODebugContext* dbg) override {
    if (unreadable) return rocksdb::IOStatus::IOError(path, "Permission denied");
    return target()->GetChildren(path, options, names, dbg);
  }
  rocksdb::IOStatus GetFreeSpace(const std::string&, const rocksdb::IOOptions&, uint64_t* bytes,
                                 rocksdb::IODebugContext*) override {
    *bytes = free_bytes;
    return rocksdb::IOStatus::OK();
  }
  void HoldTables(bool hold) {
    std::lock_guard lock(mutex);
    hold_tables = hold;
    changed.notify_all();
  }

  std::atomic<bool> read_only = false, unreadable = false, fail_log_sync = false;
  std::atomic<bool> no_room_for_tables = false, fail_tables = false;
  std::atomic<uint64_t> free_bytes = uint64_t{1} << 40;

 private:
  class Log final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    Log(MoodyFs& fs, std::unique_ptr<rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)), fs_(fs) {}
    rocksdb::IOStatus Sync(const rocksdb::IOOptions& options, rocksdb::IODebugContext* dbg) override {
      if (fs_.fail_log_sync) return rocksdb::IOStatus::IOError("Input/output error");
      return FSWritableFileOwnerWrapper::Sync(options, dbg);
    }

   private:
    MoodyFs& fs_;
  };

  class TableFile final : public rocksdb::FSWritableFileOwnerWrapper {
   public:
    TableFile(MoodyFs& fs, std::string path, std::unique_ptr<rocksdb::FSWritableFile> file)
        : FSWritableFileOwnerWrapper(std::move(file)), fs_(fs), path_(std::move(path)) {}
    using FSWritableFileOwnerWrapper::Append;
    rocksdb::IOStatus Append(const rocksdb::Slice& data, const rocksdb::IOOptions& options,
                             rocksdb::IODebugContext* dbg) override {
      if (fs_.fail_tables) return rocksdb::IOStatus::IOError(path_, "Input/output error");
      if (!fs_.no_room_for_tables) return FSWritableFileOwnerWrapper::Append(data, options, dbg);
      rocksdb::IOStatus full = rocksdb::IOStatus::NoSpace(path_, "No space left on device");
      full.SetRetryable(true);  // like the real error
      return full;
    }

   private:
    MoodyFs& fs_;
    const std::string path_;
  };

  std::mutex mutex;
  std::condition_variable changed;
  bool hold_tables = false;
};

std::string ReadFile(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
void WriteFile(const fs::path& path, std::string_view content) {
  std::ofstream(path, std::ios::binary | std::ios::trunc) << content;
}

// Every file of a folder, with its content.
std::map<std::string, std::string> ContentOf(const std::string& folder) {
  std::map<std::string, std::string> content;
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    content[entry.path().string()] = entry.is_regular_file() ? ReadFile(entry.path()) : "(folder)";
  }
  return content;
}

Status Put(Store& store, const RowKey& key, std::string value, Access access) {
  return store.Mutate(
      0, {&key, 1},
      [&](Micros, std::span<const Row>, Changes& changes) {
        changes.Put(key, value);
        changes.AddTally(kTestTable, 0, 1, 2);
        changes.Log({kTestTable, 1, value});
        return Ok();
      },
      access);
}

class RocksdbStoreTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "keyfold-rocksdb-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    root = pattern;
    options.path = root + "/data";
    options.cache_bytes = 4 << 20;
    options.env = env.get();
  }
  void TearDown() override {
    store.reset();
    fs::remove_all(root);
  }

  void Open() {
    store.reset();
    auto opened = OpenRocksdbStore(options, clock);
    ASSERT_TRUE(opened.ok()) << opened.error().message();
    store = *std::move(opened);
  }
  // The error message of opening; empty if it opens.
  std::string Refusal() {
    store.reset();
    const auto opened = OpenRocksdbStore(options, clock);
    return opened.ok() ? "" : opened.error().message();
  }
  void PutDurably(const std::string& name, const std::string& value) {
    ASSERT_TRUE(Put(*store, TestKey(name), value, {.horizon = horizon}).ok());
    store->WaitUntilDurable(horizon.number());
  }
  std::string Read(const RowKey& key, Wait wait = Wait::kAllowed) {
    std::vector<Row> rows;
    const Status status = store->Get({&key, 1}, rows, {.horizon = horizon, .wait = wait});
    if (!status.ok()) return status.kind() == Kind::kWouldBlock ? "(would block)" : status.message();
    return rows[0].exists ? rows[0].value : "(none)";
  }

  // A copy of the folder as a crash would leave it: everything is in the log, and the mark covers all of it.
  void MakeCrashImage(int rows) {
    Open();
    for (int i = 0; i < rows; ++i) {
      ASSERT_TRUE(Put(*store, TestKey(std::to_string(i)), std::string(100, 'v'), {.horizon = horizon}).ok());
    }
    store->WaitUntilDurable(horizon.number());
    const std::string image = root + "/image";
    fs::copy(options.path, image, fs::copy_options::recursive);
    store.reset();
    fs::copy_file(options.path + "/MARK", image + "/MARK", fs::copy_options::overwrite_existing);
    options.path = image;
  }
  fs::path LogFile() {
    fs::path largest;
    for (const auto& entry : fs::directory_iterator(options.path + "/db")) {
      if (entry.path().extension() != ".log") continue;
      if (largest.empty() || fs::file_size(largest) < entry.file_size()) largest = entry.path();
    }
    return largest;
  }

  std::string root;
  std::shared_ptr<MoodyFs> moody = std::make_shared<MoodyFs>();
  std::unique_ptr<rocksdb::Env> env = rocksdb::NewCompositeEnv(moody);
  ManualClock clock{1'000'000};
  RocksdbOptions options{.app_version = "test"};
  Horizon horizon;
  std::unique_ptr<Store> store;
};

void ReplaceInFormat(const std::string& folder, const std::string& name, const std::string& value) {
  std::optional<SideRecord> record;
  auto fs = rocksdb::FileSystem::Default();
  ASSERT_TRUE(ReadSideFile(*fs, folder + "/FORMAT", record).ok() && record);
  (*record)[name] = value;
  ASSERT_TRUE(ReplaceSideFile(*fs, folder, "FORMAT", *record).ok());
}

struct Refused {
  const char* name;
  const char* says;
  std::function<void(const std::string& folder, MoodyFs& fs)> spoil;
};

TEST_F(RocksdbStoreTest, RefusesInOneLineAndTouchesNothing) {
  const Refused cases[] = {
      {"newer format", "was written in format 2, which needs a newer Keyfold",
       [](const std::string& folder, MoodyFs&) {
         ReplaceInFormat(folder, "format", "2");
         ReplaceInFormat(folder, "oldest_reader", "2");
       }},
      {"damaged FORMAT", "the FORMAT file is damaged",
       [](const std::string& folder, MoodyFs&) {
         std::string text = ReadFile(folder + "/FORMAT");
         text[text.find("format ") + 7] ^= 1;
         WriteFile(folder + "/FORMAT", text);
       }},
      {"no FORMAT", "is not a Keyfold data folder",
       [](const std::string& folder, MoodyFs&) { fs::remove(folder + "/FORMAT"); }},
      {"foreign folder", "is not a Keyfold data folder",
       [](const std::string& folder, MoodyFs&) {
         fs::remove_all(folder);
         fs::create_directory(folder);
         WriteFile(folder + "/thesis.txt", "years of work");
       }},
      {"a file", "is not a folder",
       [](const std::string& folder, MoodyFs&) {
         fs::remove_all(folder);
         WriteFile(folder, "not a folder");
       }},
      {"no MARK", "the MARK file is missing or damaged",
       [](const std::string& folder, MoodyFs&) { fs::remove(folder + "/MARK"); }},
      {"damaged MARK", "the MARK file is missing or damaged",
       [](const std::string& folder, MoodyFs&) { WriteFile(folder + "/MARK", "sequence 1\n"); }},
      {"database gone", "writes up to", [](const std::string& folder, MoodyFs&) { fs::remove_all(folder + "/db"); }},
      {"no manifest", "the database cannot be opened",
       [](const std::string& folder, MoodyFs&) {
         for (const auto& entry : fs::directory_iterator(folder + "/db")) {
           if (entry.path().filename().string().starts_with("MANIFEST")) fs::remove(entry.path());
         }
       }},
      {"no room", "the disk is full", [](const std::string&, MoodyFs& fs) { fs.free_bytes = 1000; }},
      {"unreadable", "cannot be read", [](const std::string&, MoodyFs& fs) { fs.unreadable = true; }},
  };
  for (const Refused& c : cases) {
    SCOPED_TRACE(c.name);
    options.path = root + "/" + c.name;
    Open();
    PutDurably("a", "x");
    store.reset();
    c.spoil(options.path, *moody);
    const auto before = ContentOf(root);
    const std::string refusal = Refusal();
    EXPECT_NE(refusal.find(c.says), std::string::npos) << refusal;
    EXPECT_TRUE(refusal.starts_with(options.path)) << refusal;
    EXPECT_EQ(refusal.find('\n'), std::string::npos) << refusal;
    EXPECT_EQ(ContentOf(root), before);
    moody->free_bytes = uint64_t{1} << 40;
    moody->unreadable = false;
  }
}

TEST_F(RocksdbStoreTest, RefusesASecondOpening) {
  Open();
  PutDurably("a", "x");
  const auto before = ContentOf(root);
  const auto second = OpenRocksdbStore(options, clock);
  ASSERT_FALSE(second.ok());
  EXPECT_NE(second.error().message().find("is in use by another process"), std::string::npos);
  EXPECT_EQ(ContentOf(root), before);
  EXPECT_EQ(Read(TestKey("a")), "x");
}

TEST_F(RocksdbStoreTest, RefusesAFolderItCannotWrite) {
  moody->read_only = true;
  EXPECT_NE(Refusal().find("cannot be written"), std::string::npos);
}

TEST_F(RocksdbStoreTest, AHalfCreatedFolderIsCreatedAgain) {
  fs::create_directories(options.path);
  for (const char* name : {"LOCK", "MARK", "MARK.new", "FORMAT.new"}) WriteFile(options.path + "/" + name, "half");
  Open();
  PutDurably("a", "x");
  EXPECT_EQ(Read(TestKey("a")), "x");
}

TEST_F(RocksdbStoreTest, EverythingIsThereAfterReopening) {
  Open();
  clock.Set(5'000'000);
  PutDurably("a", "x");
  ASSERT_TRUE(WriteCatalog(*store, 0, {{"t", "T"}}).ok());
  clock.Set(2'000'000);
  for (int round = 0; round < 2; ++round) {
    Open();
    EXPECT_EQ(Read(TestKey("a")), "x");
    EXPECT_EQ(store->ReadCatalog().version, 1u);
    EXPECT_EQ(store->ReadCatalog().entries.at("t"), "T");
    EXPECT_EQ(store->ReadTally(kTestTable, 0).rows, 1);
    EXPECT_EQ(store->ReadTally(kTestTable, 0).bytes, 2);
    const std::vector<LogEntry> log = ReadLog(*store, {.table = kTestTable});
    ASSERT_EQ(log.size(), 1u);
    EXPECT_EQ(log[0].body, "x");
    EXPECT_EQ(log[0].time, 5'000'000);
  }
  const RowKey key = TestKey("b");
  Micros time = 0;
  ASSERT_TRUE(store
                  ->Mutate(1, {&key, 1},
                           [&](Micros now, std::span<const Row>, Changes&) {
                             time = now;
                             return Ok();
                           },
                           {.horizon = horizon})
                  .ok());
  EXPECT_EQ(time, 2'000'000) << "decide gets the clock's time";
  EXPECT_EQ(store->Info().last_time, 5'000'000) << "stamps went back after a restart";
}

TEST_F(RocksdbStoreTest, IngestedRowsSurviveReopeningAndAbandonedFilesAreRemoved) {
  Open();
  const RowKey key = TestKey("a");
  {
    auto ingest = store->BeginIngest();
    ASSERT_TRUE(ingest.ok() && (*ingest)->Add(key.bytes(), "x").ok() && (*ingest)->Finish({}).ok());
  }
  EXPECT_TRUE(fs::is_empty(options.path + "/ingest"));
  fs::create_directory(options.path + "/ingest/9");
  WriteFile(options.path + "/ingest/9/000000.sst", "half");
  Open();
  EXPECT_EQ(Read(key), "x");
  EXPECT_TRUE(fs::is_empty(options.path + "/ingest"));
}

TEST_F(RocksdbStoreTest, CommitNumbersContinueAfterACleanStopAndSkipReservedOnesAfterACrash) {
  Open();
  PutDurably("a", "x");
  const CommitNumber first = horizon.number();
  Open();
  PutDurably("a", "y");
  EXPECT_EQ(horizon.number(), first + 1);
  // Simulates a crash: copies the folder while it is open. The reserved numbers may have been used.
  const std::string image = root + "/image";
  fs::copy(options.path, image, fs::copy_options::recursive);
  options.path = image;
  Open();
  PutDurably("a", "z");
  EXPECT_GT(horizon.number(), first + 1 + 1000);
}

TEST_F(RocksdbStoreTest, ACrashImageOpensWhole) {
  MakeCrashImage(1000);
  Open();
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(Read(TestKey(std::to_string(i))), std::string(100, 'v')) << i;
}

struct LogDamage {
  const char* name;
  std::function<void(std::string& log)> damage;
};

TEST_F(RocksdbStoreTest, ADamagedLogIsRefusedUntilTheLossIsAccepted) {
  const LogDamage cases[] = {
      {"a byte flipped in the middle", [](std::string& log) { log[log.size() / 2] ^= 1; }},
      {"a byte flipped at the end", [](std::string& log) { log[log.size() - 3] ^= 1; }},
      {"torn", [](std::string& log) { log.resize(log.size() - 37); }},
      {"half of it missing", [](std::string& log) { log.resize(log.size() / 2); }},
      {"all of it missing", [](std::string& log) { log.clear(); }},
      {"a block of zeros before good ones", [](std::string& log) { std::fill_n(log.begin() + 32768, 32768, '\0'); }},
  };
  MakeCrashImage(1000);
  const std::string whole = options.path, log_name = LogFile().filename();
  for (const LogDamage& c : cases) {
    SCOPED_TRACE(c.name);
    options.path = root + "/" + c.name;
    fs::copy(whole, options.path, fs::copy_options::recursive);
    std::string log = ReadFile(options.path + "/db/" + log_name);
    ASSERT_GT(log.size(), 150'000u);
    c.damage(log);
    WriteFile(options.path + "/db/" + log_name, log);
    const auto before = ContentOf(options.path);
    const std::string refusal = Refusal();
    EXPECT_NE(refusal.find("--accept-data-loss"), std::string::npos) << refusal;
    EXPECT_NE(refusal.find("are missing"), std::string::npos) << refusal;
    EXPECT_EQ(ContentOf(options.path), before);

    options.accept_data_loss = true;
    Open();
    int left = 0;
    while (left < 1000 && Read(TestKey(std::to_string(left))) != "(none)") ++left;
    for (int i = left; i < 1000; ++i) ASSERT_EQ(Read(TestKey(std::to_string(i))), "(none)") << "a hole before " << i;
    EXPECT_LT(left, 1000);
    EXPECT_EQ(store->ReadTally(kTestTable, 0).rows, left);
    // The loss needs to be accepted only once: from now on the mark describes the new state.
    options.accept_data_loss = false;
    Open();
  }
}

TEST_F(RocksdbStoreTest, WalAuditStopsAtTheFirstGap) {
  const auto batch_at = [](uint64_t sequence, int writes) {
    rocksdb::WriteBatch batch;
    for (int i = 0; i < writes; ++i) EXPECT_TRUE(batch.Put("k" + std::to_string(i), "v").ok());
    std::string bytes = batch.Data();
    std::memcpy(bytes.data(), &sequence, 8);
    return rocksdb::WriteBatch(bytes);
  };
  using Option = rocksdb::WalFilter::WalProcessingOption;
  struct Case {
    uint64_t flushed;
    std::vector<std::pair<uint64_t, int>> batches;
    uint64_t last;
  };
  const Case cases[] = {
      {0, {{1, 1}, {2, 3}, {5, 1}}, 5},
      {10, {{11, 2}, {13, 1}}, 13},
      {10, {{12, 1}}, 10},                    // the start of the log is missing
      {10, {{11, 1}, {13, 1}, {12, 1}}, 11},  // nothing after a gap counts
      {10, {{11, 1}, {12, 0}, {12, 1}}, 12},  // a record without writes
      {10, {}, 10},
  };
  for (const Case& c : cases) {
    WalAudit audit(WalAudit::Mode::kReplay, c.flushed);
    bool stopped = false;
    for (const auto& [sequence, writes] : c.batches) {
      const Option option = audit.LogRecordFound(1, "log", batch_at(sequence, writes), nullptr, nullptr);
      stopped = stopped || option == Option::kStopReplay;
      EXPECT_EQ(stopped, option == Option::kStopReplay);
    }
    EXPECT_EQ(audit.last_sequence(), c.last);
  }
}

TEST_F(RocksdbStoreTest, ACorruptValueIsAnErrorForItsRowOnly) {
  Open();
  const std::string names[] = {"a", "b", "c", "d"};
  for (const auto& name : names) PutDurably(name, "value of " + name);
  store.reset();
  {
    rocksdb::DB* opened = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open({}, options.path + "/db", &opened).ok());
    const std::unique_ptr<rocksdb::DB> db(opened);
    const auto name = [](const char* n) { return kRowSpace + TestKey(n).bytes(); };
    std::string a, b;
    ASSERT_TRUE(db->Get({}, name("a"), &a).ok() && db->Get({}, name("b"), &b).ok());
    a[12] ^= 1;
    ASSERT_TRUE(db->Put({}, name("a"), a).ok());
    ASSERT_TRUE(db->Put({}, name("c"), b).ok());  // a good value in the wrong place
    ASSERT_TRUE(db->Put({}, name("d"), "short").ok());
  }
  Open();
  for (const char* bad : {"a", "c", "d"}) EXPECT_EQ(Read(TestKey(bad)), "Internal server error") << bad;
  EXPECT_EQ(Read(TestKey("b")), "value of b");
  const Status scan =
      store->ScanSlots({.table = kTestTable}, [](const RowView&) { return true; }, {.horizon = horizon});
  ASSERT_FALSE(scan.ok());
  EXPECT_EQ(scan.kind(), Kind::kInternal);
  const Status write = Put(*store, TestKey("a"), "new", {.horizon = horizon});
  ASSERT_FALSE(write.ok());
  EXPECT_EQ(write.kind(), Kind::kInternal);
}

TEST_F(RocksdbStoreTest, EveryFlippedBitOfAStoredValueIsNoticed) {
  CommitBatch batch;
  batch.Put("r", "key", "value");
  batch.Stamp({7, 8});
  const std::string bytes = batch.batch().Data();
  const std::string stored = bytes.substr(bytes.size() - 5 - kStampedOverheadBytes);
  std::string_view value;
  CommitNumber commit = 0;
  ASSERT_TRUE(ReadStamped("rkey", stored, value, commit));
  EXPECT_EQ(value, "value");
  EXPECT_EQ(commit, 7u);
  EXPECT_FALSE(ReadStamped("rkez", stored, value, commit));
  for (size_t bit = 0; bit < stored.size() * 8; ++bit) {
    std::string flipped = stored;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT_FALSE(ReadStamped("rkey", flipped, value, commit)) << bit;
  }
}

TEST_F(RocksdbStoreTest, RowsNotInMemoryWouldBlock) {
  Open();
  const std::string large(8000, 'x');  // a block of its own
  for (const char* name : {"a", "b", "c"}) PutDurably(name, large);
  Open();  // the rows are in a table now, and the cache holds only what opening read
  const std::string name = std::max({std::pair(TestKey("a"), "a"), {TestKey("b"), "b"}, {TestKey("c"), "c"}}).second;
  const RowKey key = TestKey(name);
  EXPECT_EQ(Read(key, Wait::kNever), "(would block)");
  bool decided = false;
  const auto touch = [&](Wait wait) {
    return store->Mutate(0, {&key, 1},
                         [&](Micros, std::span<const Row> rows, Changes& changes) {
                           decided = true;
                           changes.Put(key, rows[0].value + "y");
                           return Ok();
                         },
                         {.horizon = horizon, .wait = wait});
  };
  const Status blocked = touch(Wait::kNever);
  ASSERT_FALSE(blocked.ok());
  EXPECT_EQ(blocked.kind(), Kind::kWouldBlock);
  EXPECT_FALSE(decided);
  const Status range = store->Range({.table = kTestTable, .partition = name + std::string(2, '\0')},
                                    [](const RowView&) { return true; }, {.horizon = horizon, .wait = Wait::kNever});
  ASSERT_FALSE(range.ok());
  EXPECT_EQ(range.kind(), Kind::kWouldBlock);
  EXPECT_TRUE(touch(Wait::kAllowed).ok());
  EXPECT_TRUE(touch(Wait::kNever).ok());
  EXPECT_EQ(Read(key, Wait::kNever), large + "yy");
}

// Near a range deletion, RocksDB 7.8 ends an iteration early and without an error if a block is not in memory.
TEST_F(RocksdbStoreTest, ARangeNextToAPurgedTableWouldBlockToo) {
  Open();
  const std::string large(8000, 'x');  // a block of its own
  const std::string partition("a\0\0", 3);
  const auto row = [&](TableId table, char sort) {
    return RowKey(table, kBaseTable, partition, std::string{sort, 0, 0});
  };
  ASSERT_TRUE(Put(*store, row(kTestTable - 1, '1'), large, {.horizon = horizon}).ok());
  Open();  // one file with the rows to purge; a newer one with the deletions and the rows that are read
  ASSERT_TRUE(store->Purge(kTestTable - 1, kBaseTable).ok());
  for (const char sort : {'1', '2', '3'})
    ASSERT_TRUE(Put(*store, row(kTestTable, sort), large, {.horizon = horizon}).ok());
  Open();
  for (const Wait wait : {Wait::kNever, Wait::kAllowed}) {
    size_t rows = 0;
    const auto count = [&](const RowView&) { return ++rows < 10; };
    const PartitionRange range{.table = kTestTable, .partition = partition, .direction = Direction::kBackward};
    const Status status = store->Range(range, count, {.horizon = horizon, .wait = wait});
    EXPECT_EQ(status.ok(), wait == Wait::kAllowed);
    EXPECT_EQ(rows, status.ok() ? 3u : 0u);
  }
}

// With kBlockCacheTier, RocksDB 7.8 reports every key as found and empty in a file it has not opened yet.
TEST_F(RocksdbStoreTest, RowsOfFilesNotYetOpenedWouldBlock) {
  Open();
  constexpr int kRows = 60;  // opening a folder opens 16 files
  for (int i = 0; i < kRows; ++i) PutDurably(std::to_string(i), std::string(8000, 'x'));
  store.reset();
  {
    rocksdb::Options small_files;
    small_files.target_file_size_base = 10'000;
    small_files.compression = rocksdb::kNoCompression;
    rocksdb::DB* opened = nullptr;
    ASSERT_TRUE(rocksdb::DB::Open(small_files, options.path + "/db", &opened).ok());
    const std::unique_ptr<rocksdb::DB> db(opened);
    rocksdb::CompactRangeOptions rewrite;
    rewrite.bottommost_level_compaction = rocksdb::BottommostLevelCompaction::kForce;
    ASSERT_TRUE(db->CompactRange(rewrite, nullptr, nullptr).ok());
  }
  Open();
  for (int i = 0; i < kRows; ++i) {
    const RowKey key = TestKey(std::to_string(i));
    const std::string read = Read(key, Wait::kNever);
    EXPECT_TRUE(read == "(would block)" || read.size() == 8000) << read;
    EXPECT_EQ(Read(key).size(), 8000u);
  }
}

// Rows of one partition in two files and in the write buffer, next to files and buffers without any of them.
TEST_F(RocksdbStoreTest, APartitionIsFoundCompletelyWhateverItsBytes) {
  using namespace std::literals;
  const std::string partitions[] = {"text\0\0"s,   "zero\0\xFF inside\0\0"s, "\0\xFF\0\0"s,       "\xC1\x05\x07"s,
                                    "\x3E\0\x99"s, "\xC1\0\0\x02"s,          "\xC1\0\0\x02\0\0"s, "\xC1\x05\0"s};
  std::map<std::string, std::vector<std::string>> expected;
  for (const std::string layer : {"1", "2", "3"}) {
    Open();  // puts the rows written so far into a file
    for (size_t i = 0; i < std::size(partitions); ++i) {
      if (i % 3 == static_cast<size_t>(layer[0] - '1')) continue;
      for (const std::string& sort : {"a" + layer + "\0\0"s, "\0\xFF"s + layer + "\0\0"s, "z" + layer + "\0\0"s}) {
        ASSERT_TRUE(Put(*store, RowKey(kTestTable, kBaseTable, partitions[i], sort), sort, {.horizon = horizon}).ok());
        expected[partitions[i]].push_back(sort);
      }
    }
  }
  for (const std::string& partition : partitions) {
    std::vector<std::string>& all = expected[partition];
    std::sort(all.begin(), all.end());
    const auto found = [&](PartitionRange range) {
      std::vector<std::string> sorts;
      range.table = kTestTable;
      range.partition = partition;
      const auto visit = [&](const RowView& row) {
        sorts.emplace_back(row.value);
        return true;
      };
      EXPECT_TRUE(store->Range(range, visit, {.horizon = horizon}).ok());
      return sorts;
    };
    EXPECT_EQ(found({}), all);
    EXPECT_EQ(found({.direction = Direction::kBackward}), std::vector(all.rbegin(), all.rend()));
    EXPECT_EQ(found({.lower = "a"}), std::vector(all.begin() + 2, all.end()));
    EXPECT_EQ(found({.upper = "b"}), std::vector(all.begin(), all.end() - 2));
    const std::string after = RowKey(kTestTable, kBaseTable, partition, all[2]).bytes();
    EXPECT_EQ(found({.after = after}), std::vector(all.begin() + 3, all.end()));
  }
}

TEST_F(RocksdbStoreTest, ACatalogMovedWhileDecidingIsStale) {
  Open();
  const RowKey key = TestKey("a");
  const Status stale = store->Mutate(0, {&key, 1},
                                     [&](Micros, std::span<const Row>, Changes& changes) {
                                       EXPECT_TRUE(WriteCatalog(*store, 0, {}).ok());
                                       changes.Put(key, "x");
                                       return Ok();
                                     },
                                     {.horizon = horizon});
  ASSERT_FALSE(stale.ok());
  EXPECT_EQ(stale.kind(), Kind::kStale);
  EXPECT_GT(horizon.number(), 0u) << "the result depends on the catalog change";
  EXPECT_EQ(Read(key), "(none)");
}

TEST_F(RocksdbStoreTest, TheMarkFollowsTheLog) {
  options.keep_period_ms = 1;
  Open();
  PutDurably("a", "x");
  std::optional<SideRecord> mark;
  do {
    ASSERT_TRUE(ReadSideFile(*moody, options.path + "/MARK", mark).ok() && mark);
  } while (mark->at("sequence") != "3");  // row, log record, tally
  const std::string image = root + "/image";
  fs::copy(options.path, image, fs::copy_options::recursive);
  options.path = image;
  fs::resize_file(LogFile(), fs::file_size(LogFile()) - 1);
  EXPECT_NE(Refusal().find("the log ends at write 0, but writes up to 3 were safely on disk: 3 are missing"),
            std::string::npos);
}

TEST_F(RocksdbStoreTest, ARelaxedStoreWritesItsLogPeriodically) {
  options.relaxed = true;
  Open();
  ASSERT_TRUE(Put(*store, TestKey("a"), "x", {.horizon = horizon}).ok());
  EXPECT_EQ(horizon.number(), 0u) << "a relaxed store must not make anyone wait";
  while (fs::file_size(LogFile()) == 0) {
  }
  const std::string image = root + "/image";
  fs::copy(options.path, image, fs::copy_options::recursive);
  options.path = image;
  Open();
  EXPECT_EQ(Read(TestKey("a")), "x");
}

TEST_F(RocksdbStoreTest, AWriteStallThrottlesAndPasses) {
  options.write_buffer_bytes = 64 << 10;
  Open();
  moody->HoldTables(true);  // no write buffer can be flushed
  Status status;
  for (int i = 0; i < 1000 && status.ok(); ++i) {
    status =
        Put(*store, TestKey(std::to_string(i)), std::string(2000, 'x'), {.horizon = horizon, .wait = Wait::kNever});
  }
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.kind(), Kind::kWouldBlock);
  const Status throttled = Put(*store, TestKey("late"), "x", {.horizon = horizon});
  ASSERT_FALSE(throttled.ok());
  EXPECT_EQ(throttled.kind(), Kind::kThrottling);
  EXPECT_EQ(throttled.message(), "The disk cannot keep up with the rate of writes. Try again.");
  EXPECT_EQ(Read(TestKey("late")), "(none)");
  // A reader that saw the number of a refused write is not left waiting, even if nobody asks for a sync.
  const auto durable = std::make_shared<std::promise<void>>();
  store->WhenDurable(horizon.number(), [durable] { durable->set_value(); });
  durable->get_future().wait();
  moody->HoldTables(false);
  EXPECT_TRUE(Put(*store, TestKey("late"), "x", {.horizon = horizon}).ok());
  EXPECT_EQ(Read(TestKey("late")), "x");
}

TEST_F(RocksdbStoreTest, AFullDiskTakesDeletesAndReadsOnly) {
  options.keep_period_ms = 1;
  Open();
  PutDurably("a", "x");
  const RowKey key = TestKey("a");
  const auto remove = [&] {
    const auto decide = [&](Micros, std::span<const Row>, Changes& changes) {
      changes.Delete(key);
      return Ok();
    };
    return store->Mutate(0, {&key, 1}, decide, {.horizon = horizon});
  };
  moody->free_bytes = 8 << 20;
  Status status;
  while (status.ok()) status = Put(*store, TestKey("b"), "x", {.horizon = horizon});  // until the store checks the disk
  EXPECT_EQ(status.kind(), Kind::kUnavailable);
  EXPECT_EQ(status.message(), "The disk is full. Only reads and deletes are served.");
  EXPECT_NE(store->LastError(), "");
  EXPECT_EQ(Read(key), "x");
  moody->free_bytes = 1 << 20;
  const Status refused = remove();
  EXPECT_EQ(refused.kind(), Kind::kUnavailable) << "no space even for a delete";
  EXPECT_EQ(refused.message(), "The disk is full. Only reads are served.");
  EXPECT_EQ(Read(key), "x");
  moody->free_bytes = 8 << 20;
  EXPECT_TRUE(remove().ok());
  EXPECT_EQ(Put(*store, TestKey("c"), "x", {.horizon = horizon}).kind(), Kind::kUnavailable);
  EXPECT_TRUE(Put(*store, TestKey("c"), "x", {.horizon = horizon, .for_delete = true}).ok());
  moody->free_bytes = uint64_t{1} << 40;
  while (!status.ok()) status = Put(*store, TestKey("b"), "x", {.horizon = horizon});
  EXPECT_EQ(store->LastError(), "");
}

TEST_F(RocksdbStoreTest, AFlushWithoutSpaceRefusesWritesUntilThereIsSome) {
  options.write_buffer_bytes = 64 << 10;
  options.keep_period_ms = 1;
  Open();
  moody->no_room_for_tables = true;
  const std::string value(2000, 'x');
  int written = 0;
  Status status;
  while (status.ok() || status.kind() == Kind::kThrottling) {
    status = Put(*store, TestKey(std::to_string(written)), value, {.horizon = horizon});
    if (status.ok()) ++written;
  }
  EXPECT_EQ(status.kind(), Kind::kUnavailable);
  while (store->LastError().empty()) std::this_thread::yield();
  EXPECT_FALSE(store->HasRoomForFiles(1).ok());
  for (int i = 0; i < written; ++i) ASSERT_EQ(Read(TestKey(std::to_string(i))), value) << i;
  moody->no_room_for_tables = false;
  while (!status.ok()) status = Put(*store, TestKey(std::to_string(written)), value, {.horizon = horizon});
  ++written;
  while (!store->LastError().empty()) std::this_thread::yield();
  EXPECT_TRUE(store->HasRoomForFiles(1).ok());
  Open();
  for (int i = 0; i < written; ++i) ASSERT_EQ(Read(TestKey(std::to_string(i))), value) << i;
}

TEST_F(RocksdbStoreTest, AFlushThatFailsEndsTheProcessAndNamesItsFile) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto ended = [](int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 74; };
  // Both processes can compute the path: a process that ends abnormally does not clean up after itself.
  const auto folder_of = [](pid_t tester) { return testing::TempDir() + "keyfold-fails-" + std::to_string(tester); };
  EXPECT_EXIT(
      {
        fs::remove_all(root);
        options.path = folder_of(getppid());
        options.write_buffer_bytes = 64 << 10;
        Open();
        moody->fail_tables = true;
        Status status;
        for (int i = 0; i < 1'000'000; ++i) {
          status = Put(*store, TestKey(std::to_string(i)), std::string(2000, 'x'), {.horizon = horizon});
        }
        std::_Exit(0);
      },
      ended, "flushing a write buffer failed: .*\\.sst");
  EXPECT_TRUE(fs::remove_all(folder_of(getpid())));
}

size_t CountTables(const std::string& folder) {
  size_t count = 0;
  for (const auto& entry : fs::directory_iterator(folder + "/db")) count += entry.path().extension() == ".sst" ? 1 : 0;
  return count;
}

// A start needs no space for the rows in the log; they are flushed when there is some. Until then the logs of both runs
// belong together, with the torn end of the first between them.
TEST_F(RocksdbStoreTest, AFullDiskDoesNotPreventAStart) {
  // What a kill may leave after the last record: nothing, half a header, a record whose length exceeds the file, or the
  // first part of a record that continues in the next block.
  const std::string tails[] = {"", std::string("\x01\x02\x03", 3), std::string("\x01\x02\x03\x04\xff\x00\x01xy", 9),
                               std::string("\x01\x02\x03\x04\xff\x7f\x02", 7) + std::string(20'000, 'x')};
  for (const std::string& tail : tails) {
    SCOPED_TRACE(tail.size());
    options.path = root + "/data";
    fs::remove_all(options.path);
    fs::remove_all(root + "/second");
    options.keep_period_ms = 1;
    horizon = {};  // each folder has its own numbers
    fs::remove_all(root + "/image");
    MakeCrashImage(100);
    std::ofstream(LogFile(), std::ios::binary | std::ios::app) << tail;
    moody->free_bytes = 2 << 20;
    Open();
    EXPECT_EQ(CountTables(options.path), 0u);
    for (int i = 0; i < 100; ++i) ASSERT_EQ(Read(TestKey(std::to_string(i))), std::string(100, 'v')) << i;
    EXPECT_EQ(Put(*store, TestKey("new"), "x", {.horizon = horizon}).kind(), Kind::kUnavailable);
    moody->free_bytes = 8 << 20;
    const RowKey key = TestKey("7");
    const auto remove = [&](Micros, std::span<const Row>, Changes& changes) {
      changes.Delete(key);
      return Ok();
    };
    ASSERT_TRUE(store->Mutate(0, {&key, 1}, remove, {.horizon = horizon}).ok());
    store->WaitUntilDurable(horizon.number());
    const std::string second = root + "/second";
    fs::copy(options.path, second, fs::copy_options::recursive);
    moody->free_bytes = uint64_t{1} << 40;
    while (CountTables(options.path) == 0) std::this_thread::yield();  // the postponed flush
    store.reset();

    options.path = second;
    Open();
    for (int i = 0; i < 100; ++i)
      ASSERT_EQ(Read(TestKey(std::to_string(i))), i == 7 ? "(none)" : std::string(100, 'v')) << i;
    PutDurably("new", "x");
    Open();
    EXPECT_EQ(Read(TestKey("new")), "x");
    EXPECT_EQ(Read(key), "(none)");
    store.reset();
  }
}

TEST_F(RocksdbStoreTest, OtherFilesLeaveTheReserveAndSomeMore) {
  Open();
  const DiskSpace disk = store->Disk();
  EXPECT_EQ(disk.free_bytes, uint64_t{1} << 40);
  EXPECT_GE(disk.reserve_bytes, uint64_t{32} << 20);
  moody->free_bytes = disk.reserve_bytes + (1 << 20);  // enough for items
  EXPECT_EQ(store->HasRoomForFiles(0).kind(), Kind::kUnavailable);
  PutDurably("a", "x");
  auto ingest = *store->BeginIngest();
  Status status;
  for (int i = 100'000; status.ok() && i < 200'000; ++i) {
    status = ingest->Add(TestKey(std::to_string(i)).bytes(), std::string(1000, 'v'));
  }
  EXPECT_EQ(status.kind(), Kind::kUnavailable);
  ingest.reset();
  EXPECT_TRUE(fs::is_empty(options.path + "/ingest"));
  moody->free_bytes = disk.reserve_bytes + (64 << 20);
  EXPECT_TRUE(store->HasRoomForFiles(1 << 20).ok());
}

TEST_F(RocksdbStoreTest, AFailedSyncEndsTheProcess) {
  testing::GTEST_FLAG(death_test_style) = "threadsafe";
  const auto ended = [](int status) { return WIFEXITED(status) && WEXITSTATUS(status) == 74; };
  EXPECT_EXIT(
      {
        Open();
        fs::remove_all(root);  // a process that ends does not clean up; its open files live on until then
        moody->fail_log_sync = true;
        PutDurably("a", "x");
        std::_Exit(0);
      },
      ended, "");
}

}  // namespace
}  // namespace keyfold::store
