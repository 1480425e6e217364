// Imports on both stores: every format and compression, what counts as an error, whose item counts, exports checked
// byte by byte, tokens, restarts.
#include "bulk/imports.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>

#include "bulk/bucket_for_test.h"
#include "bulk/export.h"
#include "bulk/folder_bucket.h"
#include "bulk/format/random_item_for_test.h"
#include "engine/database_for_test.h"
#include "engine/jobs_for_test.h"
#include "files/folder_for_test.h"

namespace keyfold {
namespace {

constexpr Micros kHour = Micros{3600} * 1'000'000;
constexpr Compression kCompressions[] = {Compression::kNone, Compression::kGzip, Compression::kZstd};

std::string Compressed(Compression compression, std::string_view bytes) {
  if (compression == Compression::kNone) return std::string(bytes);
  if (compression == Compression::kGzip) return GzipMember(bytes);
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

std::string Md5Of(std::string_view bytes) {
  Md5 md5;
  md5.Add(bytes);
  return md5.Finish();
}

class ImportsTest : public testing::TestWithParam<StoreKind> {
 protected:
  ImportsTest() : database(GetParam()) {
    std::filesystem::create_directories(root.path() + "/b");
    bucket = *OpenFolderBucket(root.path(), "b");
    Open();
  }

  void Open() { Open(database.db()); }
  void Open(const Database& db) {
    BucketSettings buckets;
    buckets.root = root.path();
    imports = *Imports::Open(db, database.lifecycle(), identity, buckets, scratch.folder(), 5, jobs);
  }
  void Reopen() {
    imports.reset();
    database.Reopen();
    Open();
  }
  void Settle() {
    do {
      database.Settle();
    } while (imports->WorkOnce());
    database.Settle();
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
  static Table Small(std::string name = "small") { return TableOfText(std::move(name), "p:S/s:N"); }

  // Makes the table of what is in the bucket, instead of one that was.
  Import Run(ImportOrder order, Table table) {
    if (database.Find(table.name)) {
      EXPECT_TRUE(database.lifecycle().Delete(table.name).ok());
    }
    database.Settle();
    database.clock.Advance(100 * 24 * kHour);  // earlier ones are forgotten
    const Result<ImportPtr> made = imports->Create(std::move(order), std::move(table));
    EXPECT_TRUE(made.ok()) << DatabaseForTest::Message(made);
    if (!made.ok()) return {};
    EXPECT_EQ((*made)->status, Import::Status::kInProgress);
    Settle();
    return Now((*made)->id);
  }
  Import Now(std::string_view id) {
    const ImportPtr import = FindImport(*database.catalog().Current(), id);
    EXPECT_TRUE(import);
    return import ? *import : Import();
  }
  // "COMPLETED 3 3 0": processed, imported, errors.
  static std::string Told(const Import& import) {
    std::string text(NameOf(import.status));
    for (const int64_t n : {import.tally.processed, import.tally.imported, import.tally.errors}) {
      text += " " + std::to_string(n);
    }
    if (!import.failure_code.empty()) text += " " + import.failure_code;
    return text;
  }
  std::vector<std::string> Items(std::string_view table) {
    const Result<PageAnswer> page = database.Scan(table);
    EXPECT_TRUE(page.ok()) << DatabaseForTest::Message(page);
    std::vector<std::string> items = page.ok() ? page->items : std::vector<std::string>{};
    std::sort(items.begin(), items.end());
    return items;
  }
  static std::string Lines(DataFormat format, const std::vector<std::string>& items) {
    std::string lines;
    for (const std::string& item : items) AppendItemLine(format, ItemOf(item), lines);
    return lines;
  }

  DatabaseForTest database;
  const Identity identity;
  const FolderForTest root, scratch;
  Jobs jobs;
  std::unique_ptr<Bucket> bucket;
  std::unique_ptr<Imports> imports;
};
INSTANTIATE_TEST_SUITE_P(Stores, ImportsTest, EachStore(), NameOfStore);

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
    for (const Compression compression : kCompressions) {
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
      EXPECT_EQ(Told(import), "COMPLETED 3 3 0") << shown;
      EXPECT_EQ(import.tally.bytes, static_cast<int64_t>(source.first.size() + source.second.size())) << shown;
      EXPECT_EQ(import.started, import.ended) << "of a clock that stands still";
      EXPECT_EQ(Items("small"), items) << shown;
      EXPECT_EQ(database.Find("small")->uuid, import.table.uuid);
      database.ExpectSound("small");
    }
  }
}

struct CsvCase {
  std::optional<ImportOrder::Csv> options;
  const char* text;
  const char* told;
  std::vector<std::string> items;
};
const CsvCase kCsv[] = {
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
  for (const CsvCase& c : kCsv) {
    Put("f.csv", c.text);
    ImportOrder order = Order(DataFormat::kCsv);
    order.csv = c.options;
    EXPECT_EQ(Told(Run(order, Small())), c.told) << c.text;
    EXPECT_EQ(Items("small"), c.items) << c.text;
  }
}

// The columns that are keys of an index are of the index's type too.
TEST_P(ImportsTest, CsvColumnsOfIndexKeysAreConverted) {
  Put("f.csv", "p,s,g,n\na,1,7,7\n");
  const Import import = Run(Order(DataFormat::kCsv), TableOfText("small", "p:S/s:N", {Global("g", "g:N")}));
  EXPECT_EQ(Told(import), "COMPLETED 1 1 0");
  EXPECT_EQ(Items("small"), std::vector<std::string>{"{g=7, n='7', p='a', s=1}"});
  database.ExpectSound("small");
}

struct FaultCase {
  std::string line;  // between two that are right
  bool ends_file;    // the second is not looked at
};

TEST_P(ImportsTest, WhatIsAnErrorAndWhatItCosts) {
  const std::string long_text(kItemBytesMax, 'x');
  const FaultCase cases[] = {
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
  for (const FaultCase& c : cases) {
    const std::string shown = c.line.substr(0, 80);
    Put("f1", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}) + "\n  \n" + c.line + "\n" +
                  Lines(DataFormat::kDynamoDbJson, {"{p='a', s=2}"}));
    Put("f2", Lines(DataFormat::kDynamoDbJson, {"{p='b', s=3}"}));
    const Import import = Run(Order(), TableOfText("small", "p:S/s:N", {Global("g", "g:N")}));
    EXPECT_EQ(Told(import), c.ends_file ? "FAILED 3 2 1 ItemValidationError" : "FAILED 4 3 1 ItemValidationError")
        << shown;
    EXPECT_FALSE(import.failure_message.empty());
    const std::vector<std::string> items = Items("small");
    EXPECT_EQ(items, c.ends_file ? (std::vector<std::string>{"{p='a', s=1}", "{p='b', s=3}"})
                                 : (std::vector<std::string>{"{p='a', s=1}", "{p='a', s=2}", "{p='b', s=3}"}))
        << shown;
  }
}

// Blocks behind the record that ends a file may have been parsed by then: they do not count all the same.
TEST_P(ImportsTest, NothingBehindTheEndOfAFileCounts) {
  std::string before, behind;
  for (int i = 0; i < 40'000; ++i) {
    const std::string item = "{p='" + std::to_string(i) + "', s=1, v='" + std::string(60, 'v') + "'}";
    AppendItemLine(DataFormat::kDynamoDbJson, ItemOf(item), i < 10'000 ? before : behind);
  }
  Put("f1", before + "{\n" + behind);
  Put("f2", Lines(DataFormat::kDynamoDbJson, {"{p='0', s=1}", "{p='new', s=1}"}));
  const Import import = Run(Order(), Small());
  EXPECT_EQ(Told(import), "FAILED 10003 10002 1 ItemValidationError");
  EXPECT_EQ(database.Rows(database.Find("small")->id, kBaseTable).size(), 10'001u);
  EXPECT_EQ(database.Get("small", "{p='0', s=1}"), "{p='0', s=1}");
  EXPECT_EQ(database.Get("small", "{p='10000', s=1}"), "");
}

TEST_P(ImportsTest, OfOneKeyTheLastCounts) {
  Put("f1", Lines(DataFormat::kIon, {"{p='a', s=1, v='1st'}", "{p='b', s=1}", "{p='a', s=1, v='2nd'}"}));
  Put("f2", Lines(DataFormat::kIon, {"{p='a', s=1, v='3rd'}", "{p='a', s=1, v='4th'}"}));
  const Import import = Run(Order(DataFormat::kIon), TableOfText("small", "p:S/s:N", {Global("g", "v:S")}));
  EXPECT_EQ(Told(import), "COMPLETED 5 5 0");
  EXPECT_EQ(Items("small"), (std::vector<std::string>{"{p='a', s=1, v='4th'}", "{p='b', s=1}"}));
  database.ExpectSound("small");
}

TEST_P(ImportsTest, AnEmptySourceIsAnEmptyTable) {
  ImportOrder order = Order();
  order.prefix = "nothing/";
  EXPECT_EQ(Told(Run(order, Small())), "COMPLETED 0 0 0");
  EXPECT_EQ(Items("small"), std::vector<std::string>{});
}

struct SourceFaultCase {
  const char* what;
  std::function<void(ImportOrder&)> change;
  const char* code;
  const char* message;  // a part of it
};
const SourceFaultCase kSourceFaults[] = {
    {"no bucket", [](ImportOrder& o) { o.bucket = "none"; }, "S3NoSuchBucket", "The specified bucket does not exist"},
    {"no gzip", [](ImportOrder& o) { o.compression = Compression::kGzip; }, "S3ObjectDamaged", "s3://b/f"},
    {"no zstd", [](ImportOrder& o) { o.compression = Compression::kZstd; }, "S3ObjectDamaged", "s3://b/f"},
    {"no increment", [](ImportOrder& o) { o.increments = {"AWSDynamoDB/1"}; }, "S3ObjectDamaged",
     "s3://b/AWSDynamoDB/1/manifest-files.json"},
    {"no name", [](ImportOrder& o) { o.bucket = "../b"; }, "S3ReadFailed", "../b is no name of a bucket"},
};

TEST_P(ImportsTest, WithoutItsSourceThereIsNoTable) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}));
  for (const SourceFaultCase& c : kSourceFaults) {
    ImportOrder order = Order();
    c.change(order);
    const Import import = Run(order, Small());
    EXPECT_EQ(Told(import), std::string("FAILED 0 0 0 ") + c.code) << c.what;
    EXPECT_NE(import.failure_message.find(c.message), std::string::npos) << import.failure_message;
    EXPECT_FALSE(database.Find("small")) << c.what;
  }
}

