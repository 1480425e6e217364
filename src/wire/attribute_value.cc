#include "wire/attribute_value.h"

#include <cstddef>
#include <memory_resource>

#include "base/text/base64.h"
#include "value/item_limit.h"
#include "value/limits.h"
#include "value/number.h"

namespace keyfold::wire {
namespace {

constexpr Kind kValidation = Kind::kValidation;
constexpr Rule<"Supplied AttributeValue is empty, must contain exactly one of the supported datatypes"> kEmptyValue{
    "value-empty", kValidation};
constexpr Rule<"One or more parameter values were invalid: Null attribute value types must have the value of true">
    kFalseNull{"value-false-null", kValidation};
constexpr Rule<"One or more parameter values were invalid: An string set  may not be empty"> kEmptyStringSet{
    "value-empty-string-set", kValidation};
constexpr Rule<"One or more parameter values were invalid: An number set  may not be empty"> kEmptyNumberSet{
    "value-empty-number-set", kValidation};
constexpr Rule<"One or more parameter values were invalid: Binary sets should not be empty"> kEmptyBinarySet{
    "value-empty-binary-set", kValidation};
constexpr Rule<"One or more parameter values were invalid: Input collection {} contains duplicates."> kRepeatedStrings{
    "value-repeated-strings", kValidation};
constexpr Rule<"Input collection contains duplicates"> kRepeatedNumbers{"value-repeated-numbers", kValidation};
constexpr Rule<"One or more parameter values were invalid: Input collection {}of type BS contains duplicates.">
    kRepeatedBinaries{"value-repeated-binaries", kValidation};
constexpr Rule<"One or more parameter values were invalid: A set may not have a null as a member"> kNullInSet{
    "value-null-in-set", kValidation};
constexpr Rule<"One or more parameter values were invalid: Empty attribute name"> kEmptyName{"attribute-name-empty",
                                                                                             kValidation};
constexpr Rule<"One or more parameter values were invalid: Attribute name is too large, must be less than 65536 bytes">
    kLongName{"attribute-name-long", kValidation};
constexpr Rule<"ExpressionAttributeValues contains invalid value: {} for key {}"> kExpressionValue{
    "expression-attribute-value", kValidation};

constexpr std::string_view kJavaAttributeValue = "com.amazonaws.dynamodb.v20120810.AttributeValue";

// [a, b]
std::string PrintSet(json::Value set) {
  std::string text = "[";
  for (const json::Value element : set.elements()) {
    if (text.size() > 1) text.append(", ");
    text.append(element.AsString());
  }
  text.push_back(']');
  return text;
}

// Writes one value or item in the item form. A type error ends it. The first broken rule is kept while reading
// continues, since a type error after it takes precedence; the output is then worthless.
class Reader {
 public:
  bool ReadValue(json::Value json, Place place, size_t depth);
  bool ReadItem(json::Value json, Place place);

  template <typename T>
  Status Finish(bool read, Supplied<T>& out) {
    if (!read) return std::move(type_error_);
    out = fault_.ok() ? Supplied<T>(T(std::move(out_))) : Supplied<T>(std::move(fault_).TakeError());
    return Ok();
  }

 private:
  bool ReadTyped(Type type, json::Value json, size_t depth);
  bool ReadString(json::Value json);
  bool ReadNumber(json::Value json);
  bool ReadBinary(json::Value json);
  bool ReadNull(json::Value json);
  bool ReadBool(json::Value json);
  bool ReadList(json::Value json, size_t depth);
  bool ReadEntries(json::Value json, size_t depth);
  bool ReadSet(Type type, json::Value json);
  bool ReadElement(Type type, json::Value json);
  Error EmptySet(Type type) const;
  Error RepeatedElements(Type type, json::Value set) const;
  void CheckDepth(size_t depth) {
    if (depth > kItemDepthMax) Break(kItemDepth());
  }

  bool Fail(Error error) {
    type_error_ = std::move(error);
    return false;
  }
  void Break(Error fault) {
    if (fault_.ok()) fault_ = std::move(fault);
  }

