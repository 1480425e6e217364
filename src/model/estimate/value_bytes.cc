#include "model/estimate/value_bytes.h"

#include <algorithm>
#include <cmath>

#include "model/core/calendar.h"
#include "model/core/sortable_id.h"

namespace keyfold::model {
namespace {

constexpr double kIdentifierBytes = 16;  // for a string that is part of a key
constexpr double kNumberDigits = 8;      // for a number without a maximum
constexpr double kEpochDigits = 10;

// A number takes a byte, and one more for two digits.
double BytesOfDigits(double digits) { return 1 + std::ceil(digits / 2); }

double DigitsOfNumber(const Attribute& attribute) {
  if (attribute.type == AttributeType::kEpochSeconds) return kEpochDigits;
  if (attribute.type == AttributeType::kEpochMillis) return kEpochDigits + 3;
  if (!attribute.max || *attribute.max < 1) return kNumberDigits;
  return std::min(kNumberDigits, std::floor(std::log10(*attribute.max)) + 1);
}

double AverageBytes(const std::vector<std::string>& values) {
  double bytes = 0;
  for (const std::string& value : values) bytes += static_cast<double>(value.size());
  return values.empty() ? 0 : bytes / static_cast<double>(values.size());
}

// For a string in a key.
double IdentifierBytes(const Attribute& attribute) {
  if (attribute.max_length) return std::min(kIdentifierBytes, static_cast<double>(*attribute.max_length));
  return kIdentifierBytes;
}

}  // namespace

std::optional<double> ValueBytes(const Attribute& attribute) {
  if (attribute.avg_bytes) return static_cast<double>(*attribute.avg_bytes);
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return BytesOfDigits(DigitsOfNumber(attribute));
    case AttributeType::kBool:
      return 1;
    case AttributeType::kDate:
    case AttributeType::kTimeSeconds:
    case AttributeType::kTime:
    case AttributeType::kTimeMicros:
      return static_cast<double>(LayoutOf(StoredFormat(attribute.type)).size());
    case AttributeType::kUlid:
    case AttributeType::kKsuid:
    case AttributeType::kUuid7:
      return static_cast<double>(IdWidth(attribute.type));
    case AttributeType::kEnum:
      return AverageBytes(attribute.values);
    default:
      return {};
  }
}

double PartBytes(const Entity& entity, const TemplatePart& part) {
  if (part.IsLiteral()) return static_cast<double>(part.text.size());
  if (part.kind == TemplatePart::Kind::kShard) return part.shards > 10 ? 2 : 1;
  if (IsPadded(part.format)) return part.width;
  if (const size_t width = FixedWidth(part); width != 0) return static_cast<double>(width);
  const Attribute* attribute = entity.Find(part.text);
  if (attribute == nullptr) return kIdentifierBytes;
  const bool text = StoredAs(attribute->type) == StoredType::kN && entity.FindKey(part.text) == nullptr;
  // A number in a text takes a byte for each digit.
  if (text && !attribute->avg_bytes) return DigitsOfNumber(*attribute);
  return ValueBytes(*attribute).value_or(IdentifierBytes(*attribute));
}

}  // namespace keyfold::model
