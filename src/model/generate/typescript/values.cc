#include "model/generate/typescript/values.h"

#include <fmt/format.h>

#include "model/core/calendar.h"
#include "model/generate/code.h"
#include "model/generate/literal.h"

namespace keyfold::model::typescript {
namespace {

// Text inside a template literal, between backticks.
std::string InTemplate(std::string_view text) {
  const std::string quoted = QuotedText(text);
  std::string out;
  for (size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && quoted[i + 1] == '"') continue;  // a quote needs no escape here
    if (quoted[i] == '`' || (quoted[i] == '$' && quoted[i + 1] == '{')) out += '\\';
    out += quoted[i];
  }
  return out;
}

}  // namespace

const std::string_view kReserved =
    "arguments async await break case catch class const continue debugger default delete do else enum eval export "
    "extends false finally for function if implements import in instanceof interface let new null package private "
    "protected public return static super switch this throw true try typeof undefined var void while with yield "
    "of any never unknown string number boolean object symbol bigint Date Array Object Number String Math Promise "
    "RegExp Record Pick Partial Set RangeError TypeError Uint8Array JSON Error AsyncGenerator NonNullable Db Item "
    "connect createTable tableDefinition db input each item cursor part keep shard bucket btoa atob Map DynamoDBClient DynamoDBDocumentClient "
    "NumberValue CreateTableCommandInput setTimeout encodeURIComponent parseInt Time Page Shape AttributeType "
    "BatchWriteRequest ConditionFailed TABLE_NAME TABLE_KEY TYPE_ATTRIBUTE SEPARATOR";

std::string Property(std::string_view name) { return IsPlainIdentifier(name) ? std::string(name) : QuotedText(name); }

std::string MemberOf(std::string_view object, std::string_view name) {
  return IsPlainIdentifier(name) ? fmt::format("{}.{}", object, name) : fmt::format("{}[{}]", object, QuotedText(name));
}

std::string TypeOf(const Attribute& attribute, bool input) {
  if (!attribute.fields.empty()) {
    std::vector<std::string> fields;
    for (const Attribute& one : attribute.fields)
      fields.push_back(Property(one.name) + (one.optional ? "?: " : ": ") + TypeOf(one, input));
    return "{ " + Joined(fields, "; ") + " }";
  }
  if (IsTimeText(attribute.type)) return input ? "Time" : "string";
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return "number";
    case AttributeType::kStringSet:
      return "Set<string>";
    case AttributeType::kNumberSet:
      return "Set<number>";
    case AttributeType::kBinarySet:
      return "Set<Uint8Array>";
    case AttributeType::kBool:
      return "boolean";
    case AttributeType::kBinary:
      return "Uint8Array";
    case AttributeType::kList:
      return "unknown[]";
    case AttributeType::kMap:
      return "Record<string, unknown>";
    case AttributeType::kEnum: {
      std::vector<std::string> values;
      for (const std::string& value : attribute.values) values.push_back(QuotedText(value));
      return values.empty() ? "string" : Joined(values, " | ");
    }
    default:
      return "string";
  }
}

std::string ShapeOf(const Attribute& one) {
  if (!one.fields.empty()) {
    std::vector<std::string> fields;
    for (const Attribute& field : one.fields) fields.push_back(Property(field.name) + ": " + ShapeOf(field));
    return "{ " + Joined(fields) + " }";
  }
  if (one.type == AttributeType::kEnum || IsSortableId(one.type)) return "\"string\"";
  return IsEpoch(one.type) ? "\"number\"" : QuotedText(NameOf(one.type));
}

std::string Values::Quoted(std::string_view text) const { return QuotedText(text); }

std::string Values::Call(std::string_view function, const std::vector<std::string>& arguments) const {
  return fmt::format("{}({})", function, Joined(arguments));
}

std::string Values::Concatenated(const std::vector<Segment>& segments) const {
  if (segments.size() == 1) return segments[0].literal ? QuotedText(segments[0].text) : segments[0].text;
  std::string out = "`";
  for (const Segment& one : segments) out += one.literal ? InTemplate(one.text) : "${" + one.text + '}';
  return out + '`';
}

std::string Values::Stored(AttributeType type, const std::string& value) const {
  if (IsTimeText(type)) return Call("time", {value, std::to_string(LayoutOf(StoredFormat(type)).size())});
  return type == AttributeType::kDecimal ? "NumberValue.from(" + value + ')' : value;
}

std::string Values::StoredLiteral(StoredType type, std::string_view text) const {
  if (type == StoredType::kN && text.size() > 15) return "NumberValue.from(" + QuotedText(text) + ')';
  const bool as_written = type == StoredType::kN || type == StoredType::kBool || type == StoredType::kL;
  return as_written ? std::string(text) : QuotedText(text);
}

std::string Values::TypedLiteral(AttributeType type, std::string_view text) const {
  const bool quoted = StoredAs(type) == StoredType::kS || type == AttributeType::kDecimal;
  return quoted ? QuotedText(text) : std::string(text);
}

std::string Values::Compared(AttributeType type, const std::string& value) const {
  if (IsTimeText(type)) return Call("startOfTime", {value, std::to_string(LayoutOf(StoredFormat(type)).size())});
  return type == AttributeType::kDecimal ? "Number(" + value + ')' : value;
}

std::string Values::Literal(const Operand& operand) const {
  return operand.kind == Operand::Kind::kString ? QuotedText(operand.text) : operand.text;
}

}  // namespace keyfold::model::typescript