  std::string out_;
  ValueWriter writer_{out_};
  std::string content_;  // decoded elements of a set
  // Enough for typical sets; larger ones use the heap.
  alignas(std::string_view) std::byte usual_[512];
  std::pmr::monotonic_buffer_resource memory_{usual_, sizeof usual_};
  std::pmr::vector<size_t> ends_{&memory_};                // where each element ends in content_
  std::pmr::vector<std::string_view> elements_{&memory_};  // the elements as views
  Status type_error_;
  Status fault_;
};

bool Reader::ReadValue(json::Value json, Place place, size_t depth) {
  if (!json.is_object()) return Fail(NotAStructure(json, place, "AttributeValue"));
  const size_t start = out_.size();
  uint32_t seen = 0;
  for (const json::Member member : json.members()) {
    const std::optional<Type> type = TypeByName(member.name);
    if (!type.has_value() || member.value.is_null()) continue;
    // A repeated type replaces the earlier value. A different type is an error, reported below.
    if (seen != 0) out_.resize(start);
    seen |= 1u << static_cast<uint32_t>(*type);
    if (!ReadTyped(*type, member.value, depth)) return false;
  }
  if (seen == 0) Break(kEmptyValue());
  if ((seen & (seen - 1)) != 0) Break(kSeveralTypes());
  return true;
}

bool Reader::ReadItem(json::Value json, Place place) {
  if (!json.is_object()) return Fail(NotAMap(json, place, kJavaAttributeValue));
  out_.reserve(256);
  writer_.BeginItem();
  return ReadEntries(json, 0);
}

bool Reader::ReadTyped(Type type, json::Value json, size_t depth) {
  switch (type) {
    case Type::kS:
      return ReadString(json);
    case Type::kN:
      return ReadNumber(json);
    case Type::kB:
      return ReadBinary(json);
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return ReadSet(type, json);
    case Type::kM:
      if (!json.is_object()) return Fail(NotAMap(json, Place::kMember, kJavaAttributeValue));
      CheckDepth(depth + 1);
      writer_.BeginMap();
      return ReadEntries(json, depth + 1);
    case Type::kL:
      return ReadList(json, depth + 1);
    case Type::kNull:
      return ReadNull(json);
    case Type::kBool:
      return ReadBool(json);
  }
  return false;
}

bool Reader::ReadString(json::Value json) {
  if (!json.is_string()) return Fail(NotAScalar(json, "String"));
  writer_.String(json.AsString());
  return true;
}

bool Reader::ReadNumber(json::Value json) {
  if (!json.is_string()) return Fail(NotAScalar(json, "String"));
  Result<Number> number = Number::Parse(json.AsString());
  if (!number.ok()) {
    Break(std::move(number).TakeError());
    return true;
  }
  content_.clear();
  number->EncodeTo(content_);
  writer_.EncodedNumber(content_);
  return true;
}

bool Reader::ReadBinary(json::Value json) {
  if (!json.is_string()) return Fail(NotABlob(json));
  content_.clear();
  if (!AppendFromBase64(content_, json.AsString())) return Fail(NotBase64(json.AsString()));
  writer_.Binary(content_);
  return true;
}

bool Reader::ReadNull(json::Value json) {
  bool value = false;
  Status status = DecodeBoolean(json, value);
  if (!status.ok()) return Fail(std::move(status).TakeError());
  if (!value) Break(kFalseNull());
  writer_.Null();
  return true;
}

bool Reader::ReadBool(json::Value json) {
  bool value = false;
  Status status = DecodeBoolean(json, value);
  if (!status.ok()) return Fail(std::move(status).TakeError());
  writer_.Bool(value);
  return true;
}

bool Reader::ReadList(json::Value json, size_t depth) {
  if (!json.is_array()) return Fail(NotAList(json, Place::kMember));
  CheckDepth(depth);
  writer_.BeginList();
  uint32_t count = 0;
  for (const json::Value element : json.elements()) {
    ++count;
    if (element.is_null()) {
      Break(kEmptyValue());
    } else if (!ReadValue(element, Place::kElement, depth)) {
      return false;
    }
  }
  writer_.EndList(count);
  return true;
}

bool Reader::ReadEntries(json::Value json, size_t depth) {
  for (const json::Member entry : json.members()) {
    if (entry.name.empty()) Break(kEmptyName());
    if (entry.name.size() > kAttributeNameBytesMax) Break(kLongName());
    writer_.Name(entry.name);
    if (entry.value.is_null()) {
      Break(kEmptyValue());
    } else if (!ReadValue(entry.value, Place::kElement, depth)) {
      return false;
    }
  }
  // Sorting moves everything in the map, so it is skipped after a fault: there may be hundreds of nested levels.
  if (fault_.ok()) writer_.EndMap();
  return true;
}

bool Reader::ReadSet(Type type, json::Value json) {
  if (!json.is_array()) return Fail(NotAList(json, Place::kMember));
  content_.clear();
  ends_.clear();
  for (const json::Value element : json.elements()) {
    if (element.is_null()) {
      Break(kNullInSet());
      continue;
    }
    if (!ReadElement(type, element)) return false;
    ends_.push_back(content_.size());
  }
  if (ends_.empty()) Break(EmptySet(type));
  if (!fault_.ok()) return true;

  elements_.clear();
  size_t start = 0;
  for (const size_t end : ends_) {
    elements_.push_back(std::string_view(content_).substr(start, end - start));
    start = end;
  }
  const Tag tag = type == Type::kSS ? Tag::kSS : type == Type::kNS ? Tag::kNS : Tag::kBS;
  if (!writer_.Set(tag, elements_)) Break(RepeatedElements(type, json));
  return true;
}

// Appends the element to content_.
bool Reader::ReadElement(Type type, json::Value json) {
  if (!json.is_string()) return Fail(type == Type::kBS ? NotABlob(json) : NotAScalar(json, "String"));
  const std::string_view text = json.AsString();
  if (type == Type::kSS) {
    content_.append(text);
  } else if (type == Type::kBS) {
    if (!AppendFromBase64(content_, text)) return Fail(NotBase64(text));
  } else {
    Result<Number> number = Number::Parse(text);
    number.ok() ? number->EncodeTo(content_) : Break(std::move(number).TakeError());
  }
  return true;
}

Error Reader::EmptySet(Type type) const {
  if (type == Type::kSS) return kEmptyStringSet();
  return type == Type::kNS ? kEmptyNumberSet() : kEmptyBinarySet();
}

Error Reader::RepeatedElements(Type type, json::Value set) const {
  if (type == Type::kNS) return kRepeatedNumbers();
  return type == Type::kSS ? kRepeatedStrings(PrintSet(set)) : kRepeatedBinaries(PrintSet(set));
}

}  // namespace

Status CheckExpressionAttributeValues(const OrderedMap<Supplied<Value>>& values) {
  for (const auto& [name, value] : values) {
    const Status status = value.Check();
    if (!status.ok()) return kExpressionValue(status.message(), name);
  }
  return Ok();
}

Status AttributeNameIsGiven(std::string_view name) {
  if (name.empty()) return kEmptyName();
  return Ok();
}

bool IsOfNumberOrSet(const Error& fault) {
  const std::string_view rule = fault.rule();
  return IsNumberFault(fault) || rule == kEmptyNumberSet.id || rule == kRepeatedStrings.id ||
         rule == kRepeatedNumbers.id || rule == kRepeatedBinaries.id;
}

Supplied<Value> MissingValue() { return Supplied<Value>(kEmptyValue()); }

Status DecodeAttributeValue(json::Value json, Place place, Supplied<Value>& out) {
  Reader reader;
  const bool read = reader.ReadValue(json, place, 0);
  return reader.Finish(read, out);
}

Status DecodeItem(json::Value json, Place place, Supplied<Item>& out) {
  Reader reader;
  const bool read = reader.ReadItem(json, place);
  return reader.Finish(read, out);
}

}  // namespace keyfold::wire
