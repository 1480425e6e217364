#include "base/log.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

TEST(Log, KnowsItsLevels) {
  for (const char* level : {"trace", "debug", "warn", "error", "off", "info"}) EXPECT_TRUE(SetLogLevel(level)) << level;
  for (const char* level : {"", "loud", "INFO", "info "}) EXPECT_FALSE(SetLogLevel(level)) << level;
}

TEST(Log, EveryMessageIsOneLine) {
  EXPECT_EQ(LogText("plain"), "plain");
  EXPECT_EQ(LogText("with its line end\n\r\n"), "with its line end");
  EXPECT_EQ(LogText("no\n2026-01-01T00:00:00.000Z critical forged"), "no\\n2026-01-01T00:00:00.000Z critical forged");
  EXPECT_EQ(LogText("\x1b]0;title\x07\xff"), "\\u001b]0;title\\u0007\\xff");
  const std::string longest(kLogMessageBytesMax, 'a');
  EXPECT_EQ(LogText(longest), longest);
  EXPECT_EQ(LogText(longest + "bcd"), longest + " … 3 more bytes");
  // A message is not cut within a character.
  const std::string wide = std::string(kLogMessageBytesMax - 1, 'a') + "\u20ac";
  EXPECT_EQ(LogText(wide), longest.substr(1) + " … 3 more bytes");
}

// Checks the file, not only LogText: every message goes through it.
TEST(Log, WritesOneLinePerMessage) {
  ASSERT_TRUE(SetLogLevel("info"));
  testing::internal::CaptureStderr();
  LogWarning("record {} was not imported: {}", 1, "bad\x1b[31m\ncritical forged\n");
  const std::string written = testing::internal::GetCapturedStderr();
  EXPECT_EQ(written.substr(written.find('Z') + 1),
            " warning record 1 was not imported: bad\\u001b[31m\\ncritical forged\n");
}

}  // namespace
}  // namespace keyfold
