#include "model/generate/python/values.h"

#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/code.h"
#include "model/generate/literal.h"

namespace keyfold::model::python {

namespace {

constexpr std::string_view kKeywords =
    "False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield ";
// What annotations use.
constexpr std::string_view kTypeNames =
    "str int float bool bytes list dict tuple set Any Literal NotRequired Decimal Item Number Time AbstractSet ";
// What the functions of patterns use.
constexpr std::string_view kLocalNames =
    "db each item items keys keep cursor shard bucket part request answer page found wanted out str map range sorted "
    "reversed list set cast chain islice heapq Page Decimal ";
// What the runtime uses and defines.
constexpr std::string_view kModuleNames =
    "bytearray type frozenset zip all any min max len format getattr isinstance repr tuple object base64 heapq json "
    "random re time chain islice datetime timedelta timezone connect create_table Db Client Page Callable Iterable "
    "Iterator Mapping Sequence Generic NamedTuple Protocol TypedDict TypeVar T cast ThreadPoolExecutor ConditionFailed "
    "InvalidCursor Exception RecursionError RuntimeError TypeError ValueError TABLE_NAME TABLE_KEY TABLE_DEFINITION "
    "TYPE_ATTRIBUTE SEPARATOR ";

std::string Words(std::initializer_list<std::string_view> lists) {
  std::string all;
  for (const std::string_view one : lists) all += one;
  return all;
}

}  // namespace

std::string_view ReservedIn(Place place) {
  static const std::string module = Words({kKeywords, kTypeNames, kLocalNames, kModuleNames});
  static const std::string parameter = Words({kKeywords, kLocalNames});
  static const std::string member = Words({kKeywords, kTypeNames});
  return place == Place::kModule ? module : place == Place::kParameter ? parameter : member;
}

std::string ParameterName(const std::string& declared) {
  return IsPlainIdentifier(declared) ? declared : Cased(Case::kSnake, declared);
}

std::string MemberOf(std::string_view object, std::string_view name) {
  return fmt::format("{}[{}]", object, QuotedText(name));
}

std::string Get(std::string_view object, std::string_view name) {
  return fmt::format("{}.get({})", object, QuotedText(name));
}

std::string TypeOf(const Attribute& attribute, bool input, const MapNames& maps) {
  if (const auto map = maps.find(&attribute); map != maps.end()) return input ? map->second.input : map->second.type;
  if (IsTimeText(attribute.type)) return input ? "Time" : "str";
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
      return input ? "Number" : "Decimal";
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return "int";
    case AttributeType::kStringSet:
      return "set[str]";
    case AttributeType::kNumberSet:
      return input ? "AbstractSet[Number]" : "set[Decimal]";
    case AttributeType::kBinarySet:
      return "set[bytes]";
    case AttributeType::kBool:
      return "bool";
    case AttributeType::kBinary:
      return "bytes";
    case AttributeType::kList:
      return "list[Any]";
    case AttributeType::kMap:
      return "dict[str, Any]";
    case AttributeType::kEnum: {
      std::vector<std::string> values;
      for (const std::string& value : attribute.values) values.push_back(QuotedText(value));
      return values.empty() ? "str" : "Literal[" + Joined(values) + ']';
    }
    default:
      return "str";
  }
}

std::string ShapeOf(const Attribute& one) {
  if (!one.fields.empty()) {
    std::vector<std::string> fields;
    for (const Attribute& field : one.fields) fields.push_back(QuotedText(field.name) + ": " + ShapeOf(field));
    return '{' + Joined(fields) + '}';
  }
  return one.type == AttributeType::kEnum || IsSortableId(one.type) ? "\"string\"" : QuotedText(NameOf(one.type));
}

std::string Values::Quoted(std::string_view text) const { return QuotedText(text); }

std::string Values::Call(std::string_view function, const std::vector<std::string>& arguments) const {
  return fmt::format("_{}({})", Cased(Case::kSnake, function), Joined(arguments));
}

std::string Values::Concatenated(const std::vector<Segment>& segments) const {
  std::vector<std::string> parts;
  for (const Segment& one : segments) parts.push_back(one.literal ? QuotedText(one.text) : one.text);
  return Joined(parts, " + ");
}

std::string Values::Stored(AttributeType type, const std::string& value) const {
  if (IsTimeText(type)) return Call("time", {value, std::to_string(LayoutOf(StoredFormat(type)).size())});
  return StoredAs(type) == StoredType::kN ? Call("number", {value}) : value;
}

std::string Values::StoredLiteral(StoredType type, std::string_view text) const {
  if (type == StoredType::kN) return "Decimal(" + QuotedText(text) + ')';
  if (type == StoredType::kBool) return text == "true" ? "True" : "False";
  return type == StoredType::kL ? "[]" : QuotedText(text);
}

std::string Values::Compared(AttributeType type, const std::string& value) const {
  if (IsTimeText(type)) return Call("startOfTime", {value, std::to_string(LayoutOf(StoredFormat(type)).size())});
  return StoredAs(type) == StoredType::kN ? Call("number", {value}) : value;
}

std::string Values::Literal(const Operand& operand) const {
  if (operand.kind == Operand::Kind::kNumber) return StoredLiteral(StoredType::kN, operand.text);
  if (operand.kind == Operand::Kind::kBool) return StoredLiteral(StoredType::kBool, operand.text);
  return QuotedText(operand.text);
}

}  // namespace keyfold::model::python
