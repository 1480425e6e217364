#include "cli/commands/job_watch.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <map>

#include "testing/terminal/console.h"

namespace keyfold::cli {
namespace {

constexpr Rule<"there is no such operation"> kUnknown{"test-unknown", Kind::kUnknownOperation};
constexpr Rule<"the server is gone"> kGone{"test-gone", Kind::kUnavailable};

std::string JobOf(std::string_view kind, std::string_view table, std::string_view id, std::string_view rest) {
  return fmt::format(
      R"({{"Jobs":[{{"Kind":"BACKUP","TableName":"{1}","Id":"{2}","Step":"other","Done":1,"Unit":"ITEMS"}},)"
      R"({{"Kind":"{0}","TableName":"{1}","Id":"{2}",{3}}}]}})",
      kind, table, id, rest);
}

// A job that takes a while on a clock that only waiting advances. Used by one thread at a time.
class WatchForTest final : public client::ApiCaller {
 public:
  explicit WatchForTest(bool terminal = false) : test(terminal) {}

  // Waits for `length`. `answers` are the responses of ListJobs by start time; an empty one means that the operation
  // does not exist.
  Status Wait(Micros length, std::map<Micros, std::string> answers,
              const WatchedWork& work = {engine::JobKind::kExport, "shop", "7", "exporting shop"}) {
    answers_ = std::move(answers);
    JobWatch watch(test.console(), *this, {&clock, [&](Micros time) { clock.Advance(time); }});
    Status status = watch.Wait(work, [&]() -> Result<bool> {
      if (fails_at > 0 && clock.Now() >= fails_at) return kGone();
      return clock.Now() < length;
    });
    waited = watch.waited();
    return status;
  }

  Result<std::string> Call(std::string_view operation, std::string_view body) override {
    EXPECT_EQ(operation, "ListJobs");
    EXPECT_EQ(body, "{}");
    ++asked;
    const std::string& answer = std::prev(answers_.upper_bound(clock.Now()))->second;
    if (answer.empty()) return kUnknown();
    if (answer == "gone") return kGone();
    return answer;
  }

  terminal::TestConsole test;
  ManualClock clock{0};
  int asked = 0;
  Micros fails_at = 0;
  Micros waited = 0;

