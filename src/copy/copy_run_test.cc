// Copies between two databases in memory: what arrives, what is refused, and where a failed copy resumes.
#include "copy/copy_run.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "copy/planning.h"
#include "copy/segment_copy.h"
#include "copy/table_calls.h"
#include "json/raw_json.h"
#include "testing/copy/ends.h"
#include "testing/files/folder.h"
#include "testing/terminal/console.h"

namespace keyfold::copy {
namespace {

constexpr Rule<"gone"> kGone{"test-gone", Kind::kUnavailable};

constexpr char kTable[] =
    R"({"TableName":"%","BillingMode":"PAY_PER_REQUEST","KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}],)"
    R"("AttributeDefinitions":[{"AttributeName":"pk","AttributeType":"S"}]})";

constexpr char kFull[] =
    R"({"TableName":"full","BillingMode":"PROVISIONED",)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":3,"WriteCapacityUnits":4},)"
    R"("AttributeDefinitions":[{"AttributeName":"p","AttributeType":"S"},{"AttributeName":"s","AttributeType":"N"},)"
    R"({"AttributeName":"b","AttributeType":"B"}],)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"s","KeyType":"RANGE"}],)"
    R"("LocalSecondaryIndexes":[{"IndexName":"lsi",)"
    R"("KeySchema":[{"AttributeName":"p","KeyType":"HASH"},{"AttributeName":"b","KeyType":"RANGE"}],)"
    R"("Projection":{"ProjectionType":"INCLUDE","NonKeyAttributes":["x"]}}],)"
    R"("GlobalSecondaryIndexes":[{"IndexName":"gsi","KeySchema":[{"AttributeName":"b","KeyType":"HASH"}],)"
    R"("Projection":{"ProjectionType":"KEYS_ONLY"},)"
    R"("ProvisionedThroughput":{"ReadCapacityUnits":7,"WriteCapacityUnits":8}}],)"
    R"("StreamSpecification":{"StreamEnabled":true,"StreamViewType":"OLD_IMAGE"},"DeletionProtectionEnabled":true,)"
    R"("Tags":[{"Key":"team","Value":"a/b"},{"Key":"cost","Value":"1"}]})";

std::string TtlBody(const std::string& table, const std::string& attribute) {
  return R"({"TableName":")" + table + R"(","TimeToLiveSpecification":{"Enabled":true,"AttributeName":")" + attribute +
         R"("}})";
}

std::string Named(std::string text, const std::string& name) { return text.replace(text.find('%'), 1, name); }

void Fill(EndForTest& end, const std::string& table, size_t items, const std::string& value = "v") {
  end.Must("CreateTable", Named(kTable, table));
  for (size_t i = 0; i < items; ++i) {
    end.Must("PutItem", R"({"TableName":")" + table + R"(","Item":{"pk":{"S":"k)" + std::to_string(i) +
                            R"("},"v":{"S":")" + value + R"("},"n":{"N":"1.5"}}})");
  }
}

std::vector<std::string> ItemsOf(EndForTest& end, const std::string& table) {
  const std::string answer = end.Must("Scan", R"({"TableName":")" + table + R"("})");
  const Result<ScanPage> page = CutScanPage(answer);
  EXPECT_TRUE(page.ok() && page->next.empty());
  std::vector<std::string> items(page->items.begin(), page->items.end());
  std::sort(items.begin(), items.end());
  return items;
}

// A copy of one table, `tab`, from planning to completion.
struct Trial {
  EndForTest source, target;
  files::FolderForTest place;
  terminal::TestConsole console;
  SystemClock clock;
  CopyPlan plan;

  Trial() { plan.tables = {{"tab", "tab"}}; }
  std::string path() const { return place.path() + "/copy.json"; }

  std::string Plan(uint32_t segments = 4) {
    const auto from = source.opener()(), to = target.opener()();
    const Status status = CompletePlan(plan, segments, **from, **to);
    return status.ok() ? "" : status.message();
  }
  // Returns "" or the error. The journal is kept.
  std::string Carry(CopyJournal& journal) {
    StopRequest stop;
    const CopyEnds ends{source.opener(), target.opener()};
    const Result<bool> done = CopyRun(journal, ends, console.console(), clock, stop).Run();
    if (!done.ok()) return done.error().message();
    return *done ? "" : "counts differ";
  }
  std::string Begin() {
    auto journal = CopyJournal::Begin(path(), plan);
    return journal.ok() ? Carry(**journal) : journal.error().message();
  }
  std::string Resume() {
    auto journal = CopyJournal::Resume(path());
    return journal.ok() ? Carry(**journal) : journal.error().message();
  }
};