// --- Exports

// An export of two files in AWS's layout, by key.
std::map<std::string, std::string> SmallExport(DataFormat format, const std::string& prefix) {
  Export made;
  made.id = "01700000000000-0badf00d";
  made.order.table = "source";
  made.order.bucket = "b";
  made.order.prefix = prefix;
  made.order.format = format;
  made.table_uuid = "source's";
  made.time = kHour;
  made.stem = "stemstemstemstem";
  const ExportLayout layout(made);
  std::map<std::string, std::string> objects = {{layout.Started(), ""}};
  std::vector<ExportedFile> files;
  for (size_t i = 0; i < 2; ++i) {
    std::string lines;
    AppendItemLine(format, ItemOf(i == 0 ? "{p='a', s=1}" : "{p='b', s=2}"), lines);
    files.push_back({layout.DataKey(i), 1, Md5Of(GzipMember(lines)), "etag"});
    objects[files.back().key] = GzipMember(lines);
  }
  objects[layout.Files()] = FilesManifest(files);
  objects[layout.Summary()] = SummaryManifest(made, {});
  objects[layout.FilesChecksum()] = ManifestChecksum(objects[layout.Files()]);
  objects[layout.SummaryChecksum()] = ManifestChecksum(objects[layout.Summary()]);
  return objects;
}

