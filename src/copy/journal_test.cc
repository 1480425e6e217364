#include "copy/journal.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "testing/files/folder.h"

namespace keyfold::copy {
namespace {

constexpr char kNext[] = R"({"pk":{"S":"ä\""}})";

CopyPlan SomePlan() {
  CopyPlan plan;
  plan.from = {.endpoint = "http://127.0.0.1:1/", .region = "eu-west-1", .profile = "p\"q", .ca_file = "ca.pem"};
  plan.to = {.endpoint = "https://dynamodb.us-east-1.amazonaws.com/", .region = "us-east-1"};
  plan.settings = {.ttl = false, .tags = true, .stream = false};
  plan.append = plan.verify = true;
  plan.speed = {3, {100, 20'000}};
  plan.tables = {{"a", "b", true, 12, TablePhase::kCopying, {{kNext, 5, 600, false}, {"", 7, 8, true}}},
                 {"c", "c", false, 0, TablePhase::kWaiting, {{}, {}}},
                 {"d", "d", true, 1, TablePhase::kCopied, {}},
                 {"e", "e", true, 1, TablePhase::kDone, {}}};
  return plan;
}

TEST(CopyJournal, EverythingComesBack) {
  const std::string text = TextOf(SomePlan());
  const Result<CopyPlan> back = ReadPlan(text);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(TextOf(*back), text);
  EXPECT_EQ(back->from.profile, "p\"q");
  EXPECT_EQ(back->tables[0].segments[0].next, kNext);
  EXPECT_EQ(back->tables[0].Total().items, 12u);
  EXPECT_EQ(back->tables[0].Total().bytes, 608u);
  EXPECT_EQ(back->tables[3].phase, TablePhase::kDone);
  EXPECT_EQ(back->speed.limits.bytes, 20'000u);
}

TEST(CopyJournal, RefusesFilesThatAreNotJournals) {
  std::string other = TextOf(SomePlan());
  other.replace(other.find("\"keyfold_copy\":1"), 16, "\"keyfold_copy\":9");
  const std::pair<std::string, const char*> rows[] = {
      {"", "not a copy journal"},
      {"[]", "not a copy journal"},
      {"{\"tables\":[]}", "not a copy journal"},
      {"{\"keyfold_copy\":1,\"tables\":{}}", "not a copy journal"},
      {"{\"keyfold_copy\":1,\"tables\":[{}]}", "not a copy journal"},
      {"{\"keyfold_copy\":1,\"tables\":[{\"source\":\"a\",\"target\":\"a\",\"phase\":\"copying\"}]}",
       "not a copy journal"},
      {"{\"keyfold_copy\":1,\"tables\":[{\"source\":\"a\",\"target\":\"a\",\"phase\":\"x\",\"segments\":[]}]}",
       "not a copy journal"},
      {TextOf(SomePlan()).substr(0, 300), "not a copy journal"},
      {other, "the journal has format 9; this program supports 1"},
  };
  for (const auto& [text, why] : rows) {
    const Result<CopyPlan> plan = ReadPlan(text);
    ASSERT_FALSE(plan.ok()) << text;
    EXPECT_EQ(plan.error().message(), why) << text;
  }
}

TEST(CopyJournal, LifeCycle) {
  const files::FolderForTest place;
  const std::string path = place.path() + "/copy.json";
  {
    auto journal = CopyJournal::Begin(path, SomePlan());
    ASSERT_TRUE(journal.ok()) << journal.error().message();
    (*journal)->SetPhase(1, TablePhase::kCopying);
    (*journal)->Advance(1, 0, "{\"pk\":1}", 10, 100);
    (*journal)->Advance(1, 0, "{\"pk\":2}", 10, 100);
    (*journal)->Advance(1, 1, "", 3, 30);
    (*journal)->SetSpeed({9, {7, 8}});
    EXPECT_TRUE((*journal)->Save().ok());
    (*journal)->Advance(1, 0, "{\"pk\":3}", 10, 100);  // never saved: the program dies here
  }
  auto second = CopyJournal::Begin(path, SomePlan());
  ASSERT_FALSE(second.ok());
  EXPECT_EQ(second.error().message(), path + " exists: it belongs to an unfinished copy. Resume it with --resume " +
                                          path + ", or delete the file to start again");
  auto journal = CopyJournal::Resume(path);
  ASSERT_TRUE(journal.ok()) << journal.error().message();
  EXPECT_EQ((*journal)->table(1).phase, TablePhase::kCopying);
  EXPECT_EQ((*journal)->segment(1, 0).next, "{\"pk\":2}");
  EXPECT_EQ((*journal)->segment(1, 0).items, 20u);
  EXPECT_FALSE((*journal)->segment(1, 0).done);
  EXPECT_TRUE((*journal)->segment(1, 1).done);
  EXPECT_EQ((*journal)->speed().threads, 9u);
  EXPECT_EQ((*journal)->speed().limits.items, 7u);
  place.Write("copy.json.new", "torn");
  (*journal)->SetPhase(1, TablePhase::kDone);
  EXPECT_TRUE((*journal)->Save().ok()) << "files left by a killed run do not matter";
  EXPECT_EQ(place.Read("copy.json"), TextOf((*journal)->plan()));
  EXPECT_TRUE((*journal)->Remove().ok());
  EXPECT_TRUE(std::filesystem::is_empty(place.path()));
}

TEST(CopyJournal, SavesOnlyWhatChanged) {
  const files::FolderForTest place;
  auto journal = CopyJournal::Begin(place.path() + "/copy.json", SomePlan());
  ASSERT_TRUE(journal.ok());
  place.Write("copy.json", "touched");
  EXPECT_TRUE((*journal)->Save().ok());
  EXPECT_EQ(place.Read("copy.json"), "touched");
  (*journal)->SetPhase(0, TablePhase::kCopied);
  EXPECT_TRUE((*journal)->Save().ok());
  EXPECT_EQ(place.Read("copy.json"), TextOf((*journal)->plan()));
}

TEST(CopyJournal, AMissingFile) {
  const files::FolderForTest place;
  const std::string path = place.path() + "/none.json";
  const auto journal = CopyJournal::Resume(path);
  ASSERT_FALSE(journal.ok());
  EXPECT_EQ(journal.error().message(), path + ": No such file or directory");
}

}  // namespace
}  // namespace keyfold::copy
