#include "base/text/distinct_texts.h"

#include <gtest/gtest.h>

#include <string>

namespace keyfold {
namespace {

TEST(DistinctTexts, FindsDuplicates) {
  std::vector<std::string> texts;
  for (int i = 0; i < 100; ++i) texts.push_back(std::to_string(i));
  for (const size_t count : {1u, 2u, 15u, 16u, 17u, 100u}) {
    DistinctTexts seen;
    for (size_t i = 0; i < count; ++i) {
      EXPECT_TRUE(seen.Add(texts[i])) << count;
      EXPECT_FALSE(seen.Add(texts[i])) << count;
      EXPECT_FALSE(seen.Add(texts[0])) << count;
    }
  }
}

}  // namespace
}  // namespace keyfold