struct PrefixCase {
  const char* export_prefix;
  std::optional<std::string> import_prefix;
};
const PrefixCase kPrefixes[] = {
    {"", std::nullopt},
    {"", "AWSDynamoDB/"},
    {"x/y", "x/y/"},
    {"x/y", "x"},
    {"x/y", "x/y/AWSDynamoDB/01700000000000-0badf00d/data/"},
    {"x/y", "x/y/AWSDynamoDB/01700000000000-0badf00d/"},
};

TEST_P(ImportsTest, ExportsAreImportedByEveryPrefixOfTheirs) {
  for (const PrefixCase& c : kPrefixes) {
    Empty();
    for (const auto& [key, content] : SmallExport(DataFormat::kIon, c.export_prefix)) Put(key, content);
    ImportOrder order = Order(DataFormat::kIon);
    order.compression = Compression::kGzip;
    order.prefix = c.import_prefix;
    EXPECT_EQ(Told(Run(order, Small())), "COMPLETED 2 2 0") << c.import_prefix.value_or("none");
    EXPECT_EQ(Items("small"), (std::vector<std::string>{"{p='a', s=1}", "{p='b', s=2}"}));
  }
}

TEST_P(ImportsTest, AnExportMayBeImportedFromAnotherPrefixThanItsOwn) {
  for (const auto& [key, content] : SmallExport(DataFormat::kIon, "was/here")) {
    std::string moved = "is" + key.substr(8);
    if (moved.ends_with("manifest-files.checksum")) continue;
    Put(moved, content);
  }
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = Compression::kGzip;
  EXPECT_EQ(Told(Run(order, Small())), "COMPLETED 2 2 0");
}

