// Reads documents twice, with Value and with simdjson's own classes, and compares the results. It fails if the
// installed simdjson's tape layout differs from what json/document.h reads (docs/design/json-tape.md).
#include <gtest/gtest.h>
#include <simdjson.h>

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/document.h"

namespace keyfold::json {
namespace {

namespace dom = simdjson::dom;

void AppendText(std::string_view text, std::string& out) {
  out.append("s").append(std::to_string(text.size())).append(":").append(text);
}
void AppendDouble(double value, std::string& out) {
  out.append("d").append(std::to_string(std::bit_cast<uint64_t>(value))).append(";");
}

// Appends type, value and number of elements of every value, in document order. Both functions append the same for the
// same document.
void Append(const Value& value, std::string& out) {
  switch (value.type()) {
    case Type::kNull:
      out.append("n;");
      return;
    case Type::kBool:
      out.append(value.AsBool() ? "t;" : "f;");
      return;
    case Type::kInteger:
      out.append("i").append(value.NumberText()).append(";");
      return;
    case Type::kDecimal:
      return AppendDouble(value.AsDouble(), out);
    case Type::kString:
      return AppendText(value.AsString(), out);
    case Type::kArray:
      out.append("[").append(std::to_string(value.CountElements())).append(";");
      for (const Value element : value.elements()) Append(element, out);
      out.append("]");
      return;
    case Type::kObject:
      out.append("{").append(std::to_string(value.CountElements())).append(";");
      for (const Member member : value.members()) {
        AppendText(member.name, out);
        Append(member.value, out);
      }
      out.append("}");
      return;
  }
}

void Append(const dom::element& value, std::string& out) {
  switch (value.type()) {
    case dom::element_type::NULL_VALUE:
      out.append("n;");
      return;
    case dom::element_type::BOOL:
      out.append(value.get_bool().value() ? "t;" : "f;");
      return;
    case dom::element_type::INT64:
      out.append("i").append(std::to_string(value.get_int64().value())).append(";");
      return;
    case dom::element_type::UINT64:
      out.append("i").append(std::to_string(value.get_uint64().value())).append(";");
      return;
    case dom::element_type::DOUBLE:
      return AppendDouble(value.get_double().value(), out);
    case dom::element_type::STRING:
      return AppendText(value.get_string().value(), out);
    case dom::element_type::ARRAY: {
      const dom::array array = value.get_array().value();
      out.append("[").append(std::to_string(array.size())).append(";");
      for (const dom::element element : array) Append(element, out);
      out.append("]");
      return;
    }
    case dom::element_type::OBJECT: {
      const dom::object object = value.get_object().value();
      out.append("{").append(std::to_string(object.size())).append(";");
      for (const dom::key_value_pair member : object) {
        AppendText(member.key, out);
        Append(member.value, out);
      }
      out.append("}");
      return;
    }
  }
}

std::string Repeated(std::string_view text, size_t count) {
  std::string out;
  for (size_t i = 0; i < count; ++i) out.append(text);
  return out;
}

std::vector<std::string> Documents() {
  return {
      "null",
      "true",
      "false",
      "0",
      "-1",
      "9223372036854775807",
      "-9223372036854775808",
      "9223372036854775808",
      "18446744073709551615",
      "-0.0",
      "1e2",
      "34.56",
      "1.7976931348623157e308",
      R"("")",
      R"("plain")",
      R"("a\u00e9\n\ud83d\ude00\"\\\/\u0000b")",
      "\"" + std::string(70'000, 'x') + "\"",
      "[]",
      "{}",
      R"([[],{},[[]],{"a":{}},{"b":[]}])",
      R"({"b":[1,[2,3],{"x":-4}],"a":1.5,"b":{},"":null,"c":[true,false,null,18446744073709551615,"s",2.5]})",
      R"({"TableName":"t","Item":{"pk":{"S":"a"},"n":{"N":"1"},"l":{"L":[{"BOOL":true},{"NULL":true}]}}})",
      "[" + Repeated("1,\"a\",", 70'000) + "null]",
      Repeated("[{\"a\":", 100) + "7" + Repeated("}]", 100),
  };
}

TEST(Tape, ValueShowsWhatSimdjsonShows) {
  for (const std::string& text : Documents()) {
    Parser parser;
    const std::optional<Value> value = parser.Parse(text);
    ASSERT_TRUE(value.has_value()) << text.substr(0, 80);
    std::string ours;
    Append(*value, ours);

    dom::parser reference;
    const dom::element root = reference.parse(text).value();
    std::string theirs;
    Append(root, theirs);
    EXPECT_TRUE(ours == theirs) << text.substr(0, 80) << '\n' << ours.substr(0, 200) << '\n' << theirs.substr(0, 200);
  }
}

}  // namespace
}  // namespace keyfold::json
