#include "wire/attribute_value.h"

#include <gtest/gtest.h>

#include "base/random.h"
#include "base/text/base64.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::wire {
namespace {

// "ok", or the kind's first letter (S: a type error, V: a rule) and the message.
std::string ValueOutcome(std::string_view text, Place place = Place::kElement) {
  json::Parser parser;
  const std::optional<json::Value> json = parser.Parse(std::string(text));
  if (!json.has_value()) return "no JSON";
  Supplied<Value> value;
  const Status types = DecodeAttributeValue(*json, place, value);
  if (!types.ok()) return "S " + types.message();
  const Status rules = value.Check();
  if (!rules.ok()) return "V " + rules.message();
  return IsWellFormedValue(value->view().bytes()) ? "ok" : "ill-formed";
}

std::string Printed(std::string_view text) {
  json::Parser parser;
  Supplied<Value> value;
  if (!DecodeAttributeValue(*parser.Parse(std::string(text)), Place::kElement, value).ok()) return "type error";
  if (!value.Check().ok()) return "rule broken";
  std::string out;
  AppendJson(out, value->view());
  return out;
}

TEST(AttributeValue, ReadsAndPrints) {
  struct Row {
    std::string_view in, out;
  };
  const Row rows[] = {
      {R"({"S":"a"})", R"({"S":"a"})"},
      {R"({"S":""})", R"({"S":""})"},
      {R"({"S":"\u00e9\n\"\\"})", "{\"S\":\"\xC3\xA9\\n\\\"\\\\\"}"},
      {R"({"N":"1.50"})", R"({"N":"1.5"})"},
      {R"({"N":"1E2"})", R"({"N":"100"})"},
      {R"({"N":"-0.0"})", R"({"N":"0"})"},
      {R"({"B":"AAH/"})", R"({"B":"AAH/"})"},
      {R"({"B":""})", R"({"B":""})"},
      {R"({"BOOL":true})", R"({"BOOL":true})"},
      {R"({"BOOL":false})", R"({"BOOL":false})"},
      {R"({"BOOL":"TRUE"})", R"({"BOOL":true})"},
      {R"({"BOOL":"no"})", R"({"BOOL":false})"},
      {R"({"NULL":true})", R"({"NULL":true})"},
      {R"({"NULL":"yes"})", R"({"NULL":true})"},
      {R"({"SS":["b","a",""]})", R"({"SS":["","a","b"]})"},
      {R"({"NS":["10","-1","2.0"]})", R"({"NS":["-1","2","10"]})"},
      {R"({"BS":["Yg==","YQ=="]})", R"({"BS":["YQ==","Yg=="]})"},
      {R"({"L":[]})", R"({"L":[]})"},
      {R"({"L":[{"N":"1"},{"L":[{"S":"x"}]}]})", R"({"L":[{"N":"1"},{"L":[{"S":"x"}]}]})"},
      {R"({"M":{}})", R"({"M":{}})"},
      {R"({"M":{"b":{"N":"1"},"a":{"M":{"z":{"S":"y"}}}}})", R"({"M":{"a":{"M":{"z":{"S":"y"}}},"b":{"N":"1"}}})"},
      // Members that are not in the API, and nulls, are ignored; of two with the same name the later one counts.
      {R"({"S":"a","Q":7,"N":null})", R"({"S":"a"})"},
      {R"({"S":"a","S":"b"})", R"({"S":"b"})"},
      {R"({"M":{"k":{"S":"a"},"k":{"S":"b"}}})", R"({"M":{"k":{"S":"b"}}})"},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(ValueOutcome(row.in), "ok") << row.in;
    EXPECT_EQ(Printed(row.in), row.out) << row.in;
  }
}

