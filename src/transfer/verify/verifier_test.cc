// Verification during requests: tables, backups and exports together, one at a time. Nothing that is removed or written
// concurrently is reported as a fault.
#include "transfer/verify/verifier.h"

#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "testing/base/logged.h"
#include "testing/transfer/exports.h"

namespace keyfold::transfer {
namespace {

class VerifierTest : public ExportsTest {
 protected:
  VerifierTest() {
    auto opened = engine::BackupJobs::Open(database.db(), database.lifecycle(), work.folder(), 11, jobs);
    CHECK(opened.ok());
    backups = *std::move(opened);
    verifier = std::make_unique<Verifier>(database.db(), backups.get(), Buckets(), jobs);
    CreateTable("t");
    CreateTable("other");
    for (int i = 0; i < 30; ++i) EXPECT_TRUE(database.Put("t", "{p='" + std::to_string(i) + "'}").ok());
    EXPECT_TRUE(database.Put("other", "{p='a'}").ok());
  }
  ~VerifierTest() override { verifier.reset(); }

  std::string MakeBackup() {
    const Result<engine::BackupPtr> made = backups->Create("t", "b");
    EXPECT_TRUE(made.ok());
    do {
      database.RunBackgroundWork();
    } while (backups->WorkOnce());
    return (*made)->id;
  }
  VerifierReport Look(std::string_view table = "") {
    EXPECT_TRUE(verifier->Begin(table).ok());
    verifier->WorkOnce();
    EXPECT_TRUE(verifier->Latest());
    return *verifier->Latest();
  }
  static std::string Text(const VerifierReport& report) {
    std::string text;
    for (const std::string& fault : report.found.first_faults) text += fault + "\n";
    return text;
  }
  // Bypasses the engine to make the row count of a table wrong.
  void Miscount(std::string_view table) {
    store::Horizon horizon;
    const auto decide = [&](Micros, std::span<const store::Row>, store::Changes& changes) {
      changes.AddTally(database.Find(table)->id, store::kBaseTable, 1, 0);
      return Ok();
    };
    ASSERT_TRUE(database.store().Mutate(database.catalog().Current()->version, {}, decide, {horizon}).ok());
  }
  void Damage(const files::FolderForTest& folder, const std::string& name) {
    std::string content = folder.Read(name);
    ASSERT_FALSE(content.empty()) << name;
    content[content.size() / 2] = static_cast<char>(content[content.size() / 2] ^ 1);
    folder.Write(name, content);
  }

