#include "model/sample/values.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <span>

#include "base/text/ascii.h"
#include "base/text/base64.h"
#include "model/core/calendar.h"
#include "model/core/document_text.h"
#include "model/core/sortable_id.h"

namespace keyfold::model {
namespace {

// No word has a character above U+FFFF, since upper bounds end in that character.
constexpr std::string_view kWords[] = {"engineering",
                                       "engineering-ops",
                                       "eng",
                                       "north",
                                       "northwest",
                                       "caf\xC3\xA9",
                                       "ops",
                                       "opsy",
                                       "amber",
                                       "a",
                                       "ab",
                                       "Zo\xC3\xAB",
                                       "\xE6\x97\xA5\xE6\x9C\xAC",
                                       "\xE6\x97\xA5\xE6\x9C\xAC\xE8\xAA\x9E",
                                       "zebra-9",
                                       "zebra"};
constexpr uint64_t kWordsCount = std::size(kWords);
constexpr uint64_t kFewWords = 7;           // for a string without a declared cardinality
constexpr uint64_t kWordsMost = 40;         // for a string with one
constexpr double kNumberSpan = 200;         // for a number without bounds
constexpr int64_t kDayMillis = 86'400'000;  // milliseconds

std::string Without(std::string text, std::string_view separator) {
  for (size_t at = text.find(separator); at != std::string::npos; at = text.find(separator)) {
    text.erase(at, separator.size());
  }
  return text;
}

// Cuts the text to at most this many bytes, at a character boundary.
void Cut(std::string& text, size_t bytes) {
  if (text.size() <= bytes) return;
  while (bytes > 0 && (static_cast<unsigned char>(text[bytes]) & 0xC0) == 0x80) --bytes;
  text.resize(bytes);
}

bool IsStoredAsNumber(AttributeType type) { return StoredAs(type) == StoredType::kN; }

std::string BinaryOf(uint64_t n) {
  std::string bytes(8, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(n >> (56 - 8 * i));
  return bytes;
}

}  // namespace

SampleValues::SampleValues(uint64_t seed, std::string separator, int64_t now_ms)
    : random_(seed), separator_(std::move(separator)), now_ms_(now_ms) {
  const std::string month = IsoMillis(now_ms).substr(0, 8) + "01T00:00:00.000Z";
  month_ms_ = EpochMillis(month).value_or(now_ms);
}

std::string SampleValues::Word(const Attribute& attribute, uint64_t n) const {
  std::string text(kWords[n % kWordsCount]);
  if (n >= kWordsCount) text += '-' + std::to_string(n);
  if (n % 4 == 3) text[0] = ToUpper(text[0]);
  if (Lowercase(attribute.name).find("mail") != std::string::npos) text += "@example.com";
  if (attribute.max_length && text.size() > *attribute.max_length) text = 'v' + std::to_string(n);
  if (attribute.max_length) Cut(text, *attribute.max_length);
  if (!separator_.empty()) text = Without(std::move(text), separator_);
  return text.empty() ? "x" + std::to_string(n) : text;
}

std::string SampleValues::NumberNear(const Attribute& attribute, uint64_t n) const {
  const double least = std::ceil(attribute.min.value_or(0));
  const double most = std::floor(attribute.max.value_or(least + 1e12));
  const auto span = static_cast<uint64_t>(std::max(0.0, most - least)) + 1;
  return std::to_string(static_cast<int64_t>(least) + static_cast<int64_t>((n + 1) % span));
}

// Times come in groups of three that share a second; the first groups are around the start of the month.
int64_t SampleValues::TimeNear(uint64_t n) const {
  constexpr int64_t kOffsets[] = {0, 1, 999};
  constexpr int64_t kStarts[] = {-1'800'000, -1'000, 0, 300'000};  // relative to the start of the month
  const uint64_t group = n / 3;
  const int64_t start = group < std::size(kStarts)
                            ? month_ms_ + kStarts[group]
                            : month_ms_ - static_cast<int64_t>(group) * (kDayMillis / 4 + 17'000);
  return start + kOffsets[n % 3];
}

// One to three elements.
std::string SampleValues::SetNear(const Attribute& attribute, uint64_t n) const {
  Attribute element;
  element.name = attribute.name;
  element.type = ElementOf(attribute.type);
  std::vector<std::string> elements;
  for (uint64_t i = 0; i <= n % 3; ++i) {
    std::string one = Nth(element, n + i);
    if (element.type == AttributeType::kBinary) {
      std::string encoded;
      AppendBase64(encoded, one);
      one = std::move(encoded);
    }
    elements.push_back(std::move(one));
  }
  return SetOf(std::move(elements));
}

std::string SampleValues::NameOfEntry(uint64_t n) const {
  Attribute name;
  name.type = AttributeType::kString;
  return Word(name, n);
}

// The declared fields and up to three other entries, or a number if neither is declared.
std::string SampleValues::MapNear(const Attribute& attribute, uint64_t n) const {
  std::string map = "{";
  for (const Attribute& field : attribute.fields) {
    if (field.optional && n % 5 == 4) continue;
    if (map.size() > 1) map += ',';
    map += '"' + field.name + "\":";
    AppendValue(map, StoredAs(field.type), Nth(field, n));
  }
  if (attribute.fields.empty() && attribute.entry.empty()) map += "\"n\":{\"N\":\"" + std::to_string(n) + "\"}";
  map += '}';
  for (uint64_t i = 0; !attribute.entry.empty() && i < n % 4; ++i) {
    const InnerValue value{StoredAs(attribute.entry[0].type), Nth(attribute.entry[0], n + i)};
    const std::string path = '.' + NameOfEntry(3 * n + i);
    if (!ValueInside(map, StoredType::kM, path)) map = WithInside(map, StoredType::kM, path, value).value_or(map);
  }
  return map;
}

std::string SampleValues::Nth(const Attribute& attribute, uint64_t n) const {
  switch (attribute.type) {
    case AttributeType::kString:
      return Word(attribute, n);
    case AttributeType::kEnum:
      return attribute.values[n % attribute.values.size()];
    case AttributeType::kDate:
    case AttributeType::kTimeSeconds:
    case AttributeType::kTime:
    case AttributeType::kTimeMicros:
      return FormatTime(
          StoredFormat(attribute.type),
          IsoMillis(TimeNear(
              n * (attribute.type == AttributeType::kTime || attribute.type == AttributeType::kTimeMicros ? 1 : 3))));
    case AttributeType::kEpochSeconds:
      return std::to_string(TimeNear(n * 3) / 1000);
    case AttributeType::kEpochMillis:
      return std::to_string(TimeNear(n));
    case AttributeType::kUlid:
    case AttributeType::kKsuid:
    case AttributeType::kUuid7:
      return MakeId(attribute.type, TimeNear(n * 3), n);
    case AttributeType::kStringSet:
    case AttributeType::kNumberSet:
    case AttributeType::kBinarySet:
      return SetNear(attribute, n);
    case AttributeType::kBool:
      return n % 2 == 0 ? "true" : "false";
    case AttributeType::kBinary:
      return BinaryOf(n);
    case AttributeType::kList:
      return "[{\"S\":\"" + std::to_string(n) + "\"},{\"N\":\"1\"}]";
    case AttributeType::kMap:
      return MapNear(attribute, n);
    default:
      return NumberNear(attribute, n);
  }
}

std::string SampleValues::Any(const Attribute& attribute) {
  if (attribute.type == AttributeType::kString) {
    const double most = std::min(attribute.cardinality.value_or(kFewWords), static_cast<double>(kWordsMost));
    return Nth(attribute, random_.Below(std::max<uint64_t>(1, static_cast<uint64_t>(most))));
  }
  if (attribute.lock) return std::to_string(1 + random_.Below(5));
  if (!IsStoredAsNumber(attribute.type) || IsEpoch(attribute.type)) {
    return Nth(attribute, random_.Below(1000));
  }
  const double least = attribute.min.value_or(0);
  const double most = std::min(attribute.max.value_or(least + kNumberSpan), least + 1e9);
  const auto whole = static_cast<int64_t>(std::ceil(least)) +
                     static_cast<int64_t>(random_.Below(static_cast<uint64_t>(std::max(0.0, most - least)) + 1));
  std::string text = std::to_string(whole);
  const bool fraction =
      attribute.type == AttributeType::kDecimal && static_cast<double>(whole) + 1 <= most && whole >= 0;
  return fraction ? text + '.' + std::to_string(1 + random_.Below(9)) + "5" : text;
}

std::string SampleValues::Expiry(AttributeType type, uint64_t n, uint64_t after_s, bool expired) const {
  const int64_t after = static_cast<int64_t>(after_s) * 1000;
  const int64_t around[] = {after, 0, 1'000, -kDayMillis, after / 2, after + 3'000};
  const int64_t ahead[] = {after, after / 2 + 1'000, after + 3'000};
  const std::span<const int64_t> offsets = expired ? std::span<const int64_t>(around) : ahead;
  const int64_t at = now_ms_ + offsets[n % offsets.size()] + static_cast<int64_t>(n / offsets.size()) * 7'000;
  return NowAs(type, at);
}

}  // namespace keyfold::model
