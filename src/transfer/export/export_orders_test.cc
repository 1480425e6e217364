// Tests which exports are refused, which fail, and which repeat an earlier one.
#include <gtest/gtest.h>

#include <functional>

#include "testing/transfer/exports.h"

namespace keyfold::transfer {
namespace {

using ExportOrdersTest = ExportsTest;
INSTANTIATE_TEST_SUITE_P(Stores, ExportOrdersTest,
                         testing::Values(engine::StoreKind::kMemory, engine::StoreKind::kRocksdb),
                         [](const auto& info) {
                           return info.param == engine::StoreKind::kMemory ? "memory" : "rocksdb";
                         });

TEST_P(ExportOrdersTest, BucketsThatCannotBeWrittenToFailTheExport) {
  CreateTable("t");
  struct Case {
    const char* name;
    std::function<void(ExportOrder&)> change;
    std::string code, message;
  };
  const Case cases[] = {
      {"no such bucket", [](ExportOrder& o) { o.bucket = "none"; }, "S3NoSuchBucket",
       "NoSuchBucket: The specified bucket does not exist: create the folder none in --s3-root, which is s3 in "
       "the data folder by default (s3://none)"},
      {"another's bucket", [](ExportOrder& o) { o.bucket_owner = "999999999999"; }, "S3AccessDenied",
       "AccessDenied: Access Denied (s3://b)"},
      {"its own bucket", [](ExportOrder& o) { o.bucket_owner = "123456789012"; }, "", ""},
  };
  for (const Case& c : cases) {
    ExportOrder order = Order("t");
    c.change(order);
    const ExportPtr made = Make(order);
    EXPECT_EQ(made->failure_code, c.code) << c.name;
    EXPECT_EQ(made->failure_message, c.message) << c.name;
    EXPECT_EQ(made->status, c.code.empty() ? Export::Status::kCompleted : Export::Status::kFailed) << c.name;
    EXPECT_GT(made->ended, 0) << c.name;
    EXPECT_TRUE(database.Find("t")->holds.empty()) << c.name;
  }
  for (const char* prefix : {"../x", "/x", "x/../../y", "x//y"}) {
    ExportOrder order = Order("t");
    order.prefix = prefix;
    EXPECT_EQ(Make(order)->failure_code, "S3InvalidRequest") << prefix;
  }
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(root.path()), {}), 1) << "something beside the bucket";
  exports = *ExportJobs::Open(database.db(), engine::Identity{}, BucketSettings{}, work.folder(), 7, jobs);
  const ExportPtr without_buckets = Make(Order("t"));
  EXPECT_EQ(without_buckets->failure_code, "S3NoSuchBucket");
  EXPECT_EQ(without_buckets->failure_message,
            "NoSuchBucket: The specified bucket does not exist: neither --s3-root nor --s3-endpoint is set (s3://b)");
}

