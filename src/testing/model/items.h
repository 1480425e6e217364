// Items of a model's entities for import tests: each attribute has distinctive values, keys are written by the
// templates, and sparse rules hold.
#pragma once

#include <fmt/format.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/core/calendar.h"
#include "model/core/model.h"
#include "model/import/sampled_item.h"

namespace keyfold::model {

// The i-th value of an attribute, as FormatValue takes it.
inline std::string ValueForTest(const Attribute& attribute, size_t i) {
  switch (attribute.type) {
    case AttributeType::kNumber:
      return std::to_string(i * (37 + 2 * attribute.name.size()) % 800 + i % 100 + 1);
    case AttributeType::kDecimal:
      return fmt::format("{}.{}", i * 13 + 5, i % 9 + 1);
    case AttributeType::kTime:
      return IsoMillis(1'705'300'000'123 + static_cast<int64_t>(i) * 86'399'877 * 3);
    case AttributeType::kEpochSeconds:
      return std::to_string(1'705'300'000 + i * 1001);
    case AttributeType::kEnum:
      return attribute.values[i * 7 % attribute.values.size()];
    default:
      return fmt::format("{}{}{}x", attribute.name, i % 3 == 0 ? "Q" : "q", i * 31 % 1009);
  }
}

// The attributes of one item, including the type attribute if the table has one.
inline SampledItem ItemForTest(const Model& model, const Entity& entity, size_t i) {
  std::map<std::string, std::string> values;
  SampledItem item;
  const auto add = [&](const std::string& name, StoredType type, const std::string& text) {
    SampledValue value;
    value.name = name;
    value.type = type == StoredType::kN ? Type::kN : Type::kS;
    value.text = text;
    value.whole = type == StoredType::kN && text.find('.') == std::string::npos;
    item.bytes += name.size() + text.size();
    item.attributes.push_back(std::move(value));
  };
  for (const Attribute& attribute : entity.attributes) {
    values[attribute.name] = ValueForTest(attribute, i);
    add(attribute.name, StoredAs(attribute.type), values[attribute.name]);
  }
  const auto part_text = [&](const TemplatePart& part) -> std::optional<std::string> {
    if (part.kind == TemplatePart::Kind::kAttribute) return values.at(part.text);
    const Shard& shard = *entity.shard;
    if (!shard.hash_of) return std::to_string(i % shard.n);
    const std::string& of = values.at(*shard.hash_of);
    return std::to_string(
        ShardOf(FormatValue(shard.hash_format, shard.hash_width, entity.Find(*shard.hash_of)->type, of), shard.n));
  };
  for (const KeyTemplate& key : entity.keys) {
    bool in = true;
    for (const When& when : entity.when) {
      const Index& index = model.indexes[when.index];
      if (key.attribute != index.pk[0] && (index.sk.empty() || key.attribute != index.sk[0])) continue;
      for (const Comparison& each : when.condition.all) in &= values.at(each.attribute) == each.right.text;
    }
    if (in) add(key.attribute, key.value.type, *WriteKey(key.value, part_text));
  }
  if (!model.table.type_attribute.empty()) add(model.table.type_attribute, StoredType::kS, entity.name);
  return item;
}

inline std::vector<SampledItem> ItemsForTest(const Model& model, size_t of_each) {
  std::vector<SampledItem> items;
  for (const Entity& entity : model.entities) {
    for (size_t i = 0; i < of_each; ++i) items.push_back(ItemForTest(model, entity, i));
  }
  return items;
}

}  // namespace keyfold::model
