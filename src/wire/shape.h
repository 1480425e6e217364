// Request shapes: one table per structure (ShapeOf<T>) lists its members with their types and constraints. Decoding,
// type errors, and DynamoDB's message about all faults of a request's shape are derived from it. wire/shapes.h and
// wire/requests/ hold the tables.
//
// A structure's table lists its members in the order in which faults are printed. Decode checks in DynamoDB's stages:
// types in document order (the first SerializationException ends it), then the table name, then all faults of shape in
// one ValidationException, then members that Keyfold refuses. The operation's own checks cover the meaning of values
// (Supplied) and of combinations of members.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/error.h"
#include "json/document.h"
#include "wire/attribute_value.h"

namespace keyfold::wire {

enum class JsonType : uint8_t {
  kString,
  kEnum,
  kBoolean,
  kInteger,
  kLong,
  kTimestamp,
  kList,
  kMap,
  kStructure,
  kAttributeValue,
  kItem
};

// A pattern that the whole string must match; shape.cc has the expressions.
enum class Pattern : uint8_t {
  kNone,
  kName,  // name of a table, index or backup
  kClientToken,
  kS3Bucket,
  kAccount,
  kCsvDelimiter,
  kCsvHeader,
  kImportNextToken
};

// A time; in JSON the seconds since 1970, possibly with a fraction.
struct Timestamp {
  Micros micros = 0;
  constexpr bool operator==(const Timestamp&) const = default;
};

// Bounds on the value of a number, or on the length of anything else.
struct SizeBounds {
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
  Pattern pattern = Pattern::kNone;
  constexpr bool operator==(const SizeBounds&) const = default;
};

// Table names have their own rules, since an ARN is allowed instead.
enum class NameRule : uint8_t {
  kNone,
  kItemOperation,   // 3 to 255 of [a-zA-Z0-9_.-], or an ARN; a fault is reported alone
  kDescribe,        // the same, reported with the other faults
  kTableOperation,  // a length fault has its own message and is reported alone; a pattern fault with the others
  kNewTable         // a missing name as kTableOperation, other faults as kItemOperation
};

// For a few members, AWS's message has the name as in the API and leaves out the value: "Value at 'Limit' failed …".
enum class Reporting : uint8_t { kWithValue, kByName };

struct Constraints {
  bool required = false;
  int64_t min = std::numeric_limits<int64_t>::min();
  int64_t max = std::numeric_limits<int64_t>::max();
  Pattern pattern = Pattern::kNone;
  SizeBounds elements = {};  // for each string in a list, or each list in a map
  SizeBounds keys = {};      // for each key of a map
  NameRule name = NameRule::kNone;
  Reporting reporting = Reporting::kWithValue;