TEST_P(ExportOrdersTest, ATokenIdentifiesOneExport) {
  CreateTable("t");
  CreateTable("u");
  database.clock.Advance(2 * kDay);
  const Micros now = database.clock.Now();
  ExportOrder order = Order("t");
  order.token = "tok";
  const ExportPtr first = Begin(order);
  EXPECT_EQ(Begin(order)->id, first->id);
  RunBackgroundWork();
  EXPECT_EQ(Begin(order)->id, first->id) << "after its end";
  const std::string conflict = "Export conflict: Duplicate request detected with conflicting parameters";
  const std::vector<std::pair<const char*, std::function<void(ExportOrder&)>>> changes = {
      {"table", [](ExportOrder& o) { o.table = "u"; }},
      {"bucket", [](ExportOrder& o) { o.bucket = "none"; }},
      {"prefix", [](ExportOrder& o) { o.prefix = "p"; }},
      {"owner", [](ExportOrder& o) { o.bucket_owner = "123456789012"; }},
      {"format", [](ExportOrder& o) { o.format = DataFormat::kIon; }},
      {"encryption", [](ExportOrder& o) { o.encryption = "AES256"; }},
      {"key", [](ExportOrder& o) { o.encryption_key = "k"; }},
      {"time", [&](ExportOrder& o) { o.time = now - kSecond; }},
      {"type", [](ExportOrder& o) { o.kind = ExportOrder::Kind::kFull; }},
      {"period",
       [&](ExportOrder& o) {
         o.kind = ExportOrder::Kind::kIncremental;
         o.period = ExportPeriod{.from = now - kHour, .to = {}, .view = {}};
       }},
  };
  for (const auto& [name, change] : changes) {
    ExportOrder other = order;
    change(other);
    EXPECT_EQ(Refused(other), conflict) << name;
  }
  EXPECT_EQ(exports
                ->Create([&] {
                  auto o = order;
                  o.prefix = "p";
                  return o;
                }())
                .error()
                .kind(),
            Kind::kExportConflict);
  ExportOrder another = order;
  another.token = "other";
  EXPECT_NE(Begin(another)->id, first->id);
  EXPECT_NE(Begin(Order("t"))->id, Begin(Order("t"))->id) << "without a token";
  ExportOrder refused = order;
  refused.token = "free";
  refused.time = now + kHour;
  EXPECT_EQ(Refused(refused), "Export Time is invalid");
  refused.time = {};
  EXPECT_EQ(Refused(refused), "accepted") << "what was refused leaves no token behind";
  database.clock.Advance(8 * kHour - 1);
  EXPECT_EQ(Begin(order)->id, first->id);
  database.clock.Advance(1);
  EXPECT_NE(Begin(order)->id, first->id) << "after eight hours";
  RunBackgroundWork();
  Reopen();
  EXPECT_NE(Begin(another)->id, first->id);
}

TEST_P(ExportOrdersTest, MomentsAndPeriodsMustLieInTheWindow) {
  const Micros created = database.clock.Now();  // a whole second
  database.Create(engine::TableOfText("t", "p:S"));
  EXPECT_EQ(Refused(Order("t")), "Point in time recovery is not enabled for table 't'");
  EXPECT_EQ(exports->Create(Order("t")).error().kind(), Kind::kPointInTimeRecoveryUnavailable);
  EXPECT_EQ(Refused(Incremental("t", created, {})),
            "Incremental export period from time should not be greater or equal to incremental export period to time");
  database.clock.Advance(kHour + kSecond / 2);
  EXPECT_EQ(Refused(Incremental("t", created, {})), "Point in time recovery is not enabled for table 't'");
  SetRecovery("t", true);
  const Micros since = database.clock.Now(), second = since - kSecond / 2;
  database.clock.Advance(30 * kHour);
  const Micros now = database.clock.Now();
  EXPECT_EQ(Refused(Order("none")), "Table not found: arn:aws:dynamodb:us-east-1:123456789012:table/none");
  const std::string invalid = "Export Time is invalid",
                    outside = "Point in Time Recovery is not available for specified export time";
  struct Moment {
    Micros time;
    std::string answer;
  };
  const Moment moments[] = {{created - kSecond, invalid}, {created, outside},    {second - 1, outside},
                            {second, "accepted"},         {now - 1, "accepted"}, {now, "accepted"},
                            {now + 1, invalid},           {now + kHour, invalid}};
  for (const Moment& m : moments) {
    ExportOrder order = Order("t");
    order.time = m.time;
    EXPECT_EQ(Refused(order), m.answer) << m.time - since;
    if (m.answer == "accepted") continue;
    EXPECT_EQ(exports->Create(order).error().kind(), Kind::kInvalidExportTime);
  }
  struct Period {
    Micros from;
    std::optional<Micros> to;
    std::string answer;
  };
  const std::string too_short =
      "Difference between export period from time and export period to time is less than 15 minutes";
  const Period periods[] = {
      {created - kSecond,
       {},
       "Incremental export period from time cannot be less than the table creation time : 2023-11-14T22:13:19Z"},
      {now - kHour, now + kSecond,
       "Incremental export period to time cannot be greater than the current time : 2023-11-16T05:13:21Z"},
      {now - kHour, now - 2 * kHour,
       "Incremental export period from time should not be greater or equal to incremental export period to time"},
      {now - kHour, now - kHour,
       "Incremental export period from time should not be greater or equal to incremental export period to time"},
      {now - kHour, now - kHour + 15 * kMinute - 1, too_short},
      {now - kHour, now - kHour + 15 * kMinute, "accepted"},
      {now - 15 * kMinute, {}, too_short},  // the current second is half over
      {now - 25 * kHour, now - kHour, "accepted"},
      {now - 25 * kHour - 1, now - kHour,
       "Difference between export period from time and export period to time is greater than 24 hours"},
      {second - 1, second + kHour, outside},
      {second, second + kHour, "accepted"},
  };
  for (const Period& p : periods) EXPECT_EQ(Refused(Incremental("t", p.from, p.to)), p.answer) << p.from - since;
  RunBackgroundWork();
  for (const ExportPtr& made : AllExports(*database.catalog().Current())) {
    EXPECT_EQ(made->status, Export::Status::kCompleted) << made->failure_message;
  }
}

