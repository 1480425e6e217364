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
  std::string why;
  EXPECT_EQ(ReadFile(path, bytes.size(), why), bytes);
  EXPECT_EQ(ReadFile(path, bytes.size() - 1, why), bytes);
  EXPECT_EQ(ReadFile(path, 3, why), bytes.substr(0, 4));
  EXPECT_EQ(why, "");
  std::ofstream(path, std::ios::binary | std::ios::trunc);
  EXPECT_EQ(ReadFile(path, 3, why), "");
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
    std::string why;
    EXPECT_EQ(ReadFile(row.path, 100, why), std::nullopt) << row.path;
    EXPECT_EQ(why, row.why) << row.path;
  }
}

}  // namespace
}  // namespace keyfold
