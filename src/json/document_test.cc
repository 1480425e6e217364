#include "json/document.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace keyfold::json {
namespace {

// A string with the padding that request bodies have, and one without.
std::string Padded(std::string_view text) {
  std::string s(text);
  s.reserve(s.size() + Parser::kPaddingBytes);
  return s;
}
std::string Tight(std::string_view text) {
  std::string s(text);
  s.shrink_to_fit();
  return s;
}

TEST(Document, RefusesInvalidJson) {
  const std::string cases[] = {
      "",
      " ",
      "hi",
      "{",
      "}{",
      "{\"a\":1",
      "{\"a\":1}}",
      "{\"a\" 1}",
      "{,}",
      "[1,]",
      "{\"a\":01}",
      "\"a",
      "nul",
      "{'a':1}",
      "[\"\\x\"]",
      "\"\xFFzog\"",
      "{\"\"}",
      "{7}",
      "[1] [2]",
      "\"\\ud800\"",
      "[1e999]",
      std::string("[\"a\0\"]", 6),
      std::string(10000, '{'),
  };
  Parser parser;
  for (const std::string& text : cases) {
    EXPECT_FALSE(parser.Parse(Padded(text)).has_value()) << text.substr(0, 40);
    EXPECT_FALSE(parser.Parse(Tight(text)).has_value()) << text.substr(0, 40);
  }
}

TEST(Document, BoundsItsDepth) {
  const auto nested = [](size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); };
  Parser parser;
  EXPECT_TRUE(parser.Parse(nested(Parser::kDepthMax - 1)).has_value());
  EXPECT_FALSE(parser.Parse(nested(Parser::kDepthMax + 1)).has_value());
}

TEST(Document, KnowsTypes) {
  struct Row {
    std::string_view text;
    Type type;
  };
  const Row rows[] = {
      {"null", Type::kNull},   {"true", Type::kBool},   {"false", Type::kBool},
      {"0", Type::kInteger},   {"-7", Type::kInteger},  {"18446744073709551615", Type::kInteger},
      {"1.0", Type::kDecimal}, {"1e2", Type::kDecimal}, {"\"\"", Type::kString},
      {"[]", Type::kArray},    {"{}", Type::kObject},
  };
  Parser parser;
  for (const Row& row : rows) {
    const std::optional<Value> value = parser.Parse(Padded(row.text));
    ASSERT_TRUE(value.has_value()) << row.text;
    EXPECT_EQ(value->type(), row.type) << row.text;
  }
}

TEST(Document, ReadsScalars) {
  Parser parser;
  EXPECT_EQ(parser.Parse("-9223372036854775808")->AsInt64(), INT64_MIN);
  EXPECT_EQ(parser.Parse("9223372036854775807")->AsInt64(), INT64_MAX);
  EXPECT_EQ(parser.Parse("9223372036854775808")->AsInt64(), std::nullopt);
  EXPECT_EQ(parser.Parse("9223372036854775808")->AsDouble(), 9223372036854775808.0);
  EXPECT_EQ(parser.Parse("-3")->AsDouble(), -3.0);
  EXPECT_EQ(parser.Parse("34.56")->AsDouble(), 34.56);
  EXPECT_EQ(parser.Parse("18446744073709551615")->NumberText(), "18446744073709551615");
  EXPECT_EQ(parser.Parse("-12")->NumberText(), "-12");
  EXPECT_EQ(parser.Parse("34.560")->NumberText(), "34.56");
  EXPECT_TRUE(parser.Parse("true")->AsBool());
  EXPECT_FALSE(parser.Parse("false")->AsBool());
  EXPECT_EQ(parser.Parse(R"("a\u00e9\n\ud83d\ude00\"")")->AsString(), "a\xC3\xA9\n\xF0\x9F\x98\x80\"");
  EXPECT_EQ(parser.Parse(R"("a\u0000b")")->AsString(), std::string_view("a\0b", 3));
}

TEST(Document, WalksInDocumentOrder) {
  Parser parser;
  const std::optional<Value> object = parser.Parse(Padded(R"({"b":[1,[2,3],{"x":4}],"a":1.5,"b":{},"c":null})"));
  std::vector<std::string> names;
  for (const Member member : object->members()) names.emplace_back(member.name);
  EXPECT_EQ(names, (std::vector<std::string>{"b", "a", "b", "c"}));
  EXPECT_EQ(object->CountElements(), 4u);
  EXPECT_TRUE(Find(*object, "b")->is_object()) << "the later of two";
  EXPECT_TRUE(Find(*object, "c")->is_null());
  EXPECT_FALSE(Find(*object, "d").has_value());

  const Value array = (*object->members().begin()).value;
  std::vector<Type> types;
  for (const Value element : array.elements()) types.push_back(element.type());
  EXPECT_EQ(types, (std::vector<Type>{Type::kInteger, Type::kArray, Type::kObject}));
  EXPECT_EQ(array.CountElements(), 3u);
}

TEST(Document, FollowsAPath) {
  Parser parser;
  const Value json = *parser.Parse(Padded(R"({"a":{"b":"text","c":-2,"d":1.5,"e":null},"f":"top","g":7,"h":[1]})"));
  EXPECT_EQ(TextAt(json, {"a", "b"}), "text");
  EXPECT_EQ(TextAt(json, "f"), "top");
  EXPECT_EQ(NumberAt(json, {"a", "c"}), -2);
  EXPECT_EQ(NumberAt(json, {"a", "d"}), 1.5);
  EXPECT_EQ(NumberAt(json, "g"), 7);
  EXPECT_TRUE(FindAt(json, {"a", "e"})->is_null());
  EXPECT_TRUE(FindAt(json, {})->is_object());
  EXPECT_FALSE(FindAt(json, {"a", "x"}).has_value());
  EXPECT_FALSE(FindAt(json, {"f", "x"}).has_value()) << "a string has no members";
  EXPECT_FALSE(FindAt(json, {"h", "x"}).has_value()) << "an array has no members";
  EXPECT_EQ(TextAt(json, {"x", "b"}), "");
  EXPECT_EQ(NumberAt(json, {"x", "c"}), 0);
  EXPECT_EQ(TextAt(json, "g"), "") << "a number is not a text";
  EXPECT_EQ(NumberAt(json, "f"), 0) << "a text is not a number";
}

TEST(Document, ParsesAgainAfterALargeOne) {
  Parser parser;
  const std::string large = "[\"" + std::string(3 * Parser::kKeptBytesMax, 'a') + "\"]";
  ASSERT_TRUE(parser.Parse(large).has_value());
  const std::optional<Value> small = parser.Parse("[1]");
  ASSERT_TRUE(small.has_value());
  EXPECT_EQ((*small->elements().begin()).AsInt64(), 1);
  EXPECT_FALSE(parser.Parse("[").has_value());
  EXPECT_TRUE(parser.Parse("[2]").has_value());
}

}  // namespace
}  // namespace keyfold::json
