#include "base/time_text.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(TimeText, IsoTimes) {
  const struct {
    const char* text;
    Micros time;
  } kRows[] = {
      {"1970-01-01T00:00:00Z", 0},
      {"2001-09-09T01:46:40Z", 1'000'000'000 * kSecond},
      {"2024-02-29T23:59:59.000001Z", 1'709'251'199 * kSecond + 1},
      {"9999-12-31T23:59:59Z", kLatestSecond * kSecond},
  };
  for (const auto& row : kRows) {
    EXPECT_EQ(ParseIsoTime(row.text), row.time) << row.text;
    EXPECT_EQ(FormatIsoTime(row.time), row.text);
  }
  EXPECT_EQ(ParseIsoTime("2001-09-09T01:46:40.5Z"), 1'000'000'000 * kSecond + kSecond / 2);
  EXPECT_EQ(ParseIsoTime("2001-09-09T03:46:40+02:00"), 1'000'000'000 * kSecond);
  EXPECT_EQ(ParseIsoTime("2001-09-08T20:16:40-05:30"), 1'000'000'000 * kSecond);
  EXPECT_EQ(FormatIsoTime(123'456), "1970-01-01T00:00:00.123456Z");
  EXPECT_EQ(FormatIsoMillis(123'456), "1970-01-01T00:00:00.123Z");
  EXPECT_EQ(FormatIsoMillis(0), "1970-01-01T00:00:00.000Z");
}

TEST(TimeText, InvalidIsoTimes) {
  for (const char* text : {"",
                           "now",
                           "2001-09-09",
                           "2001-09-09T01:46:40",
                           "2001-09-09 01:46:40Z",
                           "2001-13-01T00:00:00Z",
                           "2001-02-29T00:00:00Z",
                           "2001-04-31T00:00:00Z",
                           "2001-09-09T24:00:00Z",
                           "2001-09-09T01:60:40Z",
                           "2001-09-09T01:46:60Z",
                           "1969-12-31T23:59:59Z",
                           "1970-01-01T00:00:00+00:01",
                           "2001-09-09T01:46:40.Z",
                           "2001-09-09T01:46:40.1234567Z",
                           "2001-09-09T01:46:40Z ",
                           "2001-09-09T01:46:40+2:00",
                           "2001-9-9T01:46:40Z",
                           "2001--9-09T01:46:40Z",
                           "9999-12-31T23:59:59-00:01"}) {
    EXPECT_EQ(ParseIsoTime(text), std::nullopt) << text;
  }
}

TEST(TimeText, Durations) {
  const struct {
    const char* text;
    Micros time;
  } kRows[] = {
      {"25h30m", (25 * 3600 + 30 * 60) * kSecond},
      {"90s", 90 * kSecond},
      {"1d", 86'400 * kSecond},
      {"250ms", kSecond / 4},
      {"0s", 0},
      {"1m500ms", 60 * kSecond + kSecond / 2},
      {"1d1h1m1s1ms", 90'061 * kSecond + 1000},
      {"253402300799s", kLatestSecond * kSecond},
  };
  for (const auto& row : kRows) EXPECT_EQ(ParseDuration(row.text), row.time) << row.text;
}

TEST(TimeText, InvalidDurations) {
  for (const char* text : {"", "5", "h", "5x", "-5s", "1.5h", "5 s", "1m1h", "1h1h", "5s ", "253402300800s",
                           "253402300799s1ms1", "99999999999999999999d", "2932896d24h"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace keyfold
