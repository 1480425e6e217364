// Backups, restores and point-in-time recovery on both stores: a consistent moment under concurrent writes, the same
// moment after a restart, no restore from damaged files, and logs that are trimmed when no longer needed.
#include "engine/history/backup_jobs.h"

#include <gtest/gtest.h>

#include <fstream>
#include <thread>

#include "engine/background/stream_retention.h"
#include "engine/history/moment.h"
#include "engine/history/undo.h"
#include "testing/base/logged.h"
#include "testing/engine/jobs.h"
#include "testing/engine/pair_writer.h"
#include "testing/engine/test_database.h"
#include "testing/files/folder.h"

namespace keyfold::engine {
namespace {

class BackupsTest : public testing::TestWithParam<StoreKind> {
 protected:
  BackupsTest() : database(GetParam()) { Open(); }

  void Open() {
    auto opened = BackupJobs::Open(database.db(), database.lifecycle(),
                                   scratch.folder().WithRoom(room.On(scratch.path())), 11, jobs);
    CHECK(opened.ok());
    backups = *std::move(opened);
  }
  void WaitUntilDurable() {
    store::Horizon horizon;
    ASSERT_TRUE(database.store().ScanSlots({}, [](const store::RowView&) { return true; }, {horizon}).ok());
    while (database.store().Durable() < horizon.number()) std::this_thread::yield();
  }
  void Reopen() {
    backups.reset();
    database.Reopen();
    Open();
  }
  void RunBackgroundWork() {
    do {
      database.RunBackgroundWork();
    } while (backups->WorkOnce());
  }
  std::string MakeBackup(std::string_view table) {
    const Result<BackupPtr> made = backups->Create(table, "b");
    EXPECT_TRUE(made.ok()) << DatabaseForTest::Message(made);
    RunBackgroundWork();
    return (*made)->id;
  }
  Verification VerifyAll() {
    Verification found;
    EXPECT_TRUE(backups->VerifyAll([](const Verification&) { return true; }, found).ok());
    return found;
  }
  Table Described(std::string_view source, std::string name) {
    return RestoredTable(*database.Find(source), std::move(name));
  }
  // Every item of the table, in order.
  std::vector<std::string> Items(std::string_view table) {
    const Result<QueryAnswer> page = database.Scan(table);
    EXPECT_TRUE(page.ok()) << DatabaseForTest::Message(page);
    return page.ok() ? page->items : std::vector<std::string>{};
  }
  Table Orders(std::string name) {
    return TableOfText(std::move(name), "p:S/s:N",
                       {Local("l", "p:S/x:S", ProjectionKind::kKeysOnly), Global("g", "x:S/s:N"),
                        Global("i", "y:N", ProjectionKind::kInclude, {"x"})});
  }
  void PutSome(std::string_view table, int from, int to, std::string_view x = "x") {
    for (int i = from; i < to; ++i) {
      const std::string item = "{p='p" + std::to_string(i % 7) + "', s=" + std::to_string(i) + ", x='" +
                               std::string(x) + std::to_string(i % 5) + "', y=" + std::to_string(i) + "}";
      ASSERT_EQ(DatabaseForTest::Message(database.Put(table, item)), "") << item;
    }
  }