// AWS's guide has another name for the checksums than its service.
TEST_P(ImportsTest, ChecksumFilesHaveEitherName) {
  for (const auto& [key, content] : SmallExport(DataFormat::kIon, "")) {
    Put(key.ends_with(".md5") ? key.substr(0, key.size() - 3) + "checksum" : key, content);
  }
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = Compression::kGzip;
  EXPECT_EQ(Told(Run(order, Small())), "COMPLETED 2 2 0");
}

TEST_P(ImportsTest, AnExportOfWhichAByteHasChangedGivesNothing) {
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = Compression::kGzip;
  const auto objects = SmallExport(DataFormat::kIon, "x");
  for (const auto& [key, content] : objects) Put(key, content);
  const auto expect_refused = [&](const std::string& key, const std::string& what) {
    const Import import = Run(order, Small());
    EXPECT_EQ(Told(import), "FAILED 0 0 0 S3ObjectDamaged") << what << " of " << key;
    EXPECT_NE(import.failure_message.find(key), std::string::npos) << what << ": " << import.failure_message;
    EXPECT_FALSE(database.Find("small")) << what << " of " << key;
  };
  for (const auto& [key, content] : objects) {
    // On RocksDB a few of them, since each flip is an import.
    const size_t step = GetParam() == StoreKind::kMemory ? 1 : 97;
    for (size_t i = 0; i < content.size(); i += step) {
      std::string flipped = content;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      root.Write("b/" + key, flipped);  // not synced, as a bucket does
      expect_refused(key, "byte " + std::to_string(i));
    }
    if (!content.empty()) {
      ASSERT_TRUE(bucket->Remove(key).ok());
      expect_refused(key, "absence");
      Put(key, content.substr(0, content.size() - 1));
      expect_refused(key, "end");
    }
    Put(key, content);
  }
  EXPECT_EQ(Told(Run(order, Small())), "COMPLETED 2 2 0") << "as it was";
  Put("x/AWSDynamoDB/01700000000000-0badf00d/data/added.ion.gz", GzipMember(""));
  expect_refused("x/AWSDynamoDB/01700000000000-0badf00d/data/added.ion.gz", "a file more");
}

// As a server that was killed leaves it, or one that is at it. Data files alone, whoever laid them there, are just files.
TEST_P(ImportsTest, AnExportThatWasBegunAndHasNoManifestsGivesNothing) {
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = Compression::kGzip;
  const std::string folder = "x/AWSDynamoDB/01700000000000-0badf00d/";
  for (const auto& [key, content] : SmallExport(DataFormat::kIon, "x")) {
    if (key.find("manifest-") == std::string::npos) Put(key, content);
  }
  for (const std::string& prefix : {std::string("x/"), folder, folder + "data/"}) {
    order.prefix = prefix;
    const Import import = Run(order, Small());
    EXPECT_EQ(Told(import), "FAILED 0 0 0 S3ObjectDamaged") << prefix;
    EXPECT_NE(import.failure_message.find(folder + "manifest-summary.json"), std::string::npos)
        << import.failure_message;
    EXPECT_FALSE(database.Find("small")) << prefix;
  }
  ASSERT_TRUE(bucket->Remove(folder + "_started").ok());
  EXPECT_EQ(Told(Run(order, Small())), "COMPLETED 2 2 0");
}

struct Period {
  Micros from = kHour, to = 2 * kHour;
  std::string table = "source's";
};

// Changes of a period, as an incremental export of that id has them: the manifests in a folder of its own, the data in
// one that they all share.
void AddIncrement(std::map<std::string, std::string>& objects, const std::string& id, DataFormat format,
                  const std::vector<ChangeLine>& changes, const Period& period = {}) {
  Export made;
  made.id = id;
  made.table_uuid = period.table;
  made.from = period.from;
  made.time = period.to;
  made.order.kind = ExportOrder::Kind::kIncremental;
  made.order.period = ExportPeriod{};
  made.order.bucket = "b";
  made.order.prefix = "x";
  made.order.format = format;
  made.stem = id.substr(id.size() - 8) + "stemstem";
  const ExportLayout layout(made);
  std::string lines;
  for (const ChangeLine& change : changes) AppendChangeLine(format, change, lines);
  const std::string data = GzipMember(lines), key = layout.DataKey(0);
  objects[key] = data;
  objects[layout.Files()] = FilesManifest({{key, static_cast<int64_t>(changes.size()), Md5Of(data), "etag"}});
  objects[layout.Summary()] = SummaryManifest(made, {});
  objects[layout.FilesChecksum()] = ManifestChecksum(objects[layout.Files()]);
  objects[layout.SummaryChecksum()] = ManifestChecksum(objects[layout.Summary()]);
}

