// Imports on both stores: every format and compression, what counts as an error, which of several items with one key is
// kept, tokens, restarts.
#include "transfer/import/import_jobs.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <thread>

#include "engine/items/key.h"
#include "store/rules.h"
#include "testing/base/logged.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/jobs.h"
#include "testing/http/script_server.h"
#include "testing/transfer/imports.h"
#include "testing/transfer/random_item.h"
#include "transfer/layout/export.h"

namespace keyfold::transfer {
namespace {

constexpr files::Compression kCompressions[] = {files::Compression::kNone, files::Compression::kGzip,
                                                files::Compression::kZstd};

std::string Compressed(files::Compression compression, std::string_view bytes) {
  if (compression == files::Compression::kNone) return std::string(bytes);
  if (compression == files::Compression::kGzip) return files::GzipMember(bytes);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

class ImportsTest : public ImportsForTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ImportsTest, engine::EachStore(), engine::NameOfStore);

TEST_P(ImportsTest, EveryFormatAndCompression) {
  const std::vector<std::string> items = {"{n='1', p='a', s=1}", "{n='2', p='a', s=2}",
                                          "{p='b', s=-1.5, x='\"q\", r'}"};
  struct Source {
    DataFormat format;
    std::string first, second;
  };
  const Source sources[] = {
      {DataFormat::kDynamoDbJson, Lines(DataFormat::kDynamoDbJson, {items[0], items[1]}),
       Lines(DataFormat::kDynamoDbJson, {items[2]})},
      {DataFormat::kIon, Lines(DataFormat::kIon, {items[0], items[1]}), Lines(DataFormat::kIon, {items[2]})},
      {DataFormat::kCsv, "s,p,n\n1,a,1\n2,a,2\n", "p,s,n,x\nb,-1.50,,\"\"\"q\"\", r\"\n"},
  };
  for (const Source& source : sources) {
    for (const files::Compression compression : kCompressions) {
      Empty();
      Put("in/1", Compressed(compression, source.first));
      Put("in/2", Compressed(compression, source.second));
      Put("in/3", "");
      Put("other", "not under the prefix");
      ImportOrder order = Order(source.format);
      order.prefix = "in/";
      order.compression = compression;
      const Import import = Run(order, Small());
      const std::string shown = std::string(NameOf(source.format)) + " " + std::string(NameOf(compression));
      EXPECT_EQ(Describe(import), "COMPLETED 3 3 0") << shown;
      EXPECT_EQ(import.tally.bytes, static_cast<int64_t>(source.first.size() + source.second.size())) << shown;
      EXPECT_EQ(import.started, import.ended) << "with a clock that does not advance";
      EXPECT_EQ(Items("small"), items) << shown;
      EXPECT_EQ(database.Find("small")->uuid, import.table.uuid);
      database.ExpectSound("small");
    }
  }
}

struct CsvImportCase {
  std::optional<ImportOrder::Csv> options;
  const char* text;
  const char* reported;
  std::vector<std::string> items;
};
const CsvImportCase kCsv[] = {
    {{{";", std::nullopt}}, "p;s\na;1\n", "COMPLETED 1 1 0", {"{p='a', s=1}"}},
    {{{"\t", std::nullopt}}, "p\ts\na\t1\n", "COMPLETED 1 1 0", {"{p='a', s=1}"}},
    {{{std::nullopt, {{"p", "s", "v"}}}}, "a,1,x\n", "COMPLETED 1 1 0", {"{p='a', s=1, v='x'}"}},
    {{{"|", {{"p", "s"}}}}, "a|1\nb|2", "COMPLETED 2 2 0", {"{p='a', s=1}", "{p='b', s=2}"}},
    {std::nullopt, "p,s\n", "COMPLETED 0 0 0", {}},
    {std::nullopt, "p,p\na,b\n", "FAILED 1 0 1 ItemValidationError", {}},
    {std::nullopt, "p,s\na,x\nb,2\n", "FAILED 1 0 1 ItemValidationError", {}},
    {std::nullopt, "p,s\na,1\nb,2,3\nc,3\n", "FAILED 2 1 1 ItemValidationError", {"{p='a', s=1}"}},
    {std::nullopt, "p,v\na,1\n", "FAILED 1 0 1 ItemValidationError", {}},
};

TEST_P(ImportsTest, CsvOptions) {
  for (const CsvImportCase& c : kCsv) {
    Put("f.csv", c.text);
    ImportOrder order = Order(DataFormat::kCsv);
    order.csv = c.options;
    EXPECT_EQ(Describe(Run(order, Small())), c.reported) << c.text;
    EXPECT_EQ(Items("small"), c.items) << c.text;
  }
}

// Columns that are keys of an index are converted to the index's types too.
TEST_P(ImportsTest, CsvColumnsOfIndexKeysAreConverted) {
  Put("f.csv", "p,s,g,n\na,1,7,7\n");
  const Import import =
      Run(Order(DataFormat::kCsv), engine::TableOfText("small", "p:S/s:N", {engine::Global("g", "g:N")}));
  EXPECT_EQ(Describe(import), "COMPLETED 1 1 0");
  EXPECT_EQ(Items("small"), std::vector<std::string>{"{g=7, n='7', p='a', s=1}"});
  database.ExpectSound("small");
}

struct RecordFaultCase {
  std::string line;  // placed between two valid lines
  bool ends_file;    // the second valid line is not read
};

TEST_P(ImportsTest, WhatIsAnErrorAndWhatItCosts) {
  const std::string long_text(kItemBytesMax, 'x');
  const RecordFaultCase cases[] = {
      {R"({"NotAnItem":{"p":{"S":"x"},"s":{"N":"1"}}})", true},
      {R"({"p":{"S":"x"},"s":{"N":"1"}})", true},
      {R"({"Item": )", true},
      {R"({"Item":{"p":{"S":"x"},"s":{"N":"1"},"":{"S":"v"}}})", true},
      {R"({"Item":{"p":{"S":"x"},"s":{"N":"one"}}})", true},
      {R"({"Item":{"p":{"S":"x"},"s":{"N":"1"},"b":{"B":"?"}}})", true},
      {R"({"Item":{"p":{"S":"x"},"s":{"N":"1"},"e":{"SS":[]}}})", true},
      {"\xFF", true},
      {R"({"Item":{"s":{"N":"1"}}})", false},
      {R"({"Item":{"p":{"S":"x"}}})", false},
      {R"({"Item":{"p":{"S":"x"},"s":{"S":"1"}}})", false},
      {R"({"Item":{"p":{"S":""},"s":{"N":"1"}}})", false},
      {R"({"Item":{"p":{"S":"x"},"s":{"N":"1"},"g":{"S":"not a number"}}})", false},
      {R"({"Item":{"p":{"S":"x"},"s":{"N":"1"},"v":{"S":")" + long_text + "\"}}}", false},
      {R"({"Item":{"p":{"S":")" + std::string(2049, 'x') + R"("},"s":{"N":"1"}}})", false},
  };
  for (const RecordFaultCase& c : cases) {
    const std::string shown = c.line.substr(0, 80);
    Put("f1", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}) + "\n  \n" + c.line + "\n" +
                  Lines(DataFormat::kDynamoDbJson, {"{p='a', s=2}"}));
    Put("f2", Lines(DataFormat::kDynamoDbJson, {"{p='b', s=3}"}));
    const Import import = Run(Order(), engine::TableOfText("small", "p:S/s:N", {engine::Global("g", "g:N")}));
    EXPECT_EQ(Describe(import), c.ends_file ? "FAILED 3 2 1 ItemValidationError" : "FAILED 4 3 1 ItemValidationError")
        << shown;
    EXPECT_FALSE(import.failure_message.empty());
    const std::vector<std::string> items = Items("small");
    EXPECT_EQ(items, c.ends_file ? (std::vector<std::string>{"{p='a', s=1}", "{p='b', s=3}"})
                                 : (std::vector<std::string>{"{p='a', s=1}", "{p='a', s=2}", "{p='b', s=3}"}))
        << shown;
  }
}