  DatabaseForTest database;
  const files::FolderForTest scratch;
  const std::string& folder = scratch.path();
  files::RoomForTest room;
  Jobs jobs;
  std::unique_ptr<BackupJobs> backups;
};

TEST_P(BackupsTest, ABackupIsTheTableAtItsMoment) {
  database.Create(Orders("t"));
  PutSome("t", 0, 50);
  const std::vector<std::string> before = Items("t");
  const Result<BackupPtr> made = backups->Create("t", "b");
  ASSERT_TRUE(made.ok());
  EXPECT_EQ((*made)->status, Backup::Status::kCreating);
  PutSome("t", 20, 70, "later");
  for (int i = 0; i < 10; ++i) {
    ASSERT_TRUE(database.Delete("t", "{p='p" + std::to_string(i % 7) + "', s=" + std::to_string(i) + "}").ok());
  }
  const std::vector<std::string> after = Items("t");
  RunBackgroundWork();
  const BackupPtr backup = database.catalog().Current()->backups.at((*made)->id);
  EXPECT_EQ(backup->status, Backup::Status::kAvailable);
  EXPECT_EQ(backup->items, 50);
  EXPECT_TRUE(database.Find("t")->holds.empty());

  ASSERT_TRUE(backups->RestoreBackup(backup->id, Described("t", "r")).ok());
  EXPECT_EQ(database.Get("r", "{p='p1', s=1}"), "Requested resource not found") << "visible before it is complete";
  RunBackgroundWork();
  EXPECT_EQ(Items("r"), before);
  EXPECT_EQ(Items("t"), after);
  database.ExpectSound("r");
  database.ExpectSound("t");
  ASSERT_TRUE(database.Put("r", "{p='new', s=1, x='x'}").ok());
  database.ExpectSound("r");
}

TEST_P(BackupsTest, ARestartBeginsAgainWithTheSameMoment) {
  database.Create(Orders("t"));
  PutSome("t", 0, 30);
  const std::vector<std::string> before = Items("t");
  ASSERT_TRUE(backups->Create("t", "b").ok());
  PutSome("t", 10, 40, "later");
  Reopen();
  PutSome("t", 0, 5, "latest");
  RunBackgroundWork();
  const std::string id = database.catalog().Current()->backups.begin()->first;
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  Reopen();
  EXPECT_EQ(database.Find("r")->StatusAt(database.clock.Now()), TableStatus::kCreating);
  RunBackgroundWork();
  EXPECT_EQ(Items("r"), before);
  database.ExpectSound("r");
}

TEST_P(BackupsTest, BackupsUnderLoadHaveWholeTransactions) {
  database.Create(TableOfText("t", "p:S", {Global("g", "n:N")}));
  PairWriter writer(database.db(), "t");
  for (int round = 0; round < 10; ++round) {
    const int least = writer.written();
    const std::string id = MakeBackup("t");
    const int most = writer.written() + 1;
    const std::string name = "r" + std::to_string(round);
    ASSERT_TRUE(backups->RestoreBackup(id, Described("t", name)).ok());
    RunBackgroundWork();
    const std::vector<std::string> items = Items(name);
    ASSERT_EQ(items.size(), 2u);
    const int n = std::stoi(items[0].substr(items[0].find("n=") + 2));
    EXPECT_NE(items[1].find("n=" + std::to_string(n)), std::string::npos) << items[0] << " and " << items[1];
    EXPECT_GE(n, least);
    EXPECT_LE(n, most);
    database.ExpectSound(name);
  }
  writer.Stop();
  EXPECT_GT(writer.written(), 10);
}

TEST_P(BackupsTest, JobsReportProgress) {
  database.Create(TableOfText("t", "p:S", {Global("g", "x:S")}));
  const std::string text(1200, 'x');
  for (int i = 0; i < 2500; ++i) {
    ASSERT_TRUE(database.Put("t", "{p='" + std::to_string(i) + "', x='x', y='" + text + "'}").ok());
  }
  StoreThatSeesJobs store(database.store(), jobs);
  const Database db{store, database.catalog(), database.clock};
  backups = *BackupJobs::Open(db, database.lifecycle(), scratch.folder(), 11, jobs);
  const std::string id = MakeBackup("t");
  EXPECT_EQ(store.id, id);
  EXPECT_TRUE(store.HasSeen("BACKUP t writing 0/2500 ITEMS")) << store.SeenText();
  EXPECT_TRUE(store.HasSeen("BACKUP t writing 1024/2500 ITEMS")) << store.SeenText();
  store.seen.clear();
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  RunBackgroundWork();
  EXPECT_EQ(store.id, id);
  std::vector<std::string> restored = {"RESTORE r beginning 0/? ITEMS"};
  for (const char* step :
       {"reading 0", "reading 1024", "reading 2048", "indexing 0", "indexing 1024", "indexing 2048", "indexing 2500"}) {
    restored.push_back("RESTORE r " + std::string(step) + "/2500 ITEMS");
  }
  EXPECT_EQ(store.seen, restored);
  store.seen.clear();
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  ASSERT_TRUE(backups->RestoreMoment("t", std::nullopt, Described("t", "m")).ok());
  RunBackgroundWork();
  EXPECT_EQ(store.id, "");
  EXPECT_TRUE(store.HasSeen("RESTORE m reading 0/2500 ITEMS")) << store.SeenText();
  EXPECT_TRUE(store.HasSeen("RESTORE m indexing 2500/2500 ITEMS")) << store.SeenText();
  EXPECT_TRUE(jobs.List().empty());
}

TEST_P(BackupsTest, NothingIsRestoredFromADamagedBackup) {
  database.Create(TableOfText("t", "p:S"));
  database.PutAll("t", {"{p='a'}", "{p='b'}"});
  const std::string id = MakeBackup("t");
  const auto flip = [&](const std::string& path, size_t at) {
    std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
    file.seekg(static_cast<std::streamoff>(at));
    const int c = file.get();
    file.seekp(static_cast<std::streamoff>(at));
    file.put(static_cast<char>(c ^ 0x10));
  };
  for (const std::string name : {"rows-1", "MANIFEST"}) {
    const std::string path = folder + "/backups/" + id + "/" + name;
    const auto refuse = [&](const std::string& why) {
      const auto refused = backups->RestoreBackup(id, Described("t", "r"));
      ASSERT_FALSE(refused.ok()) << name << ", " << why;
      EXPECT_TRUE(refused.error().message().starts_with("The backup is damaged and nothing was restored from it: "));
      EXPECT_NE(refused.error().message().find(id + "/" + name), std::string::npos) << refused.error().message();
      const Verification found = VerifyAll();
      ASSERT_EQ(found.first_faults.size(), 1u) << name << ", " << why;
      EXPECT_NE(found.first_faults[0].find(id + "/" + name), std::string::npos) << found.first_faults[0];
    };
    const size_t bytes = std::filesystem::file_size(path);
    for (size_t at = 0; at < bytes; ++at) {
      flip(path, at);
      refuse("byte " + std::to_string(at));
      flip(path, at);
    }
    EXPECT_EQ(VerifyAll().faults, 0u);
    std::filesystem::copy_file(path, path + ".kept");
    std::ofstream(path, std::ios::app) << "x";
    refuse("longer");
    std::filesystem::resize_file(path, bytes - 1);
    refuse("shorter");
    std::filesystem::remove(path);
    refuse("missing");
    std::filesystem::rename(path + ".kept", path);
  }
  EXPECT_FALSE(database.Find("r"));
  EXPECT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
}

TEST_P(BackupsTest, DamageDuringARestoreLeavesNoTable) {
  database.Create(TableOfText("t", "p:S"));
  database.PutAll("t", {"{p='a'}", "{p='b'}"});
  const std::string id = MakeBackup("t");
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  std::ofstream(folder + "/backups/" + id + "/rows-1", std::ios::app) << "x";
  RunBackgroundWork();
  EXPECT_FALSE(database.Find("r"));
  EXPECT_TRUE(backups->Delete(id).ok());
}

TEST_P(BackupsTest, AFileOfAnotherBackupLeavesNoTable) {
  database.Create(TableOfText("t", "p:S"));
  database.PutAll("t", {"{p='a'}"});
  const std::string id = MakeBackup("t");
  database.PutAll("t", {"{p='b'}"});
  database.clock.Set(database.clock.Now() + kSecond);
  const std::string other = MakeBackup("t");
  const auto rows_of = [&](const std::string& of) { return folder + "/backups/" + of + "/rows-1"; };
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  std::filesystem::copy_file(rows_of(other), rows_of(id), std::filesystem::copy_options::overwrite_existing);
  EXPECT_FALSE(backups->RestoreBackup(id, Described("t", "s")).ok());
  const Logged logged;
  RunBackgroundWork();
  EXPECT_FALSE(database.Find("r"));
  EXPECT_NE(logged.text().find(rows_of(id) + " is not the file that was written for this backup"), std::string::npos)
      << logged.text();
}

TEST_P(BackupsTest, BackupsGoWithTheirFiles) {
  database.Create(TableOfText("t", "p:S"));
  const std::string id = MakeBackup("t");
  EXPECT_TRUE(std::filesystem::exists(folder + "/backups/" + id + "/MANIFEST"));
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  const auto refused = backups->Delete(id);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), Kind::kBackupInUse);
  EXPECT_EQ(refused.error().message(), "Backup is being created or restored from: " + id);
  RunBackgroundWork();
  ASSERT_TRUE(backups->Delete(id).ok());
  EXPECT_FALSE(std::filesystem::exists(folder + "/backups/" + id));
  EXPECT_EQ(backups->Delete(id).error().kind(), Kind::kBackupNotFound);
  EXPECT_EQ(backups->RestoreBackup(id, Described("t", "s")).error().kind(), Kind::kBackupNotFound);
  std::filesystem::create_directories(folder + "/backups/other");
  std::ofstream(folder + "/backups/other/rows-1") << "left";
  Reopen();
  EXPECT_FALSE(std::filesystem::exists(folder + "/backups/other/rows-1"));
}