TEST_P(ImportsTest, IncrementalExportsAreAppliedOverAFullOne) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    Empty();
    auto objects = SmallExport(format, "x");
    const Item a = ItemOf("{p='a', s=1}"), b = ItemOf("{p='b', s=2}"), c = ItemOf("{p='c', s=3}"),
               d = ItemOf("{p='d', s=4}"), a2 = ItemOf("{p='a', s=1, v='2'}"), a3 = ItemOf("{p='a', s=1, v='3'}"),
               d2 = ItemOf("{p='d', s=4, v='2'}");
    AddIncrement(objects, "01700000000001-00000001", format,
                 {{10, a, a, a2}, {11, b, b, std::nullopt}, {12, c, std::nullopt, c}, {13, d, std::nullopt, d}});
    AddIncrement(objects, "01700000000002-00000002", format,
                 {{20, a, a2, a3}, {21, c, c, std::nullopt}, {22, d, d, std::nullopt}, {23, d, std::nullopt, d2}},
                 {2 * kHour, 3 * kHour});
    for (const auto& [key, content] : objects) Put(key, content);
    ImportOrder order = Order(format);
    order.compression = Compression::kGzip;
    order.prefix = "x/AWSDynamoDB/01700000000000-0badf00d/";
    order.increments = {"x/AWSDynamoDB/01700000000001-00000001", "x/AWSDynamoDB/01700000000002-00000002/"};
    const Import import = Run(order, Small());
    EXPECT_EQ(Told(import), "COMPLETED 10 10 0");
    EXPECT_EQ(Items("small"), (std::vector<std::string>{"{p='a', s=1, v='3'}", "{p='d', s=4, v='2'}"}));
    database.ExpectSound("small");

    const std::string spoilt = "x/AWSDynamoDB/data/" + std::string("00000001stemstem");
    const auto data = objects.lower_bound(spoilt);
    Put(data->first, data->second + "x");
    const Import refused = Run(order, Small());
    EXPECT_EQ(Told(refused), "FAILED 0 0 0 S3ObjectDamaged");
    EXPECT_NE(refused.failure_message.find(data->first), std::string::npos) << refused.failure_message;
  }
}

// What an import of a full export of the first hour, and of increments over it, comes to. How increments must follow
// each other is the matter of bulk/export_summary_test.cc.
struct FitCase {
  const char* what;
  std::vector<Period> periods;
  const char* prefix;
  const char* message;  // "@N/" for the place of increment N; empty: it is right
  DataFormat format = DataFormat::kIon;
  Compression compression = Compression::kGzip;
};
const char kFullFolder[] = "x/AWSDynamoDB/01700000000000-0badf00d/";
const FitCase kFits[] = {
    {"no gap", {{kHour, 2 * kHour}, {2 * kHour, 3 * kHour}}, kFullFolder, ""},
    {"over files that are no export", {{9 * kHour, 10 * kHour}}, "plain/", ""},
    {"a gap",
     {{2 * kHour, 3 * kHour}},
     kFullFolder,
     "@1/ begins at 1970-01-01T02:00:00Z, and @0/ ends at 1970-01-01T01:00:00Z: changes between the two are in "
     "neither"},
    {"another table",
     {{kHour, 2 * kHour, "another's"}},
     kFullFolder,
     "@1/ and @0/ are of different tables: their tableId is not the same"},
    {"over everything there is",
     {{kHour, 2 * kHour}},
     "x/",
     "@1/ and @0/ are both there: increments go over one export"},
    {"another format",
     {},
     kFullFolder,
     "@0/ is an export in ION, compressed by GZIP, and is to be imported as DYNAMODB_JSON, compressed by GZIP",
     DataFormat::kDynamoDbJson},
    {"another compression",
     {},
     kFullFolder,
     "@0/ is an export in ION, compressed by GZIP, and is to be imported as ION, compressed by NONE",
     DataFormat::kIon,
     Compression::kNone},
};

std::string IncrementFolder(size_t number) { return "x/AWSDynamoDB/01700000000000-0000000" + std::to_string(number); }

