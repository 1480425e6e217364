#include "model/generate/item_layout.h"

#include <algorithm>

#include "model/generate/program.h"

namespace keyfold::model {

KeyIngredients IngredientsOf(const Model& model, const Entity& entity, std::optional<IndexId> index) {
  KeyIngredients out;
  const auto add = [&](std::string_view name) {
    const Attribute* attribute = entity.Find(name);
    const bool there = std::find(out.attributes.begin(), out.attributes.end(), attribute) != out.attributes.end();
    if (attribute != nullptr && !there) out.attributes.push_back(attribute);
  };
  for (const KeySide* side : {&model.PartitionKey(index), &model.SortKey(index)}) {
    for (const std::string& attribute : *side) out.keys.push_back(entity.FindKey(attribute));
  }
  for (const KeyTemplate* key : out.keys) {
    for (const TemplatePart& part : key->value.parts) {
      const bool shard = part.kind == TemplatePart::Kind::kShard;
      if (part.kind == TemplatePart::Kind::kAttribute) add(part.text);
      if (shard && entity.shard->hash_of) add(*entity.shard->hash_of);
      out.shard |= shard && !entity.shard->hash_of;
    }
  }
  return out;
}

std::vector<IndexKeys> IndexKeysOf(const Model& model, const Entity& entity) {
  const auto keys_of = [&](IndexId id, VariantId variant) {
    std::vector<IndexKeys::Key> keys;
    for (const KeyTemplate* plain : TemplatesOf(model, entity, id)) {
      if (model.IsBaseKey(plain->attribute)) continue;
      IndexKeys::Key& entry = keys.emplace_back();
      entry.key = entity.FindKey(plain->attribute, variant);
      for (const TemplatePart& part : entry.key->value.parts) {
        const Attribute* attribute = part.kind == TemplatePart::Kind::kAttribute ? entity.Find(part.text) : nullptr;
        if (attribute != nullptr && attribute->optional && !attribute->default_value) entry.needed.push_back(part.text);
      }
    }
    return keys;
  };
  std::vector<IndexKeys> all;
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    IndexKeys one{id, entity.FindWhen(id), {}};
    const bool varies = entity.VariantsIn(model.indexes[id]).size() > 1;
    for (VariantId variant = 0; varies && variant < entity.variants.size(); ++variant)
      one.choices.push_back({&entity.variants[variant].condition, keys_of(id, variant)});
    one.choices.push_back({nullptr, keys_of(id, kNoVariant)});
    if (!one.choices.back().keys.empty()) all.push_back(std::move(one));
  }
  return all;
}

bool MayBeEmptySet(const Attribute& attribute) { return IsSet(attribute.type) && !attribute.optional; }

bool IsCountedExpiry(const Model& model, const Entity& entity, const Attribute& attribute) {
  return attribute.name == model.table.ttl && entity.ttl_after_s;
}

bool MayLeaveOut(const Model& model, const Entity& entity, const Attribute& attribute) {
  return attribute.optional || attribute.default_value || IsCountedExpiry(model, entity, attribute);
}

bool MayMiss(const Model& model, const Entity& entity, const Attribute& attribute) {
  return attribute.optional && !attribute.default_value && !IsCountedExpiry(model, entity, attribute);
}

std::vector<const Attribute*> PlainAttributes(const Model& model, const Entity& entity) {
  std::vector<const Attribute*> plain;
  for (const Attribute& one : entity.attributes) {
    const auto is = [&](const KeyTemplate& key) { return key.attribute == one.name; };
    const bool key = std::any_of(entity.keys.begin(), entity.keys.end(), is);
    if (!key && one.name != model.table.type_attribute) plain.push_back(&one);
  }
  return plain;
}

std::vector<const KeyTemplate*> ReadableKeys(const Entity& entity) {
  std::vector<const KeyTemplate*> keys;
  for (const KeyTemplate& key : entity.keys) {
    const auto replaces = [&](const Variant& one) {
      return std::any_of(one.keys.begin(), one.keys.end(),
                         [&](const KeyTemplate& own) { return own.attribute == key.attribute; });
    };
    if (std::none_of(entity.variants.begin(), entity.variants.end(), replaces)) keys.push_back(&key);
  }
  return keys;
}

std::vector<std::string> RecoveredBy(const Template& whole) {
  std::vector<std::string> names;
  for (const TemplatePart& part : whole.parts) {
    if (part.IsLiteral()) continue;
    const bool gives = part.kind == TemplatePart::Kind::kAttribute && Recovers(part.format);
    names.push_back(gives ? part.text : "");
  }
  return names;
}

}  // namespace keyfold::model