TEST_P(BackupsTest, EverySecondOfTheWindowCanBeRestored) {
  database.Create(Orders("t"));
  PutSome("t", 0, 10);
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  std::vector<std::pair<Micros, std::vector<std::string>>> history;
  for (int second = 0; second < 8; ++second) {
    database.clock.Set(database.clock.Now() + kSecond);
    PutSome("t", second * 3, second * 3 + 6, "s" + std::to_string(second));
    if (second % 3 == 2) {
      for (const char* key : {"{p='p1', s=1}", "{p='p0', s=7}"}) ASSERT_TRUE(database.Delete("t", key).ok());
    }
    history.emplace_back(database.clock.Now(), Items("t"));
  }
  database.clock.Set(database.clock.Now() + kSecond);
  for (size_t i = 0; i < history.size(); ++i) {
    const std::string name = "r" + std::to_string(i);
    const auto restored = backups->RestoreMoment("t", history[i].first, Described("t", name));
    ASSERT_TRUE(restored.ok()) << DatabaseForTest::Message(restored);
    PutSome("t", 0, 30, "more" + name);
    if (i % 2 == 1) Reopen();
    RunBackgroundWork();
    EXPECT_EQ(Items(name), history[i].second) << i;
    database.ExpectSound(name);
  }
  const std::vector<std::string> now = Items("t");
  ASSERT_TRUE(backups->RestoreMoment("t", std::nullopt, Described("t", "latest")).ok());
  PutSome("t", 0, 30, "after");
  RunBackgroundWork();
  EXPECT_EQ(Items("latest"), now);
  EXPECT_TRUE(database.Find("t")->holds.empty());
}

