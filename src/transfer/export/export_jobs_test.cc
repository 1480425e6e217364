// Exports on both stores: AWS's layout to the letter, one moment despite concurrent writes, the same result after a
// restart, and the net changes of a period.
#include "transfer/export/export_jobs.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <set>

#include "testing/base/repository.h"
#include "testing/engine/forwarding_store.h"
#include "testing/engine/jobs.h"
#include "testing/engine/pair_writer.h"
#include "testing/transfer/exports.h"

namespace keyfold::transfer {
namespace {

TEST_P(ExportsTest, AFullExportIsInAwsLayout) {
  CreateTable("music");
  database.PutAll("music", {"{p='a', n=1}", "{p='b', n=2}", "{p='c', n=3}", "{p='d', n=4}", "{p='e'}"});
  ExportOrder order = Order("music");
  order.prefix = "2026-Nov";
  order.token = "tok";
  const ExportPtr begun = Begin(order);
  EXPECT_EQ(begun->status, Export::Status::kInProgress);
  database.clock.Advance(2 * kSecond + 7000);
  RunBackgroundWork();
  const ExportPtr made = Find(begun->id);
  EXPECT_EQ(made->items, 5);
  EXPECT_EQ(made->billed_bytes, 5 * 2 + 4 * 3);
  ASSERT_EQ(begun->id.substr(0, 15), "01700000000000-");
  const std::string folder = "2026-Nov/AWSDynamoDB/" + begun->id + "/";
  const std::unique_ptr<Bucket> bucket = OpenB();

  EXPECT_EQ(GetObject(*bucket, folder + "_started"), "");
  EXPECT_EQ(GetObject(*bucket, folder + "manifest-summary.json"),
            "{\"version\":\"2020-06-30\","
            "\"exportArn\":\"arn:aws:dynamodb:us-east-1:123456789012:table/music/export/" +
                begun->id +
                "\","
                "\"startTime\":\"2023-11-14T22:13:20.000Z\",\"endTime\":\"2023-11-14T22:13:22.007Z\","
                "\"tableArn\":\"arn:aws:dynamodb:us-east-1:123456789012:table/music\","
                "\"tableId\":\"" +
                database.Find("music")->uuid +
                "\",\"exportTime\":\"2023-11-14T22:13:20.000Z\","
                "\"s3Bucket\":\"b\",\"s3Prefix\":\"2026-Nov\",\"s3SseAlgorithm\":\"AES256\",\"s3SseKmsKeyId\":null,"
                "\"manifestFilesS3Key\":\"" +
                folder +
                "manifest-files.json\",\"billedSizeBytes\":22,\"itemCount\":5,"
                "\"outputFormat\":\"DYNAMODB_JSON\"}");
  EXPECT_EQ(ReadExport(*made),
            (std::vector<std::string>{R"({"Item":{"n":{"N":"1"},"p":{"S":"a"}}})",
                                      R"({"Item":{"n":{"N":"2"},"p":{"S":"b"}}})",
                                      R"({"Item":{"n":{"N":"3"},"p":{"S":"c"}}})",
                                      R"({"Item":{"n":{"N":"4"},"p":{"S":"d"}}})", R"({"Item":{"p":{"S":"e"}}})"}));

  // One file for each part, with names as on AWS: 26 of its characters.
  const std::string files = GetObject(*bucket, folder + "manifest-files.json");
  std::string expected;
  std::set<std::string> keys = {folder + "_started", folder + "manifest-files.json", folder + "manifest-files.md5",
                                folder + "manifest-summary.json", folder + "manifest-summary.md5"};
  for (const std::string& line : LinesOf(files)) {
    const std::string key = FieldOf(line, "dataFileS3Key"), content = GetObject(*bucket, key);
    std::string name = key.substr(key.rfind('/') + 1);
    EXPECT_EQ(key, folder + "data/" + name);
    EXPECT_EQ(name.substr(26), ".json.gz");
    EXPECT_EQ(name.substr(0, 26).find_first_not_of("abcdefghijklmnopqrstuvwxyz234567"), std::string::npos) << name;
    std::string etag;
    for (const char c : Md5Of(content)) etag += fmt::format("{:02x}", static_cast<uint8_t>(c));
    expected += "{\"itemCount\":" + std::to_string(LinesOf(Unzip(*bucket, key)).size()) + ",\"md5Checksum\":\"" +
                Base64Of(Md5Of(content)) + "\",\"etag\":\"" + etag + "\",\"dataFileS3Key\":\"" + key + "\"}\n";
    keys.insert(key);
  }
  EXPECT_EQ(files, expected);
  EXPECT_EQ(keys.size(), 5 + kExportParts);
  const std::vector<Bucket::Object> objects = *bucket->List("");
  for (const Bucket::Object& object : objects) EXPECT_TRUE(keys.contains(object.key)) << object.key;
  EXPECT_EQ(objects.size(), keys.size());
  EXPECT_TRUE(database.Find("music")->holds.empty());
}

// A full export and a following incremental one must equal the stored fixtures (tests/transfer/fixtures/README.md) byte
// for byte, except for the gzip compression of the lines.
TEST_P(ExportsTest, ExportsMatchTheFixtures) {
  CreateTable("instruments");
  database.PutAll("instruments", {"{p='celesta', keys=49, makers=<'Mustel', 'Schiedmayer'>}",
                                  "{p='harp', strings=47, sold=true, tuning=['Cb', 'Gb', {hz=440.5}]}",
                                  "{p='oboe', price=1234.50, reed=null}", "{p='viola', strings=4}"});
  ExportOrder order = Order("instruments");
  order.prefix = "kept";
  order.token = "full";
  Make(order);
  database.clock.Advance(kMinute);
  const Micros from = database.clock.Now();
  ASSERT_TRUE(database.Put("instruments", "{p='viola', strings=5}").ok());
  ASSERT_TRUE(database.Delete("instruments", "{p='oboe'}").ok());
  ASSERT_TRUE(database.Put("instruments", "{p='zither', strings=42}").ok());
  database.clock.Set(from + kHour);
  ExportOrder changes = Incremental("instruments", from, from + kHour);
  changes.prefix = "kept";
  Make(changes);

  const std::string kept = RepositoryPath("tests/transfer/corpus/exports");
  BucketSettings settings;
  settings.root = kept.substr(0, kept.rfind('/'));
  const std::unique_ptr<Bucket> expected = *OpenBucket(settings, "exports"), made = OpenB();
  const auto keys = [](Bucket& bucket) {
    const std::vector<Bucket::Object> objects = *bucket.List("");
    std::vector<std::string> names;
    for (const Bucket::Object& object : objects) names.push_back(object.key);
    return names;
  };
  ASSERT_EQ(keys(*made), keys(*expected));
  for (const std::string& key : keys(*made)) {
    if (key.ends_with(".gz")) {
      EXPECT_EQ(Unzip(*made, key), Unzip(*expected, key)) << key;
    } else if (key.ends_with("manifest-files.json")) {
      const std::vector<std::string> lines = LinesOf(GetObject(*made, key)), old = LinesOf(GetObject(*expected, key));
      ASSERT_EQ(lines.size(), old.size());
      for (size_t i = 0; i < lines.size(); ++i) {
        const std::string file = FieldOf(old[i], "dataFileS3Key");
        EXPECT_EQ(FieldOf(lines[i], "dataFileS3Key"), file);
        EXPECT_EQ(FieldOf(lines[i], "itemCount"), FieldOf(old[i], "itemCount")) << file;
        EXPECT_EQ(FieldOf(old[i], "md5Checksum"), Base64Of(Md5Of(GetObject(*expected, file)))) << file;
      }
    } else if (!key.ends_with("manifest-files.md5")) {
      EXPECT_EQ(GetObject(*made, key), GetObject(*expected, key)) << key;
    }
  }
}

TEST_P(ExportsTest, PrefixesEndWithOneSlash) {
  CreateTable("t");
  struct Case {
    std::optional<std::string> prefix;
    std::string folder;
  };
  const Case cases[] = {
      {{}, "AWSDynamoDB/"}, {"", "AWSDynamoDB/"}, {"p", "p/AWSDynamoDB/"}, {"p/q/", "p/q/AWSDynamoDB/"}};
  for (const Case& c : cases) {
    ExportOrder order = Order("t");
    order.prefix = c.prefix;
    const ExportPtr made = Make(order);
    EXPECT_EQ(ExportLayout(*made).Summary(), c.folder + made->id + "/manifest-summary.json");
    EXPECT_TRUE(ReadExport(*made).empty());
  }
}

TEST_P(ExportsTest, IonIsTheSameInItsOwnLines) {
  CreateTable("t");
  database.PutAll("t", {"{p='a', n=1}", "{p='b'}"});
  ExportOrder order = Order("t");
  order.format = DataFormat::kIon;
  const ExportPtr made = Make(order);
  EXPECT_EQ(ReadExport(*made),
            (std::vector<std::string>{"$ion_1_0 {Item:{n:1.,p:\"a\"}}", "$ion_1_0 {Item:{p:\"b\"}}"}));
  const std::unique_ptr<Bucket> bucket = OpenB();
  for (const std::string& line : LinesOf(GetObject(*bucket, ExportLayout(*made).Files()))) {
    EXPECT_TRUE(FieldOf(line, "dataFileS3Key").ends_with(".ion.gz")) << line;
  }
  EXPECT_NE(GetObject(*bucket, ExportLayout(*made).Summary()).find("\"outputFormat\":\"ION\""), std::string::npos);
}

TEST_P(ExportsTest, AnExportIsTheTableAtItsMomentAfterARestartToo) {
  CreateTable("t");
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(database.Put("t", "{p='k" + std::to_string(i) + "', v=1}").ok());
  const std::vector<std::string> before = ItemLines("t");
  const ExportPtr first = Begin(Order("t")), second = Begin(Order("t"));
  for (int i = 20; i < 70; ++i) ASSERT_TRUE(database.Put("t", "{p='k" + std::to_string(i) + "', v=2}").ok());
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(database.Delete("t", "{p='k" + std::to_string(i) + "'}").ok());
  ASSERT_TRUE(exports->WorkOnce());
  Reopen();
  ASSERT_TRUE(database.Put("t", "{p='k1', v=3}").ok());
  RunBackgroundWork();
  EXPECT_NE(first->id, second->id);
  EXPECT_EQ(ReadExport(*Find(first->id)), before);
  EXPECT_EQ(ReadExport(*Find(second->id)), before);
  EXPECT_TRUE(database.Find("t")->holds.empty());
}

// What a killed process may leave: files of the export, of other exports, and unfinished ones.
TEST_P(ExportsTest, LeftoversOfAnAttemptAreRemoved) {
  CreateTable("t");
  database.PutAll("t", {"{p='a'}"});
  database.clock.Advance(kHour);
  const std::unique_ptr<Bucket> bucket = OpenB();
  for (const ExportOrder& order : {Order("t"), Incremental("t", database.clock.Now() - kHour, {})}) {
    const ExportPtr begun = Begin(order);
    const ExportLayout layout(*begun);
    const std::string other = layout.data() + "other.json.gz";
    const std::string shared = order.IsIncremental() ? other : "AWSDynamoDB/other/manifest-summary.json";
    for (const std::string& key : {layout.Started(), layout.Summary(), layout.SummaryChecksum(), layout.Files(),
                                   layout.DataKey(0), layout.DataKey(9), shared}) {
      ASSERT_EQ(PutObject(*bucket, key, "left"), "ok");
    }
    const std::string unfinished = root.path() + "/b/" + layout.data() + ".keyfold-unfinished-1";
    std::filesystem::create_directories(root.path() + "/b/" + layout.data());
    std::ofstream(unfinished) << "left";
    Reopen();
    RunBackgroundWork();
    EXPECT_EQ(ReadExport(*Find(begun->id)).size(), 1u);
    EXPECT_EQ(GetObject(*bucket, shared), "left") << "it is another export's";
    EXPECT_NE(GetObject(*bucket, layout.DataKey(9)), "left");
    EXPECT_FALSE(std::filesystem::exists(unfinished));
    const size_t data_files = bucket->List(layout.StemKey())->size();
    EXPECT_EQ(data_files, kExportParts);
  }
}

TEST_P(ExportsTest, ExportsUnderLoadHaveWholeTransactions) {
  CreateTable("t");
  engine::PairWriter writer(database.db(), "t");
  for (int round = 0; round < 8; ++round) {
    const int least = writer.written();
    const ExportPtr begun = Begin(Order("t"));
    const int most = writer.written() + 1;
    RunBackgroundWork();
    const std::vector<std::string> lines = ReadExport(*Find(begun->id));
    ASSERT_EQ(lines.size(), 2u);
    const auto number = [](const std::string& line) { return std::stoi(line.substr(line.find("\"N\":\"") + 5)); };
    EXPECT_EQ(number(lines[0]), number(lines[1]));
    EXPECT_GE(number(lines[0]), least);
    EXPECT_LE(number(lines[0]), most);
  }
  writer.Stop();
  EXPECT_GT(writer.written(), 8);
}

TEST_P(ExportsTest, EverySecondOfTheWindowCanBeExported) {
  CreateTable("t");
  std::vector<std::pair<Micros, std::vector<std::string>>> history;
  for (int second = 0; second < 6; ++second) {
    database.clock.Advance(kSecond);
    for (int i = second; i < second + 4; ++i) {
      ASSERT_TRUE(database.Put("t", "{p='k" + std::to_string(i) + "', v=" + std::to_string(second) + "}").ok());
    }
    if (second % 2 == 1) {
      ASSERT_TRUE(database.Delete("t", "{p='k" + std::to_string(second) + "'}").ok());
    }
    history.emplace_back(database.clock.Now(), ItemLines("t"));
  }
  database.clock.Advance(kSecond);
  for (const auto& [time, lines] : history) {
    ExportOrder order = Order("t");
    order.time = time;
    const ExportPtr made = Make(order);
    EXPECT_EQ(ReadExport(*made), lines) << time;
    EXPECT_EQ(made->time, time);
  }
}

// Each row: what is written before, in and after the period; then the lines with both images, and with only the new
// image. "+k v" puts, "-k" deletes, "." waits. The period's writes are a second apart.
TEST_P(ExportsTest, AnIncrementalExportHasTheNetChanges) {
  struct Case {
    const char* name;
    std::vector<std::string> before, within, behind;
    std::string both, alone;
  };
  const std::string keys = R"("Keys":{"p":{"S":"k"}})", one = R"({"p":{"S":"k"},"v":{"S":"1"}})",
                    two = R"({"p":{"S":"k"},"v":{"S":"2"}})";
  const auto line = [&](int second, const std::string& images) {
    return R"({"Metadata":{"WriteTimestampMicros":{"N":")" + std::to_string(database.clock.Now() + second * kSecond) +
           R"("}},)" + keys + images + "}";
  };
  const std::string old_one = R"(,"OldImage":)" + one, new_one = R"(,"NewImage":)" + one,
                    new_two = R"(,"NewImage":)" + two;
  CreateTable("created");  // moves the clock's time into the window
  const Case cases[] = {
      {"created", {}, {"+k 1"}, {}, line(0, new_one), line(0, new_one)},
      {"changed", {"+k 1"}, {"+k 2"}, {}, line(0, old_one + new_two), line(0, new_two)},
      {"deleted", {"+k 1"}, {"-k"}, {}, line(0, old_one), line(0, "")},
      {"created and changed", {}, {"+k 1", "+k 2"}, {}, line(1, new_two), line(1, new_two)},
      {"created and deleted", {}, {".", "+k 1", "-k"}, {}, "", ""},
      // A full export of a moment in that second may contain it.
      {"created in the first second and deleted", {}, {"+k 1", "-k"}, {}, line(1, ""), line(1, "")},
      {"deleted and created", {"+k 1"}, {"-k", "+k 2"}, {}, line(1, old_one + new_two), line(1, new_two)},
      {"changed and changed back", {"+k 1"}, {"+k 2", "+k 1"}, {}, line(1, old_one + new_one), line(1, new_one)},
      {"changed after it", {"+k 1"}, {"+k 2"}, {"-k"}, line(0, old_one + new_two), line(0, new_two)},
      {"changed before and after it only", {"+k 1"}, {}, {"+k 2"}, "", ""},
      {"put again as it was", {"+k 1"}, {"+k 1"}, {}, "", ""},
  };
  const Micros start = database.clock.Now();
  const auto write = [&](const std::string& table, const std::string& text) {
    if (text == ".") return;
    const std::string item = text[0] == '-' ? "{p='k'}" : "{p='k', v='" + text.substr(3) + "'}";
    ASSERT_TRUE((text[0] == '-' ? database.Delete(table, item) : database.Put(table, item)).ok());
  };
  int number = 0;
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const std::string table = "t" + std::to_string(number++);
    // Time only goes forward, so each case has its own table and its own period; the expected lines are shifted
    // accordingly.
    const Micros created = database.clock.Now();
    CreateTable(table);
    for (const std::string& text : c.before) write(table, text);
    database.clock.Advance(kMinute);
    const Micros from = database.clock.Now();
    for (const std::string& text : c.within) {
      write(table, text);
      database.clock.Advance(kSecond);
    }
    database.clock.Set(from + 20 * kMinute);
    for (const std::string& text : c.behind) write(table, text);
    const auto shifted = [&](std::string text) {
      const size_t at = text.find("\"N\":\"");
      if (at == std::string::npos) return std::vector<std::string>{};
      const Micros then = std::stoll(text.substr(at + 5, 16));
      text.replace(at + 5, 16, std::to_string(then - start + from));
      return std::vector<std::string>{text};
    };
    EXPECT_EQ(ReadExport(*Make(Incremental(table, from, from + 20 * kMinute))), shifted(c.both));
    EXPECT_EQ(ReadExport(*Make(Incremental(table, from, from + 20 * kMinute, ExportPeriod::View::kNewImage))),
              shifted(c.alone));
    EXPECT_GE(from, created);
  }
}