  constexpr SizeBounds bounds() const { return {min, max, pattern}; }
};

struct Field;

// A JSON type as the API describes it. One constant per C++ type: kJsonTypeOf<T>.
struct TypeInfo {
  JsonType type = JsonType::kString;
  std::string_view name = {};                     // structures and enums: the API's name
  std::span<const Field> fields = {};             // structures
  std::span<const std::string_view> values = {};  // enums, in the order AWS prints them
  const TypeInfo* element = nullptr;              // lists and maps
};

class Decoder;

// One member of a structure.
struct Field {
  std::string_view name;
  const TypeInfo* type = nullptr;
  Constraints constraints = {};
  bool refused = false;  // its type is checked, then the request is refused
  bool checked = false;  // has constraints other than `required`
  bool (*decode)(Decoder&, json::Value, void* structure) = nullptr;
};

// Specialized for every structure: kName and kFields.
template <typename T>
struct ShapeOf;
// Specialized for every enum, whose values count from 0: kName and kValues, the names by value in the order AWS prints
// them.
template <typename E>
struct EnumOf;

template <typename T>
concept Structure = requires {
  ShapeOf<T>::kFields;
};
template <typename T>
concept WireEnum = std::is_enum_v<T> && requires {
  EnumOf<T>::kValues;
};

// The API's name: "ALL_OLD".
template <WireEnum E>
constexpr std::string_view NameOf(E value) {
  return EnumOf<E>::kValues[static_cast<size_t>(value)];
}
template <WireEnum E>
std::optional<E> EnumByName(std::string_view name) {
  const auto& values = EnumOf<E>::kValues;
  for (size_t i = 0; i < std::size(values); ++i) {
    if (values[i] == name) return static_cast<E>(i);
  }
  return std::nullopt;
}

template <typename T>
struct TypeMaker;  // TypeMaker<T>::Make() describes T
template <typename T>
inline constexpr TypeInfo kJsonTypeOf = TypeMaker<T>::Make();

template <>
struct TypeMaker<std::string> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kString}; }
};
template <>
struct TypeMaker<bool> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kBoolean}; }
};
template <>
struct TypeMaker<int32_t> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kInteger}; }
};
template <>
struct TypeMaker<int64_t> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kLong}; }
};
template <>
struct TypeMaker<Timestamp> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kTimestamp}; }
};
template <>
struct TypeMaker<Supplied<Value>> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kAttributeValue, .name = "AttributeValue"}; }
};
template <>
struct TypeMaker<Supplied<Item>> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kItem, .element = &kJsonTypeOf<Supplied<Value>>}; }
};
template <WireEnum E>
struct TypeMaker<E> {
  static constexpr TypeInfo Make() {
    return {.type = JsonType::kEnum, .name = EnumOf<E>::kName, .values = EnumOf<E>::kValues};
  }
};
template <Structure T>
struct TypeMaker<T> {
  static constexpr TypeInfo Make() {
    return {.type = JsonType::kStructure, .name = ShapeOf<T>::kName, .fields = ShapeOf<T>::kFields};
  }
};
template <typename T>
struct TypeMaker<std::optional<T>> : TypeMaker<T> {};
template <typename T>
struct TypeMaker<std::vector<T>> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kList, .element = &kJsonTypeOf<T>}; }
};
template <typename T>
struct TypeMaker<OrderedMap<T>> {
  static constexpr TypeInfo Make() { return {.type = JsonType::kMap, .element = &kJsonTypeOf<T>}; }
};

// Decodes the JSON of one request into its structures. Used by one thread at a time.
class Decoder {
 public:
  // Each reads `json`, which is not null, into `out`. Returns false on a type error, which TakeError() then returns.
  bool Read(json::Value json, Place place, std::string& out);
  bool Read(json::Value json, Place place, bool& out);
  bool Read(json::Value json, Place place, int32_t& out);
  bool Read(json::Value json, Place place, int64_t& out);
  bool Read(json::Value json, Place place, Timestamp& out);
  bool Read(json::Value json, Place place, Supplied<Value>& out) {
    return Keep(DecodeAttributeValue(json, place, out));
  }
  bool Read(json::Value json, Place place, Supplied<Item>& out) { return Keep(DecodeItem(json, place, out)); }
  template <WireEnum E>
  bool Read(json::Value json, Place place, E& out);
  template <Structure T>
  bool Read(json::Value json, Place place, T& out);
  template <typename T>
  bool Read(json::Value json, Place place, std::optional<T>& out);
  template <typename T>
  bool Read(json::Value json, Place place, std::vector<T>& out);
  template <typename T>
  bool Read(json::Value json, Place place, OrderedMap<T>& out);

  // Makes the checks after those of types for the request whose members were read.
  Status CheckShape(json::Value body, const TypeInfo& type) const;
  Error TakeError() && { return std::move(error_).TakeError(); }

 private:
  bool Keep(Status status);
  // A null element is read as an empty one; if that is a fault of shape, CheckShape reports it.
  template <typename T>
  void ReadNull(T&) {
    suspect_ = true;
  }
  void ReadNull(Supplied<Value>& out) { out = MissingValue(); }
  bool ReadStructure(json::Value json, Place place, const TypeInfo& type, void* structure);
  bool CheckRefused(const Field& field, json::Value json);
  bool IsString(json::Value json);
  bool IsList(json::Value json, Place place);
  bool IsMap(json::Value json, Place place, const TypeInfo& element);

  Status error_;
  bool suspect_ = false;      // there may be a fault: check in detail
  std::string_view refused_;  // the first member that is not supported
};