TEST_P(BackupsTest, MomentsOutsideTheWindowAreRefused) {
  database.Create(TableOfText("t", "p:S"));
  const auto restore = [&](std::optional<Micros> time) {
    const auto restored = backups->RestoreMoment("t", time, Described("t", "r"));
    return restored.ok() ? Kind::kStale : restored.error().kind();
  };
  EXPECT_EQ(restore(std::nullopt), Kind::kPointInTimeRecoveryUnavailable);
  ASSERT_TRUE(backups->SetRecovery("t", true, 2).ok());
  const Micros since = database.Find("t")->recovery.since.time;
  EXPECT_EQ(since, database.clock.Now());
  database.clock.Set(since + 3 * kSecond);
  EXPECT_EQ(restore(since - kSecond), Kind::kInvalidRestoreTime);
  EXPECT_EQ(restore(since + 3 * kSecond), Kind::kInvalidRestoreTime) << "the second is not over";
  database.clock.Set(since + 3 * kDay);
  EXPECT_EQ(restore(since + kDay - kSecond), Kind::kInvalidRestoreTime);
  EXPECT_EQ(restore(since + kDay), Kind::kStale);
  EXPECT_EQ(backups->RestoreMoment("t", std::nullopt, Described("t", "r")).error().kind(), Kind::kTableAlreadyExists);
}

TEST_P(BackupsTest, LogsAreTrimmedWhenNoLongerNeeded) {
  StreamRetention retention(database.db());
  const auto records = [&](store::TableId table) {
    size_t count = 0;
    WaitUntilDurable();  // the log shows only durable commits
    EXPECT_TRUE(database.store().ReadLog({.table = table}, [&](const store::LogView&) { return ++count > 0; }).ok());
    return count;
  };
  const auto later = [&](Micros by) {
    database.clock.Set(database.clock.Now() + by);
    retention.WorkOnce();
  };
  database.Create(TableOfText("t", "p:S"));
  const store::TableId id = database.Find("t")->id;
  database.PutAll("t", {"{p='a'}"});
  EXPECT_EQ(records(id), 0u);
  ASSERT_TRUE(backups->Create("t", "b").ok());
  database.PutAll("t", {"{p='b'}"});
  later(10 * kDay);
  EXPECT_EQ(records(id), 1u) << "held";
  RunBackgroundWork();
  later(kDay);
  EXPECT_EQ(records(id), 0u) << "released";
  EXPECT_EQ(database.Find("t")->log_ended, 0);

  ASSERT_TRUE(backups->SetRecovery("t", true, 3).ok());
  database.PutAll("t", {"{p='c'}"});
  later(2 * kDay);
  database.PutAll("t", {"{p='d'}"});
  EXPECT_EQ(records(id), 2u);
  later(2 * kDay);
  EXPECT_EQ(records(id), 1u) << "outside of three days";
  ASSERT_TRUE(backups->Create("t", "b").ok());
  database.PutAll("t", {"{p='held'}"});
  later(10 * kDay);
  EXPECT_EQ(records(id), 1u) << "outside of three days, and held";
  RunBackgroundWork();
  later(kDay);
  EXPECT_EQ(records(id), 0u) << "released";
  ASSERT_TRUE(backups->SetRecovery("t", false, std::nullopt).ok());
  later(61 * kSecond);
  EXPECT_EQ(records(id), 0u) << "turned off";
  database.PutAll("t", {"{p='e'}"});
  EXPECT_EQ(records(id), 0u);
}

