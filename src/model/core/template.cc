#include "model/core/template.h"

#include <algorithm>
#include <charconv>

#include "base/check.h"
#include "base/text/ascii.h"
#include "model/core/calendar.h"
#include "model/core/model.h"
#include "model/core/names.h"
#include "model/core/sortable_id.h"
#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr Rule<"the template is longer than {} bytes"> kTooLong{"template-size", Kind::kValidation};
constexpr Rule<"the template has more than {} placeholders"> kTooMany{"template-placeholders", Kind::kValidation};
constexpr Rule<"the template is empty; a key has at least one character"> kEmptyTemplate{"template-empty",
                                                                                         Kind::kValidation};
constexpr Rule<"a placeholder is not closed; a literal brace is {{"> kNotClosed{"template-open", Kind::kValidation};
constexpr Rule<"a closing brace has no opening brace; a literal brace is }}"> kNotOpened{"template-close",
                                                                                         Kind::kValidation};
constexpr Rule<"a placeholder has no name; it must name an attribute"> kUnnamedPlaceholder{"template-name",
                                                                                           Kind::kValidation};
constexpr Rule<
    "unknown format {}; formats are pad1 to pad38, desc1 to desc38, iso_s, iso_ms, iso_us, year, month, day, hour, lower, "
    "upper">
    kFormat{"template-format", Kind::kValidation};
constexpr Rule<"the entity has no shard; declare shard with n and by"> kNoShard{"template-shard", Kind::kValidation};
constexpr Rule<"shard does not take a format"> kShardFormat{"template-shard-format", Kind::kValidation};
constexpr Rule<"{} is of type {}, which cannot be part of a key's text"> kNoText{"template-type", Kind::kValidation};
constexpr Rule<"format {} is finer than {}, which is of type {}"> kFormatFiner{"template-format-finer",
                                                                               Kind::kValidation};
constexpr Rule<"format {} is for {}; {} is of type {}"> kFormatType{"template-format-type", Kind::kValidation};

struct NamedFormat {
  std::string_view name;
  Format format;
};
constexpr NamedFormat kFormats[] = {
    {"iso_s", Format::kIsoSeconds}, {"iso_ms", Format::kIsoMillis}, {"iso_us", Format::kIsoMicros},
    {"year", Format::kYear},        {"month", Format::kMonth},      {"day", Format::kDay},
    {"hour", Format::kHour},        {"lower", Format::kLower},      {"upper", Format::kUpper},
};
constexpr NamedFormat kPaddedFormats[] = {{"pad", Format::kPad}, {"desc", Format::kDesc}};  // followed by the width

bool ParseFormat(std::string_view name, TemplatePart& part) {
  for (const NamedFormat& one : kFormats) {
    if (one.name == name) return part.format = one.format, true;
  }
  for (const NamedFormat& one : kPaddedFormats) {
    if (!name.starts_with(one.name)) continue;
    const std::string_view digits = name.substr(one.name.size());
    int width = 0;
    const auto end = std::from_chars(digits.data(), digits.data() + digits.size(), width);
    if (end.ec != std::errc() || end.ptr != digits.data() + digits.size() || digits[0] == '0') return false;
    if (width < 1 || width > kPadMax) return false;
    part.format = one.format;
    part.width = static_cast<uint8_t>(width);
    return true;
  }
  return false;
}

void AppendLiteral(Template& out, std::string_view text) {
  if (text.empty()) return;
  if (out.parts.empty() || !out.parts.back().IsLiteral()) out.parts.emplace_back();
  out.parts.back().text += text;
}

// `inner` is the text between the braces.
Fault ParsePlaceholder(Phrase phrase, size_t at, std::string_view inner, Template& out) {
  const size_t bar = inner.find('|');
  const std::string_view name = inner.substr(0, bar);
  if (name.empty()) return Unreadable(phrase.At(at), kUnnamedPlaceholder());
  TemplatePart part;
  part.kind = TemplatePart::Kind::kAttribute;
  part.text = name;
  if (bar != std::string_view::npos && !ParseFormat(inner.substr(bar + 1), part)) {
    return Unreadable(phrase.At(at + bar + 1), kFormat(inner.substr(bar + 1)));
  }
  out.parts.push_back(std::move(part));
  return {};
}

Alphabet PlainAlphabet(AttributeType type) {
  switch (type) {
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
      return Alphabet::kNumber;
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return Alphabet::kNatural;
    case AttributeType::kDate:
    case AttributeType::kTimeSeconds:
    case AttributeType::kTime:
    case AttributeType::kTimeMicros:
      return Alphabet::kTime;
    case AttributeType::kUlid:
    case AttributeType::kKsuid:
    case AttributeType::kUuid7:
      return Alphabet::kId;
    case AttributeType::kBool:
    case AttributeType::kEnum:
      return Alphabet::kChoice;
    case AttributeType::kBinary:
      return Alphabet::kBytes;
    default:
      return Alphabet::kText;
  }
}

