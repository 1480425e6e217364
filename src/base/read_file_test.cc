#include "base/read_file.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>

namespace keyfold {
namespace {

TEST(ReadFile, WholeUpToALimit) {
  const std::string path = testing::TempDir() + "keyfold-read-file";
  const std::string bytes = std::string("a\0b\r\n", 5) + std::string(100'000, 'x');
  std::ofstream(path, std::ios::binary) << bytes;
  EXPECT_EQ(*ReadFile(path, bytes.size()), bytes);
  EXPECT_EQ(*ReadFile(path, bytes.size() - 1), bytes);
  EXPECT_EQ(*ReadFile(path, 3), bytes.substr(0, 4));
  std::ofstream(path, std::ios::binary | std::ios::trunc).close();
  EXPECT_EQ(*ReadFile(path, 3), "");
  std::remove(path.c_str());
}

TEST(ReadFile, ReportsTheReason) {
  const struct {
    std::string path, why;
  } kRows[] = {
      {testing::TempDir() + "keyfold-absent", "No such file or directory"},
      {testing::TempDir(), "Is a directory"},
      {"", "No such file or directory"},
  };
  for (const auto& row : kRows) {
    const Result<std::string> read = ReadFile(row.path, 100);
    ASSERT_FALSE(read.ok()) << row.path;
    EXPECT_EQ(read.error().rule(), "file-unreadable");
    EXPECT_EQ(read.error().message(), row.why) << row.path;
  }
}

}  // namespace
}  // namespace keyfold