TEST_P(BackupsTest, ADeletedTableWithRecoveryLeavesABackup) {
  database.Create(Orders("t"));
  PutSome("t", 0, 20);
  const std::vector<std::string> before = Items("t");
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  const store::TableId id = database.Find("t")->id;
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  EXPECT_EQ(database.Get("t", "{p='p1', s=1}"), "Requested resource not found");
  RunBackgroundWork();
  EXPECT_FALSE(database.Find("t"));
  EXPECT_TRUE(database.Rows(id, store::kBaseTable).empty());
  const auto& all = database.catalog().Current()->backups;
  ASSERT_EQ(all.size(), 1u);
  const BackupPtr backup = all.begin()->second;
  EXPECT_EQ(backup->name, "t$DeletedTableBackup");
  EXPECT_EQ(backup->kind, Backup::Kind::kSystem);
  ASSERT_TRUE(backups->RestoreBackup(backup->id, RestoredTable(backup->table, "t")).ok());
  RunBackgroundWork();
  EXPECT_EQ(Items("t"), before);
  database.ExpectSound("t");
  database.clock.Set(database.clock.Now() + 36 * kDay);
  ASSERT_TRUE(backups->RemoveExpired().ok());
  EXPECT_TRUE(database.catalog().Current()->backups.empty());
}

// The name is free immediately, and the two tables do not mix. The backup survives a restart in between.
TEST_P(BackupsTest, ADeletedTableWithRecoveryFreesItsNameAtOnce) {
  database.Create(Orders("t"));
  PutSome("t", 0, 20);
  const std::vector<std::string> before = Items("t");
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  const store::TableId id = database.Find("t")->id;
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  EXPECT_FALSE(database.Find("t"));
  EXPECT_EQ(database.catalog().Current()->departed.size(), 1u);
  database.Create(Orders("t"));
  EXPECT_TRUE(Items("t").empty());
  PutSome("t", 100, 105, "new");
  const std::vector<std::string> young = Items("t");
  database.RunBackgroundWork();
  EXPECT_EQ(database.Rows(id, store::kBaseTable).size(), before.size()) << "the backup is not made yet";
  Reopen();
  EXPECT_FALSE(database.catalog().Current()->departed.empty());
  database.clock.Advance(2 * kDay);
  StreamRetention(database.db()).WorkOnce();  // must keep the log that the backup reads
  RunBackgroundWork();
  EXPECT_EQ(Items("t"), young);
  EXPECT_TRUE(database.catalog().Current()->departed.empty());
  EXPECT_TRUE(database.Rows(id, store::kBaseTable).empty());
  const auto& all = database.catalog().Current()->backups;
  ASSERT_EQ(all.size(), 1u);
  const BackupPtr backup = all.begin()->second;
  EXPECT_EQ(backup->status, Backup::Status::kAvailable);
  EXPECT_EQ(backup->items, 20);
  ASSERT_TRUE(backups->RestoreBackup(backup->id, RestoredTable(backup->table, "r")).ok());
  RunBackgroundWork();
  EXPECT_EQ(Items("r"), before);
  database.ExpectSound("r");
  database.ExpectSound("t");
}

// Total bytes of the backup files in the folder.
uint64_t BytesIn(const files::Folder& folder) {
  uint64_t bytes = 0;
  const auto files = folder.List("backups/");
  for (const files::Folder::Entry& file : *files) bytes += file.bytes;
  return bytes;
}

