// Projections: what parses, and what is extracted from an item.
#include "expr/projection.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "testing/base/cpu_time.h"
#include "testing/expr/value_notation.h"

namespace keyfold::expr {
namespace {

std::string ProjectionMessage(std::string_view text) {
  PlaceholdersForTest placeholders("{}");
  const Result<Projection> parsed = ParseProjection(text, placeholders.get());
  return parsed.ok() ? "" : parsed.error().message();
}

TEST(ProjectionParse, RefusesWithDynamoDbsMessage) {
  const struct {
    std::string_view text, message;
  } rows[] = {
      {"", "The expression can not be empty;"},
      {"!!! INVALID", "Syntax error; token: \"!\", near: \"!!\""},
      {"whatever(stuff)", "Syntax error; token: \"(\", near: \"whatever(stuff\""},
      {":a", "Syntax error; token: \":a\", near: \":a\""},
      {"abort,", "Syntax error; token: \"<EOF>\", near: \",\""},
      {",a", "Syntax error; token: \",\", near: \",a\""},
      {"a,,b", "Syntax error; token: \",\", near: \",,b\""},
      {"a..b", "Syntax error; token: \".\", near: \"..b\""},
      {"a[b]", "Syntax error; token: \"b\", near: \"[b]\""},
      {"(a)", "Syntax error; token: \"(\", near: \"(a\""},
      {"a-b", "Syntax error; token: \"-\", near: \"a-b\""},
      {"a[-1]", "Syntax error; token: \"-\", near: \"[-1\""},
      {"a[]", "Syntax error; token: \"]\", near: \"[]\""},
      {"a b", "Syntax error; token: \"b\", near: \"a b\""},
      {"a.abORt", "Attribute name is a reserved keyword; reserved keyword: abORt"},
      {"#x,ABSoLUTE", "Attribute name is a reserved keyword; reserved keyword: ABSoLUTE"},
      {"a and b", "Syntax error; token: \"and\", near: \"a and b\""},
      {"and", "Attribute name is a reserved keyword; reserved keyword: and"},
      {"a,b,a,#x", "An expression attribute name used in the document path is not defined; attribute name: #x"},
      {"a[99999999999999]", "List index is not within the allowable range; index: [99999999999999]"},
      {"a[2147483648]", "List index is not within the allowable range; index: [2147483648]"},
      {"b[1], b.a, #a.b, a",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b], path "
       "two: [a]"},
      {"a, #a[1]",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a], path "
       "two: [a, [1]]"},
      {"a.b, #a[1], #b",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, b], path "
       "two: [a, [1]]"},
      {"c, a[9], b, a[10].x, a.q",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [9]], "
       "path two: [a, q]"},
      {"a.b.c, x, a.b0, a.b, a[1]",
       "Two document paths overlap with each other; must remove or rewrite one of these paths; path one: [a, b, c], "
       "path two: [a, b]"},
      {"a[3].b, #a.#three.b",
       "Two document paths conflict with each other; must remove or rewrite one of these paths; path one: [a, [3], b], "
       "path two: [a, [3], b]"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(ProjectionMessage(row.text), "Invalid ProjectionExpression: " + std::string(row.message)) << row.text;
  }
}

TEST(ProjectionParse, KeepsThePathDepth) {
  std::string path = "a";
  for (int i = 0; i < 31; ++i) path += ".b";
  EXPECT_EQ(ProjectionMessage(path), "");
  EXPECT_EQ(ProjectionMessage(path + "[0]"),
            "Invalid ProjectionExpression: The document path has too many nesting levels; nesting levels: 33");
}

