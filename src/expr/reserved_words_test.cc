// The reserved words: the table has the whole list, and lookups ignore case.
#include "expr/reserved_words.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace keyfold::expr {
namespace {

TEST(ReservedWords, HoldTheWholeList) {
  std::ifstream list(std::filesystem::path(__FILE__).parent_path() / "reserved_words.txt");
  ASSERT_TRUE(list.is_open());
  size_t count = 0;
  for (std::string word; std::getline(list, word); ++count) EXPECT_TRUE(IsReservedWord(word)) << word;
  EXPECT_EQ(count, 573u);
}

TEST(ReservedWords, AreFoundInAnyCase) {
  for (const std::string_view word :
       {"ABORT", "abort", "Zone", "ZONE", "specifictype", "SERIALIZABLE", "Size", "and"}) {
    EXPECT_TRUE(IsReservedWord(word)) << word;
  }
  for (const std::string_view word : {"", "a", "ABORTS", "zzz", "localtimestamps", "a_very_long_attribute_name"}) {
    EXPECT_FALSE(IsReservedWord(word)) << word;
  }
}

}  // namespace
}  // namespace keyfold::expr