TEST_P(BackupsTest, WithoutRoomABackupIsRefusedOrLeavesNothing) {
  database.Create(Orders("t"));
  PutSome("t", 0, 50);
  const auto bytes = static_cast<uint64_t>(database.store().ReadTally(database.Find("t")->id, store::kBaseTable).bytes);
  const auto refused = [&] {
    const Result<BackupPtr> made = backups->Create("t", "b");
    return !made.ok() && made.error().kind() == Kind::kUnavailable;
  };
  room.left = bytes - 1;
  EXPECT_TRUE(refused());
  EXPECT_TRUE(database.catalog().Current()->backups.empty());
  // Pending backups count.
  room.left = 2 * bytes - 1;
  ASSERT_TRUE(backups->Create("t", "b").ok());
  EXPECT_TRUE(refused());
  // Enough room to begin, but not to finish.
  room.left = bytes;
  RunBackgroundWork();
  EXPECT_TRUE(database.catalog().Current()->backups.empty());
  EXPECT_TRUE(database.Find("t")->holds.empty());
  EXPECT_EQ(BytesIn(scratch.folder()), 0u);
  room.left = UINT64_MAX;
  MakeBackup("t");
  EXPECT_EQ(database.catalog().Current()->backups.size(), 1u);
}

TEST_P(BackupsTest, WithoutRoomTheBackupOfADeletedTableWaitsAndCanBeDeleted) {
  database.Create(Orders("t"));
  PutSome("t", 0, 50);
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  const store::TableId id = database.Find("t")->id;
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  room.left = 0;
  RunBackgroundWork();
  const auto all = [&] { return database.catalog().Current()->backups; };
  ASSERT_EQ(all().size(), 1u);
  EXPECT_EQ(all().begin()->second->status, Backup::Status::kCreating);
  EXPECT_EQ(BytesIn(scratch.folder()), 0u);
  EXPECT_FALSE(database.Rows(id, store::kBaseTable).empty());
  // It is made as soon as there is room.
  room.left = UINT64_MAX;
  RunBackgroundWork();
  EXPECT_EQ(all().begin()->second->status, Backup::Status::kAvailable);
  EXPECT_TRUE(database.Rows(id, store::kBaseTable).empty());

  database.Create(Orders("u"));
  PutSome("u", 0, 50);
  ASSERT_TRUE(backups->SetRecovery("u", true, std::nullopt).ok());
  const store::TableId other = database.Find("u")->id;
  ASSERT_TRUE(database.lifecycle().Delete("u").ok());
  room.left = 0;
  RunBackgroundWork();
  ASSERT_EQ(all().size(), 2u);
  const auto waits = [](const auto& entry) { return entry.second->status == Backup::Status::kCreating; };
  std::string waiting;
  for (const auto& entry : all()) {
    if (waits(entry)) waiting = entry.first;
  }
  EXPECT_TRUE(backups->Delete(waiting).ok());
  RunBackgroundWork();
  EXPECT_EQ(all().size(), 1u);
  EXPECT_TRUE(database.catalog().Current()->departed.empty());
  EXPECT_TRUE(database.Rows(other, store::kBaseTable).empty()) << "its rows still take up room";
}

TEST_P(BackupsTest, WithoutRoomARestoreIsRefusedOrAbandoned) {
  database.Create(Orders("t"));
  PutSome("t", 0, 50);
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  const std::string id = MakeBackup("t");
  room.left = 10;
  const Result<TablePtr> refused = backups->RestoreBackup(id, Described("t", "r"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), Kind::kUnavailable);
  EXPECT_EQ(backups->RestoreMoment("t", std::nullopt, Described("t", "r")).error().kind(), Kind::kUnavailable);
  room.left = UINT64_MAX;
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  ASSERT_TRUE(backups->RestoreMoment("t", std::nullopt, Described("t", "m")).ok());
  room.left = 10;
  RunBackgroundWork();
  EXPECT_FALSE(database.Find("r"));
  EXPECT_FALSE(database.Find("m"));
  EXPECT_TRUE(database.Find("t")->holds.empty());
  room.left = UINT64_MAX;
  ASSERT_TRUE(backups->RestoreBackup(id, Described("t", "r")).ok());
  RunBackgroundWork();
  EXPECT_EQ(Items("r"), Items("t"));
}