TEST(AttributeValue, RulesOfValues) {
  struct Row {
    std::string_view in, rule;
  };
  constexpr std::string_view kEmpty =
      "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes";
  constexpr std::string_view kSeveral =
      "Supplied AttributeValue has more than one datatypes set, must contain exactly one of the supported datatypes";
#define INVALID "One or more parameter values were invalid: "
  const Row rows[] = {
      {"{}", kEmpty},
      {R"({"a":""})", kEmpty},
      {R"({"S":null})", kEmpty},
      {R"({"M":{"a":{}}})", kEmpty},
      {R"({"M":{"a":null}})", kEmpty},
      {R"({"L":[{}]})", kEmpty},
      {R"({"L":[null]})", kEmpty},
      {R"({"S":"a","N":"1"})", kSeveral},
      {R"({"BOOL":true,"NULL":true})", kSeveral},
      {R"({"NULL":false})", INVALID "Null attribute value types must have the value of true"},
      {R"({"NULL":"no"})", INVALID "Null attribute value types must have the value of true"},
      {R"({"SS":[]})", INVALID "An string set  may not be empty"},
      {R"({"NS":[]})", INVALID "An number set  may not be empty"},
      {R"({"BS":[]})", INVALID "Binary sets should not be empty"},
      {R"({"SS":["a","a"]})", INVALID "Input collection [a, a] contains duplicates."},
      {R"({"SS":["b","a","b"]})", INVALID "Input collection [b, a, b] contains duplicates."},
      {R"({"BS":["Yg==","Yg=="]})", INVALID "Input collection [Yg==, Yg==]of type BS contains duplicates."},
      {R"({"NS":["1","1.0"]})", "Input collection contains duplicates"},
      {R"({"SS":["a",null]})", INVALID "A set may not have a null as a member"},
      {R"({"N":""})", "The parameter cannot be converted to a numeric value"},
      {R"({"N":"b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"NS":["1","b"]})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"L":[{"M":{"x":{"N":"b"}}}]})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"N":"123456789012345678901234567890123456789"})",
       "Attempting to store more than 38 significant digits in a Number"},
      {R"({"N":"1e126"})", "Number overflow. Attempting to store a number with magnitude larger than supported range"},
      {R"({"N":"1e-131"})",
       "Number underflow. Attempting to store a number with magnitude smaller than supported range"},
      {R"({"M":{"":{"S":"a"}}})", INVALID "Empty attribute name"},
      // The first in document order; a value's content comes before its number of types.
      {R"({"S":"a","N":"b"})", "The parameter cannot be converted to a numeric value: b"},
      {R"({"L":[{"SS":[]},{"N":"b"}]})", INVALID "An string set  may not be empty"},
  };
#undef INVALID
  for (const Row& row : rows) EXPECT_EQ(ValueOutcome(row.in), "V " + std::string(row.rule)) << row.in;
}

TEST(AttributeValue, NestsToItsLimit) {
  const auto nested = [](size_t depth, std::string_view open, std::string_view close) {
    std::string text;
    for (size_t i = 0; i < depth; ++i) text.append(open);
    text.append(R"({"S":"x"})");
    for (size_t i = 0; i < depth; ++i) text.append(close);
    return text;
  };
  EXPECT_EQ(ValueOutcome(nested(kItemDepthMax, R"({"L":[)", "]}")), "ok");
  EXPECT_EQ(ValueOutcome(nested(kItemDepthMax, R"({"M":{"a":)", "}}")), "ok");
  EXPECT_EQ(
      ValueOutcome(nested(kItemDepthMax + 1, R"({"L":[)", "]}")),
      "V Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit");
  EXPECT_EQ(
      ValueOutcome(nested(kItemDepthMax + 1, R"({"M":{"a":)", "}}")),
      "V Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit");
  EXPECT_EQ(
      ValueOutcome(nested(200, R"({"M":{"a":)", "}}")),
      "V Nesting Levels have exceeded supported limits: Attributes in the item have nested levels beyond supported limit");
}