TEST_P(ImportsTest, ARecordHasItsLimit) {
  Put("f1", R"({"Item":{"p":{"S":")" + std::string(3 * kTextRecordBytesMax, 'x'));
  const Logged logged;
  EXPECT_EQ(Describe(Run(Order(), Small())), "FAILED 1 0 1 ItemValidationError");
  EXPECT_NE(logged.text().find("was not imported: The record is longer than any item can be"), std::string::npos)
      << logged.text();
}

// Blocks after the record that ends a file may already have been parsed: they still do not count.
TEST_P(ImportsTest, NothingAfterTheEndOfAFileCounts) {
  std::string before, behind;
  for (int i = 0; i < 40'000; ++i) {
    const std::string item = "{p='" + std::to_string(i) + "', s=1, v='" + std::string(60, 'v') + "'}";
    AppendItemLine(DataFormat::kDynamoDbJson, engine::ItemOf(item), i < 10'000 ? before : behind);
  }
  Put("f1", before + "{\n" + behind);
  Put("f2", Lines(DataFormat::kDynamoDbJson, {"{p='0', s=1}", "{p='new', s=1}"}));
  const Import import = Run(Order(), Small());
  EXPECT_EQ(Describe(import), "FAILED 10003 10002 1 ItemValidationError");
  EXPECT_EQ(database.Rows(database.Find("small")->id, store::kBaseTable).size(), 10'001u);
  EXPECT_EQ(database.Get("small", "{p='0', s=1}"), "{p='0', s=1}");
  EXPECT_EQ(database.Get("small", "{p='10000', s=1}"), "");
}

TEST_P(ImportsTest, TheLastItemWithAKeyCounts) {
  Put("f1", Lines(DataFormat::kIon, {"{p='a', s=1, v='1st'}", "{p='b', s=1}", "{p='a', s=1, v='2nd'}"}));
  Put("f2", Lines(DataFormat::kIon, {"{p='a', s=1, v='3rd'}", "{p='a', s=1, v='4th'}"}));
  const Import import =
      Run(Order(DataFormat::kIon), engine::TableOfText("small", "p:S/s:N", {engine::Global("g", "v:S")}));
  EXPECT_EQ(Describe(import), "COMPLETED 5 5 0");
  EXPECT_EQ(Items("small"), (std::vector<std::string>{"{p='a', s=1, v='4th'}", "{p='b', s=1}"}));
  database.ExpectSound("small");
}

TEST_P(ImportsTest, AnEmptySourceIsAnEmptyTable) {
  ImportOrder order = Order();
  order.prefix = "nothing/";
  EXPECT_EQ(Describe(Run(order, Small())), "COMPLETED 0 0 0");
  EXPECT_EQ(Items("small"), std::vector<std::string>{});
}

struct SourceFaultCase {
  const char* what;
  std::function<void(ImportOrder&)> change;
  const char* code;
  const char* message;  // part of the message
};
const SourceFaultCase kSourceFaults[] = {
    {"no bucket", [](ImportOrder& o) { o.bucket = "none"; }, "S3NoSuchBucket", "The specified bucket does not exist"},
    {"no gzip", [](ImportOrder& o) { o.compression = files::Compression::kGzip; }, "S3ObjectDamaged", "s3://b/f"},
    {"no zstd", [](ImportOrder& o) { o.compression = files::Compression::kZstd; }, "S3ObjectDamaged", "s3://b/f"},
    {"no increment", [](ImportOrder& o) { o.increments = {"AWSDynamoDB/1"}; }, "S3ObjectDamaged",
     "s3://b/AWSDynamoDB/1/manifest-files.json"},
    {"no name", [](ImportOrder& o) { o.bucket = "../b"; }, "S3ReadFailed", "../b is not a valid bucket name"},
};

TEST_P(ImportsTest, AMissingSourceLeavesNoTable) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}));
  for (const SourceFaultCase& c : kSourceFaults) {
    ImportOrder order = Order();
    c.change(order);
    const Import import = Run(order, Small());
    EXPECT_EQ(Describe(import), std::string("FAILED 0 0 0 ") + c.code) << c.what;
    EXPECT_NE(import.failure_message.find(c.message), std::string::npos) << import.failure_message;
    EXPECT_FALSE(database.Find("small")) << c.what;
  }
}