TEST(CopyRun, ATableIsCopiedCompletely) {
  Trial trial;
  trial.plan.verify = true;
  Fill(trial.source, "tab", 300);
  ASSERT_EQ(trial.Plan(), "");
  EXPECT_TRUE(trial.plan.tables[0].creates);
  EXPECT_EQ(trial.plan.tables[0].segments.size(), 4u);
  EXPECT_EQ(trial.Begin(), "");
  EXPECT_EQ(ItemsOf(trial.source, "tab"), ItemsOf(trial.target, "tab"));
  EXPECT_EQ(trial.console.out().find("tab: verified, 300 items at the source, 300 at the target\ntab: 300 items, "), 0u)
      << trial.console.out();
  const auto journal = CopyJournal::Resume(trial.path());
  ASSERT_TRUE(journal.ok());
  EXPECT_EQ((*journal)->table(0).phase, TablePhase::kDone);
  EXPECT_EQ((*journal)->table(0).Total().items, 300u);
}

TEST(CopyRun, SettingsAreCopied) {
  Trial trial;
  trial.plan.tables = {{"full", "other"}};
  trial.source.Must("CreateTable", kFull);
  trial.source.Must("UpdateTimeToLive", TtlBody("full", R"(e\"x)"));
  trial.plan.schema_only = true;
  ASSERT_EQ(trial.Plan(), "");
  EXPECT_EQ(trial.Begin(), "");
  const auto body = [](EndForTest& end, const std::string& table, const CopiedSettings& settings) {
    const auto caller = end.opener()();
    const auto description = TableDescription::Ask(**caller, table);
    EXPECT_TRUE(description.ok() && *description);
    const auto tags = ReadTags(**caller, (*description)->arn());
    EXPECT_TRUE(tags.ok()) << tags.error().message();
    return (*description)->CreateBody("x", settings, *tags) + *ReadTtl(**caller, table);
  };
  const std::string made = body(trial.target, "other", {});
  EXPECT_EQ(body(trial.source, "full", {}), made);
  for (const char* part : {"\"lsi\"", "\"gsi\"", "\"OLD_IMAGE\"", "\"DeletionProtectionEnabled\":true", R"("a/b")",
                           R"("WriteCapacityUnits":8)", R"("e\"x")"}) {
    EXPECT_NE(made.find(part), std::string::npos) << part << " in " << made;
  }
  EXPECT_EQ(trial.console.out().find("full as other: created in "), 0u) << trial.console.out();
  EXPECT_EQ(trial.target.calls("BatchWriteItem"), 0u);
}

TEST(CopyRun, WhatIsRefusedBeforeAnythingIsDone) {
  struct Row {
    const char* what;
    size_t source_items;
    int target_items;  // -1: no table
    void (*change)(CopyPlan& plan);
    const char* why;
  };
  const Row rows[] = {
      {"all is well", 1, -1, [](CopyPlan&) {}, ""},
      {"an empty table", 1, 0, [](CopyPlan&) {}, ""},
      {"a full table", 1, 1, [](CopyPlan&) {},
       "the table tab already has items; --append writes into it and replaces items with the same keys"},
      {"a full table, on purpose", 1, 1, [](CopyPlan& plan) { plan.append = true; }, ""},
      {"items only", 1, -1, [](CopyPlan& plan) { plan.items_only = true; },
       "there is no table tab to write into, and --items-only creates none"},
      {"items only, into an empty one", 1, 0, [](CopyPlan& plan) { plan.items_only = true; }, ""},
      {"schema only", 1, 0, [](CopyPlan& plan) { plan.schema_only = true; }, "the table tab already exists"},
      {"no source", 1, -1,
       [](CopyPlan& plan) {
         plan.tables = {{"nil", "nil"}};
       },
       "there is no table nil to copy"},
  };
  for (const Row& row : rows) {
    Trial trial;
    Fill(trial.source, "tab", row.source_items);
    if (row.target_items >= 0) Fill(trial.target, "tab", static_cast<size_t>(row.target_items));
    const size_t written = trial.target.calls("PutItem");
    row.change(trial.plan);
    EXPECT_EQ(trial.Plan(), row.why) << row.what;
    EXPECT_EQ(trial.target.calls("PutItem"), written);
    EXPECT_EQ(trial.target.calls("CreateTable"), row.target_items >= 0 ? 1u : 0u) << row.what;
  }
  Trial trial;
  Fill(trial.source, "tab", 1);
  trial.target.Must(
      "CreateTable",
      R"({"TableName":"tab","BillingMode":"PAY_PER_REQUEST","AttributeDefinitions":[{"AttributeName":"pk",)"
      R"("AttributeType":"N"}],"KeySchema":[{"AttributeName":"pk","KeyType":"HASH"}]})");
  EXPECT_EQ(trial.Plan(), "the key of tab is pk (S), but the key of tab is pk (N)");
}

TEST(CopyRun, AppendingCountsWhatIsThere) {
  Trial trial;
  Fill(trial.source, "tab", 30, "new");
  Fill(trial.target, "tab", 50, "old");
  trial.plan.append = trial.plan.verify = true;
  ASSERT_EQ(trial.Plan(), "");
  EXPECT_EQ(trial.Begin(), "");
  EXPECT_EQ(ItemsOf(trial.target, "tab").size(), 50u);
  EXPECT_NE(trial.console.out().find("tab: verified, 30 items at the source, 50 at the target\n"), std::string::npos);
  EXPECT_NE(trial.console.err().find("tab already exists; its settings are not changed\n"), std::string::npos);
}

