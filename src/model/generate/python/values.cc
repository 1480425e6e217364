#include "model/generate/python/values.h"

#include <fmt/format.h>

#include "model/generate/code.h"
#include "model/generate/literal.h"

namespace keyfold::model::python {

const std::string_view kReserved =
    "False None True and as assert async await break class continue def del elif else except finally for from global "
    "if import in is lambda nonlocal not or pass raise return try while with yield match case type print list dict set "
    "str int float bool bytes tuple map zip all any filter min range len format isinstance repr self db each item of "
    "re time random operator heapq boto3 chain islice datetime timedelta timezone start_key shard bucket answer page "
    "found connect create_table Db Item Page Time Number Any Dict List Optional Union Iterator Iterable Callable "
    "Sequence Tuple TypedDict NamedTuple Decimal Literal ThreadPoolExecutor TypeSerializer TypeDeserializer "
    "ConditionFailed ClientError Generic TypeVar T TABLE_NAME TABLE_KEY TABLE_DEFINITION TYPE_ATTRIBUTE SEPARATOR part";

std::string MemberOf(std::string_view object, std::string_view name) {
  return fmt::format("{}[{}]", object, QuotedText(name));
}

std::string Get(std::string_view object, std::string_view name) {
  return fmt::format("{}.get({})", object, QuotedText(name));
}

std::string TypeOf(const Attribute& attribute, bool input) {
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
      return input ? "Number" : "Decimal";
    case AttributeType::kEpochSeconds:
      return "int";
    case AttributeType::kBool:
      return "bool";
    case AttributeType::kBinary:
      return "bytes";
    case AttributeType::kList:
      return "List[Any]";
    case AttributeType::kMap:
      return "Dict[str, Any]";
    case AttributeType::kTime:
      return input ? "Time" : "str";
    case AttributeType::kEnum: {
      std::vector<std::string> values;
      for (const std::string& value : attribute.values) values.push_back(QuotedText(value));
      return values.empty() ? "str" : "Literal[" + Joined(values) + ']';
    }
    default:
      return "str";
  }
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
  if (type == AttributeType::kTime) return Call("time", {value});
  return StoredAs(type) == StoredType::kN ? Call("number", {value}) : value;
}

std::string Values::StoredLiteral(StoredType type, std::string_view text) const {
  if (type == StoredType::kN) return "Decimal(" + QuotedText(text) + ')';
  if (type == StoredType::kBool) return text == "true" ? "True" : "False";
  return QuotedText(text);
}

std::string Values::Literal(const Operand& operand) const {
  if (operand.kind == Operand::Kind::kNumber) return StoredLiteral(StoredType::kN, operand.text);
  if (operand.kind == Operand::Kind::kBool) return StoredLiteral(StoredType::kBool, operand.text);
  return QuotedText(operand.text);
}

}  // namespace keyfold::model::python
