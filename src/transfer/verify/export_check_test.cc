// Verification of exports: a complete one, including AWS's own, has no faults, and any damage to one of its objects is
// reported with the object's name.
#include "transfer/verify/export_check.h"

#include <gtest/gtest.h>

#include <functional>

#include "testing/base/repository.h"
#include "testing/transfer/exports.h"

namespace keyfold::transfer {
namespace {

class ExportCheckTest : public ExportsTest {
 protected:
  struct Looked {
    bool there = false;
    engine::Verification found;
    std::string Text() const {
      std::string text;
      for (const std::string& fault : found.first_faults) text += fault + "\n";
      return text;
    }
  };

  Looked Look(const std::string& folder) {
    Looked looked;
    const std::unique_ptr<Bucket> bucket = OpenB();
    const Result<bool> there = VerifyExport(
        *bucket, folder, [](const engine::Verification&) { return true; }, looked.found);
    EXPECT_TRUE(there.ok()) << Describe(there);
    looked.there = there.ok() && *there;
    return looked;
  }
  // A table of 40 items, two of them large.
  void FillTable() {
    CreateTable("t");
    for (int i = 0; i < 40; ++i) {
      const std::string more = i % 20 == 0 ? std::string(300'000, 'x') : "short";
      ASSERT_TRUE(database.Put("t", "{p='" + std::to_string(i) + "', v='" + more + "'}").ok());
    }
  }
  ExportPtr MakeFull(DataFormat format = DataFormat::kDynamoDbJson) {
    ExportOrder order = Order("t");
    order.format = format;
    order.prefix = "p";
    return Make(order);
  }
  ExportPtr MakeIncremental() {
    database.clock.Advance(kHour);
    const Micros from = database.clock.Now() / kSecond * kSecond;
    for (int i = 0; i < 9; ++i) {
      EXPECT_TRUE(database.Put("t", "{p='" + std::to_string(i) + "', v='new'}").ok());
    }
    database.clock.Advance(kHour);
    return Make(Incremental("t", from, from + kHour / 2));
  }
  std::vector<std::string> KeysOf(const ExportLayout& layout) {
    std::vector<std::string> keys;
    const std::unique_ptr<Bucket> bucket = OpenB();
    for (const std::string& prefix : {layout.folder(), layout.StemKey()}) {
      const Result<std::vector<Bucket::Object>> objects = bucket->List(prefix);
      for (const Bucket::Object& object : *objects) {
        if (std::find(keys.begin(), keys.end(), object.key) == keys.end()) keys.push_back(object.key);
      }
    }
    return keys;
  }
  std::string Content(const std::string& key) const { return root.Read("b/" + key); }
  void Replace(const std::string& key, const std::string& content) { root.Write("b/" + key, content); }
  void Remove(const std::string& key) { std::filesystem::remove(root.path() + "/b/" + key); }
  // Replaces text in a manifest and updates its checksum file to match.
  void ReplaceManifest(const std::string& key, const std::string& checksum_key, std::string_view from,
                       std::string_view to) {
    std::string content = Content(key);
    const size_t at = content.find(from);
    ASSERT_NE(at, std::string::npos) << content;
    content.replace(at, from.size(), to);
    Replace(key, content);
    Replace(checksum_key, ManifestChecksum(content));
  }
};

TEST_P(ExportCheckTest, WholeExportsHaveNoFaults) {
  FillTable();
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    const ExportPtr made = MakeFull(format);
    const Looked looked = Look(ExportLayout(*made).folder());
    EXPECT_TRUE(looked.there);
    EXPECT_EQ(looked.Text(), "");
    EXPECT_EQ(looked.found.done, 40u);
    EXPECT_EQ(looked.found.files, 9u) << "four with items, _started, two manifests, their checksums";
  }
  const ExportPtr increment = MakeIncremental();
  const Looked looked = Look(ExportLayout(*increment).folder());
  EXPECT_EQ(looked.Text(), "");
  EXPECT_EQ(looked.found.done, 9u);
}

TEST_P(ExportCheckTest, AnAwsExportHasNoFaultsWhereverItIs) {
  const std::string fixtures = RepositoryPath("tests/transfer/fixtures/export/lessons");
  std::filesystem::create_directories(root.path() + "/b/moved");
  std::filesystem::copy(fixtures, root.path() + "/b/moved/here", std::filesystem::copy_options::recursive);
  const Looked looked = Look("moved/here/AWSDynamoDB/01767225600000-5ce1d0ff/");
  EXPECT_TRUE(looked.there);
  EXPECT_EQ(looked.Text(), "");
  EXPECT_EQ(looked.found.files, 8u);
  EXPECT_GT(looked.found.done, 0u);
}

TEST_P(ExportCheckTest, DamageIsReportedWithTheObjectsName) {
  struct Damage {
    const char* name;
    std::function<std::string(std::string)> make;
  };
  const auto flip = [](size_t at, std::string bytes) {
    if (at < bytes.size()) bytes[at] = static_cast<char>(bytes[at] ^ 1);
    return bytes;
  };
  const Damage damages[] = {
      {"its first byte", [&](std::string b) { return flip(0, std::move(b)); }},
      {"its middle",
       [&](std::string b) {
         const size_t at = b.size() / 2;
         return flip(at, std::move(b));
       }},
      {"its last byte",
       [&](std::string b) {
         const size_t at = b.size() - 1;
         return flip(at, std::move(b));
       }},
      {"a byte less", [](const std::string& b) { return b.substr(0, b.empty() ? 0 : b.size() - 1); }},
      {"a byte more", [](const std::string& b) { return b + "x"; }},
      {"a line end more", [](const std::string& b) { return b + "\n\n"; }},
      {"nothing left", [](const std::string&) { return std::string(); }},
  };
  FillTable();
  for (const ExportPtr& made : {MakeFull(), MakeFull(DataFormat::kIon), MakeIncremental()}) {
    const ExportLayout layout(*made);
    for (const std::string& key : KeysOf(layout)) {
      const std::string whole = Content(key);
      for (const Damage& damage : damages) {
        const std::string changed = damage.make(whole);
        if (changed == whole) continue;
        Replace(key, changed);
        const Looked looked = Look(layout.folder());
        EXPECT_NE(looked.Text().find("s3://b/" + key), std::string::npos) << key << ", " << damage.name << ":\n"
                                                                          << looked.Text();
        EXPECT_EQ(looked.found.faults, 1u) << key << ", " << damage.name << ":\n" << looked.Text();
      }
      Remove(key);
      const bool needed = key != layout.Started();
      EXPECT_EQ(Look(layout.folder()).found.faults, needed ? 1u : 0u) << key;
      if (needed) {
        EXPECT_NE(Look(layout.folder()).Text().find("s3://b/" + key + " is missing"), std::string::npos);
      }
      Replace(key, whole);
    }
    EXPECT_EQ(Look(layout.folder()).Text(), "") << "as it was";
  }
}

TEST_P(ExportCheckTest, ItemCountsOfManifestsAreChecked) {
  FillTable();
  const ExportPtr made = MakeFull();
  const ExportLayout layout(*made);
  const std::string summary = Content(layout.Summary()), files = Content(layout.Files());
  ReplaceManifest(layout.Summary(), layout.SummaryChecksum(), "\"itemCount\":40", "\"itemCount\":41");
  EXPECT_EQ(
      Look(layout.folder()).Text(),
      "s3://b/" + layout.Summary() + " is damaged: it counts 41 items, but s3://b/" + layout.Files() + " counts 40\n");
  ReplaceManifest(layout.Summary(), layout.SummaryChecksum(), "\"itemCount\":41", "\"itemCount\":1040");
  const std::string first = LinesOf(files)[0];
  const std::string count = FieldOf(first, "itemCount"), key = FieldOf(first, "dataFileS3Key");
  const std::string more = std::to_string(1000 + std::stoi(count));
  ReplaceManifest(layout.Files(), layout.FilesChecksum(), "\"itemCount\":" + count, "\"itemCount\":" + more);
  EXPECT_EQ(Look(layout.folder()).Text(),
            "s3://b/" + key + " is damaged: it has " + count + " items, but its export's manifest says " + more + "\n");
}

TEST_P(ExportCheckTest, OtherFilesOfTheFolderAreNamed) {
  FillTable();
  const ExportPtr made = MakeFull();
  const ExportLayout layout(*made);
  Replace(layout.folder() + "data/added.json.gz", files::GzipMember("{\"Item\":{}}\n"));
  EXPECT_EQ(Look(layout.folder()).Text(), "s3://b/" + layout.folder() +
                                              "data/added.json.gz is not among the files that s3://b/" +
                                              layout.Files() + " lists\n");
  Remove(layout.folder() + "data/added.json.gz");
  // Swaps two files of one export.
  const std::string one = layout.DataKey(0), other = layout.DataKey(1), content = Content(one);
  Replace(one, Content(other));
  Replace(other, content);
  const std::string reported = Look(layout.folder()).Text();
  for (const std::string& key : {one, other}) {
    EXPECT_NE(reported.find("s3://b/" + key + " is damaged: it does not match its export's manifest"),
              std::string::npos)
        << reported;
  }
}

TEST_P(ExportCheckTest, ARemovedExportHasNoFaults) {
  FillTable();
  const ExportPtr made = MakeFull();
  const ExportLayout layout(*made);
  EXPECT_FALSE(Look("p/AWSDynamoDB/01700000000000-00000000/").there);
  // Removed while it is read, after a fault was found.
  Replace(layout.Started(), "x");
  engine::Verification found;
  const std::unique_ptr<Bucket> bucket = OpenB();
  const Result<bool> there = VerifyExport(
      *bucket, layout.folder(),
      [&](const engine::Verification&) {
        std::filesystem::remove_all(root.path() + "/b/p");
        return true;
      },
      found);
  ASSERT_TRUE(there.ok());
  EXPECT_FALSE(*there);
  EXPECT_EQ(found.faults, 0u);
}

TEST_P(ExportCheckTest, ProgressCanCancelIt) {
  FillTable();
  const ExportLayout layout(*MakeFull());
  const std::unique_ptr<Bucket> bucket = OpenB();
  for (int at = 0, calls = 1; at < calls; ++at) {
    calls = 0;
    engine::Verification found;
    const Result<bool> there = VerifyExport(
        *bucket, layout.folder(), [&](const engine::Verification&) { return calls++ != at; }, found);
    EXPECT_EQ(there.ok(), calls == at);
  }
}

INSTANTIATE_TEST_SUITE_P(Stores, ExportCheckTest, testing::Values(engine::StoreKind::kMemory), engine::NameOfStore);

}  // namespace
}  // namespace keyfold::transfer
