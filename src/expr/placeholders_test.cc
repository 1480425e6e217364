// The #names and :values of a request: their syntax and limits, and which are unused.
#include "expr/placeholders.h"

#include <gtest/gtest.h>

#include "testing/expr/value_notation.h"
#include "value/limits.h"

namespace keyfold::expr {
namespace {

std::string Message(const Status& status) { return status.ok() ? "" : status.message(); }

TEST(Placeholders, ChecksItsKeys) {
  const std::string longest(kPlaceholderBytesMax - 1, 'x');
  const struct {
    std::string key;
    bool is_name;
    std::string message;
  } rows[] = {
      {"#a", true, ""},
      {"#_", true, ""},
      {"#1Z", true, ""},
      {"#" + longest, true, ""},
      {"#" + longest + "x", true,
       "ExpressionAttributeNames contains invalid key: The key is too long; key: \"#" + longest +
           "x\", maximum length: 255"},
      {"a", true, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"a\""},
      {"#", true, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\""},
      {"", true, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"\""},
      {"#a-b", true, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#a-b\""},
      {"#\xC3\xBC", true, "ExpressionAttributeNames contains invalid key: Syntax error; key: \"#\xC3\xBC\""},
      {":a", false, ""},
      {"#a", false, "ExpressionAttributeValues contains invalid key: Syntax error; key: \"#a\""},
      {":", false, "ExpressionAttributeValues contains invalid key: Syntax error; key: \":\""},
  };
  const Value value = ValueNotation::Read("1");
  for (const auto& row : rows) {
    Placeholders placeholders;
    row.is_name ? placeholders.AddName(row.key, "x") : placeholders.AddValue(row.key, value);
    EXPECT_EQ(Message(placeholders.Check()), row.message) << row.key;
  }
}

TEST(Placeholders, ChecksNamesAndTotalSize) {
  const std::string long_name(kAttributeNameBytesMax + 1, 'n');
  Placeholders empty, too_long;
  empty.AddName("#a", "");
  too_long.AddName("#a", long_name);
  EXPECT_EQ(Message(empty.Check()), "ExpressionAttributeNames contains invalid value: Empty attribute name for key #a");
  EXPECT_EQ(
      Message(too_long.Check()),
      "ExpressionAttributeNames contains invalid value: Attribute name is too large, must be less than 65536 bytes "
      "for key #a");

  const Value big = ValueNotation::Read("'" + std::string(kPlaceholdersTotalBytesMax - 2, 'v') + "'");
  Placeholders full, over;
  full.AddValue(":a", big);
  EXPECT_EQ(Message(full.Check()), "");
  over.AddValue(":aa", big);
  EXPECT_EQ(Message(over.Check()),
            "The size of ExpressionAttributeNames and ExpressionAttributeValues has exceeded the maximum allowed size; "
            "size: 2097153");
}

TEST(Placeholders, ReportsUnused) {
  const Value value = ValueNotation::Read("1");
  Placeholders placeholders;
  for (const std::string_view name : {"#a", "#b"}) placeholders.AddName(name, "x");
  for (const std::string_view name : {":a", ":b", ":c"}) placeholders.AddValue(name, value);
  EXPECT_EQ(Message(placeholders.AllUsed()),
            "Value provided in ExpressionAttributeNames unused in expressions: keys: {#a, #b}");
  EXPECT_EQ(placeholders.UseName("#a"), "x");
  EXPECT_EQ(placeholders.UseName("#zz"), std::nullopt);
  EXPECT_TRUE(placeholders.UseName("#b"));
  EXPECT_TRUE(placeholders.UseValue(":b"));
  EXPECT_FALSE(placeholders.UseValue(":zz"));
  EXPECT_EQ(Message(placeholders.AllUsed()),
            "Value provided in ExpressionAttributeValues unused in expressions: keys: {:a, :c}");
  EXPECT_TRUE(placeholders.UseValue(":a") && placeholders.UseValue(":c"));
  EXPECT_EQ(Message(placeholders.AllUsed()), "");
}

TEST(Placeholders, FindsAmongMany) {
  constexpr int kCount = 1000;
  std::vector<std::string> texts;
  for (int i = 0; i < kCount; ++i) texts.push_back("#" + std::to_string(i));
  Placeholders placeholders;
  for (const std::string& text : texts) placeholders.AddName(text, std::string_view(text).substr(1));
  for (const std::string& text : texts) EXPECT_EQ(placeholders.UseName(text), std::string_view(text).substr(1));
  EXPECT_EQ(placeholders.UseName("#1000"), std::nullopt);
  EXPECT_TRUE(placeholders.AllUsed().ok());
}

// An expression of 4 KB can refer to a value of 2 MB a thousand times.
TEST(Placeholders, ALargeValueIsCopiedOnce) {
  std::string bytes;
  ValueWriter(bytes).String(std::string(100'000, 'x'));
  Placeholders placeholders;
  placeholders.AddValue(":v", ValueView(bytes));
  const Value first = *placeholders.UseValue(":v"), second = *placeholders.UseValue(":v"),
              third = *placeholders.UseValue(":v");
  EXPECT_NE(first.view().bytes().data(), bytes.data());
  EXPECT_EQ(first.view().bytes().data(), second.view().bytes().data());
  EXPECT_EQ(first.view().bytes().data(), third.view().bytes().data());
  EXPECT_EQ(first.view().bytes(), bytes);
}

}  // namespace
}  // namespace keyfold::expr