// --- Exports

TEST_P(ImportsTest, AHundredThousandItemsOfAllTypesComeBackEqual) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    Empty();
    const engine::Table table = engine::TableOfText("small", "id:N");
    RandomItems random(17);
    std::map<std::string, std::string> expected;
    std::string lines;
    const int count = GetParam() == engine::StoreKind::kMemory ? 100'000 : 20'000;
    for (int i = 0; i < count; ++i) {
      const Item content = random.Next();
      std::string bytes, number;
      Number(i).EncodeTo(number);
      ValueWriter writer(bytes);
      writer.BeginItem();
      for (const Entry& entry : content.view().entries()) {
        writer.Name(entry.name);
        writer.Copy(entry.value);
      }
      writer.Name("id");
      writer.EncodedNumber(number);
      writer.EndMap();
      AppendItemLine(format, ItemView(bytes), lines);
      expected.emplace(engine::RowKeyOf(table, ItemView(bytes)).bytes().substr(4), bytes);
      if (i % 30'000 == 0) {
        Put("f" + std::to_string(i), files::GzipMember(lines));
        lines.clear();
      }
    }
    Put("last", files::GzipMember(lines));
    ImportOrder order = Order(format);
    order.compression = files::Compression::kGzip;
    const std::string all = std::to_string(count);
    EXPECT_EQ(Describe(Run(order, table)), "COMPLETED " + all + " " + all + " 0");
    std::map<std::string, std::string> rows;
    for (auto& [key, value] : database.Rows(database.Find("small")->id, store::kBaseTable))
      rows.emplace(key.substr(4), value);
    EXPECT_TRUE(rows == expected) << NameOf(format);
  }
}

