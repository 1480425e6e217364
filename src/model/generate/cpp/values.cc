#include "model/generate/cpp/values.h"

#include <fmt/format.h>

#include "model/core/calendar.h"

namespace keyfold::model::cpp {

const std::string_view kReserved =
    "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t char32_t class "
    "compl concept const consteval constexpr constinit const_cast continue co_await co_return co_yield decltype "
    "default delete do double dynamic_cast else enum explicit export extern false float for friend goto if inline "
    "int long mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public "
    "register reinterpret_cast requires return short signed sizeof static static_assert static_cast struct switch "
    "template this thread_local throw true try typedef typeid typename union unsigned using virtual void volatile "
    "wchar_t while xor xor_eq std detail Request Number Json InvalidCursor nextPage nextCursor createTable kTableName "
    "main assert errno table cursor input inputs request requests positions "
    "NULL stdin stdout stderr EOF linux unix";

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\' || c == '?') out += '\\';
    if (byte < 0x20 || byte == 0x7F) {
      out += fmt::format("\\{:03o}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

std::string Dereferenced(const std::string& value) { return value.starts_with('*') ? '(' + value + ')' : value; }

std::string TypeOf(const Attribute& attribute) {
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
      return "Number";
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return "std::int64_t";
    case AttributeType::kStringSet:
    case AttributeType::kBinarySet:
      return "std::set<std::string>";
    case AttributeType::kNumberSet:
      return "std::vector<Number>";
    case AttributeType::kBool:
      return "bool";
    case AttributeType::kList:
    case AttributeType::kMap:
      return "Json";
    default:
      return "std::string";
  }
}

std::string NoteOf(const Attribute& attribute) {
  if (IsTimeText(attribute.type)) {
    const std::string example = FormatTime(StoredFormat(attribute.type), "2024-01-15T10:30:00.000000Z");
    return attribute.type == AttributeType::kDate ? "  // " + example : "  // in UTC, " + example;
  }
  if (attribute.type == AttributeType::kEpochMillis) return "  // milliseconds since 1970";
  if (attribute.type == AttributeType::kBinarySet) return "  // bytes";
  if (attribute.type == AttributeType::kEpochSeconds) return "  // seconds since 1970";
  if (attribute.type == AttributeType::kBinary) return "  // bytes";
  return attribute.type == AttributeType::kEnum ? "  // " + Commented(Joined(attribute.values, " | ")) : "";
}

void AddName(Scope& scope, MemberNames& names, const std::string& name) {
  if (names.count(name) == 0) names[name] = scope.Take(IsPlainIdentifier(name) ? name : Cased(Case::kCamel, name));
}

std::string Values::Call(std::string_view function, const std::vector<std::string>& arguments) const {
  return fmt::format("detail::{}({})", function, Joined(arguments));
}

std::string Values::Concatenated(const std::vector<Segment>& segments) const {
  std::vector<std::string> parts;
  for (const Segment& one : segments) parts.push_back(one.literal ? Quote(one.text) : one.text);
  return Joined(parts, " + ");
}

std::string Values::Stored(AttributeType type, const std::string& value) const {
  switch (StoredAs(type)) {
    case StoredType::kS:
      if (!IsTimeText(type)) return Call("stringValue", {value});
      return Call("stringValue", {Call("time", {value, std::to_string(LayoutOf(StoredFormat(type)).size())})});
    case StoredType::kN:
      return Call("numberValue", {value});
    case StoredType::kBool:
      return Call("boolValue", {value});
    case StoredType::kB:
      return Call("binaryValue", {value});
    case StoredType::kSS:
    case StoredType::kNS:
    case StoredType::kBS:
      return Call("setValue", {Quote(NameOf(StoredAs(type))), value});
    default:
      return Dereferenced(value) + ".text";
  }
}

std::string Values::StoredLiteral(StoredType type, std::string_view text) const {
  if (type == StoredType::kN) return Call("numberValue", {"Number(" + Quote(text) + ')'});
  if (type == StoredType::kBool) return Call("boolValue", {std::string(text)});
  if (type == StoredType::kL) return Quote("{\"L\":" + std::string(text) + '}');
  return Call("stringValue", {Quote(text)});
}

std::string Values::TypedLiteral(AttributeType type, std::string_view text) const {
  if (type == AttributeType::kBool || IsEpoch(type)) return std::string(text);
  return (StoredAs(type) == StoredType::kN ? "Number(" : "std::string(") + Quote(text) + ')';
}

std::string Values::Literal(const Operand& operand) const {
  if (operand.kind == Operand::Kind::kNumber) return "Number(" + Quote(operand.text) + ')';
  return operand.kind == Operand::Kind::kBool ? operand.text : "std::string(" + Quote(operand.text) + ')';
}

}  // namespace keyfold::model::cpp