// A backup in progress and a restore from the table's log both continue.
TEST_P(BackupsTest, ADeletedTableStaysReadableForItsHolders) {
  database.Create(Orders("t"));
  PutSome("t", 0, 20);
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  const std::vector<std::string> before = Items("t");
  const Result<BackupPtr> made = backups->Create("t", "b");
  ASSERT_TRUE(made.ok());
  PutSome("t", 10, 30, "later");
  const std::vector<std::string> later = Items("t");
  ASSERT_TRUE(backups->RestoreMoment("t", std::nullopt, Described("t", "r")).ok());
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  EXPECT_FALSE(database.Find("t"));
  database.Create(TableOfText("t", "p:S"));
  RunBackgroundWork();
  EXPECT_EQ(Items("r"), later);
  EXPECT_EQ(database.catalog().Current()->backups.at((*made)->id)->items, static_cast<int64_t>(before.size()));
  EXPECT_EQ(database.catalog().Current()->backups.size(), 2u);
  EXPECT_TRUE(database.catalog().Current()->departed.empty());
  EXPECT_TRUE(Items("t").empty());
}

// With --table-delay-ms the table is DELETING for exactly that time.
TEST_P(BackupsTest, ADeletedTableWithRecoveryIsVisibleForTheDelay) {
  database.set_delay(kSecond);
  Reopen();
  database.Create(Orders("t"));
  database.clock.Advance(kSecond);
  PutSome("t", 0, 5);
  ASSERT_TRUE(backups->SetRecovery("t", true, std::nullopt).ok());
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  RunBackgroundWork();
  ASSERT_TRUE(database.Find("t")) << "the backup is made before the delay is over";
  EXPECT_EQ(database.Find("t")->StatusAt(database.clock.Now()), TableStatus::kDeleting);
  database.clock.Advance(kSecond);
  RunBackgroundWork();
  EXPECT_FALSE(database.Find("t"));
  EXPECT_TRUE(database.catalog().Current()->departed.empty());

  database.Create(Orders("u"));
  database.clock.Advance(kSecond);
  ASSERT_TRUE(backups->SetRecovery("u", true, std::nullopt).ok());
  ASSERT_TRUE(database.lifecycle().Delete("u").ok());
  database.clock.Advance(kSecond);
  database.RunBackgroundWork();  // without making the backup
  EXPECT_FALSE(database.Find("u"));
  EXPECT_EQ(database.catalog().Current()->departed.size(), 1u);
  ASSERT_TRUE(database.lifecycle().Reset().ok());
  EXPECT_TRUE(database.catalog().Current()->departed.empty());
  RunBackgroundWork();
  EXPECT_TRUE(database.catalog().Current()->backups.empty());
}

INSTANTIATE_TEST_SUITE_P(Stores, BackupsTest, testing::Values(StoreKind::kMemory, StoreKind::kRocksdb),
                         [](const auto& info) { return info.param == StoreKind::kMemory ? "memory" : "rocksdb"; });

TEST(Undo, TheFirstImageOfAKeyCountsWhereverItIs) {
  const files::FolderForTest scratch;
  {
    Undo undo(scratch.folder(), 1500);  // small, so that a run is written every few keys
    Random random(5);
    std::map<std::string, std::string> expected;
    std::string passed;
    for (int round = 0; round < 40; ++round) {
      for (int i = 0; i < 30; ++i) {
        const std::string key = "k" + std::to_string(1000 + random.Below(900));
        const Item item = ItemOf("{v=" + std::to_string(round * 100 + i) + "}");
        if (key <= passed) continue;
        const bool present = !random.OneIn(3);
        ASSERT_TRUE(undo.Add(key, present ? std::optional(item.view()) : std::nullopt).ok());
        expected.try_emplace(key, present ? Print(item) : "");
      }
      for (int taken = 0; taken < 10 && !expected.empty(); ++taken) {
        ASSERT_TRUE(undo.LeastKey());
        passed = *undo.LeastKey();
        ASSERT_EQ(passed, expected.begin()->first);
        std::optional<Item> before;
        ASSERT_TRUE(undo.TakeLeast(before).ok());
        EXPECT_EQ(before ? Print(*before) : "", expected.begin()->second);
        expected.erase(expected.begin());
      }
    }
    EXPECT_GT(std::distance(std::filesystem::directory_iterator(scratch.path()), {}), 2) << "nothing went to disk";
  }
  EXPECT_TRUE(std::filesystem::is_empty(scratch.path())) << "runs stay";
}

}  // namespace
}  // namespace keyfold::engine
