#include "value/key_schema.h"

#include <gtest/gtest.h>

namespace keyfold {
namespace {

std::string JoinedNames(const KeySchema& key) {
  std::string names;
  for (const KeyAttribute& attribute : key.attributes()) names += attribute.name + " ";
  return names;
}

TEST(KeySchemaTest, AttributesAreThoseOfBothSidesInOrder) {
  EXPECT_EQ(JoinedNames({}), "");
  EXPECT_EQ(JoinedNames({.partition = {{"a"}}, .sort = {}}), "a ");
  EXPECT_EQ(JoinedNames({.partition = {{"a"}}, .sort = {{"b"}}}), "a b ");
  EXPECT_EQ(JoinedNames({.partition = {{"a"}, {"b"}}, .sort = {{"c"}, {"d"}}}), "a b c d ");
  EXPECT_EQ(JoinedNames({.partition = {}, .sort = {{"c"}, {"d"}}}), "c d ");
  EXPECT_EQ((KeySchema{.partition = {{"a"}, {"b"}}, .sort = {{"c"}}}).attributes().size(), 3u);
}

}  // namespace
}  // namespace keyfold
