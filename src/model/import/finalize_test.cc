#include "model/import/finalize.h"

#include <gtest/gtest.h>

#include "model/check/check.h"
#include "model/import/inference.h"
#include "testing/model/items.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

std::vector<Finding> ErrorsOf(const Model& model) {
  std::vector<Finding> errors;
  for (Finding& finding : Check(model)) {
    if (finding.severity == Severity::kError && finding.accepted.empty()) errors.push_back(std::move(finding));
  }
  return errors;
}

TEST(FinalizeTest, UnavoidableErrorsAreAcceptedWithAReason) {
  Draft draft;
  draft.table.name = "T";
  draft.table.key = {{{"PK", StoredType::kS}}, {{"SK", StoredType::kS}}};
  // Both entities can have the key U#1/P, and a sort key has unpadded numbers.
  for (const char* name : {"A", "B"}) {
    DraftEntity entity;
    entity.name = name;
    entity.keys = {{"PK", "U#{id}"}, {"SK", name == std::string("A") ? "P" : "{kind}"}};
    entity.attributes = {{"id", "string", false, {}}, {"kind", "string", false, {}}};
    draft.entities.push_back(std::move(entity));
  }
  DraftEntity numbered;
  numbered.name = "N";
  numbered.keys = {{"PK", "N#{id}"}, {"SK", "v{version}"}};
  numbered.attributes = {{"id", "string", false, {}}, {"version", "number", false, {}}};
  draft.entities.push_back(std::move(numbered));
  EXPECT_FALSE(ErrorsOf(LoadForTest(WriteDraft(draft))).empty());
  const Result<std::string> text = Finalize(draft);
  ASSERT_TRUE(text.ok());
  const Model finalized = LoadForTest(*text);
  EXPECT_TRUE(ErrorsOf(finalized).empty()) << *text;
  ASSERT_GE(finalized.accepted.size(), 2u) << *text;
  EXPECT_EQ(finalized.accepted[0].reason.find("found by import: "), 0u);
}

TEST(FinalizeTest, AModelWithoutErrorsAcceptsNothing) {
  const Model shop = LoadForTest(ExampleText("shop.yaml"));
  const Result<std::string> text = Finalize(InferModel({DefinitionOf(shop), ItemsForTest(shop, 80), true}));
  ASSERT_TRUE(text.ok());
  const Model finalized = LoadForTest(*text);
  EXPECT_TRUE(ErrorsOf(finalized).empty());
  EXPECT_TRUE(finalized.accepted.empty()) << *text;
}

}  // namespace
}  // namespace keyfold::model
