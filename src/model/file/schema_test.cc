#include "model/file/schema.h"

#include <gtest/gtest.h>

#include "json/document.h"
#include "model/file/fields.h"
#include "testing/model/model.h"

namespace keyfold::model {
namespace {

// Every field of the tables is a property of the schema, with its description.
void ExpectFields(const Record& record, json::Value schema) {
  const auto properties = json::Find(schema, "properties");
  ASSERT_TRUE(properties) << record.title;
  EXPECT_EQ(properties->CountElements(), record.fields.size()) << record.title;
  for (const Field& field : record.fields) {
    const auto property = json::Find(*properties, field.name);
    ASSERT_TRUE(property) << field.name;
    EXPECT_EQ(json::Find(*property, "description")->AsString(), field.says);
    if (field.shape == Shape::kRecord) ExpectFields(*field.record, *property);
    if (field.shape == Shape::kRecords) ExpectFields(*field.record, *json::Find(*property, "items"));
    if (field.shape == Shape::kNamedRecords) {
      ExpectFields(*field.record, *json::Find(*property, "additionalProperties"));
    }
  }
  EXPECT_FALSE(json::Find(schema, "additionalProperties")->AsBool()) << record.title;
}

TEST(SchemaTest, HasEveryFieldOfTheTables) {
  json::Parser parser;
  const auto schema = parser.Parse(SchemaText());
  ASSERT_TRUE(schema);
  EXPECT_EQ(json::Find(*schema, "$schema")->AsString(), "https://json-schema.org/draft/2020-12/schema");
  ExpectFields(kModelRecord, *schema);
}

TEST(SchemaTest, DocsAreUpToDate) {
  EXPECT_TRUE(ExampleText("../docs/model.schema.json") == SchemaText())
      << "keyfold model schema > docs/model.schema.json";
}

}  // namespace
}  // namespace keyfold::model