std::string InCase(Format format, std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (format == Format::kLower) c = ToLower(c);
    if (format == Format::kUpper) c = ToUpper(c);
  }
  return out;
}

void Resolve(TemplatePart& part, const Attribute& attribute, std::string_view separator) {
  part.type = attribute.type;
  part.alphabet = PlainAlphabet(attribute.type);
  // The format in which the type is stored says nothing: a date by day is the whole value, not a bucket.
  if (IsTimeText(part.type) && part.type != AttributeType::kTime && part.format == StoredFormat(part.type))
    part.format = Format::kPlain;
  if (IsPadded(part.format)) part.alphabet = Alphabet::kDigits;
  if (!LayoutOf(part.format).empty()) part.alphabet = Alphabet::kTime;
  if (part.alphabet == Alphabet::kText && part.format == Format::kLower) part.alphabet = Alphabet::kLower;
  if (part.alphabet == Alphabet::kText && part.format == Format::kUpper) part.alphabet = Alphabet::kUpper;
  if (attribute.type == AttributeType::kBool) part.values = {"false", "true"};
  for (const std::string& value : attribute.values) part.values.push_back(InCase(part.format, value));
  const bool text =
      part.alphabet == Alphabet::kText || part.alphabet == Alphabet::kLower || part.alphabet == Alphabet::kUpper;
  if (!text || !attribute.default_value || attribute.default_value->text.find(separator) == std::string::npos) return;
  part.values.push_back(InCase(part.format, attribute.default_value->text));
}

// Returns the types that the format accepts, in words, or an empty text if it accepts this one.
std::string_view FormatMisses(Format format, AttributeType type) {
  const bool number = StoredAs(type) == StoredType::kN;
  const bool text = type == AttributeType::kString || type == AttributeType::kEnum;
  if (IsPadded(format)) return number ? std::string_view() : "number, decimal, epoch_s and epoch_ms";
  if (format == Format::kLower || format == Format::kUpper) return text ? std::string_view() : "string and enums";
  if (format != Format::kPlain) return IsTimeText(type) ? std::string_view() : "times";
  return {};
}

bool HasNoText(const Template& whole, AttributeType type) {
  return IsDocument(type) || (type == AttributeType::kBinary && !whole.IsLone());
}

// Byte position of the i-th placeholder's name in a template's text.
size_t PlaceholderAt(std::string_view text, size_t i) {
  for (size_t at = 0; at < text.size(); ++at) {
    if (text[at] != '{' && text[at] != '}') continue;
    if (at + 1 < text.size() && text[at + 1] == text[at]) {
      ++at;
    } else if (text[at] == '{' && i-- == 0) {
      return at + 1;
    }
  }
  return 0;
}

Fault BindPlaceholder(const AttributeScope& scope, std::optional<uint32_t> shards, Mark mark, const Template& whole,
                      TemplatePart& part) {
  const Attribute* attribute = scope.Find(part.text);
  if (part.text == "shard" && shards) {
    if (part.format != Format::kPlain) return Unreadable(mark, kShardFormat());
    part.kind = TemplatePart::Kind::kShard;
    part.alphabet = Alphabet::kShard;
    part.shards = *shards;
    part.type = AttributeType::kNumber;
    return {};
  }
  if (attribute == nullptr && part.text == "shard") return Unreadable(mark, kNoShard());
  if (attribute == nullptr) return scope.Missing(mark, part.text);
  if (HasNoText(whole, attribute->type)) return Unreadable(mark, kNoText(part.text, attribute->type));
  if (const std::string_view types = FormatMisses(part.format, attribute->type); !types.empty()) {
    return Unreadable(mark, kFormatType(FormatName(part.format, part.width), types, part.text, attribute->type));
  }
  if (IsTimeText(attribute->type) && LayoutOf(part.format).size() > LayoutOf(StoredFormat(attribute->type)).size()) {
    return Unreadable(mark, kFormatFiner(FormatName(part.format, part.width), part.text, attribute->type));
  }
  Resolve(part, *attribute, whole.separator);
  return {};
}

}  // namespace

std::string_view TimeLayoutOf(const TemplatePart& part) {
  if (part.alphabet != Alphabet::kTime) return {};
  return LayoutOf(part.format == Format::kPlain ? StoredFormat(part.type) : part.format);
}