TEST_P(ImportsTest, ExportsFitTheOrderAndEachOther) {
  for (const FitCase& c : kFits) {
    Empty();
    auto objects = SmallExport(DataFormat::kIon, "x");
    objects["plain/f.ion.gz"] = GzipMember(Lines(DataFormat::kIon, {"{p='a', s=1}", "{p='b', s=2}"}));
    ImportOrder order = Order(c.format);
    order.compression = c.compression;
    order.prefix = c.prefix;
    for (const Period& period : c.periods) {
      const std::string folder = IncrementFolder(order.increments.size() + 1);
      AddIncrement(objects, folder.substr(folder.rfind('/') + 1), DataFormat::kIon, {}, period);
      order.increments.push_back(folder);
    }
    for (const auto& [key, content] : objects) Put(key, content);
    std::string message = c.message;
    for (size_t at = 0; (at = message.find('@')) != std::string::npos;) {
      const size_t number = static_cast<size_t>(message[at + 1] - '0');
      message.replace(at, 3, "s3://b/" + (number == 0 ? kFullFolder : IncrementFolder(number) + "/"));
    }
    const Import import = Run(order, Small());
    EXPECT_EQ(Told(import), message.empty() ? "COMPLETED 2 2 0" : "FAILED 0 0 0 ExportsDoNotFit") << c.what;
    EXPECT_EQ(import.failure_message, message) << c.what;
    EXPECT_EQ(database.Find("small") != nullptr, message.empty()) << c.what;
  }
}

TEST_P(ImportsTest, ASummaryThatSaysNothingIsDamage) {
  auto objects = SmallExport(DataFormat::kIon, "x");
  for (auto& [key, content] : objects) {
    if (key.ends_with("manifest-summary.json")) content = "{}";
  }
  for (const auto& [key, content] : objects) {
    Put(key, key.ends_with("manifest-summary.md5") ? ManifestChecksum("{}") : content);
  }
  const Import import = Run(Order(DataFormat::kIon), Small());
  EXPECT_EQ(Told(import), "FAILED 0 0 0 S3ObjectDamaged");
  EXPECT_EQ(import.failure_message,
            "s3://b/x/AWSDynamoDB/01700000000000-0badf00d/manifest-summary.json is damaged: it does not say what the "
            "export is of");
}

TEST_P(ImportsTest, ChangesWhoseKeysDoNotFitAreErrors) {
  auto objects = SmallExport(DataFormat::kIon, "x");
  const Item a = ItemOf("{p='a', s=1}"), b = ItemOf("{p='b', s=2}"), half = ItemOf("{p='a'}"),
             more = ItemOf("{p='a', s=1, v='1'}");
  AddIncrement(objects, "01700000000001-00000001", DataFormat::kIon,
               {{1, half, std::nullopt, a}, {2, more, std::nullopt, a}, {3, a, std::nullopt, b}, {4, a, a, {}}});
  for (const auto& [key, content] : objects) Put(key, content);
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = Compression::kGzip;
  order.prefix = "x/AWSDynamoDB/01700000000000-0badf00d/";
  order.increments = {"x/AWSDynamoDB/01700000000001-00000001/"};
  EXPECT_EQ(Told(Run(order, Small())), "FAILED 6 3 3 ItemValidationError");
  EXPECT_EQ(Items("small"), std::vector<std::string>{"{p='b', s=2}"});
}

// --- Files of AWS's guide: tests/bulk/fixtures/README.md

std::string FixtureFolder() {
  const std::string here = __FILE__;
  return here.substr(0, here.rfind("src/bulk")) + "tests/bulk/fixtures";
}

struct FixtureCase {
  const char* name;
  DataFormat format;
  const char* key;
  std::optional<ImportOrder::Csv> csv;
  const char* told;
};
const FixtureCase kFixtures[] = {
    {"instruments.json", DataFormat::kDynamoDbJson, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments_listed.json", DataFormat::kDynamoDbJson, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments.ion", DataFormat::kIon, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments_listed.ion", DataFormat::kIon, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments_spread.ion", DataFormat::kIon, "Id:N", {}, "COMPLETED 4 4 0"},
    {"studio.csv", DataFormat::kCsv, "PK:S/SK:N", {}, "COMPLETED 3 3 0"},
    {"studio.tsv", DataFormat::kCsv, "PK:S/SK:N", {{"\t", std::nullopt}}, "COMPLETED 3 3 0"},
    {"studio_without_header.csv", DataFormat::kCsv, "PK:S/SK:N", {{"|", {{"PK", "SK", "Name", "Hours", "Kind"}}}},
     "COMPLETED 3 3 0"},
    {"changes.json", DataFormat::kDynamoDbJson, "Id:N", {}, "FAILED 1 0 1 ItemValidationError"},
};

