#include "model/core/document_text.h"

#include <gtest/gtest.h>

namespace keyfold::model {
namespace {

constexpr std::string_view kDocument =
    R"({"city":{"S":"Bern"},"floors":{"L":[{"N":"1"},{"M":{"name":{"S":"roof"}}}]},"open":{"BOOL":true}})";

TEST(DocumentText, FindsInnerValues) {
  const auto at = [](std::string_view path) {
    const auto inner = ValueInside(kDocument, StoredType::kM, path);
    return inner ? std::string(NameOf(inner->type)) + ' ' + inner->text : "missing";
  };
  EXPECT_EQ(at(".city"), "S Bern");
  EXPECT_EQ(at(".open"), "BOOL true");
  EXPECT_EQ(at(".floors[0]"), "N 1");
  EXPECT_EQ(at(".floors[1].name"), "S roof");
  EXPECT_EQ(at(".floors[2]"), "missing");
  EXPECT_EQ(at(".floors.name"), "missing");
  EXPECT_EQ(at("[0]"), "missing");
}

TEST(DocumentText, ChangesInnerValues) {
  const auto with = [](std::string_view path, const std::optional<InnerValue>& value) {
    return WithInside(R"({"a":{"M":{"b":{"S":"x"}}},"l":{"L":[{"S":"y"}]}})", StoredType::kM, path, value)
        .value_or("refused");
  };
  EXPECT_EQ(with(".a.b", InnerValue{StoredType::kN, "2"}), R"({"a":{"M":{"b":{"N":"2"}}},"l":{"L":[{"S":"y"}]}})");
  EXPECT_EQ(with(".a.c", InnerValue{StoredType::kS, "z"}),
            R"({"a":{"M":{"b":{"S":"x"},"c":{"S":"z"}}},"l":{"L":[{"S":"y"}]}})");
  EXPECT_EQ(with(".a.b", std::nullopt), R"({"a":{"M":{}},"l":{"L":[{"S":"y"}]}})");
  EXPECT_EQ(with(".l[0]", std::nullopt), R"({"a":{"M":{"b":{"S":"x"}}},"l":{"L":[]}})");
  EXPECT_EQ(with(".l[9]", InnerValue{StoredType::kS, "z"}),
            R"({"a":{"M":{"b":{"S":"x"}}},"l":{"L":[{"S":"y"},{"S":"z"}]}})");
  // The path's parent must exist.
  EXPECT_EQ(with(".none.c", InnerValue{StoredType::kS, "z"}), "refused");
}

TEST(DocumentText, SetsAreSortedAndNeverEmpty) {
  EXPECT_EQ(SetOf({"b", "a", "b"}), R"(["a","b"])");
  EXPECT_EQ(SetOf({}), "");
  EXPECT_EQ(ElementsOfSet(R"(["a","b"])"), (std::vector<std::string>{"a", "b"}));
}

TEST(DocumentText, SizeAndContentsAreThoseOfDynamoDb) {
  EXPECT_EQ(SizeOfText(StoredType::kS, "caf\xC3\xA9"), 4u);
  EXPECT_EQ(SizeOfText(StoredType::kS, "\xF0\x9F\x98\x80"), 2u);
  EXPECT_EQ(SizeOfText(StoredType::kSS, R"(["a","b"])"), 2u);
  EXPECT_EQ(SizeOfText(StoredType::kM, kDocument), 3u);
  EXPECT_TRUE(ContainsText(StoredType::kS, "engineering", "gin"));
  EXPECT_TRUE(ContainsText(StoredType::kSS, R"(["a","b"])", "b"));
  EXPECT_FALSE(ContainsText(StoredType::kSS, R"(["ab"])", "b"));
  EXPECT_TRUE(ContainsText(StoredType::kL, R"([{"N":"1"},{"S":"x"}])", "x"));
}

}  // namespace
}  // namespace keyfold::model