size_t FixedWidth(const TemplatePart& part) {
  if (part.alphabet == Alphabet::kDigits) return part.width;
  if (part.alphabet == Alphabet::kId) return IdWidth(part.type);
  return TimeLayoutOf(part).size();
}

std::string FormatName(Format format, uint8_t width) {
  for (const NamedFormat& one : kPaddedFormats) {
    if (one.format == format) return std::string(one.name) + std::to_string(width);
  }
  for (const NamedFormat& one : kFormats) {
    if (one.format == format) return std::string(one.name);
  }
  return {};
}

Fault ParseTemplate(Phrase phrase, std::string_view separator, Template& out) {
  const std::string_view text = phrase.text;
  if (text.empty()) return Unreadable(phrase.mark, kEmptyTemplate());
  if (text.size() > kTemplateBytesMax) return Unreadable(phrase.mark, kTooLong(kTemplateBytesMax));
  out.text = text;
  out.mark = phrase.mark;
  out.separator = separator;
  size_t placeholders = 0;
  for (size_t at = 0; at < text.size();) {
    const size_t brace = std::min(text.find_first_of("{}", at), text.size());
    AppendLiteral(out, text.substr(at, brace - at));
    if (brace == text.size()) break;
    at = brace + 1;
    if (at < text.size() && text[at] == text[brace]) {
      AppendLiteral(out, text.substr(at++, 1));
      continue;
    }
    if (text[brace] == '}') return Unreadable(phrase.At(brace), kNotOpened());
    const size_t close = text.find_first_of("{}", at);
    if (close == std::string_view::npos || text[close] == '{') return Unreadable(phrase.At(brace), kNotClosed());
    if (++placeholders > kPlaceholdersMax) return Unreadable(phrase.At(brace), kTooMany(kPlaceholdersMax));
    if (Fault fault = ParsePlaceholder(phrase, at, text.substr(at, close - at), out)) return fault;
    at = close + 1;
  }
  return {};
}

Fault BindTemplate(Phrase phrase, const AttributeScope& scope, std::optional<uint32_t> shards, Template& whole) {
  size_t placeholder = 0;
  for (TemplatePart& part : whole.parts) {
    if (part.IsLiteral()) continue;
    const Mark mark = phrase.At(PlaceholderAt(phrase.text, placeholder++));
    if (Fault fault = BindPlaceholder(scope, shards, mark, whole, part)) return fault;
  }
  whole.type = whole.IsLone() ? StoredAs(whole.parts[0].type) : StoredType::kS;
  return {};
}

Template NativeTemplate(const Attribute& attribute, std::string_view separator) {
  Template out;
  out.text = '{' + attribute.name + '}';
  out.mark = attribute.mark;
  out.separator = separator;
  TemplatePart part;
  part.kind = TemplatePart::Kind::kAttribute;
  part.text = attribute.name;
  Resolve(part, attribute, separator);
  out.parts.push_back(std::move(part));
  out.type = StoredAs(attribute.type);
  return out;
}

std::string FormatValue(Format format, uint8_t width, AttributeType type, std::string_view value) {
  if (IsTimeText(type)) return FormatTime(format == Format::kPlain ? StoredFormat(type) : format, value);
  if (StoredAs(type) == StoredType::kN) {
    const Result<Number> number = Number::Parse(value);
    std::string text = number.ok() ? number->ToString() : std::string(value);
    if (IsPadded(format) && text.size() < width) text.insert(0, width - text.size(), '0');
    if (format == Format::kDesc) std::transform(text.begin(), text.end(), text.begin(), Complement);
    return text;
  }
  return InCase(format, value);
}

std::string ValueOfText(const TemplatePart& part, std::string_view text) {
  std::string value(text);
  if (!IsPadded(part.format)) return value;
  if (part.format == Format::kDesc) std::transform(value.begin(), value.end(), value.begin(), Complement);
  const size_t first = value.find_first_not_of('0');
  return first == std::string::npos ? "0" : value.substr(first);
}

std::optional<std::string> WriteKey(const Template& whole, ValueOf value_of) {
  std::string key;
  for (const TemplatePart& part : whole.parts) {
    if (part.IsLiteral()) {
      key += part.text;
      continue;
    }
    const std::optional<std::string> value = value_of(part);
    if (!value || value->empty()) return {};
    key += FormatValue(part.format, part.width, part.type, *value);
  }
  return key;
}

uint32_t ShardOf(std::string_view text, uint32_t n) {
  CHECK(n > 0);
  uint32_t hash = 2166136261u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619u;
  return hash % n;
}

}  // namespace keyfold::model