// --- Tokens

TEST_P(ImportsTest, ATokenReturnsTheSameImport) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}));
  const auto create = [&](const std::string& token, const std::string& table, const std::string& prefix) {
    ImportOrder order = Order();
    order.token = token;
    order.prefix = prefix;
    const Result<ImportPtr> made = imports->Create(order, Small(table));
    return made.ok() ? (*made)->id : made.error().message();
  };
  const std::string conflict = "Duplicate request detected with conflicting parameters";
  const std::string first = create("1", "t", "");
  EXPECT_EQ(first.size(), 23u) << first;
  EXPECT_EQ(create("1", "t", ""), first);
  EXPECT_EQ(create("1", "t", "other/"), first) << "only the table is compared";
  EXPECT_EQ(create("1", "other", ""), conflict);
  EXPECT_EQ(create("2", "t", ""), "Table already exists: t");
  RunBackgroundWork();
  EXPECT_EQ(create("1", "t", ""), "Table already exists: t") << "its outcome is reported first";
  EXPECT_EQ(create("1", "other", ""), conflict);
  database.clock.Advance(8 * kHour - 1);
  EXPECT_EQ(create("1", "other", ""), conflict);
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  database.RunBackgroundWork();
  EXPECT_EQ(create("1", "t", ""), first) << "its table has gone";
  database.clock.Advance(1);
  const std::string second = create("1", "other", "");
  EXPECT_EQ(second.size(), 23u) << second;
  EXPECT_NE(second, first);
}