template <WireEnum E>
bool Decoder::Read(json::Value json, Place, E& out) {
  if (!IsString(json)) return false;
  const std::optional<E> value = EnumByName<E>(json.AsString());
  if (value.has_value()) {
    out = *value;
  } else {
    suspect_ = true;
  }
  return true;
}

template <Structure T>
bool Decoder::Read(json::Value json, Place place, T& out) {
  return ReadStructure(json, place, kJsonTypeOf<T>, &out);
}

template <typename T>
bool Decoder::Read(json::Value json, Place place, std::optional<T>& out) {
  return Read(json, place, out.emplace());
}

template <typename T>
bool Decoder::Read(json::Value json, Place place, std::vector<T>& out) {
  if (!IsList(json, place)) return false;
  out.clear();
  out.reserve(json.CountElements());
  for (const json::Value element : json.elements()) {
    T& value = out.emplace_back();
    if (element.is_null()) {
      ReadNull(value);
    } else if (!Read(element, Place::kElement, value)) {
      return false;
    }
  }
  return true;
}

// Positions of the members that are repeated later, in ascending order.
std::vector<size_t> DuplicateMembers(json::Value object);

template <typename T>
void Drop(OrderedMap<T>& map, const std::vector<size_t>& positions) {
  OrderedMap<T> kept;
  auto dropped = positions.begin();
  for (size_t i = 0; i < map.size(); ++i) {
    if (dropped != positions.end() && *dropped == i) {
      ++dropped;
    } else {
      kept.push_back(std::move(map[i]));
    }
  }
  map = std::move(kept);
}

template <typename T>
bool Decoder::Read(json::Value json, Place place, OrderedMap<T>& out) {
  if (!IsMap(json, place, kJsonTypeOf<T>)) return false;
  out.clear();
  out.reserve(json.CountElements());
  for (const json::Member member : json.members()) {
    auto& [name, value] = out.emplace_back();
    name = member.name;
    if (member.value.is_null()) {
      ReadNull(value);
    } else if (!Read(member.value, Place::kElement, value)) {
      return false;
    }
  }
  const std::vector<size_t> overtaken = DuplicateMembers(json);
  if (!overtaken.empty()) Drop(out, overtaken);
  return true;
}

template <auto M>
struct MemberTraits;
template <typename C, typename T, T C::*M>
struct MemberTraits<M> {
  using Class = C;
  using Type = T;
};

// Member<&PutItemRequest::table_name>("TableName", {.required = true, .min = 1, .max = 1024})
//
// A member inherited from a base also names the structure: Member<&R::billing_mode, R>("…").
template <auto M, typename Class = typename MemberTraits<M>::Class>
constexpr Field Member(std::string_view name, Constraints constraints = {}) {
  using Type = typename MemberTraits<M>::Type;
  return {.name = name,
          .type = &kJsonTypeOf<Type>,
          .constraints = constraints,
          .checked = constraints.bounds() != SizeBounds{} || constraints.elements != SizeBounds{} ||
                     constraints.keys != SizeBounds{} || constraints.name != NameRule::kNone,
          .decode = [](Decoder& decoder, json::Value json, void* structure) {
            return decoder.Read(json, Place::kMember, static_cast<Class*>(structure)->*M);
          }};
}

// A member of the API that Keyfold does not support: its JSON type is checked, then the request is refused with the
// member's name.
template <JsonType T>
inline constexpr TypeInfo kRefusedType = {.type = T};
template <JsonType T>
constexpr Field Refused(std::string_view name) {
  return {.name = name, .type = &kRefusedType<T>, .refused = true};
}

// Parses a request's body. Returns a SerializationException without a message if it is not JSON.
Result<json::Value> ParseBody(json::Parser& parser, const std::string& body);

template <Structure T>
Result<T> Decode(json::Value body) {
  T request;
  Decoder decoder;
  if (!decoder.Read(body, Place::kElement, request)) return std::move(decoder).TakeError();
  RETURN_IF_ERROR(decoder.CheckShape(body, kJsonTypeOf<T>));
  return request;
}

// "1 validation error detected: Value null at 'tags' failed to satisfy constraint: Member must not be null", for
// operations that make other checks before those of shape.
Error MemberIsNull(std::string_view path);

}  // namespace keyfold::wire
