#include "wire/shape.h"

#include <algorithm>
#include <cmath>

#include "base/text/ascii.h"

namespace keyfold::wire {
namespace {

constexpr size_t kFaultsMax = 10;
// A value in an error message is printed up to about this length.
constexpr size_t kPrintedBytesMax = 8192;

constexpr Rule<"{} validation error{} detected: {}"> kFaults{"shape", Kind::kValidation};
constexpr Rule<"1 validation error detected: Value null at '{}' failed to satisfy constraint: Member must not be null">
    kMemberIsNull{"shape-null", Kind::kValidation};
constexpr Rule<"The parameter '{}' is required but was not present in the request"> kTableNameMissing{
    "table-name-missing", Kind::kValidation};
constexpr Rule<"{} must be at least 3 characters long and at most 255 characters long"> kTableNameLength{
    "table-name-length", Kind::kValidation};
constexpr Rule<"One or more parameter values were invalid: {} is not supported by Keyfold"> kRefused{"member-refused",
                                                                                                     Kind::kValidation};

bool IsArn(std::string_view name) { return name.starts_with("arn:"); }

// As AWS prints them.
std::string_view ExpressionOf(Pattern pattern) {
  switch (pattern) {
    case Pattern::kNone:
      return "";
    case Pattern::kName:
      return "[a-zA-Z0-9_.-]+";
    case Pattern::kClientToken:
      return R"(^[^\$]+$)";
    case Pattern::kS3Bucket:
      return R"(^[a-z0-9A-Z]+[\.\-\w]*[a-z0-9A-Z]+$)";
    case Pattern::kAccount:
      return "[0-9]{12}";
    case Pattern::kCsvDelimiter:
      return R"([,;:|\t ])";
    case Pattern::kCsvHeader:
      return R"([\x20-\x21\x23-\x2B\x2D-\x7E]*)";
    case Pattern::kImportNextToken:
      return "([0-9a-f]{16})+";
  }
  return "";
}

bool IsOfName(char c) { return IsLetterOrDigit(c) || c == '_' || c == '.' || c == '-'; }
bool IsLowerHexDigit(char c) { return IsDigit(c) || (c >= 'a' && c <= 'f'); }
bool IsOfCsvHeader(char c) { return c >= ' ' && c <= '~' && c != '"' && c != ','; }

bool All(std::string_view text, bool (*holds)(char)) { return std::all_of(text.begin(), text.end(), holds); }

bool Matches(Pattern pattern, std::string_view text) {
  switch (pattern) {
    case Pattern::kNone:
      return true;
    case Pattern::kName:
      return !text.empty() && All(text, IsOfName);
    case Pattern::kClientToken:
      return !text.empty() && text.find('$') == text.npos;
    case Pattern::kS3Bucket:
      return text.size() >= 2 && IsLetterOrDigit(text.front()) && IsLetterOrDigit(text.back()) && All(text, IsOfName);
    case Pattern::kAccount:
      return text.size() == 12 && All(text, IsDigit);
    case Pattern::kCsvDelimiter:
      return text.size() == 1 && std::string_view(",;:|\t ").find(text[0]) != text.npos;
    case Pattern::kCsvHeader:
      return All(text, IsOfCsvHeader);
    case Pattern::kImportNextToken:
      return !text.empty() && text.size() % 16 == 0 && All(text, IsLowerHexDigit);
  }
  return false;
}

// Lengths are counted as in Java, in UTF-16 units: a continuation byte counts 0, the lead byte of a four-byte character
// 2.
int64_t LengthOf(std::string_view text) {
  int64_t length = 0;
  for (const char c : text) {
    const uint8_t byte = static_cast<uint8_t>(c);
    length += (byte & 0xC0) == 0x80 ? 0 : byte >= 0xF0 ? 2 : 1;
  }
  return length;
}

int64_t IntegerOf(json::Value json) {
  return json.type() == json::Type::kInteger ? json.AsInt64().value_or(0) : static_cast<int64_t>(json.AsDouble());
}

// The bounds that a value breaks.
struct Breaks {
  bool pattern = false, min = false, max = false;
  bool any() const { return pattern || min || max; }
};

Breaks BreaksOf(const SizeBounds& bounds, int64_t measure) {
  return {.min = measure<bounds.min, .max = measure> bounds.max};
}

Breaks BreaksOf(const SizeBounds& bounds, std::string_view text) {
  Breaks breaks = BreaksOf(bounds, LengthOf(text));
  breaks.pattern = !Matches(bounds.pattern, text);
  return breaks;
}

SizeBounds BoundsOfName(const Constraints& constraints, std::string_view name) {
  if (constraints.name == NameRule::kNone) return constraints.bounds();
  if (IsArn(name)) return {.max = constraints.max};
  // The bounds of an ARN are checked first; if they are broken, nothing else is reported.
  const int64_t length = LengthOf(name);
  const bool within = length >= constraints.min && length <= constraints.max;
  if (constraints.name == NameRule::kItemOperation && !within) return {.min = constraints.min, .max = constraints.max};
  return {.min = 3, .max = 255, .pattern = Pattern::kName};
}

SizeBounds BoundsOf(const Field& field, json::Value json) {
  return json.is_string() ? BoundsOfName(field.constraints, json.AsString()) : field.constraints.bounds();
}

// Checks the member itself, not its contents.
Breaks BreaksOf(const Field& field, json::Value json) {
  const SizeBounds bounds = BoundsOf(field, json);
  switch (field.type->type) {
    case JsonType::kString:
      return BreaksOf(bounds, json.AsString());
    case JsonType::kInteger:
    case JsonType::kLong:
      return BreaksOf(bounds, IntegerOf(json));
    case JsonType::kList:
    case JsonType::kMap:
    case JsonType::kItem:
      return BreaksOf(bounds, static_cast<int64_t>(json.CountElements()));
    default:
      return {};
  }
}

bool ElementHolds(const SizeBounds& bounds, json::Value element, const TypeInfo& type) {
  if (type.type == JsonType::kString) return !element.is_null() && !BreaksOf(bounds, element.AsString()).any();
  if (type.type == JsonType::kList) {
    return !BreaksOf(bounds, element.is_null() ? 0 : static_cast<int64_t>(element.CountElements())).any();
  }
  return true;
}

bool ElementsHold(const Field& field, json::Value json) {
  const TypeInfo* type = field.type->element;
  if (field.type->type == JsonType::kList) {
    const auto holds = [&](json::Value e) { return ElementHolds(field.constraints.elements, e, *type); };
    for (const json::Value element : json.elements()) {
      if (!holds(element)) return false;
    }
  }
  if (field.type->type == JsonType::kMap) {
    for (const json::Member member : json.members()) {
      if (!ElementHolds(field.constraints.elements, member.value, *type)) return false;
    }
  }
  return true;
}

bool KeysHold(const Field& field, json::Value json) {
  if (field.type->type != JsonType::kMap || field.constraints.keys == SizeBounds{}) return true;
  for (const json::Member member : json.members()) {
    const SizeBounds bounds = IsArn(member.name) ? SizeBounds{.max = 1024} : field.constraints.keys;
    if (BreaksOf(bounds, member.name).any()) return false;
  }
  return true;
}

bool Holds(const Field& field, json::Value json) {
  return !BreaksOf(field, json).any() && KeysHold(field, json) && ElementsHold(field, json);
}

// "KeySchema" is "keySchema" in a path.
std::string LowerFirst(std::string_view name) {
  std::string lower(name);
  if (!lower.empty() && lower[0] >= 'A' && lower[0] <= 'Z') lower[0] = static_cast<char>(lower[0] - 'A' + 'a');
  return lower;
}

std::optional<json::Value> FindMember(std::optional<json::Value> object, std::string_view name) {
  if (!object.has_value()) return std::nullopt;
  const std::optional<json::Value> member = Find(*object, name);
  return member.has_value() && member->is_null() ? std::nullopt : member;
}

// Prints a value as AWS does in its messages: with Java's toString.
void Print(std::string& out, const TypeInfo& type, json::Value json);

void PrintStructure(std::string& out, const TypeInfo& type, json::Value json) {
  out.append(type.name).push_back('(');
  std::string_view separator;
  for (const Field& field : type.fields) {
    out.append(separator).append(LowerFirst(field.name)).push_back('=');
    separator = ", ";
    const std::optional<json::Value> member = FindMember(json, field.name);
    if (member.has_value()) {
      Print(out, *field.type, *member);
    } else {
      out.append("null");
    }
  }
  out.push_back(')');
}

void PrintList(std::string& out, const TypeInfo& type, json::Value json) {
  out.push_back('[');
  std::string_view separator;
  for (const json::Value element : json.elements()) {
    out.append(separator);
    separator = ", ";
    if (out.size() > kPrintedBytesMax) {
      out.append("...");
      break;
    }
    Print(out, *type.element, element);
  }
  out.push_back(']');
}

void PrintMap(std::string& out, const TypeInfo& type, json::Value json) {
  out.push_back('{');
  std::string_view separator;
  for (const json::Member member : json.members()) {
    out.append(separator);
    separator = ", ";
    if (out.size() > kPrintedBytesMax) {
      out.append("...");
      break;
    }
    out.append(member.name).push_back('=');
    Print(out, *type.element, member.value);
  }
  out.push_back('}');
}

void Print(std::string& out, const TypeInfo& type, json::Value json) {
  if (json.is_null()) {
    out.append("null");
    return;
  }
  switch (type.type) {
    case JsonType::kString:
    case JsonType::kEnum:
      out.append(json.AsString());
      break;
    case JsonType::kBoolean: {
      bool value = false;
      out.append(DecodeBoolean(json, value).ok() && value ? "true" : "false");
      break;
    }
    case JsonType::kInteger:
    case JsonType::kLong:
      out.append(std::to_string(IntegerOf(json)));
      break;
    case JsonType::kTimestamp:
      out.append(json.NumberText());
      break;
    case JsonType::kList:
      PrintList(out, type, json);
      break;
    case JsonType::kMap:
    case JsonType::kItem:
      PrintMap(out, type, json);
      break;
    case JsonType::kStructure:
      PrintStructure(out, type, json);
      break;
    case JsonType::kAttributeValue:
      out.append("com.amazonaws.dynamodb.v20120810.AttributeValue");
      break;
  }
}

std::string AtLeast(std::string_view what, int64_t min) {
  return "Member must have " + std::string(what) + " greater than or equal to " + std::to_string(min);
}
std::string AtMost(std::string_view what, int64_t max) {
  return "Member must have " + std::string(what) + " less than or equal to " + std::to_string(max);
}
std::string MustMatch(Pattern pattern) {
  return "Member must satisfy regular expression pattern: " + std::string(ExpressionOf(pattern));
}

// "[Member must have length less than or equal to 25, Member must have length greater than or equal to 1]"
std::string ListOf(const SizeBounds& bounds) {
  std::string text = "[";
  const auto add = [&](const std::string& constraint) {
    if (text.size() > 1) text.append(", ");
    text.append(constraint);
  };
  const SizeBounds none;
  if (bounds.max != none.max) add(AtMost("length", bounds.max));
  if (bounds.min != none.min) add(AtLeast("length", bounds.min));
  if (bounds.pattern != none.pattern) add(MustMatch(bounds.pattern));
  if (bounds == none) add("Member must not be null");
  text.push_back(']');
  return text;
}

std::string EnumSet(std::span<const std::string_view> values) {
  std::string text = "Member must satisfy enum value set: [";
  for (size_t i = 0; i < values.size(); ++i) text.append(i == 0 ? "" : ", ").append(values[i]);
  text.push_back(']');
  return text;
}

// RequestItems.TABLE.member.Keys from requestItems.TABLE.member.keys: capitalizes the first and last member of the
// path.
std::string UpperNames(std::string path) {
  const auto raise = [&](size_t at) {
    if (path[at] >= 'a' && path[at] <= 'z') path[at] = static_cast<char>(path[at] - 'a' + 'A');
  };
  raise(0);
  raise(path.rfind('.') + 1);
  return path;
}

// Finds the faults of a request's shape, in the order of the tables, and builds the message. Used by one thread at a
// time.
class FaultFinder {
 public:
  void InStructure(const TypeInfo& type, std::optional<json::Value> json, const std::string& path);
  void InMember(const Field& field, std::optional<json::Value> json, const std::string& path);

