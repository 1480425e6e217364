#include "model/estimate/entry_estimate.h"

#include <algorithm>
#include <optional>
#include <set>

#include "model/core/calendar.h"
#include "model/core/sortable_id.h"

namespace keyfold::model {
namespace {

constexpr double kIdentifierBytes = 16;  // for a string inside a key
constexpr double kNumberBytes = 5;
constexpr double kLeastTextBytes = 8;

std::optional<double> BytesByType(const Attribute& attribute) {
  if (attribute.avg_bytes) return static_cast<double>(*attribute.avg_bytes);
  switch (attribute.type) {
    case AttributeType::kNumber:
    case AttributeType::kDecimal:
    case AttributeType::kEpochSeconds:
    case AttributeType::kEpochMillis:
      return kNumberBytes;
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
    case AttributeType::kEnum: {
      double bytes = 0;
      for (const std::string& value : attribute.values) bytes += static_cast<double>(value.size());
      return attribute.values.empty() ? 0 : bytes / static_cast<double>(attribute.values.size());
    }
    default:
      return {};
  }
}

double PartBytes(const Entity& entity, const TemplatePart& part) {
  if (part.IsLiteral()) return static_cast<double>(part.text.size());
  if (part.kind == TemplatePart::Kind::kShard) return 1;
  if (part.format == Format::kPad) return part.width;
  if (const std::string_view layout = LayoutOf(part.format); !layout.empty()) return static_cast<double>(layout.size());
  const Attribute* attribute = entity.Find(part.text);
  return attribute != nullptr ? BytesByType(*attribute).value_or(kIdentifierBytes) : kIdentifierBytes;
}

}  // namespace

EntryEstimate::EntryEstimate(const Model& model, const Entity& entity) : model_(model), entity_(entity) {
  double known = KeyBytes(model.table.pk) + KeyBytes(model.table.sk);
  std::set<std::string_view> keys;
  for (const KeyTemplate& key : entity.keys) {
    if (!model.IsBaseKey(key.attribute) && keys.insert(key.attribute).second) known += KeyBytes({key.attribute});
  }
  size_t open = 0;
  for (const Attribute& attribute : entity.attributes) {
    known += static_cast<double>(attribute.name.size());
    const std::optional<double> bytes = BytesByType(attribute);
    if (bytes) known += values_[attribute.name] = *bytes;
    open += bytes ? 0 : 1;
  }
  const double each = open > 0 ? std::max(kLeastTextBytes, (entity.size_avg - known) / static_cast<double>(open)) : 0;
  for (const Attribute& attribute : entity.attributes) values_.try_emplace(attribute.name, each);
}

double EntryEstimate::KeyBytes(const KeySide& side) const {
  double bytes = 0;
  for (const std::string& attribute : side) {
    const KeyTemplate* key = entity_.FindKey(attribute);
    if (key == nullptr) continue;
    bytes += static_cast<double>(attribute.size());
    for (const TemplatePart& part : key->value.parts) bytes += PartBytes(entity_, part);
  }
  return bytes;
}

double EntryEstimate::AttributeBytes(std::string_view name) const {
  const auto it = values_.find(name);
  return it != values_.end() ? static_cast<double>(name.size()) + it->second : 0;
}

double EntryEstimate::Keys(const Index& index) const {
  const double bytes = KeyBytes(model_.table.pk) + KeyBytes(model_.table.sk) + KeyBytes(index.pk) + KeyBytes(index.sk);
  return std::min(bytes, entity_.size_avg);
}

double EntryEstimate::KeysAnd(const Index& index, const std::vector<std::string>& attributes) const {
  double bytes = Keys(index);
  if (!model_.table.type_attribute.empty()) {
    bytes += static_cast<double>(model_.table.type_attribute.size() + entity_.name.size());
  }
  for (const std::string& name : attributes) {
    const KeyTemplate* key = entity_.FindKey(name);
    if (key == nullptr || !key->native) bytes += AttributeBytes(name);
  }
  return std::min(bytes, entity_.size_avg);
}

double EntryEstimate::SyntheticKey(const Index& index) const {
  double bytes = 0;
  for (const KeySide* side : {&index.pk, &index.sk}) {
    for (const std::string& attribute : *side) {
      const KeyTemplate* key = entity_.FindKey(attribute);
      if (key != nullptr && !key->native) bytes += KeyBytes({attribute});
    }
  }
  return bytes;
}

}  // namespace keyfold::model
