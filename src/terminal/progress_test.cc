#include "terminal/progress.h"

#include <gtest/gtest.h>

#include "testing/terminal/console.h"

namespace keyfold::terminal {
namespace {

constexpr Micros kSecond = 1'000'000;
constexpr char kClear[] = "\r\x1b[2K";

TEST(Progress, LinesWithoutATerminal) {
  TestConsole test;
  ManualClock clock(0);
  Progress progress(test.console(), clock, "Loading items", 5000);
  for (int i = 0; i < 25; ++i) {
    clock.Advance(kSecond);
    progress.Advance(100);
  }
  EXPECT_EQ(test.err(),
            "Loading items: 1,000 of 5,000 (20 %), 100/s, 40 s left\n"
            "Loading items: 2,000 of 5,000 (40 %), 100/s, 30 s left\n");
  progress.Finish();
  EXPECT_NE(test.err().find("\nLoading items: 2,500 in 25 s, 100/s\n"), std::string::npos) << test.err();
  EXPECT_EQ(test.out(), "");
}

TEST(Progress, BytesInTheirUnits) {
  TestConsole test;
  ManualClock clock(0);
  Progress progress(test.console(), clock, "Reading", 5'000'000, 0, Progress::Unit::kBytes);
  clock.Advance(10 * kSecond);
  progress.Advance(2'500'000);
  EXPECT_EQ(test.err(), "Reading: 2.5 MB of 5.0 MB (50 %), 250.0 KB/s, 10 s left\n");
  progress.TakeAway();
  EXPECT_EQ(test.err(), "Reading: 2.5 MB of 5.0 MB (50 %), 250.0 KB/s, 10 s left\n") << "lines stay";
}

TEST(Progress, ABarThatIsTakenAwayLeavesNothing) {
  TestConsole test(true);
  ManualClock clock(0);
  {
    Progress progress(test.console(), clock, "Load", 1000);
    clock.Advance(kSecond);
    progress.Advance(10);
    progress.TakeAway();
    EXPECT_TRUE(test.err().ends_with(std::string(" left") + kClear)) << test.err();
  }
  EXPECT_FALSE(test.err().ends_with("\n")) << "no line is left behind";
}

TEST(Progress, ABarOnATerminal) {
  TestConsole test(true);
  ManualClock clock(0);
  {
    Progress progress(test.console(), clock, "Load", 1000);
    progress.Advance(1);
    EXPECT_EQ(test.err(), "") << "too early";
    clock.Advance(kSecond);
    progress.Advance(249);
    const std::string first =
        std::string(kClear) + "Load [########...........................] 250 of 1,000 (25 %), 250/s, 3 s left";
    EXPECT_EQ(test.err(), first);
    clock.Advance(kSecond / 20);
    progress.Advance(1);
    EXPECT_EQ(test.err(), first) << "not redrawn so soon";
    clock.Advance(kSecond / 20);
    progress.Advance(749);
    EXPECT_NE(test.err().find(std::string(kClear) + "Load [#####"), std::string::npos);
    EXPECT_NE(test.err().find("1,000 of 1,000 (100 %), 909/s, 0 s left"), std::string::npos) << test.err();
    progress.Finish();
    EXPECT_TRUE(test.err().ends_with(std::string(kClear) + "Load: 1,000 in 1 s, 909/s\n")) << test.err();
  }
  EXPECT_FALSE(test.err().ends_with("\n\n")) << "the line was left already";
  {
    Progress progress(test.console(), clock, "Load", 1000);
    clock.Advance(kSecond);
    progress.Advance(10);
  }
  EXPECT_TRUE(test.err().ends_with(" left\n")) << "one that is given up leaves its line";
}

TEST(Progress, WithoutATotal) {
  TestConsole test;
  ManualClock clock(0);
  Progress progress(test.console(), clock, "Reading", std::nullopt);
  clock.Advance(10 * kSecond);
  progress.Advance(12'345);
  EXPECT_EQ(test.err(), "Reading: 12,345, 1,234/s\n");
}

TEST(Progress, WithBytesAndWhatAnEarlierRunDid) {
  TestConsole test;
  ManualClock clock(0);
  Progress progress(test.console(), clock, "Copying", 5000, 3000);
  clock.Advance(10 * kSecond);
  progress.Advance(0);
  progress.Advance(1000, 2'500'000);
  clock.Advance(10 * kSecond);
  progress.Advance(0);
  EXPECT_EQ(test.err(),
            "Copying: 3,000 of 5,000 (60 %), 0/s\n"
            "Copying: 4,000 of 5,000 (80 %), 2.5 MB, 50/s, 20 s left\n");
  progress.Finish();
  EXPECT_TRUE(test.err().ends_with("\nCopying: 4,000 in 20 s, 50/s\n")) << test.err();
}

TEST(Progress, MoreThanTheTotal) {
  TestConsole test;
  ManualClock clock(0);
  Progress progress(test.console(), clock, "Reading", 10);
  clock.Advance(10 * kSecond);
  progress.Advance(20);
  EXPECT_EQ(test.err(), "Reading: 20 of 20 (100 %), 2/s, 0 s left\n");
}

TEST(Progress, Words) {
  const std::pair<uint64_t, const char*> numbers[] = {
      {0, "0"}, {999, "999"}, {1000, "1,000"}, {999'999, "999,999"}, {1'234'567, "1,234,567"}};
  for (const auto& [number, words] : numbers) EXPECT_EQ(Grouped(number), words);
  const std::pair<uint64_t, const char*> counts[] = {{0, "0 items"}, {1, "1 item"}, {1234, "1,234 items"}};
  for (const auto& [number, words] : counts) EXPECT_EQ(Counted(number, "item"), words);
  const std::pair<uint64_t, const char*> sizes[] = {{0, "0 B"},          {999, "999 B"},
                                                    {1000, "1.0 KB"},    {999'949, "999.9 KB"},
                                                    {999'950, "1.0 MB"}, {1'234'567'890, "1.2 GB"}};
  for (const auto& [bytes, words] : sizes) EXPECT_EQ(BytesWords(bytes), words);
  const std::pair<Micros, const char*> times[] = {{0, "0 s"},
                                                  {400'000, "0 s"},
                                                  {59 * kSecond, "59 s"},
                                                  {60 * kSecond, "1 min 00 s"},
                                                  {192 * kSecond, "3 min 12 s"},
                                                  {3600 * kSecond, "1 h 00 min"},
                                                  {(2 * 3600 + 300) * kSecond, "2 h 05 min"}};
  for (const auto& [time, words] : times) EXPECT_EQ(DurationWords(time), words);
}

}  // namespace
}  // namespace keyfold::terminal
