#include "json/raw_json.h"

#include <gtest/gtest.h>

#include <string>

namespace keyfold {
namespace {

TEST(RawJson, FindsMembers) {
  struct Row {
    std::string_view object, name;
    std::optional<std::string_view> value;
  };
  const Row rows[] = {
      {R"({"a":1})", "a", "1"},
      {R"( { "a" : 1 , "b" : "x" } )", "b", R"("x")"},
      {R"({"a":{"b":[1,{"c":"}]"}]},"b":2})", "b", "2"},
      {R"({"a":{"b":[1,{"c":"}]"}]},"b":2})", "a", R"({"b":[1,{"c":"}]"}]})"},
      {R"({"a":"quote \" and \\","b":true})", "a", R"("quote \" and \\")"},
      {R"({"a":"quote \" and \\","b":true})", "b", "true"},
      {R"({"a\"":"\\\\","b":-1.5e3})", "b", "-1.5e3"},
      {R"({"a":"","b":null})", "b", "null"},
      {R"({"a":[],"b":{}})", "b", "{}"},
      {R"({"a":{"b":1}})", "b", std::nullopt},
      {R"({})", "a", std::nullopt},
      {R"([1])", "a", std::nullopt},
      {R"({"a":1)", "a", std::nullopt},
      {R"({"a":})", "a", std::nullopt},
      {R"({"a" 1})", "a", std::nullopt},
      {R"({"a":"open)", "a", std::nullopt},
      {R"({"a":"open\"})", "a", std::nullopt},
      {R"({"a":{"b":1})", "a", std::nullopt},
      {R"({"x":1 "a":1})", "a", std::nullopt},
      {"", "a", std::nullopt},
      {"{", "a", std::nullopt},
      {R"({")", "a", std::nullopt},
  };
  for (const Row& row : rows) EXPECT_EQ(FindRaw(row.object, row.name), row.value) << row.object << " " << row.name;
  EXPECT_EQ(FindRaw(R"({"a":{"b":{"c":7}}})", "a", "b", "c"), "7");
  EXPECT_EQ(FindRaw(R"({"a":{"b":{"c":7}}})", "a", "c"), std::nullopt);
}

TEST(RawJson, CutsArrays) {
  using Parts = std::optional<std::vector<std::string_view>>;
  const std::pair<std::string_view, Parts> rows[] = {
      {"[]", Parts(std::in_place)},
      {" [ ] ", Parts(std::in_place)},
      {"[1]", Parts({"1"})},
      {R"([{"a":[1,2]}, "x,]" ,[3 , 4],null])", Parts({R"({"a":[1,2]})", R"("x,]")", "[3 , 4]", "null"})},
      {"[1,]", std::nullopt},
      {"[1 2]", std::nullopt},
      {"[,1]", std::nullopt},
      {"[1", std::nullopt},
      {"[1,", std::nullopt},
      {"{}", std::nullopt},
      {"", std::nullopt},
  };
  for (const auto& [text, parts] : rows) EXPECT_EQ(RawElementsOf(text), parts) << text;
}

TEST(RawJson, CutsObjects) {
  EXPECT_TRUE(RawMembersOf(" { } ")->empty());
  const auto members = RawMembersOf(R"({"a":[1,2], "b\"" : {"c":"}"}})");
  ASSERT_TRUE(members && members->size() == 2);
  EXPECT_EQ((*members)[0].name, "a");
  EXPECT_EQ((*members)[0].value, "[1,2]");
  EXPECT_EQ((*members)[1].name, R"(b\")");
  EXPECT_EQ((*members)[1].value, R"({"c":"}"})");
  for (const char* text : {"[]", "", "{", R"({"a":1)", R"({"a"})", R"({"a":1,})"})
    EXPECT_FALSE(RawMembersOf(text)) << text;
}

}  // namespace
}  // namespace keyfold