TEST(CopyRun, ItemsThatAreMissingAreNoticed) {
  Trial trial;
  Fill(trial.source, "tab", 30);
  trial.plan.verify = true;
  ASSERT_EQ(trial.Plan(), "");
  trial.target.interfere = [lost = false](std::string_view operation,
                                          const std::string&) mutable -> EndForTest::Instead {
    if (operation != "BatchWriteItem" || lost) return std::nullopt;
    lost = true;
    return Result<std::string>(std::string("{}"));
  };
  EXPECT_EQ(trial.Begin(), "counts differ");
  EXPECT_NE(trial.console.out().find("tab: NOT EQUAL, 30 items at the source, "), std::string::npos)
      << trial.console.out();
}

// A target that accepts some batches and then fails; the copy is resumed and fails again, until it completes.
TEST(CopyRun, ResumesAfterWhatWasAcknowledged) {
  Trial trial;
  Fill(trial.source, "tab", 500);
  trial.plan.speed.threads = 1;
  ASSERT_EQ(trial.Plan(3), "");
  size_t left = 0;
  trial.target.interfere = [&left](std::string_view operation, const std::string&) -> EndForTest::Instead {
    if (operation != "BatchWriteItem" || left-- > 0) return std::nullopt;
    return Result<std::string>(kGone());
  };
  left = 8;
  std::string outcome = trial.Begin();
  size_t runs = 1;
  for (; outcome == "gone" && runs < 20; ++runs) {
    left = 8;
    outcome = trial.Resume();
  }
  EXPECT_EQ(outcome, "");
  EXPECT_GT(runs, 2u);
  // A completed segment is not read again: each is read once, and the failed one once more per run.
  EXPECT_EQ(trial.source.calls("Scan"), 3 + runs - 1);
  trial.target.interfere = nullptr;
  EXPECT_EQ(ItemsOf(trial.source, "tab"), ItemsOf(trial.target, "tab"));
  EXPECT_EQ(trial.target.calls("CreateTable"), 1u);
}

TEST(CopyRun, PagesAreJournaledWhenAcknowledged) {
  Trial trial;
  Fill(trial.source, "tab", 120);
  trial.plan.speed = {.threads = 1, .limits = {.items = 160}};
  ASSERT_EQ(trial.Plan(1), "");
  auto journal = CopyJournal::Begin(trial.path(), trial.plan);
  ASSERT_TRUE(journal.ok());
  const ManualClock still(0);
  CopyPace pace({}, still);
  StopRequest stop;
  Acknowledged acknowledged;
  trial.target.Must("CreateTable", Named(kTable, "tab"));
  const auto from = trial.source.opener()(), to = trial.target.opener()();
  BatchWrite write(**to, "tab", pace, stop, acknowledged, 1);
  SegmentCopy copy(**from, write, **journal, 0, stop);
  size_t left = 3;  // a page is two batches: the second page fails after its first half
  trial.target.interfere = [&left](std::string_view operation, const std::string&) -> EndForTest::Instead {
    if (operation != "BatchWriteItem" || left-- > 0) return std::nullopt;
    return Result<std::string>(kGone());
  };
  EXPECT_EQ(copy.Run(0).message(), "gone");
  const SegmentMark mark = (*journal)->segment(0, 0);
  EXPECT_EQ(mark.items, 40u);
  EXPECT_FALSE(mark.done);
  EXPECT_EQ(acknowledged.items, 65u);
  trial.target.interfere = nullptr;
  EXPECT_TRUE(copy.Run(0).ok());
  EXPECT_EQ((*journal)->segment(0, 0).items, 120u);
  EXPECT_TRUE((*journal)->segment(0, 0).done);
  EXPECT_NE(trial.source.bodies()[trial.source.bodies().size() - 3].find("\"ExclusiveStartKey\":" + mark.next),
            std::string::npos)
      << "it went on where it was";
  EXPECT_EQ(ItemsOf(trial.source, "tab"), ItemsOf(trial.target, "tab"));
}

TEST(CopyRun, ATableMadeBeforeAKillIsOurs) {
  Trial trial;
  Fill(trial.source, "tab", 10);
  trial.source.Must("UpdateTimeToLive", TtlBody("tab", "e"));
  ASSERT_EQ(trial.Plan(), "");
  ASSERT_TRUE(CopyJournal::Begin(trial.path(), trial.plan).ok());
  trial.target.Must("CreateTable", Named(kTable, "tab"));  // the program died before recording that
  EXPECT_EQ(trial.Resume(), "");
  EXPECT_EQ(ItemsOf(trial.target, "tab").size(), 10u);
  EXPECT_EQ(trial.target.calls("UpdateTimeToLive"), 1u);
}

}  // namespace
}  // namespace keyfold::copy