using MemoryExportsTest = ExportsTest;
INSTANTIATE_TEST_SUITE_P(Memory, MemoryExportsTest, testing::Values(engine::StoreKind::kMemory));

TEST_P(MemoryExportsTest, ThreeHundredAreInProgressAtMost) {
  CreateTable("t");
  for (int i = 0; i < 300; ++i) ASSERT_EQ(Refused(Order("t", "none")), "accepted");
  const Result<ExportPtr> refused = exports->Create(Order("t"));
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind(), Kind::kLimitExceeded);
  EXPECT_EQ(refused.error().message(),
            "Subscriber limit exceeded: There is a limit of 300 exports in progress per subscriber");
  ASSERT_TRUE(exports->WorkOnce());
  EXPECT_EQ(Refused(Order("t", "none")), "accepted");
}

TEST_P(MemoryExportsTest, ASeedThatIsUsedAgainGivesOtherNames) {
  CreateTable("t");
  const ExportPtr first = Begin(Order("t"));
  Reopen();
  const ExportPtr second = Begin(Order("t"));
  EXPECT_NE(first->id, second->id);
  EXPECT_NE(first->stem, second->stem);
  database.clock.Advance(kSecond);
  Reopen();
  const ExportPtr third = Begin(Order("t"));
  EXPECT_EQ(first->id.substr(15), third->id.substr(15)) << "the seed is another: nothing is shown here";
  EXPECT_NE(first->stem, third->stem);
}

TEST_P(MemoryExportsTest, ExportsAreForgottenAfterNinetyDays) {
  CreateTable("t");
  const ExportPtr old = Make(Order("t"));
  database.clock.Advance(90 * kDay - 1);
  const ExportPtr later = Make(Order("t"));
  EXPECT_TRUE(Find(old->id));
  database.clock.Advance(1);
  Make(Order("t"));
  EXPECT_FALSE(Find(old->id));
  EXPECT_TRUE(Find(later->id));
}

TEST_P(MemoryExportsTest, NotesOfANewerVersionAreRefused) {
  ASSERT_TRUE(database.catalog()
                  .Change([&](const engine::CatalogSnapshot&, engine::CatalogEdit& edit) {
                    edit.notes.emplace_back(ExportNote("x"), "\xFF");
                    return Ok();
                  })
                  .ok());
  const auto opened = ExportJobs::Open(database.db(), engine::Identity{}, Buckets(), work.folder(), 7, jobs);
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().message(), "The export export/x was written by a newer version of Keyfold, or is damaged");
}

}  // namespace
}  // namespace keyfold::transfer
