#include "wire/type_error.h"

#include <cctype>
#include <string>

#include "base/text/utf8.h"

namespace keyfold::wire {
namespace {

constexpr Kind kSerialization = Kind::kSerialization;
constexpr Rule<"{} cannot be converted to {}"> kScalar{"type-scalar", kSerialization};
constexpr Rule<"Unrecognized collection type class {}"> kCollection{"type-collection", kSerialization};
constexpr Rule<"Unrecognized collection type java.util.Map<java.lang.String, {}>"> kMapCollection{"type-map",
                                                                                                  kSerialization};
constexpr Rule<"Start of structure or map found where not expected"> kStructureStart{"type-structure-start",
                                                                                     kSerialization};
constexpr Rule<"Unexpected field type"> kField{"type-field", kSerialization};
constexpr Rule<"Unexpected value type in payload"> kPayload{"type-payload", kSerialization};
constexpr Rule<"Unexpected token received from parser"> kToken{"type-token", kSerialization};
constexpr Rule<"only base-64-encoded strings are convertible to bytes"> kBlob{"type-blob", kSerialization};
// AWS's code has no class for a list or map inside another, and its message shows that.
constexpr Rule<
    "class sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl cannot be cast to class java.lang.Class "
    "(sun.reflect.generics.reflectiveObjects.ParameterizedTypeImpl and java.lang.Class are in module java.base of "
    "loader 'bootstrap')">
    kNested{"type-nested", kSerialization};
constexpr Rule<"Base64 encoded length is expected a multiple of 4 bytes but found: {}"> kBase64Length{"base64-length",
                                                                                                      kSerialization};
constexpr Rule<"Invalid base 64 character: '{}'"> kBase64Character{"base64-character", kSerialization};
constexpr Rule<"Invalid last non-pad Base64 character dectected"> kBase64Last{"base64-last", kSerialization};
constexpr Rule<"Numeric value ({}) out of range of {}"> kRange{"type-range", kSerialization};
constexpr Rule<""> kNotJson{"not-json", kSerialization};

std::string_view TokenName(json::Value json) {
  switch (json.type()) {
    case json::Type::kBool:
      return json.AsBool() ? "TRUE_VALUE" : "FALSE_VALUE";
    case json::Type::kInteger:
      return "NUMBER_VALUE";
    case json::Type::kDecimal:
      return "DECIMAL_VALUE";
    case json::Type::kString:
      return "STRING_VALUE";
    default:
      return "NULL_VALUE";
  }
}

bool IsBase64Character(char c) {
  return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' || c == '=';
}

}  // namespace

Error NotAScalar(json::Value json, std::string_view java_name) {
  if (json.is_array()) return kCollection("java.lang." + std::string(java_name));
  if (json.is_object()) return kStructureStart();
  return kScalar(TokenName(json), java_name);
}

Error NotABlob(json::Value json) {
  if (json.is_array()) return kCollection("java.nio.ByteBuffer");
  if (json.is_object()) return kStructureStart();
  return kBlob();
}

Error NotATimestamp(json::Value json) {
  if (json.is_array()) return kCollection("java.util.Date");
  if (json.is_object()) return kStructureStart();
  return kScalar(TokenName(json), "milliseconds since epoch");
}

Error NotAList(json::Value json, Place place) {
  if (json.is_object()) return kStructureStart();
  return place == Place::kElement ? kNested() : kField();
}

Error NotAMap(json::Value json, Place place, std::string_view java_element) {
  if (json.is_array()) return kMapCollection(java_element);
  return place == Place::kElement ? kNested() : kField();
}

Error NotAStructure(json::Value json, Place place, std::string_view name) {
  if (json.is_array()) return kCollection("com.amazonaws.dynamodb.v20120810." + std::string(name));
  return place == Place::kElement ? kPayload() : kField();
}

Error NotBase64(std::string_view text) {
  if (text.size() % 4 != 0) return kBase64Length(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsBase64Character(text[i])) return kBase64Character(FirstCharacter(text.substr(i)));
  }
  return kBase64Last();
}

Error OutOfRange(json::Value json, std::string_view java_type) { return kRange(json.NumberText(), java_type); }

Status DecodeBoolean(json::Value json, bool& out) {
  if (json.type() == json::Type::kBool) {
    out = json.AsBool();
    return Ok();
  }
  if (!json.is_string()) return NotAScalar(json, "Boolean");
  std::string word(json.AsString());
  for (char& c : word) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  out = word == "true" || word == "1" || word == "yes";
  if (!out && word != "false" && word != "0" && word != "no") return kToken();
  return Ok();
}

Error NotJson() { return kNotJson(); }

}  // namespace keyfold::wire