TEST(AttributeValue, TypeErrors) {
  struct Row {
    std::string_view in, error;
  };
  constexpr std::string_view kStart = "Start of structure or map found where not expected";
  constexpr std::string_view kBlob = "only base-64-encoded strings are convertible to bytes";
  const Row rows[] = {
      {"\"23\"", "Unexpected value type in payload"},
      {"true", "Unexpected value type in payload"},
      {"23", "Unexpected value type in payload"},
      {"34.56", "Unexpected value type in payload"},
      {"[]", "Unrecognized collection type class com.amazonaws.dynamodb.v20120810.AttributeValue"},
      {R"({"S":true})", "TRUE_VALUE cannot be converted to String"},
      {R"({"S":false})", "FALSE_VALUE cannot be converted to String"},
      {R"({"S":23})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"S":34.56})", "DECIMAL_VALUE cannot be converted to String"},
      {R"({"S":[]})", "Unrecognized collection type class java.lang.String"},
      {R"({"S":{}})", kStart},
      {R"({"N":3})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"B":true})", kBlob},
      {R"({"B":23})", kBlob},
      {R"({"B":[]})", "Unrecognized collection type class java.nio.ByteBuffer"},
      {R"({"B":{}})", kStart},
      {R"({"B":"23456"})", "Base64 encoded length is expected a multiple of 4 bytes but found: 5"},
      {R"({"B":"YWJj??!!"})", "Invalid base 64 character: '?'"},
      {R"({"B":"YWJj😀"})", "Invalid base 64 character: '😀'"},
      {R"({"B":"éé"})", "Invalid base 64 character: 'é'"},
      {R"({"BS":["YWJj","€a"]})", "Invalid base 64 character: '€'"},
      {R"({"B":"=+/="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"B":"+/+="})", "Invalid last non-pad Base64 character dectected"},
      {R"({"BOOL":"23"})", "Unexpected token received from parser"},
      {R"({"BOOL":23})", "NUMBER_VALUE cannot be converted to Boolean"},
      {R"({"BOOL":34.56})", "DECIMAL_VALUE cannot be converted to Boolean"},
      {R"({"BOOL":[]})", "Unrecognized collection type class java.lang.Boolean"},
      {R"({"NULL":{}})", kStart},
      {R"({"SS":"23"})", "Unexpected field type"},
      {R"({"NS":true})", "Unexpected field type"},
      {R"({"BS":{}})", kStart},
      {R"({"SS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"NS":[1]})", "NUMBER_VALUE cannot be converted to String"},
      {R"({"BS":[1]})", kBlob},
      {R"({"BS":["a"]})", "Base64 encoded length is expected a multiple of 4 bytes but found: 1"},
      {R"({"L":23})", "Unexpected field type"},
      {R"({"L":{}})", kStart},
      {R"({"L":["23"]})", "Unexpected value type in payload"},
      {R"({"L":[{"BS":true}]})", "Unexpected field type"},
      {R"({"M":23})", "Unexpected field type"},
      {R"({"M":[]})",
       "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>"},
      {R"({"M":{"a":23}})", "Unexpected value type in payload"},
      {R"({"M":{"a":{"BS":[{}]}}})", kStart},
      // A type error after a broken rule takes precedence.
      {R"({"L":[{"SS":[]},{"S":1}]})", "NUMBER_VALUE cannot be converted to String"},
  };
  for (const Row& row : rows) EXPECT_EQ(ValueOutcome(row.in), "S " + std::string(row.error)) << row.in;
  EXPECT_EQ(ValueOutcome("23", Place::kMember), "S Unexpected field type");
}

TEST(Item, RulesAndTypes) {
  json::Parser parser;
  const auto outcome = [&](const std::string& text, Place place) -> std::string {
    Supplied<Item> item;
    const Status types = DecodeItem(*parser.Parse(text), place, item);
    if (!types.ok()) return types.message();
    const Status rules = item.Check();
    if (!rules.ok()) return rules.message();
    std::string out;
    AppendJson(out, item->view());
    return IsWellFormedItem(item->bytes()) ? out : "ill-formed";
  };
  EXPECT_EQ(outcome("{}", Place::kMember), "{}");
  EXPECT_EQ(outcome(R"({"b":{"S":"x"},"a":{"N":"1"}})", Place::kMember), R"({"a":{"N":"1"},"b":{"S":"x"}})");
  EXPECT_EQ(outcome(R"({"a":null})", Place::kMember),
            "Supplied AttributeValue is empty, must contain exactly one of the supported datatypes");
  EXPECT_EQ(outcome(R"({"":{"S":"x"}})", Place::kMember),
            "One or more parameter values were invalid: Empty attribute name");
  EXPECT_EQ(outcome("{\"" + std::string(65536, 'a') + R"(":{"S":"x"}})", Place::kMember),
            "One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes");
  EXPECT_EQ(outcome("7", Place::kMember), "Unexpected field type");
  EXPECT_EQ(outcome("7", Place::kElement).substr(0, 77),
            "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be ");
  EXPECT_EQ(
      outcome("[]", Place::kElement),
      "Unrecognized collection type java.util.Map<java.lang.String, com.amazonaws.dynamodb.v20120810.AttributeValue>");
}

TEST(Supplied, CheckReturnsTheFaultEveryTime) {
  const Supplied<Value> missing = MissingValue();
  EXPECT_FALSE(missing.Check().ok());
  EXPECT_FALSE(missing.Check().ok());
  EXPECT_DEATH((void)*missing, "CHECK|fault");
}

