// Exports from its own database into a bucket that is a folder, for the tests of exports; reads them back and checks
// their manifests and checksums.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/text/base64.h"
#include "testing/engine/test_database.h"
#include "testing/files/folder.h"
#include "testing/transfer/bucket.h"
#include "transfer/export/export_jobs.h"

namespace keyfold::transfer {

inline std::string Md5Of(std::string_view bytes) {
  files::Md5 md5;
  md5.Add(bytes);
  return md5.Finish();
}

inline std::string Base64Of(std::string_view bytes) {
  std::string text;
  AppendBase64(text, bytes);
  return text;
}

inline std::string Unzip(Bucket& bucket, const std::string& key) {
  Result<std::unique_ptr<files::ByteSource>> zipped = bucket.Read(key);
  if (!zipped.ok()) return Describe(zipped);
  const auto source = files::MakeDecompressor(files::Compression::kGzip, *std::move(zipped), key);
  std::string text, piece(10'000, '\0');
  while (true) {
    const Result<size_t> bytes = source->Read(piece.data(), piece.size());
    if (!bytes.ok()) return Describe(bytes);
    if (*bytes == 0) return text;
    text.append(piece, 0, *bytes);
  }
}

inline std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

// The field `name` of a line of manifest-files.json, as text.
inline std::string FieldOf(const std::string& line, const std::string& name) {
  const size_t at = line.find("\"" + name + "\":");
  if (at == std::string::npos) return "";
  const size_t start = at + name.size() + 3, end = line.find_first_of(",}", start);
  std::string value = line.substr(start, end - start);
  if (value.size() >= 2 && value.front() == '"') value = value.substr(1, value.size() - 2);
  return value;
}

// Used by one thread at a time.
class ExportsTest : public testing::TestWithParam<engine::StoreKind> {
 protected:
  ExportsTest() : database(GetParam()) {
    std::filesystem::create_directories(root.path() + "/b");
    Open();
  }
  ~ExportsTest() override { exports.reset(); }

  BucketSettings Buckets() const {
    BucketSettings settings;
    settings.root = root.path();
    settings.room = room.On(root.path());
    return settings;
  }
  void Open() {
    auto opened = ExportJobs::Open(database.db(), engine::Identity{}, Buckets(), work.folder(), 7, jobs);
    CHECK(opened.ok());
    exports = *std::move(opened);
  }
  void Reopen() {
    exports.reset();
    database.Reopen();
    Open();
  }
  void RunBackgroundWork() {
    do {
      database.RunBackgroundWork();
    } while (exports->WorkOnce());
  }
  void SetRecovery(std::string_view table, bool enabled) {
    const auto changed = database.lifecycle().Annotate(table, [&](engine::Table& next) {
      next.recovery = {};
      next.recovery.enabled = enabled;
      return Ok();
    });
    ASSERT_TRUE(changed.ok());
  }
  void CreateTable(const std::string& name) {
    database.Create(engine::TableOfText(name, "p:S"));
    SetRecovery(name, true);
  }
  static ExportOrder Order(std::string table, std::string bucket = "b") {
    ExportOrder order;
    order.table = std::move(table);
    order.bucket = std::move(bucket);
    return order;
  }
  static ExportOrder Incremental(std::string table, Micros from, std::optional<Micros> to,
                                 std::optional<ExportPeriod::View> view = {}) {
    ExportOrder order = Order(std::move(table));
    order.kind = ExportOrder::Kind::kIncremental;
    order.period = {.from = from, .to = to, .view = view};
    return order;
  }
  ExportPtr Begin(const ExportOrder& order) {
    Result<ExportPtr> made = exports->Create(order);
    EXPECT_TRUE(made.ok()) << Describe(made);
    return made.ok() ? *made : nullptr;
  }
  ExportPtr Find(const std::string& id) { return FindExport(*database.catalog().Current(), id); }
  ExportPtr Make(const ExportOrder& order) {
    const ExportPtr begun = Begin(order);
    if (!begun) return nullptr;
    RunBackgroundWork();
    return Find(begun->id);
  }
  std::string Refused(const ExportOrder& order) {
    const Result<ExportPtr> made = exports->Create(order);
    return made.ok() ? "accepted" : made.error().message();
  }
  std::unique_ptr<Bucket> OpenB() { return *OpenBucket(Buckets(), "b"); }

  // All lines of a complete export, sorted. Also checks its manifests.
  std::vector<std::string> ReadExport(const Export& made) {
    EXPECT_EQ(made.status, Export::Status::kCompleted) << made.failure_message;
    const std::unique_ptr<Bucket> bucket = OpenB();
    const ExportLayout layout(made);
    for (const auto& [key, checksum] :
         {std::pair(layout.Files(), layout.FilesChecksum()), std::pair(layout.Summary(), layout.SummaryChecksum())}) {
      EXPECT_EQ(GetObject(*bucket, checksum), Base64Of(Md5Of(GetObject(*bucket, key))));
    }
    EXPECT_EQ(GetObject(*bucket, layout.Summary()), SummaryManifest(made, engine::Identity{}));
    std::vector<std::string> lines;
    for (const std::string& file : LinesOf(GetObject(*bucket, layout.Files()))) {
      const std::string key = FieldOf(file, "dataFileS3Key");
      EXPECT_EQ(FieldOf(file, "md5Checksum"), Base64Of(Md5Of(GetObject(*bucket, key)))) << key;
      const std::vector<std::string> of_file = LinesOf(Unzip(*bucket, key));
      EXPECT_EQ(FieldOf(file, "itemCount"), std::to_string(of_file.size())) << key;
      lines.insert(lines.end(), of_file.begin(), of_file.end());
    }
    EXPECT_EQ(lines.size(), static_cast<size_t>(made.items));
    std::sort(lines.begin(), lines.end());
    return lines;
  }
  // Every item of the table as a full export prints it, sorted.
  std::vector<std::string> ItemLines(std::string_view table) {
    std::vector<std::string> lines;
    const Result<engine::QueryAnswer> page = database.Scan(table);
    for (const std::string& item : page->items) {
      std::string line;
      AppendItemLine(DataFormat::kDynamoDbJson, engine::ItemOf(item), line);
      line.pop_back();
      lines.push_back(std::move(line));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
  }

  engine::DatabaseForTest database;
  files::FolderForTest root, work;
  mutable files::RoomForTest room;
  engine::Jobs jobs;
  std::unique_ptr<ExportJobs> exports;
};

}  // namespace keyfold::transfer