TEST(ProjectionApply, ExtractsTheNamedParts) {
  const Item item = ValueNotation::ReadItem("{p='k',a={b=[2,4,{x='hi',y='yo'}],c=5},b='hello',x.y=1,l=[[1,2],[3]]}");
  const struct {
    std::string_view text, expected;
  } rows[] = {
      {"b", "{b='hello'}"},
      {" b ,\n p", "{b='hello', p='k'}"},
      {"#b", "{b='hello'}"},
      {"#dot", "{x.y=1}"},
      {"gone", "{}"},
      {"a", "{a={b=[2, 4, {x='hi', y='yo'}], c=5}}"},
      {"a.b", "{a={b=[2, 4, {x='hi', y='yo'}]}}"},
      {"a.b[0]", "{a={b=[2]}}"},
      {"a.b[2]", "{a={b=[{x='hi', y='yo'}]}}"},
      {"a.b[2].y", "{a={b=[{y='yo'}]}}"},
      {"#a.#b[2].#c", "{}"},
      {"a.b[3]", "{}"},
      {"a.x", "{}"},
      {"a.x.y", "{}"},
      {"a.b[3].x", "{}"},
      {"a.b.x", "{}"},
      {"a[0]", "{}"},
      {"a.b[0].x", "{}"},
      {"a.b[0][0]", "{}"},
      {"b.c", "{}"},
      {"a.b[1],a.b[0]", "{a={b=[2, 4]}}"},
      {"a.b[2].x,a.b[0]", "{a={b=[2, {x='hi'}]}}"},
      {"a.b[0],a.c", "{a={b=[2], c=5}}"},
      {"a.c,b", "{a={c=5}, b='hello'}"},
      {"a.x, a.b[0], x, a.b[3].x", "{a={b=[2]}}"},
      {"l[1][0], l[0][1]", "{l=[[2], [3]]}"},
  };
  for (const auto& row : rows) {
    PlaceholdersForTest placeholders("{}");
    const auto projection = ParseProjection(row.text, placeholders.get());
    ASSERT_TRUE(projection.ok()) << row.text << ": " << projection.error().message();
    const Item part = Project(*projection, item);
    EXPECT_TRUE(IsWellFormedItem(part.bytes())) << row.text;
    EXPECT_EQ(ValueNotation::Print(part.view()), row.expected) << row.text;
  }
}

// Hundreds of paths into a list with as many elements: a linear search for each takes minutes.
TEST(ProjectionApply, ManyPathsIntoALargeItem) {
  constexpr double kLinearSeconds = 20;  // without optimization and with sanitizers
  constexpr int kElements = 190'000;
  std::string bytes;
  ValueWriter writer(bytes);
  writer.BeginItem();
  writer.Name("l");
  writer.BeginList();
  for (int i = 0; i < kElements; ++i) i % 2 == 0 ? writer.Null() : writer.Bool(true);
  writer.EndList(kElements);
  writer.EndMap();
  const Item item(std::move(bytes));
  Projection projection;
  for (uint32_t i = 0; i < 2000; ++i) projection.paths.push_back({"l", {{true, kElements - 1 - 2 * i, {}}}});
  projection.Sort();
  const double start = ThreadCpuSeconds();
  const Item part = Project(projection, item);
  EXPECT_LT(ThreadCpuSeconds() - start, kLinearSeconds);
  EXPECT_TRUE(IsWellFormedItem(part.bytes()));
  EXPECT_EQ(part.Find("l")->count(), 2000u);
  EXPECT_EQ(ValueNotation::Print(*part.Find("l")->At(0)), "true");
}

TEST(ProjectionApply, ManyAttributesOfALargeItem) {
  std::string text = "{";
  std::vector<std::string> names;
  for (int i = 0; i < 3000; ++i) {
    text += "a" + std::to_string(i) + "=" + std::to_string(i) + ", ";
    if (i % 3 == 0) names.push_back("a" + std::to_string(i + 1500));
  }
  const Item part = Project(ProjectionOfAttributes(names), ValueNotation::ReadItem(text + "}"));
  EXPECT_EQ(part.view().count(), 500u);
  EXPECT_EQ(ValueNotation::Print(*part.Find("a2997")), "2997");
}

TEST(ProjectionApply, TakesWholeItemsAndPlainAttributes) {
  const Item item = ValueNotation::ReadItem("{p='k',a.b=1,c=2}");
  EXPECT_EQ(Project(Projection(), item).view(), item.view());
  EXPECT_EQ(ValueNotation::Print(Project(ProjectionOfAttributes({"c", "a.b", "zz"}), item).view()), "{a.b=1, c=2}");
  std::string out = "before";
  AppendProjected(ProjectionOfAttributes({"c"}), item, out);
  EXPECT_EQ(ValueNotation::Print(ItemView(std::string_view(out).substr(6))), "{c=2}");
}

TEST(ProjectionApply, CollectsAttributes) {
  PlaceholdersForTest placeholders("{}");
  std::vector<std::string_view> attributes;
  const auto projection = ParseProjection("x.y, q, x.z, #b[1]", placeholders.get());
  CollectAttributes(*projection, attributes);
  EXPECT_EQ(attributes, (std::vector<std::string_view>{"x", "q", "b"}));
}

}  // namespace
}  // namespace keyfold::expr