  std::unique_ptr<engine::BackupJobs> backups;
  std::unique_ptr<Verifier> verifier;
};

TEST_P(VerifierTest, ASoundDatabaseHasNoFaults) {
  EXPECT_FALSE(verifier->Latest());
  MakeBackup();
  Make(Order("t"));
  const VerifierReport report = Look();
  EXPECT_EQ(report.status, VerifierReport::Status::kCompleted);
  EXPECT_EQ(Text(report), "");
  EXPECT_EQ(report.found.items, 31u);
  EXPECT_EQ(report.found.files, 2u + 9u) << "rows and manifest; four data files, _started and the manifests";
  EXPECT_EQ(report.found.done, 31u + 30u + 30u);
  EXPECT_EQ(report.total, report.found.done);
  EXPECT_EQ(report.removed_exports, 0u);
  EXPECT_TRUE(jobs.List().empty());
}

TEST_P(VerifierTest, OneTableAlone) {
  MakeBackup();
  Miscount("other");
  VerifierReport report = Look("t");
  EXPECT_EQ(report.found.items, 30u);
  EXPECT_EQ(report.found.files, 0u);
  EXPECT_EQ(Text(report), "");
  report = Look("other");
  EXPECT_EQ(Text(report), "table other: the tally is 2 items, the actual count is 1\n");
  EXPECT_EQ(report.status, VerifierReport::Status::kCompleted);
}

TEST_P(VerifierTest, AllDamageIsReported) {
  const std::string backup = "backups/" + MakeBackup();
  const ExportPtr made = Make(Order("t"));
  ASSERT_TRUE(made);
  const ExportLayout layout(*made);
  Miscount("t");
  Damage(work, backup + "/rows-1");
  Damage(work, backup + "/MANIFEST");
  Damage(root, "b/" + layout.DataKey(2));
  Damage(root, "b/" + layout.Files());
  const std::string reported = Text(Look());
  for (const std::string& part :
       {std::string("table t: the tally is 31 items, the actual count is 30\n"), backup + "/rows-1 is damaged\n",
        backup + "/MANIFEST is damaged\n", "s3://b/" + layout.Files() + " is damaged"}) {
    EXPECT_NE(reported.find(part), std::string::npos) << part << " is not in\n" << reported;
  }
  Damage(root, "b/" + layout.Files());
  EXPECT_NE(Text(Look()).find("s3://b/" + layout.DataKey(2) + " is damaged"), std::string::npos);
}

TEST_P(VerifierTest, ExportsRemovedByTheirOwnerAreNotFaults) {
  const ExportPtr first = Make(Order("t"));
  Make(Order("other"));
  const std::string backup = MakeBackup();
  std::filesystem::remove_all(root.path() + "/b/" + ExportLayout(*first).folder());
  ASSERT_TRUE(backups->Delete(backup).ok());
  VerifierReport report = Look();
  EXPECT_EQ(Text(report), "");
  EXPECT_EQ(report.removed_exports, 1u);
  std::filesystem::remove_all(root.path() + "/b");
  report = Look();
  EXPECT_EQ(Text(report), "");
  EXPECT_EQ(report.removed_exports, 2u);
  EXPECT_FALSE(std::filesystem::exists(work.path() + "/backups/" + backup)) << "looking has not made it again";
}

TEST_P(VerifierTest, OneAtATime) {
  const Result<VerifierReport> first = verifier->Begin("t");
  ASSERT_TRUE(first.ok());
  EXPECT_EQ(first->status, VerifierReport::Status::kInProgress);
  database.clock.Advance(1'000'000);
  EXPECT_EQ(verifier->Begin("t")->started, first->started) << "the same goes on";
  for (const char* scope : {"", "other"}) {
    const Result<VerifierReport> second = verifier->Begin(scope);
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().kind(), Kind::kResourceInUse);
    EXPECT_EQ(second.error().message(), "A verification of table t is in progress. Try again when it has ended.");
  }
  EXPECT_EQ(verifier->Begin("none").error().kind(), Kind::kResourceNotFound);
  verifier->WorkOnce();
  EXPECT_EQ(verifier->Latest()->status, VerifierReport::Status::kCompleted);
  EXPECT_GT(verifier->Begin("")->started, first->started);
}

TEST_P(VerifierTest, ATableThatIsDeletedBeforeItsTurn) {
  const Logged logged;
  ASSERT_TRUE(verifier->Begin("t").ok());
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  verifier->WorkOnce();
  const VerifierReport report = *verifier->Latest();
  EXPECT_EQ(report.status, VerifierReport::Status::kFailed);
  EXPECT_EQ(report.failure, "Table t was deleted while it was verified");
  EXPECT_EQ(Text(report), "");
  const std::string line =
      "the verification of table t failed after 0 faults: Table t was deleted while it was verified";
  EXPECT_NE(logged.text().find(line), std::string::npos) << logged.text();
  EXPECT_EQ(logged.text().find("verified table t:"), std::string::npos) << logged.text();
}

// Writes, table deletions, backups and exports run concurrently; anything that is found is a false alarm.
TEST_P(VerifierTest, NoFaultsAreFoundDuringOtherWork) {
  verifier->Start();
  backups->Start();
  exports->Start();
  std::atomic<bool> stop = false;
  std::atomic<int> changes = 0;
  std::thread writer([&] {
    for (int i = 0; !stop; ++i) {
      const std::string key = "{p='" + std::to_string(i * 7 % 100) + "'";
      (void)(i % 4 == 0 ? database.Delete("t", key + "}").ok()
                        : database.Put("t", key + ", v=" + std::to_string(i) + "}").ok());
    }
  });
  std::thread changer([&] {
    for (int i = 0; !stop; ++i) {
      const std::string name = "n" + std::to_string(i);
      engine::Table table = engine::TableOfText(name, "p:S", {engine::Global("g", "x:S")});
      (void)database.lifecycle().Create(std::move(table)).ok();
      for (int n = 0; n < 40; ++n) (void)database.Put(name, "{p='" + std::to_string(n) + "', x='x'}").ok();
      (void)database.lifecycle().Delete(name).ok();
      database.RunBackgroundWork();
      const Result<engine::BackupPtr> made = backups->Create("t", "b");
      if (made.ok()) (void)backups->Delete((*made)->id).ok();
      (void)exports->Create(Order("t")).ok();
      ++changes;
    }
  });
  for (int round = 0; round < 12 || changes < 12; ++round) {
    ASSERT_TRUE(verifier->Begin("").ok());
    verifier->Finish();
    const VerifierReport report = *verifier->Latest();
    ASSERT_EQ(report.status, VerifierReport::Status::kCompleted);
    EXPECT_EQ(Text(report), "");
  }
  stop = true;
  writer.join();
  changer.join();
  verifier->Stop();
  backups->Stop();
  exports->Stop();
}

TEST_P(VerifierTest, StoppingEndsIt) {
  verifier->Start();
  ASSERT_TRUE(verifier->Begin("").ok());
  verifier->Stop();
  EXPECT_EQ(Text(*verifier->Latest()), "");
}

INSTANTIATE_TEST_SUITE_P(Stores, VerifierTest, engine::EachStore(), engine::NameOfStore);

}  // namespace
}  // namespace keyfold::transfer