TEST_P(ExportsTest, AnIncrementalExportIsInAwsLayout) {
  CreateTable("t");
  const Micros from = database.clock.Now();
  database.clock.Advance(kMinute);
  database.PutAll("t", {"{p='a'}", "{p='b'}", "{p='c'}"});
  database.clock.Set(from + kHour + 250'000);
  const ExportPtr made = Make(Incremental("t", from, {}));
  EXPECT_EQ(made->time, from + kHour) << "the present second";
  EXPECT_EQ(made->started, from + kHour);
  EXPECT_EQ(ReadExport(*made).size(), 3u);
  const std::unique_ptr<Bucket> bucket = OpenB();
  EXPECT_EQ(GetObject(*bucket, "AWSDynamoDB/" + made->id + "/manifest-summary.json"),
            "{\"version\":\"2023-08-01\","
            "\"exportArn\":\"arn:aws:dynamodb:us-east-1:123456789012:table/t/export/" +
                made->id +
                "\","
                "\"startTime\":\"2023-11-14T23:13:20.000Z\",\"endTime\":\"2023-11-14T23:13:20.250Z\","
                "\"tableArn\":\"arn:aws:dynamodb:us-east-1:123456789012:table/t\","
                "\"tableId\":\"" +
                database.Find("t")->uuid +
                "\",\"exportFromTime\":\"2023-11-14T22:13:20.000Z\","
                "\"exportToTime\":\"2023-11-14T23:13:20.000Z\",\"s3Bucket\":\"b\",\"s3Prefix\":null,"
                "\"s3SseAlgorithm\":\"AES256\",\"s3SseKmsKeyId\":null,"
                "\"manifestFilesS3Key\":\"AWSDynamoDB/" +
                made->id +
                "/manifest-files.json\","
                "\"billedSizeBytes\":10000000,\"itemCount\":3,\"outputFormat\":\"DYNAMODB_JSON\","
                "\"outputView\":\"NEW_AND_OLD_IMAGES\",\"exportType\":\"INCREMENTAL_EXPORT\"}");
  EXPECT_EQ(bucket->List("AWSDynamoDB/data/")->size(), kExportParts);
  EXPECT_EQ(bucket->List("AWSDynamoDB/" + made->id + "/")->size(), 5u);
}

TEST_P(ExportsTest, ManyChangesGoThroughTheSorter) {
  CreateTable("t");
  const Micros from = database.clock.Now();
  std::set<std::string> expected;
  for (int round = 0; round < 3; ++round) {
    database.clock.Advance(kMinute);
    for (int i = 0; i < 300; ++i) {
      const std::string key = "k" + std::to_string(i), item = "{p='" + key + "', v='" + std::to_string(round) + "'}";
      if (round == 2 && i % 3 == 0) {
        ASSERT_TRUE(database.Delete("t", "{p='" + key + "'}").ok());
      } else {
        ASSERT_TRUE(database.Put("t", item).ok());
        if (round == 2) expected.insert(key);
      }
    }
  }
  database.clock.Set(from + kHour);
  const std::vector<std::string> lines = ReadExport(*Make(Incremental("t", from, {})));
  EXPECT_EQ(lines.size(), expected.size());
  for (const std::string& line : lines) {
    EXPECT_NE(line.find("\"NewImage\""), std::string::npos) << line;
    EXPECT_NE(line.find("\"v\":{\"S\":\"2\"}"), std::string::npos) << line;
    EXPECT_EQ(line.find("\"OldImage\""), std::string::npos) << line;
  }
}

// Recovery is turned on in the middle of a second, after writes that an older log still has.
TEST_P(ExportsTest, TheLogOfAnEarlierWindowIsIgnored) {
  CreateTable("t");
  database.PutAll("t", {"{p='a', v=1}"});
  SetRecovery("t", false);
  database.PutAll("t", {"{p='a', v=2}", "{p='b', v=2}"});
  database.clock.Advance(kSecond / 2);
  SetRecovery("t", true);
  const std::vector<std::string> lines = ItemLines("t");
  database.PutAll("t", {"{p='a', v=3}"});
  database.clock.Advance(kHour);
  ExportOrder order = Order("t");
  order.time = database.Find("t")->recovery.since.time - kSecond / 2;
  const Micros from = *order.time;
  EXPECT_EQ(ReadExport(*Make(order)), lines);
  EXPECT_EQ(ReadExport(*Make(Incremental("t", from, from + kHour))).size(), 1u);
}

TEST_P(ExportsTest, TheRowsOfADeletedTableStayUntilItsExportIsMade) {
  CreateTable("t");
  database.PutAll("t", {"{p='a'}", "{p='b'}"});
  const std::vector<std::string> lines = ItemLines("t");
  const ExportPtr begun = Begin(Order("t"));
  SetRecovery("t", false);  // no backup on deletion, which would hold the table too
  ASSERT_TRUE(database.lifecycle().Delete("t").ok());
  EXPECT_EQ(Refused(Order("t")), "Table not found: arn:aws:dynamodb:us-east-1:123456789012:table/t");
  CreateTable("t");  // the name is free, and the new table's items are not exported
  database.PutAll("t", {"{p='c'}"});
  database.RunBackgroundWork();
  EXPECT_EQ(database.Rows(begun->table_id, store::kBaseTable).size(), 2u);
  RunBackgroundWork();
  EXPECT_TRUE(database.catalog().Current()->departed.empty());
  EXPECT_TRUE(database.Rows(begun->table_id, store::kBaseTable).empty());
  EXPECT_EQ(ReadExport(*Find(begun->id)), lines);
}

TEST_P(ExportsTest, ATableThatIsGoneFailsItsExport) {
  CreateTable("t");
  const ExportPtr begun = Begin(Order("t"));
  ASSERT_TRUE(database.catalog()
                  .Change([&](const engine::CatalogSnapshot&, engine::CatalogEdit& edit) {
                    edit.removes.push_back("t");
                    return Ok();
                  })
                  .ok());
  CreateTable("t");
  RunBackgroundWork();
  EXPECT_EQ(Find(begun->id)->status, Export::Status::kFailed);
  EXPECT_EQ(Find(begun->id)->failure_code, "TableNotFound");
  EXPECT_EQ(Find(begun->id)->failure_message, "The table was deleted during the export");
  EXPECT_EQ(GetObject(*OpenB(), ExportLayout(*begun).Summary()).substr(0, 9), "NoSuchKey");
}

TEST_P(ExportsTest, JobsReportProgress) {
  CreateTable("t");
  const std::string text(1200, 'x');
  for (int i = 0; i < 2500; ++i) {
    ASSERT_TRUE(database.Put("t", "{p='" + std::to_string(i) + "', y='" + text + "'}").ok());
  }
  const Micros from = database.clock.Now();
  engine::StoreThatSeesJobs store(database.store(), jobs);
  const engine::Database db{store, database.catalog(), database.clock};
  exports = *ExportJobs::Open(db, engine::Identity{}, Buckets(), work.folder(), 7, jobs);
  const ExportPtr made = Make(Order("t"));
  EXPECT_EQ(made->items, 2500);
  EXPECT_EQ(store.id, made->id);
  EXPECT_TRUE(store.HasSeen("EXPORT t writing 0/2500 ITEMS")) << store.SeenText();
  EXPECT_TRUE(store.HasSeen("EXPORT t writing 1024/2500 ITEMS")) << store.SeenText();
  EXPECT_TRUE(jobs.List().empty());

  database.clock.Advance(kHour);
  store.seen.clear();
  EXPECT_EQ(Make(Incremental("t", from, std::nullopt))->failure_message, "");
  EXPECT_EQ(store.SeenText(), "EXPORT t beginning 0/? ITEMS\nEXPORT t reading the log 0/? ITEMS\n");
  EXPECT_TRUE(jobs.List().empty());
}

class StoreThatFails final : public engine::ForwardingStore {
 public:
  using engine::ForwardingStore::ForwardingStore;
  Status ScanSlots(const store::SlotRange&, store::Visit, store::Access) override { return kFailure(); }

 private:
  static constexpr Rule<"sector 7 cannot be read"> kFailure{"test-failure", Kind::kInternal};
};

TEST_P(ExportsTest, DetailsOfAStoreFailureAreHidden) {
  CreateTable("t");
  StoreThatFails failing(database.store());
  const ExportPtr begun = Begin(Order("t"));
  const engine::Database db{failing, database.catalog(), database.clock};
  exports = *ExportJobs::Open(db, engine::Identity{}, Buckets(), work.folder(), 7, jobs);
  RunBackgroundWork();
  EXPECT_EQ(Find(begun->id)->failure_code, "InternalServerError");
  EXPECT_EQ(Find(begun->id)->failure_message, "Internal server error");
  EXPECT_TRUE(database.Find("t")->holds.empty());
}

TEST_P(ExportsTest, TheBackgroundThreadDoesTheWork) {
  CreateTable("t");
  database.PutAll("t", {"{p='a'}"});
  exports->Start();
  const ExportPtr first = Begin(Order("t")), second = Begin(Order("t"));
  exports->Finish();
  EXPECT_EQ(ReadExport(*Find(first->id)).size(), 1u);
  EXPECT_EQ(ReadExport(*Find(second->id)).size(), 1u);
  exports->Stop();
}

TEST_P(ExportsTest, AFullDiskFailsTheExportAndLeavesNoFiles) {
  CreateTable("t");
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(database.Put("t", "{p='" + std::to_string(i) + "'}").ok());
  const ExportPtr begun = Begin(Order("t"));
  room.left = 0;
  RunBackgroundWork();
  const ExportPtr failed = Find(begun->id);
  EXPECT_EQ(failed->status, Export::Status::kFailed);
  EXPECT_EQ(failed->failure_code, "DiskFull");
  EXPECT_NE(failed->failure_message, "");
  EXPECT_TRUE(OpenB()->List("")->empty());
  EXPECT_TRUE(root.folder().List("")->empty()) << "nothing unfinished either";
  EXPECT_TRUE(database.Find("t")->holds.empty());
  room.left = UINT64_MAX;
  EXPECT_EQ(ReadExport(*Make(Order("t"))), ItemLines("t"));
}

INSTANTIATE_TEST_SUITE_P(Stores, ExportsTest, testing::Values(engine::StoreKind::kMemory, engine::StoreKind::kRocksdb),
                         [](const auto& info) {
                           return info.param == engine::StoreKind::kMemory ? "memory" : "rocksdb";
                         });

}  // namespace
}  // namespace keyfold::transfer