TEST_P(ImportsTest, ImportsAreForgottenAfterNinetyDays) {
  ImportOrder order = Order();
  ASSERT_TRUE(imports->Create(order, Small("t1")).ok());
  RunBackgroundWork();
  database.clock.Advance(90 * 24 * kHour - 1);
  order.token = "2";
  ASSERT_TRUE(imports->Create(order, Small("t2")).ok());
  EXPECT_EQ(AllImports(*database.catalog().Current()).size(), 2u);
  database.clock.Advance(1);
  order.token = "3";
  ASSERT_TRUE(imports->Create(order, Small("t3")).ok());
  EXPECT_EQ(AllImports(*database.catalog().Current()).size(), 2u) << "the first is gone, the second is in progress";
}

// --- Restarts

TEST_P(ImportsTest, ARestartBeginsAgain) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}", "{p='b', s=2}"}));
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(database.Get("small", "{p='a', s=1}"), "Requested resource not found");
  EXPECT_EQ(Now((*made)->id), **made);
  Reopen();
  EXPECT_EQ(database.Find("small")->StatusAt(database.clock.Now()), engine::TableStatus::kCreating);
  EXPECT_EQ(Now((*made)->id), **made);
  RunBackgroundWork();
  EXPECT_EQ(Describe(Now((*made)->id)), "COMPLETED 2 2 0");
  EXPECT_EQ(Items("small").size(), 2u);
}

TEST_P(ImportsTest, JobsReportProgress) {
  const std::string lines = Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1, v='x'}", "{p='b', s=2}", "{p='b', s=3}"});
  Put("1", files::GzipMember(lines));
  Put("2", files::GzipMember(Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1, v='y'}"})));
  uint64_t bytes = 0;
  const Result<std::vector<Bucket::Object>> objects = bucket->List("");
  for (const Bucket::Object& object : *objects) bytes += object.bytes;
  engine::StoreThatSeesJobs store(database.store(), jobs);
  Open({store, database.catalog(), database.clock});
  ImportOrder order = Order();
  order.compression = files::Compression::kGzip;
  const Import import = Run(order, engine::TableOfText("small", "p:S/s:N", {engine::Global("g", "v:S")}));
  EXPECT_EQ(Describe(import), "COMPLETED 4 4 0");
  EXPECT_EQ(store.id, import.id);
  const std::string all = std::to_string(bytes);
  const std::vector<std::string> expected = {"IMPORT small reading " + all + "/" + all + " BYTES",
                                             "IMPORT small writing 0/4 ITEMS", "IMPORT small indexing 0/1 ITEMS",
                                             "IMPORT small indexing 1/1 ITEMS"};
  EXPECT_EQ(store.seen, expected) << store.SeenText();
  EXPECT_TRUE(jobs.List().empty());
}

constexpr Rule<"the power is out"> kPowerCut{"test-power-cut", Kind::kInternal};

// Fails after the rows are written, as if a power cut came before success was recorded. Used by one thread at a time.
class CutIngest final : public store::Ingest {
 public:
  explicit CutIngest(std::unique_ptr<store::Ingest> ingest) : ingest_(std::move(ingest)) {}
  Status Add(std::string_view key, std::string_view value) override { return ingest_->Add(key, value); }
  Status Finish(std::span<const store::Changes::Count> tallies) override {
    EXPECT_TRUE(ingest_->Finish(tallies).ok());
    return kPowerCut();
  }

 private:
  const std::unique_ptr<store::Ingest> ingest_;
};

// A store whose disk has no room for the rows of an import.
class FullStore final : public engine::ForwardingStore {
 public:
  using engine::ForwardingStore::ForwardingStore;
  Result<std::unique_ptr<store::Ingest>> BeginIngest() override {
    if (full) return store::kDiskFull();
    return engine::ForwardingStore::BeginIngest();
  }
  bool full = true;
};

