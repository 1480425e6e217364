// A bucket that is a folder, a database on one of the stores, and imports from the bucket into the database.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "testing/engine/test_database.h"
#include "testing/files/folder.h"
#include "testing/transfer/bucket.h"
#include "transfer/bucket/folder_bucket.h"
#include "transfer/import/import_jobs.h"

namespace keyfold::transfer {

class ImportsForTest : public testing::TestWithParam<engine::StoreKind> {
 protected:
  ImportsForTest() : database(GetParam()) {
    std::filesystem::create_directories(root.path() + "/b");
    bucket = *OpenFolderBucket(root.path(), "b");
    Open();
  }

  void Open() { Open(database.db()); }
  void Open(const engine::Database& db) {
    BucketSettings buckets;
    buckets.root = root.path();
    imports = *ImportJobs::Open(db, database.lifecycle(), identity, buckets, scratch.folder(), 5, jobs);
  }
  void Reopen() {
    imports.reset();
    database.Reopen();
    Open();
  }
  void RunBackgroundWork() {
    do {
      database.RunBackgroundWork();
    } while (imports->WorkOnce());
    database.RunBackgroundWork();
  }

  void Put(std::string_view key, std::string_view content) { ASSERT_EQ(PutObject(*bucket, key, content), "ok"); }
  void Empty() {
    const auto objects = bucket->List("");
    ASSERT_TRUE(objects.ok());
    for (const Bucket::Object& object : *objects) ASSERT_TRUE(bucket->Remove(object.key).ok());
  }

  static ImportOrder Order(DataFormat format = DataFormat::kDynamoDbJson) {
    ImportOrder order;
    order.token = "token";
    order.bucket = "b";
    order.format = format;
    return order;
  }
  static engine::Table Small(std::string name = "small") { return engine::TableOfText(std::move(name), "p:S/s:N"); }

  // Imports the bucket's files into the table, which replaces an existing one.
  Import Run(ImportOrder order, engine::Table table) {
    if (database.Find(table.name)) {
      EXPECT_TRUE(database.lifecycle().Delete(table.name).ok());
    }
    database.RunBackgroundWork();
    database.clock.Advance(Micros{100} * 24 * 3600 * 1'000'000);  // so that earlier imports are forgotten
    const Result<ImportPtr> made = imports->Create(std::move(order), std::move(table));
    EXPECT_TRUE(made.ok()) << engine::DatabaseForTest::Message(made);
    if (!made.ok()) return {};
    EXPECT_EQ((*made)->status, Import::Status::kInProgress);
    RunBackgroundWork();
    return Now((*made)->id);
  }
  Import Now(std::string_view id) {
    const ImportPtr import = FindImport(*database.catalog().Current(), id);
    EXPECT_TRUE(import);
    return import ? *import : Import();
  }
  // "COMPLETED 3 3 0": processed, imported, errors.
  static std::string Describe(const Import& import) {
    std::string text(NameOf(import.status));
    for (const int64_t n : {import.tally.processed, import.tally.imported, import.tally.errors}) {
      text += " " + std::to_string(n);
    }
    if (!import.failure_code.empty()) text += " " + import.failure_code;
    return text;
  }
  std::vector<std::string> Items(std::string_view table) {
    const Result<engine::QueryAnswer> page = database.Scan(table);
    EXPECT_TRUE(page.ok()) << engine::DatabaseForTest::Message(page);
    std::vector<std::string> items = page.ok() ? page->items : std::vector<std::string>{};
    std::sort(items.begin(), items.end());
    return items;
  }
  static std::string Lines(DataFormat format, const std::vector<std::string>& items) {
    std::string lines;
    for (const std::string& item : items) AppendItemLine(format, engine::ItemOf(item), lines);
    return lines;
  }

  engine::DatabaseForTest database;
  const engine::Identity identity;
  const files::FolderForTest root, scratch;
  engine::Jobs jobs;
  std::unique_ptr<Bucket> bucket;
  std::unique_ptr<ImportJobs> imports;
};

}  // namespace keyfold::transfer