TEST_P(ImportsTest, FilesOfTheGuideAreImportedAsTheyAre) {
  for (const FixtureCase& c : kFixtures) {
    Empty();
    std::ifstream in(FixtureFolder() + "/" + c.name, std::ios::binary);
    ASSERT_TRUE(in.good()) << FixtureFolder() << "/" << c.name;
    Put(c.name, std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
    ImportOrder order = Order(c.format);
    order.csv = c.csv;
    EXPECT_EQ(Told(Run(order, TableOfText("small", c.key))), c.told) << c.name;
  }
}

TEST_P(ImportsTest, AnExportOfTheGuideIsImportedAsItIs) {
  BucketSettings buckets;
  buckets.root = FixtureFolder();
  imports = *Imports::Open(database.db(), database.lifecycle(), identity, buckets, scratch.folder(), 5, jobs);
  ImportOrder order = Order();
  order.bucket = "export";
  order.prefix = "lessons/";
  order.compression = Compression::kGzip;
  EXPECT_EQ(Told(Run(order, TableOfText("small", "Id:N"))), "COMPLETED 4 4 0");
  EXPECT_EQ(Items("small").size(), 4u);
}

// --- Many items

TEST_P(ImportsTest, AHundredThousandItemsOfAllTypesComeBackEqual) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    Empty();
    const Table table = TableOfText("small", "id:N");
    RandomItems random(17);
    std::map<std::string, std::string> expected;
    std::string lines;
    const int count = GetParam() == StoreKind::kMemory ? 100'000 : 20'000;
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
      expected.emplace(RowKeyOf(table, ItemView(bytes)).bytes().substr(4), bytes);
      if (i % 30'000 == 0) {
        Put("f" + std::to_string(i), GzipMember(lines));
        lines.clear();
      }
    }
    Put("last", GzipMember(lines));
    ImportOrder order = Order(format);
    order.compression = Compression::kGzip;
    const std::string all = std::to_string(count);
    EXPECT_EQ(Told(Run(order, table)), "COMPLETED " + all + " " + all + " 0");
    std::map<std::string, std::string> rows;
    for (auto& [key, value] : database.Rows(database.Find("small")->id, kBaseTable)) rows.emplace(key.substr(4), value);
    EXPECT_TRUE(rows == expected) << NameOf(format);
  }
}

// --- Tokens

TEST_P(ImportsTest, ATokenAsksForTheSameImportAgain) {
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
  Settle();
  EXPECT_EQ(create("1", "t", ""), "Table already exists: t") << "its end is told first";
  EXPECT_EQ(create("1", "other", ""), conflict);
  database.clock.Advance(8 * kHour - 1);
  EXPECT_EQ(create("1", "other", ""), conflict);
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  database.Settle();
  EXPECT_EQ(create("1", "t", ""), first) << "its table has gone";
  database.clock.Advance(1);
  const std::string second = create("1", "other", "");
  EXPECT_EQ(second.size(), 23u) << second;
  EXPECT_NE(second, first);
}

TEST_P(ImportsTest, ImportsAreForgottenAfterNinetyDays) {
  ImportOrder order = Order();
  ASSERT_TRUE(imports->Create(order, Small("t1")).ok());
  Settle();
  database.clock.Advance(90 * 24 * kHour - 1);
  order.token = "2";
  ASSERT_TRUE(imports->Create(order, Small("t2")).ok());
  EXPECT_EQ(AllImports(*database.catalog().Current()).size(), 2u);
  database.clock.Advance(1);
  order.token = "3";
  ASSERT_TRUE(imports->Create(order, Small("t3")).ok());
  EXPECT_EQ(AllImports(*database.catalog().Current()).size(), 2u) << "the first has gone, the second is under way";
}

// --- Restarts

TEST_P(ImportsTest, ARestartBeginsAgain) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}", "{p='b', s=2}"}));
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  EXPECT_EQ(database.Get("small", "{p='a', s=1}"), "Requested resource not found");
  EXPECT_EQ(Now((*made)->id), **made);
  Reopen();
  EXPECT_EQ(database.Find("small")->StatusAt(database.clock.Now()), TableStatus::kCreating);
  EXPECT_EQ(Now((*made)->id), **made);
  Settle();
  EXPECT_EQ(Told(Now((*made)->id)), "COMPLETED 2 2 0");
  EXPECT_EQ(Items("small").size(), 2u);
}