TEST_P(ImportsTest, AFullDiskFailsTheImportAndLeavesNothing) {
  FullStore store(database.store());
  const engine::Database db = database.db();
  Open(engine::Database{store, db.catalog, db.clock});
  Put("f.csv", "p,s\na,1\n");
  const Import failed = Run(Order(DataFormat::kCsv), Small());
  EXPECT_EQ(failed.status, Import::Status::kFailed);
  EXPECT_EQ(failed.failure_code, "DiskFull");
  EXPECT_NE(failed.failure_message, "");
  EXPECT_FALSE(database.Find("small"));
  EXPECT_TRUE(scratch.folder().List("")->empty());
  store.full = false;
  EXPECT_EQ(Describe(Run(Order(DataFormat::kCsv), Small())), "COMPLETED 1 1 0");
  imports.reset();  // before `store`, which it uses
}

class CutStore final : public engine::ForwardingStore {
 public:
  explicit CutStore(store::Store& store) : engine::ForwardingStore(store), behind_(store) {}
  Result<std::unique_ptr<store::Ingest>> BeginIngest() override {
    ASSIGN_OR_RETURN(auto ingest, behind_.BeginIngest());
    return std::unique_ptr<store::Ingest>(std::make_unique<CutIngest>(std::move(ingest)));
  }

 private:
  store::Store& behind_;
};

TEST_P(ImportsTest, AnInterruptedImportLeavesNothing) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}", "{p='b', s=2}"}));
  CutStore cut(database.store());
  Open({cut, database.catalog(), database.clock});
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(imports->WorkOnce());
  EXPECT_EQ(Now((*made)->id).status, Import::Status::kInProgress);
  const store::TableId spent = database.Find("small")->id;
  EXPECT_EQ(database.Rows(spent, store::kBaseTable).size(), 2u);
  EXPECT_EQ(database.Get("small", "{p='a', s=1}"), "Requested resource not found");
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='c', s=3}"}));
  Reopen();
  RunBackgroundWork();
  EXPECT_EQ(Describe(Now((*made)->id)), "COMPLETED 1 1 0");
  EXPECT_EQ(Items("small"), std::vector<std::string>{"{p='c', s=3}"});
  EXPECT_NE(database.Find("small")->id, spent);
  EXPECT_EQ(database.Rows(spent, store::kBaseTable).size(), 0u);
  database.ExpectSound("small");
}

TEST_P(ImportsTest, AnImportWithoutItsTableIsCancelled) {
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(database.catalog()
                  .Change([](const engine::CatalogSnapshot& snapshot, engine::CatalogEdit& edit) {
                    for (const auto& [name, table] : snapshot.tables) edit.removes.push_back(name);
                    return Ok();
                  })
                  .ok());
  RunBackgroundWork();
  EXPECT_EQ(Describe(Now((*made)->id)), "CANCELLED 0 0 0");
}

TEST_P(ImportsTest, TheThreadDoesTheWork) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}));
  imports->Start();
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  imports->Finish();
  EXPECT_EQ(Describe(Now((*made)->id)), "COMPLETED 1 1 0");
  imports->Stop();
}

// A service that accepts the connection and sends nothing. The next start resumes the import.
TEST(ImportJobs, AreStoppedWhileAServiceIsSilent) {
  const http::ScriptServer server({{"", http::ScriptTurn::Then::kHold}});
  engine::DatabaseForTest database;
  const engine::Identity identity;
  const files::FolderForTest scratch;
  engine::Jobs jobs;
  BucketSettings buckets;
  buckets.endpoint = server.url();
  const auto imports =
      *ImportJobs::Open(database.db(), database.lifecycle(), identity, buckets, scratch.folder(), 5, jobs);
  ImportOrder order;
  order.token = "token";
  order.bucket = "b";
  const Result<ImportPtr> made = imports->Create(order, engine::TableOfText("t", "p:S"));
  ASSERT_TRUE(made.ok());
  imports->Start();
  while (server.requests().empty()) std::this_thread::yield();
  const auto begun = std::chrono::steady_clock::now();
  imports->Stop();
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds(20));
  EXPECT_EQ(server.requests().size(), 1u);
  EXPECT_EQ(FindImport(*database.catalog().Current(), (*made)->id)->status, Import::Status::kInProgress);
  EXPECT_TRUE(database.Find("t")->filling);
}

}  // namespace
}  // namespace keyfold::transfer