 private:
  std::map<Micros, std::string> answers_;
};

TEST(JobWatch, SaysNothingAboutShortJobs) {
  WatchForTest watch;
  const std::string answer = JobOf("EXPORT", "shop", "7", R"("Step":"writing","Done":5,"Unit":"ITEMS")");
  EXPECT_TRUE(watch.Wait(kSecond, {{0, answer}}).ok());
  EXPECT_EQ(watch.test.err(), "");
  EXPECT_GE(watch.waited, kSecond);
  EXPECT_LT(watch.waited, 2 * kSecond);
}

TEST(JobWatch, LinesWithoutATerminal) {
  WatchForTest watch;
  std::map<Micros, std::string> answers;
  for (int s = 0; s < 25; ++s) {
    answers[s * kSecond] =
        JobOf("EXPORT", "shop", "7", fmt::format(R"("Step":"writing","Done":{},"Total":2500,"Unit":"ITEMS")", s * 100));
  }
  EXPECT_TRUE(watch.Wait(25 * kSecond, answers).ok());
  const std::string err = watch.test.err();
  EXPECT_EQ(err.find("Exporting shop, writing: 1,000 of 2,500 (40 %), "), 0u) << err;
  EXPECT_NE(err.find("\nExporting shop, writing: 2,000 of 2,500 (80 %), "), std::string::npos) << err;
  EXPECT_EQ(std::count(err.begin(), err.end(), '\n'), 2) << err;
  EXPECT_EQ(watch.test.out(), "");
}

TEST(JobWatch, ABarForEachStepAndNoneInTheEnd) {
  WatchForTest watch(/*terminal=*/true);
  const std::map<Micros, std::string> answers = {
      {0, JobOf("IMPORT", "t", "7", R"("Step":"reading","Done":0,"Total":4000000,"Unit":"BYTES")")},
      {kSecond, JobOf("IMPORT", "t", "7", R"("Step":"reading","Done":1000000,"Total":4000000,"Unit":"BYTES")")},
      {3 * kSecond, JobOf("IMPORT", "t", "7", R"("Step":"writing","Done":3,"Total":10,"Unit":"ITEMS")")},
  };
  EXPECT_TRUE(watch.Wait(5 * kSecond, answers, {engine::JobKind::kImport, "t", "7", "importing t"}).ok());
  const std::string err = watch.test.err();
  const std::string reading = "\x1b[2KReading [#####..................] 1.0 MB of 4.0 MB (25 %), 892.9 KB/s, ";
  EXPECT_NE(err.find(reading), std::string::npos) << err;
  EXPECT_NE(err.find("\x1b[2KWriting ["), std::string::npos) << err;
  EXPECT_NE(err.find("3 of 10 (30 %)"), std::string::npos) << err;
  EXPECT_TRUE(err.ends_with("\r\x1b[2K")) << err;
  EXPECT_EQ(err.find('\n'), std::string::npos) << err;
}

struct UnreportedCase {
  const char* what;
  std::string answer;
  int asked_max;
};

TEST(JobWatch, SaysThatItWaitsIfJobsAreNotReported) {
  const UnreportedCase cases[] = {
      {"another server", "", 1},
      {"an answer of something else", "<html>", 1},
      {"an answer without jobs", "{}", 1},
      {"its turn has not come", R"({"Jobs":[]})", 1000},
      {"another job of its kind", JobOf("EXPORT", "shop", "8", R"("Step":"writing","Done":5,"Unit":"ITEMS")"), 1000},
  };
  for (const UnreportedCase& c : cases) {
    WatchForTest watch;
    EXPECT_TRUE(watch.Wait(14 * kSecond, {{0, c.answer}}).ok());
    const std::string err = watch.test.err();
    EXPECT_EQ(err.find("still exporting shop, "), 0u) << c.what << ": " << err;
    EXPECT_GE(std::count(err.begin(), err.end(), '\n'), 2) << c.what << ": " << err;
    EXPECT_LE(watch.asked, c.asked_max) << c.what;
  }
}

TEST(JobWatch, AsksAgainAfterAnError) {
  WatchForTest watch(/*terminal=*/true);
  const std::string job = JobOf("EXPORT", "shop", "7", R"("Step":"writing","Done":5,"Unit":"ITEMS")");
  EXPECT_TRUE(watch.Wait(4 * kSecond, {{0, "gone"}, {kSecond, job}}).ok());
  EXPECT_NE(watch.test.err().find("\x1b[2KWriting 5, "), std::string::npos) << watch.test.err();
}

TEST(JobWatch, RestoresAreKnownByTheirTable) {
  WatchForTest watch(/*terminal=*/true);
  const std::string answer = JobOf("RESTORE", "copy", "any", R"("Step":"reading","Done":5,"Unit":"ITEMS")");
  EXPECT_TRUE(watch.Wait(2 * kSecond, {{0, answer}}, {engine::JobKind::kRestore, "copy", "", "restoring copy"}).ok());
  EXPECT_NE(watch.test.err().find("\x1b[2KReading 5, "), std::string::npos) << watch.test.err();
}

TEST(JobWatch, ReturnsTheErrorOfTheJob) {
  WatchForTest watch(/*terminal=*/true);
  watch.fails_at = kSecond;
  const std::string answer = JobOf("EXPORT", "shop", "7", R"("Step":"writing","Done":5,"Unit":"ITEMS")");
  const Status status = watch.Wait(2 * kSecond, {{0, answer}});
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.message(), "the server is gone");
  EXPECT_TRUE(watch.test.err().ends_with("\r\x1b[2K")) << "the bar is gone: " << watch.test.err();
}

}  // namespace
}  // namespace keyfold::cli