  bool any() const { return count_ > 0; }
  Error ToError() const { return kFaults(count_, count_ == 1 ? "" : "s", text_); }

 private:
  void OfMember(const Field& field, json::Value json, const std::string& path);
  void OfContent(const Field& field, json::Value json, const std::string& path);
  void InElement(const TypeInfo& type, json::Value json, const std::string& path);
  void InElements(const TypeInfo& type, json::Value json, const std::string& path);
  void Add(const TypeInfo& type, std::optional<json::Value> json, const std::string& path, std::string_view constraint);
  void AddByName(const std::string& path, std::string_view constraint);
  bool Begin();

  size_t count_ = 0;
  std::string text_;
};

void FaultFinder::InStructure(const TypeInfo& type, std::optional<json::Value> json, const std::string& path) {
  for (const Field& field : type.fields) {
    if (field.refused) continue;
    InMember(field, FindMember(json, field.name),
             path.empty() ? LowerFirst(field.name) : path + "." + LowerFirst(field.name));
  }
}

void FaultFinder::InMember(const Field& field, std::optional<json::Value> json, const std::string& path) {
  if (!json.has_value()) {
    if (field.constraints.required) Add(*field.type, json, path, "Member must not be null");
    return;
  }
  OfMember(field, *json, path);
  OfContent(field, *json, path);
  if (field.type->type == JsonType::kStructure) {
    InStructure(*field.type, json, path);
  } else {
    InElements(*field.type, *json, path);
  }
}

void FaultFinder::OfMember(const Field& field, json::Value json, const std::string& path) {
  const TypeInfo& type = *field.type;
  if (type.type == JsonType::kEnum) {
    const bool known = std::find(type.values.begin(), type.values.end(), json.AsString()) != type.values.end();
    if (!known) Add(type, json, path, EnumSet(type.values));
    return;
  }
  const bool number = type.type == JsonType::kInteger || type.type == JsonType::kLong;
  const std::string_view measured = number ? "value" : "length";
  const SizeBounds bounds = BoundsOf(field, json);
  const Breaks breaks = BreaksOf(field, json);
  if (breaks.pattern) Add(type, json, path, MustMatch(bounds.pattern));
  const auto add = [&](const std::string& constraint) {
    field.constraints.reporting == Reporting::kByName ? AddByName(path, constraint) : Add(type, json, path, constraint);
  };
  if (breaks.min) add(AtLeast(measured, bounds.min));
  if (breaks.max) add(AtMost(measured, bounds.max));
}

void FaultFinder::OfContent(const Field& field, json::Value json, const std::string& path) {
  const TypeInfo& type = *field.type;
  if (!KeysHold(field, json)) {
    Add(type, json, path, "Map keys must satisfy constraint: " + ListOf(field.constraints.keys));
  }
  if (!ElementsHold(field, json)) {
    const std::string_view what = type.type == JsonType::kMap ? "Map value must" : "Member must";
    Add(type, json, path, std::string(what) + " satisfy constraint: " + ListOf(field.constraints.elements));
  }
}

// keySchema.1.member.attributeName; requestItems.TABLE.member.1.member.putRequest.
void FaultFinder::InElements(const TypeInfo& type, json::Value json, const std::string& path) {
  if (type.type == JsonType::kList) {
    size_t position = 0;
    for (const json::Value element : json.elements()) {
      InElement(*type.element, element, path + "." + std::to_string(++position) + ".member");
      if (count_ == kFaultsMax) return;
    }
  } else if (type.type == JsonType::kMap) {
    for (const json::Member member : json.members()) {
      InElement(*type.element, member.value, path + "." + std::string(member.name) + ".member");
      if (count_ == kFaultsMax) return;
    }
  }
}

void FaultFinder::InElement(const TypeInfo& type, json::Value json, const std::string& path) {
  if (type.type == JsonType::kStructure) {
    InStructure(type, json.is_null() ? std::nullopt : std::optional(json), path);
  } else if (!json.is_null()) {
    InElements(type, json, path);
  }
}

void FaultFinder::Add(const TypeInfo& type, std::optional<json::Value> json, const std::string& path,
                      std::string_view constraint) {
  if (!Begin()) return;
  text_.append("Value ");
  if (json.has_value()) {
    std::string value;
    Print(value, type, *json);
    text_.append("'").append(value).append("'");
  } else {
    text_.append("null");
  }
  text_.append(" at '").append(path).append("' failed to satisfy constraint: ").append(constraint);
}

void FaultFinder::AddByName(const std::string& path, std::string_view constraint) {
  if (!Begin()) return;
  text_.append("Value at '").append(UpperNames(path)).append("' failed to satisfy constraint: ").append(constraint);
}

// Begins another fault; returns false if the maximum number is reached.
bool FaultFinder::Begin() {
  if (count_ == kFaultsMax) return false;
  if (count_ > 0) text_.append("; ");
  ++count_;
  return true;
}

// The checks of a table's name that AWS makes before all others.
Status CheckTableName(const Field& field, std::optional<json::Value> json) {
  const NameRule rule = field.constraints.name;
  const bool changes = rule == NameRule::kTableOperation || rule == NameRule::kNewTable;
  if (changes && !json.has_value()) return kTableNameMissing(field.name);
  if (rule == NameRule::kTableOperation) {
    const std::string_view name = json->AsString();
    if (!IsArn(name) && (LengthOf(name) < 3 || LengthOf(name) > 255)) return kTableNameLength(field.name);
  }
  if ((rule == NameRule::kItemOperation || rule == NameRule::kNewTable) && json.has_value()) {
    FaultFinder faults;
    faults.InMember(field, json, LowerFirst(field.name));
    if (faults.any()) return faults.ToError();
  }
  return Ok();
}

// The Java class in AWS's code for an element of a map.
std::string JavaNameOf(const TypeInfo& type) {
  switch (type.type) {
    case JsonType::kString:
      return "java.lang.String";
    case JsonType::kList:
      return "java.util.List<" + JavaNameOf(*type.element) + ">";
    default:
      return "com.amazonaws.dynamodb.v20120810." + std::string(type.name);
  }
}

std::optional<int64_t> ToInteger(json::Value json, int64_t min, int64_t max) {
  if (json.type() == json::Type::kInteger) {
    const std::optional<int64_t> value = json.AsInt64();
    return value.has_value() && *value >= min && *value <= max ? value : std::nullopt;
  }
  const double value = std::trunc(json.AsDouble());
  if (value < static_cast<double>(min) || value >= static_cast<double>(max)) return std::nullopt;
  return static_cast<int64_t>(value);
}

bool IsNumber(json::Value json) { return json.type() == json::Type::kInteger || json.type() == json::Type::kDecimal; }

}  // namespace

std::vector<size_t> DuplicateMembers(json::Value object) {
  if (object.CountElements() < 2) return {};
  std::vector<std::pair<std::string_view, size_t>> names;
  names.reserve(object.CountElements());
  for (const json::Member member : object.members()) names.emplace_back(member.name, names.size());
  std::sort(names.begin(), names.end());
  std::vector<size_t> overtaken;
  for (size_t i = 1; i < names.size(); ++i) {
    if (names[i - 1].first == names[i].first) overtaken.push_back(names[i - 1].second);
  }
  std::sort(overtaken.begin(), overtaken.end());
  return overtaken;
}

Result<json::Value> ParseBody(json::Parser& parser, const std::string& body) {
  const std::optional<json::Value> document = parser.Parse(body);
  if (!document.has_value()) return NotJson();
  return *document;
}

Error MemberIsNull(std::string_view path) { return kMemberIsNull(path); }

bool Decoder::Keep(Status status) {
  if (status.ok()) return true;
  error_ = std::move(status);
  return false;
}

bool Decoder::Read(json::Value json, Place, std::string& out) {
  if (!json.is_string()) return Keep(NotAScalar(json, "String"));
  out.assign(json.AsString());
  return true;
}

bool Decoder::Read(json::Value json, Place, bool& out) { return Keep(DecodeBoolean(json, out)); }

bool Decoder::Read(json::Value json, Place, int32_t& out) {
  if (!IsNumber(json)) return Keep(NotAScalar(json, "Integer"));
  const std::optional<int64_t> value = ToInteger(json, INT32_MIN, INT32_MAX);
  if (!value.has_value()) return Keep(OutOfRange(json, "int"));
  out = static_cast<int32_t>(*value);
  return true;
}

bool Decoder::Read(json::Value json, Place, int64_t& out) {
  if (!IsNumber(json)) return Keep(NotAScalar(json, "Long"));
  const std::optional<int64_t> value = ToInteger(json, INT64_MIN, INT64_MAX);
  if (!value.has_value()) return Keep(OutOfRange(json, "long"));
  out = *value;
  return true;
}

bool Decoder::Read(json::Value json, Place, Timestamp& out) {
  if (!IsNumber(json)) return Keep(NotATimestamp(json));
  // All times after the year 9999 are treated alike, as are those before the year -9999.
  constexpr double kSecondsMax = 253'402'300'800.0;
  out.micros = std::llround(std::clamp(json.AsDouble(), -kSecondsMax, kSecondsMax) * 1e6);
  return true;
}

bool Decoder::IsList(json::Value json, Place place) { return json.is_array() || Keep(NotAList(json, place)); }

bool Decoder::IsMap(json::Value json, Place place, const TypeInfo& element) {
  return json.is_object() || Keep(NotAMap(json, place, JavaNameOf(element)));
}

bool Decoder::IsString(json::Value json) { return json.is_string() || Keep(NotAScalar(json, "String")); }

bool Decoder::ReadStructure(json::Value json, Place place, const TypeInfo& type, void* structure) {
  if (!json.is_object()) return Keep(NotAStructure(json, place, type.name));
  uint64_t seen = 0;
  for (const json::Member member : json.members()) {
    const auto named = [&](const Field& field) { return field.name == member.name; };
    const auto field = std::find_if(type.fields.begin(), type.fields.end(), named);
    if (field == type.fields.end() || member.value.is_null()) continue;
    seen |= uint64_t{1} << (field - type.fields.begin());
    if (field->refused) {
      if (!CheckRefused(*field, member.value)) return false;
      continue;
    }
    if (!field->decode(*this, member.value, structure)) return false;
    if (field->checked && !Holds(*field, member.value)) suspect_ = true;
  }
  uint64_t bit = 1;
  for (const Field& field : type.fields) {
    if (field.constraints.required && (seen & bit) == 0) suspect_ = true;
    bit <<= 1;
  }
  return true;
}

bool Decoder::CheckRefused(const Field& field, json::Value json) {
  if (refused_.empty()) refused_ = field.name;
  return field.type->type == JsonType::kList ? IsList(json, Place::kMember) : IsString(json);
}

Status Decoder::CheckShape(json::Value body, const TypeInfo& type) const {
  if (suspect_) {
    for (const Field& field : type.fields) RETURN_IF_ERROR(CheckTableName(field, FindMember(body, field.name)));
    FaultFinder faults;
    faults.InStructure(type, body, "");
    if (faults.any()) return faults.ToError();
  }
  if (!refused_.empty()) return kRefused(refused_);
  return Ok();
}

}  // namespace keyfold::wire
