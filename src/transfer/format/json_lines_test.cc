#include "transfer/format/json_lines.h"

#include <gtest/gtest.h>

#include "wire/attribute_value.h"

namespace keyfold::transfer {
namespace {

struct JsonLineCase {
  std::string_view text;
  std::vector<std::string> items;
  std::vector<std::string> faults;
};

const std::string kNotAnItem = "A line of DynamoDB JSON must be an object with one member, Item";
const std::string kNotJson = "The line is not valid JSON";

const JsonLineCase kJsonLines[] = {
    {"", {}, {}},
    {"\n \t\r\n\n", {}, {}},
    {R"({"Item":{}})", {"{}"}, {}},
    {R"( { "Item" : { "a" : { "S" : "b" } } } )", {R"({"a":{"S":"b"}})"}, {}},
    {"{\"Item\":{}}\r\n{\"Item\":{}}\r\n", {"{}", "{}"}, {}},
    // Lists of items on one line.
    {R"([{"Item":{}},{"Item":{"a":{"N":"1"}}}])", {"{}", R"({"a":{"N":"1"}})"}, {}},
    {R"([{"Item":{}},1])", {"{}"}, {kNotAnItem}},
    {R"({"a":{"S":"b"}})", {}, {kNotAnItem}},
    {R"({"item":{}})", {}, {kNotAnItem}},
    {R"({"Item":[]})", {}, {kNotAnItem}},
    {R"({"Item":null})", {}, {kNotAnItem}},
    {R"({"Item":{},"Other":1})", {}, {kNotAnItem}},
    {R"({"Keys":{},"NewImage":{}})", {}, {kNotAnItem}},
    {"{}\n{\"Item\":{}}", {"{}"}, {kNotAnItem}},
    {"{\n\"Item\":{}\n}", {}, {kNotJson, kNotJson, kNotJson}},
    // Several objects on one line.
    {"{\"Item\":{}}{\"Item\":{}}", {"{}", "{}"}, {}},
    {" {\"Item\":{}} {\"Item\":{\"}\":{\"S\":\"\\\"{\"}}} \n", {"{}", R"({"}":{"S":"\"{"}})"}, {}},
    {"{\"Item\":{}}{\"Item\":{}\n{\"Item\":{}}", {"{}", "{}"}, {kNotJson}},
    {"{\"Item\":{}}}{\"Item\":{}}", {"{}"}, {kNotJson}},
    {"{\"Item\":{}}{}{\"Item\":{}}", {"{}", "{}"}, {kNotAnItem}},
    {"{\"Item\":{}}[{\"Item\":{}}]", {"{}"}, {kNotJson}},
    {"{\"Item\":{\"a\":{\"S\":\"\xFF\"}}}", {}, {kNotJson}},
    {R"({"Item":{"a":{"S":1}}})", {}, {"NUMBER_VALUE cannot be converted to String"}},
    {R"({"Item":{"a":{"N":"x"}}})", {}, {"The parameter cannot be converted to a numeric value: x"}},
    {R"({"Item":{"a":{}}})",
     {},
     {"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"}},
    {R"({"Item":{"":{"S":"a"}}})", {}, {"One or more parameter values were invalid: Empty attribute name"}},
};

TEST(JsonLines, ItemsAndFaults) {
  for (const JsonLineCase& c : kJsonLines) {
    std::vector<std::string> items, faults;
    ParseJsonLines(
        c.text, [&](ItemView item) { wire::AppendJson(items.emplace_back(), item); },
        [&](const Error& error) { faults.push_back(error.message()); });
    EXPECT_EQ(items, c.items) << c.text;
    EXPECT_EQ(faults, c.faults) << c.text;
  }
}

}  // namespace
}  // namespace keyfold::transfer