TEST_P(ImportsTest, JobsSayHowFarItIs) {
  const std::string lines = Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1, v='x'}", "{p='b', s=2}", "{p='b', s=3}"});
  Put("1", GzipMember(lines));
  Put("2", GzipMember(Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1, v='y'}"})));
  uint64_t bytes = 0;
  const Result<std::vector<Bucket::Object>> objects = bucket->List("");
  for (const Bucket::Object& object : *objects) bytes += object.bytes;
  StoreThatSeesJobs store(database.store(), jobs);
  Open({store, database.catalog(), database.clock});
  ImportOrder order = Order();
  order.compression = Compression::kGzip;
  const Import import = Run(order, TableOfText("small", "p:S/s:N", {Global("g", "v:S")}));
  EXPECT_EQ(Told(import), "COMPLETED 4 4 0");
  EXPECT_EQ(store.id, import.id);
  const std::string all = std::to_string(bytes);
  const std::vector<std::string> expected = {
      "IMPORT small reading " + all + "/" + all + " BYTES", "IMPORT small writing 0/4 ITEMS",
      "IMPORT small indexing 0/1 ITEMS", "IMPORT small indexing 1/1 ITEMS"};
  EXPECT_EQ(store.seen, expected) << store.SeenText();
  EXPECT_TRUE(jobs.List().empty());
}

constexpr Rule<"the power is out"> kPowerCut{"test-power-cut", Kind::kInternal};

// Ends before its end is told: the rows are there, and nobody knows. One thread at a time.
class CutIngest final : public Ingest {
 public:
  explicit CutIngest(std::unique_ptr<Ingest> ingest) : ingest_(std::move(ingest)) {}
  Status Add(std::string_view key, std::string_view value) override { return ingest_->Add(key, value); }
  Status Finish(std::span<const Changes::Count> tallies) override {
    EXPECT_TRUE(ingest_->Finish(tallies).ok());
    return kPowerCut();
  }

 private:
  const std::unique_ptr<Ingest> ingest_;
};

class CutStore final : public StoreBehind {
 public:
  explicit CutStore(Store& store) : StoreBehind(store), behind_(store) {}
  Result<std::unique_ptr<Ingest>> BeginIngest() override {
    ASSIGN_OR_RETURN(auto ingest, behind_.BeginIngest());
    return std::unique_ptr<Ingest>(std::make_unique<CutIngest>(std::move(ingest)));
  }

 private:
  Store& behind_;
};

TEST_P(ImportsTest, AnImportThatWasCutOffLeavesNothingOfItself) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}", "{p='b', s=2}"}));
  CutStore cut(database.store());
  Open({cut, database.catalog(), database.clock});
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  EXPECT_FALSE(imports->WorkOnce());
  EXPECT_EQ(Now((*made)->id).status, Import::Status::kInProgress);
  const TableId spent = database.Find("small")->id;
  EXPECT_EQ(database.Rows(spent, kBaseTable).size(), 2u);
  EXPECT_EQ(database.Get("small", "{p='a', s=1}"), "Requested resource not found");
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='c', s=3}"}));
  Reopen();
  Settle();
  EXPECT_EQ(Told(Now((*made)->id)), "COMPLETED 1 1 0");
  EXPECT_EQ(Items("small"), std::vector<std::string>{"{p='c', s=3}"});
  EXPECT_NE(database.Find("small")->id, spent);
  EXPECT_EQ(database.Rows(spent, kBaseTable).size(), 0u);
  database.ExpectSound("small");
}

TEST_P(ImportsTest, AnImportWithoutItsTableIsCancelled) {
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  ASSERT_TRUE(database.catalog()
                  .Change([](const CatalogSnapshot& snapshot, CatalogEdit& edit) {
                    for (const auto& [name, table] : snapshot.tables) edit.removes.push_back(name);
                    return Ok();
                  })
                  .ok());
  Settle();
  EXPECT_EQ(Told(Now((*made)->id)), "CANCELLED 0 0 0");
}

TEST_P(ImportsTest, TheThreadDoesTheWork) {
  Put("f", Lines(DataFormat::kDynamoDbJson, {"{p='a', s=1}"}));
  imports->Start();
  const Result<ImportPtr> made = imports->Create(Order(), Small());
  ASSERT_TRUE(made.ok());
  imports->Finish();
  EXPECT_EQ(Told(Now((*made)->id)), "COMPLETED 1 1 0");
  imports->Stop();
}

}  // namespace
}  // namespace keyfold