TEST(ExpressionValues, NameTheKeyAtFault) {
  OrderedMap<Supplied<Value>> values;
  values.emplace_back(":a", Supplied<Value>(Value()));
  EXPECT_TRUE(CheckExpressionAttributeValues(values).ok());
  values.emplace_back(":b", MissingValue());
  EXPECT_EQ(CheckExpressionAttributeValues(values).message(),
            "ExpressionAttributeValues contains invalid value: Supplied AttributeValue is empty, must contain exactly "
            "one of the supported datatypes for key :b");
}

// A random value as DynamoDB's JSON.
void AppendRandom(Random& random, size_t depth, std::string& out);

std::string RandomText(Random& random) {
  std::string text;
  const uint64_t length = random.Below(12);
  for (uint64_t i = 0; i < length; ++i) {
    random.OneIn(5) ? text.append("\xE2\x82\xAC") : text.append(1, static_cast<char>(random.Below(128)));
  }
  return text;
}

std::string RandomNumber(Random& random) {
  std::string text = random.OneIn(2) ? "-" : "";
  text.append(std::to_string(random.Below(1000000)));
  if (random.OneIn(2)) text.append("." + std::to_string(random.Below(1000000)));
  if (random.OneIn(4)) text.append("E" + std::to_string(static_cast<int>(random.Below(200)) - 100));
  return text;
}

void AppendContainer(Random& random, size_t depth, bool map, std::string& out) {
  out.append(map ? "{\"M\":{" : "{\"L\":[");
  const uint64_t count = random.Below(4);
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0) out.push_back(',');
    if (map) {
      json::AppendQuoted(out, "k" + RandomText(random));
      out.push_back(':');
    }
    AppendRandom(random, depth + 1, out);
  }
  out.append(map ? "}}" : "]}");
}

void AppendRandomSet(Random& random, std::string_view type, std::string& out) {
  out.append("{\"").append(type).append("\":[");
  const uint64_t count = 1 + random.Below(4);
  for (uint64_t i = 0; i < count; ++i) {
    if (i > 0) out.push_back(',');
    // The prefix makes the elements distinct.
    const std::string prefix = std::to_string(i + 1);
    if (type == "NS") {
      json::AppendQuoted(out, prefix + std::string(random.Below(5) * 2, '0'));
    } else if (type == "SS") {
      json::AppendQuoted(out, prefix + RandomText(random));
    } else {
      std::string base64;
      AppendBase64(base64, prefix + RandomText(random));
      json::AppendQuoted(out, base64);
    }
  }
  out.append("]}");
}

void AppendRandom(Random& random, size_t depth, std::string& out) {
  switch (random.Below(depth < 5 ? 10 : 8)) {
    case 0:
    case 1:
      out.append("{\"S\":");
      json::AppendQuoted(out, RandomText(random));
      out.push_back('}');
      return;
    case 2:
    case 3:
      out.append("{\"N\":\"" + RandomNumber(random) + "\"}");
      return;
    case 4: {
      std::string base64;
      AppendBase64(base64, RandomText(random));
      out.append("{\"B\":\"" + base64 + "\"}");
      return;
    }
    case 5:
      out.append(random.OneIn(2) ? R"({"BOOL":true})" : R"({"BOOL":false})");
      return;
    case 6:
      out.append(R"({"NULL":true})");
      return;
    case 7:
      AppendRandomSet(random, random.OneIn(3) ? "BS" : random.OneIn(2) ? "SS" : "NS", out);
      return;
    default:
      AppendContainer(random, depth, random.OneIn(2), out);
  }
}

TEST(AttributeValue, RandomValuesReadBackEqual) {
  Random random(7);
  json::Parser parser;
  for (int i = 0; i < 4000; ++i) {
    std::string text;
    AppendRandom(random, 0, text);
    Supplied<Value> first, second;
    ASSERT_TRUE(DecodeAttributeValue(*parser.Parse(text), Place::kElement, first).ok()) << text;
    ASSERT_TRUE(first.Check().ok()) << text << ": " << first.Check().message();
    ASSERT_TRUE(IsWellFormedValue(first->view().bytes())) << text;
    std::string printed;
    AppendJson(printed, first->view());
    ASSERT_TRUE(DecodeAttributeValue(*parser.Parse(printed), Place::kElement, second).ok()) << printed;
    ASSERT_EQ(first->view(), second->view()) << text << "\n" << printed;
  }
}

}  // namespace
}  // namespace keyfold::wire
