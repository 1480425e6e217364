// Exports as the source of imports, on both stores: checked byte by byte, full ones and increments over them, and the
// files of AWS's guide.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>

#include "testing/base/logged.h"
#include "testing/base/repository.h"
#include "testing/transfer/imports.h"
#include "transfer/layout/export.h"

namespace keyfold::transfer {
namespace {

std::string Md5Text(std::string_view bytes) {
  files::Md5 md5;
  md5.Add(bytes);
  return md5.Finish();
}

class ImportedExportsTest : public ImportsForTest {};
INSTANTIATE_TEST_SUITE_P(Stores, ImportedExportsTest, engine::EachStore(), engine::NameOfStore);

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
    AppendItemLine(format, engine::ItemOf(i == 0 ? "{p='a', s=1}" : "{p='b', s=2}"), lines);
    files.push_back({layout.DataKey(i), 1, Md5Text(files::GzipMember(lines)), "etag"});
    objects[files.back().key] = files::GzipMember(lines);
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

TEST_P(ImportedExportsTest, ExportsAreImportedByEachOfTheirPrefixes) {
  for (const PrefixCase& c : kPrefixes) {
    Empty();
    for (const auto& [key, content] : SmallExport(DataFormat::kIon, c.export_prefix)) Put(key, content);
    ImportOrder order = Order(DataFormat::kIon);
    order.compression = files::Compression::kGzip;
    order.prefix = c.import_prefix;
    EXPECT_EQ(Describe(Run(order, Small())), "COMPLETED 2 2 0") << c.import_prefix.value_or("none");
    EXPECT_EQ(Items("small"), (std::vector<std::string>{"{p='a', s=1}", "{p='b', s=2}"}));
  }
}

TEST_P(ImportedExportsTest, AnExportMayBeImportedFromAnotherPrefixThanItsOwn) {
  for (const auto& [key, content] : SmallExport(DataFormat::kIon, "was/here")) {
    std::string moved = "is" + key.substr(8);
    if (moved.ends_with("manifest-files.checksum")) continue;
    Put(moved, content);
  }
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = files::Compression::kGzip;
  EXPECT_EQ(Describe(Run(order, Small())), "COMPLETED 2 2 0");
}

// AWS's guide names the checksum files differently from its service.
TEST_P(ImportedExportsTest, ChecksumFilesHaveEitherName) {
  for (const auto& [key, content] : SmallExport(DataFormat::kIon, "")) {
    Put(key.ends_with(".md5") ? key.substr(0, key.size() - 3) + "checksum" : key, content);
  }
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = files::Compression::kGzip;
  EXPECT_EQ(Describe(Run(order, Small())), "COMPLETED 2 2 0");
}

TEST_P(ImportedExportsTest, AnExportWithAChangedByteImportsNothing) {
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = files::Compression::kGzip;
  const auto objects = SmallExport(DataFormat::kIon, "x");
  for (const auto& [key, content] : objects) Put(key, content);
  const auto expect_refused = [&](const std::string& key, const std::string& what) {
    const Import import = Run(order, Small());
    EXPECT_EQ(Describe(import), "FAILED 0 0 0 S3ObjectDamaged") << what << " of " << key;
    EXPECT_NE(import.failure_message.find(key), std::string::npos) << what << ": " << import.failure_message;
    EXPECT_FALSE(database.Find("small")) << what << " of " << key;
  };
  for (const auto& [key, content] : objects) {
    // On RocksDB only a few bytes, since each flip is an import.
    const size_t step = GetParam() == engine::StoreKind::kMemory ? 1 : 97;
    for (size_t i = 0; i < content.size(); i += step) {
      std::string flipped = content;
      flipped[i] = static_cast<char>(flipped[i] ^ (1 << (i % 8)));
      root.Write("b/" + key, flipped);  // not synced, unlike a bucket's writes
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
  EXPECT_EQ(Describe(Run(order, Small())), "COMPLETED 2 2 0") << "as it was";
  Put("x/AWSDynamoDB/01700000000000-0badf00d/data/added.ion.gz", files::GzipMember(""));
  expect_refused("x/AWSDynamoDB/01700000000000-0badf00d/data/added.ion.gz", "a file more");
}

// One change to an export, and what is said of it; FOLDER stands for the export's own.
struct DamageCase {
  const char* key;
  std::optional<std::string> content;  // none: it is removed
  const char* message;
};
const DamageCase kDamages[] = {
    {"manifest-files.md5", std::nullopt, "FOLDER/manifest-files.md5 is missing: the export is incomplete"},
    {"manifest-files.md5", "x", "FOLDER/manifest-files.json is damaged: it does not match FOLDER/manifest-files.md5"},
    {"manifest-files.json", "{}\n", "FOLDER/manifest-files.json is damaged: line 1 does not give a file and its MD5"},
    {"manifest-files.json", std::string((64 << 20) + 1, ' '), "FOLDER/manifest-files.json is too large for a manifest"},
    {"data/added.ion.gz", files::GzipMember(""),
     "FOLDER/data/added.ion.gz is not among the files that FOLDER/manifest-files.json lists"},
};

TEST_P(ImportedExportsTest, WordingOfDamage) {
  const std::string folder = "x/AWSDynamoDB/01700000000000-0badf00d";
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = files::Compression::kGzip;
  const auto objects = SmallExport(DataFormat::kIon, "x");
  for (const DamageCase& c : kDamages) {
    Empty();
    for (const auto& [key, content] : objects) Put(key, content);
    const std::string key = folder + "/" + c.key;
    if (c.content) {
      Put(key, *c.content);
    } else {
      ASSERT_TRUE(bucket->Remove(key).ok());
    }
    if (key.ends_with("-files.json")) Put(folder + "/manifest-files.md5", ManifestChecksum(*c.content));
    std::string message = c.message;
    for (size_t at = 0; (at = message.find("FOLDER")) != std::string::npos;) message.replace(at, 6, "s3://b/" + folder);
    EXPECT_EQ(Run(order, Small()).failure_message, message);
  }
  Empty();
  std::string changed;
  for (const auto& [key, content] : objects) {
    if (key.find("/data/") != std::string::npos) changed = key;
    Put(key, content);
  }
  Put(changed, files::GzipMember("$ion_1_0 {Item:{p:\"c\",s:3}}\n"));
  EXPECT_EQ(Run(order, Small()).failure_message,
            "s3://b/" + changed + " is damaged: it does not match its export's manifest");
}

// The state that a killed server leaves, or one whose export is in progress. Data files alone, without _started, are
// just files.
TEST_P(ImportedExportsTest, AStartedExportWithoutManifestsImportsNothing) {
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = files::Compression::kGzip;
  const std::string folder = "x/AWSDynamoDB/01700000000000-0badf00d/";
  for (const auto& [key, content] : SmallExport(DataFormat::kIon, "x")) {
    if (key.find("manifest-") == std::string::npos) Put(key, content);
  }
  for (const std::string& prefix : {std::string("x/"), folder, folder + "data/"}) {
    order.prefix = prefix;
    const Import import = Run(order, Small());
    EXPECT_EQ(Describe(import), "FAILED 0 0 0 S3ObjectDamaged") << prefix;
    EXPECT_NE(import.failure_message.find(folder + "manifest-summary.json"), std::string::npos)
        << import.failure_message;
    EXPECT_FALSE(database.Find("small")) << prefix;
  }
  ASSERT_TRUE(bucket->Remove(folder + "_started").ok());
  EXPECT_EQ(Describe(Run(order, Small())), "COMPLETED 2 2 0");
}

struct Period {
  Micros from = kHour, to = 2 * kHour;
  std::string table = "source's";
};

// Changes of a period, as in an incremental export with that id: the manifests are in its own folder, the data in a
// folder that all share.
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
  const std::string data = files::GzipMember(lines), key = layout.DataKey(0);
  objects[key] = data;
  objects[layout.Files()] = FilesManifest({{key, static_cast<int64_t>(changes.size()), Md5Text(data), "etag"}});
  objects[layout.Summary()] = SummaryManifest(made, {});
  objects[layout.FilesChecksum()] = ManifestChecksum(objects[layout.Files()]);
  objects[layout.SummaryChecksum()] = ManifestChecksum(objects[layout.Summary()]);
}

TEST_P(ImportedExportsTest, IncrementalExportsAreAppliedOverAFullOne) {
  for (const DataFormat format : {DataFormat::kDynamoDbJson, DataFormat::kIon}) {
    Empty();
    auto objects = SmallExport(format, "x");
    const Item a = engine::ItemOf("{p='a', s=1}"), b = engine::ItemOf("{p='b', s=2}"),
               c = engine::ItemOf("{p='c', s=3}"), d = engine::ItemOf("{p='d', s=4}"),
               a2 = engine::ItemOf("{p='a', s=1, v='2'}"), a3 = engine::ItemOf("{p='a', s=1, v='3'}"),
               d2 = engine::ItemOf("{p='d', s=4, v='2'}");
    AddIncrement(objects, "01700000000001-00000001", format,
                 {{10, a, a, a2}, {11, b, b, std::nullopt}, {12, c, std::nullopt, c}, {13, d, std::nullopt, d}});
    AddIncrement(objects, "01700000000002-00000002", format,
                 {{20, a, a2, a3}, {21, c, c, std::nullopt}, {22, d, d, std::nullopt}, {23, d, std::nullopt, d2}},
                 {2 * kHour, 3 * kHour});
    for (const auto& [key, content] : objects) Put(key, content);
    ImportOrder order = Order(format);
    order.compression = files::Compression::kGzip;
    order.prefix = "x/AWSDynamoDB/01700000000000-0badf00d/";
    order.increments = {"x/AWSDynamoDB/01700000000001-00000001", "x/AWSDynamoDB/01700000000002-00000002/"};
    const Import import = Run(order, Small());
    EXPECT_EQ(Describe(import), "COMPLETED 10 10 0");
    EXPECT_EQ(Items("small"), (std::vector<std::string>{"{p='a', s=1, v='3'}", "{p='d', s=4, v='2'}"}));
    database.ExpectSound("small");

    const std::string spoilt = "x/AWSDynamoDB/data/" + std::string("00000001stemstem");
    const auto data = objects.lower_bound(spoilt);
    Put(data->first, data->second + "x");
    const Import refused = Run(order, Small());
    EXPECT_EQ(Describe(refused), "FAILED 0 0 0 S3ObjectDamaged");
    EXPECT_NE(refused.failure_message.find(data->first), std::string::npos) << refused.failure_message;
  }
}

// The outcome of importing a full export of the first hour and increments over it.
// transfer/layout/export_summary_test.cc covers how increments must follow each other.
struct FitCase {
  const char* what;
  std::vector<Period> periods;
  const char* prefix;
  const char* message;  // "@N/" for the folder of increment N; empty if the import succeeds
  DataFormat format = DataFormat::kIon;
  files::Compression compression = files::Compression::kGzip;
};
const char kFullFolder[] = "x/AWSDynamoDB/01700000000000-0badf00d/";
const FitCase kFits[] = {
    {"no gap", {{kHour, 2 * kHour}, {2 * kHour, 3 * kHour}}, kFullFolder, ""},
    {"over files that are not an export", {{9 * kHour, 10 * kHour}}, "plain/", ""},
    {"a gap",
     {{2 * kHour, 3 * kHour}},
     kFullFolder,
     "@1/ begins at 1970-01-01T02:00:00Z, but @0/ ends at 1970-01-01T01:00:00Z: changes in between would be "
     "missing"},
    {"another table",
     {{kHour, 2 * kHour, "another's"}},
     kFullFolder,
     "@1/ and @0/ are of different tables: their tableId differs"},
    {"over everything there is",
     {{kHour, 2 * kHour}},
     "x/",
     "@1/ and @0/ are both present, but increments apply to a single export"},
    {"another format",
     {},
     kFullFolder,
     "@0/ is an export in ION with GZIP compression, but the request is for DYNAMODB_JSON with GZIP compression",
     DataFormat::kDynamoDbJson},
    {"another compression",
     {},
     kFullFolder,
     "@0/ is an export in ION with GZIP compression, but the request is for ION with NONE compression",
     DataFormat::kIon,
     files::Compression::kNone},
};

std::string IncrementFolder(size_t number) { return "x/AWSDynamoDB/01700000000000-0000000" + std::to_string(number); }

TEST_P(ImportedExportsTest, ExportsMustFitTheOrderAndEachOther) {
  for (const FitCase& c : kFits) {
    Empty();
    auto objects = SmallExport(DataFormat::kIon, "x");
    objects["plain/f.ion.gz"] = files::GzipMember(Lines(DataFormat::kIon, {"{p='a', s=1}", "{p='b', s=2}"}));
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
    EXPECT_EQ(Describe(import), message.empty() ? "COMPLETED 2 2 0" : "FAILED 0 0 0 ExportsDoNotFit") << c.what;
    EXPECT_EQ(import.failure_message, message) << c.what;
    EXPECT_EQ(database.Find("small") != nullptr, message.empty()) << c.what;
  }
}

TEST_P(ImportedExportsTest, AnUnclearSummaryIsDamage) {
  auto objects = SmallExport(DataFormat::kIon, "x");
  for (auto& [key, content] : objects) {
    if (key.ends_with("manifest-summary.json")) content = "{}";
  }
  for (const auto& [key, content] : objects) {
    Put(key, key.ends_with("manifest-summary.md5") ? ManifestChecksum("{}") : content);
  }
  const Import import = Run(Order(DataFormat::kIon), Small());
  EXPECT_EQ(Describe(import), "FAILED 0 0 0 S3ObjectDamaged");
  EXPECT_EQ(import.failure_message,
            "s3://b/x/AWSDynamoDB/01700000000000-0badf00d/manifest-summary.json is damaged: it does not "
            "describe the export");
}

TEST_P(ImportedExportsTest, ChangesWhoseKeysDoNotFitAreErrors) {
  auto objects = SmallExport(DataFormat::kIon, "x");
  const Item a = engine::ItemOf("{p='a', s=1}"), b = engine::ItemOf("{p='b', s=2}"), half = engine::ItemOf("{p='a'}"),
             more = engine::ItemOf("{p='a', s=1, v='1'}");
  AddIncrement(objects, "01700000000001-00000001", DataFormat::kIon,
               {{1, half, std::nullopt, a}, {2, more, std::nullopt, a}, {3, a, std::nullopt, b}, {4, a, a, {}}});
  for (const auto& [key, content] : objects) Put(key, content);
  ImportOrder order = Order(DataFormat::kIon);
  order.compression = files::Compression::kGzip;
  order.prefix = "x/AWSDynamoDB/01700000000000-0badf00d/";
  order.increments = {"x/AWSDynamoDB/01700000000001-00000001/"};
  const Logged logged;
  EXPECT_EQ(Describe(Run(order, Small())), "FAILED 6 3 3 ItemValidationError");
  EXPECT_NE(logged.text().find("was not imported: The keys of the change differ from those of its new image"),
            std::string::npos);
  EXPECT_EQ(Items("small"), std::vector<std::string>{"{p='b', s=2}"});
}

// --- Files of AWS's guide: tests/transfer/fixtures/README.md

std::string FixtureFolder() { return RepositoryPath("tests/transfer/fixtures"); }

struct FixtureCase {
  const char* name;
  DataFormat format;
  const char* key;
  std::optional<ImportOrder::Csv> csv;
  const char* reported;
};
const FixtureCase kFixtures[] = {
    {"instruments.json", DataFormat::kDynamoDbJson, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments_listed.json", DataFormat::kDynamoDbJson, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments.ion", DataFormat::kIon, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments_listed.ion", DataFormat::kIon, "Id:N", {}, "COMPLETED 4 4 0"},
    {"instruments_spread.ion", DataFormat::kIon, "Id:N", {}, "COMPLETED 4 4 0"},
    {"studio.csv", DataFormat::kCsv, "PK:S/SK:N", {}, "COMPLETED 3 3 0"},
    {"studio.tsv", DataFormat::kCsv, "PK:S/SK:N", {{"\t", std::nullopt}}, "COMPLETED 3 3 0"},
    {"studio_without_header.csv",
     DataFormat::kCsv,
     "PK:S/SK:N",
     {{"|", {{"PK", "SK", "Name", "Hours", "Kind"}}}},
     "COMPLETED 3 3 0"},
    {"changes.json", DataFormat::kDynamoDbJson, "Id:N", {}, "FAILED 1 0 1 ItemValidationError"},
};

TEST_P(ImportedExportsTest, FilesOfTheGuideAreImportedAsTheyAre) {
  for (const FixtureCase& c : kFixtures) {
    Empty();
    std::ifstream in(FixtureFolder() + "/" + c.name, std::ios::binary);
    ASSERT_TRUE(in.good()) << FixtureFolder() << "/" << c.name;
    Put(c.name, std::string(std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()));
    ImportOrder order = Order(c.format);
    order.csv = c.csv;
    EXPECT_EQ(Describe(Run(order, engine::TableOfText("small", c.key))), c.reported) << c.name;
  }
}

TEST_P(ImportedExportsTest, AnExportOfTheGuideIsImportedAsItIs) {
  BucketSettings buckets;
  buckets.root = FixtureFolder();
  imports = *ImportJobs::Open(database.db(), database.lifecycle(), identity, buckets, scratch.folder(), 5, jobs);
  ImportOrder order = Order();
  order.bucket = "export";
  order.prefix = "lessons/";
  order.compression = files::Compression::kGzip;
  EXPECT_EQ(Describe(Run(order, engine::TableOfText("small", "Id:N"))), "COMPLETED 4 4 0");
  EXPECT_EQ(Items("small").size(), 4u);
}

// --- Many items

}  // namespace
}  // namespace keyfold::transfer
