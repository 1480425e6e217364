#include "model/sample/object.h"

#include <algorithm>

#include "model/compile/projection.h"
#include "model/core/document_text.h"
#include "model/core/path.h"

namespace keyfold::model {
namespace {

bool IsKeyOf(const Index& index, std::string_view attribute) {
  return Contains(index.pk, attribute) || Contains(index.sk, attribute);
}

void AddKey(const Model& model, const SampleObject& object, const KeyTemplate& key, SampleItem& item) {
  if (Find(item, key.attribute) != nullptr) return;
  if (std::optional<std::string> text = KeyTextOf(model, object, key.value)) {
    item.push_back({key.attribute, key.value.type, *std::move(text)});
  }
}

constexpr uint64_t kNewEntries = 100;  // number of the first name that no entry of a sample has

constexpr auto kNoInput = [](std::string_view) { return std::optional<std::string>(); };

bool RuleHolds(const Model& model, const Entity& entity, IndexId index, const SampleObject& object, int64_t now_ms) {
  const When* when = entity.FindWhen(index);
  return when == nullptr || HoldsFor(model, when->condition, object, kNoInput, now_ms);
}

}  // namespace

std::optional<std::string> SampleObject::Find(std::string_view attribute) const {
  const auto it = values.find(attribute);
  return it == values.end() ? std::nullopt : std::optional(it->second);
}

const ItemAttribute* Find(const SampleItem& item, std::string_view name) {
  const auto it = std::find_if(item.begin(), item.end(), [&](const ItemAttribute& one) { return one.name == name; });
  return it == item.end() ? nullptr : &*it;
}

std::optional<std::string> KeyTextOf(const Model& model, const SampleObject& object, const Template& whole) {
  const Entity& entity = model.entities[object.entity];
  return WriteKey(whole, [&](const TemplatePart& part) -> std::optional<std::string> {
    if (part.kind != TemplatePart::Kind::kShard) return object.Find(part.text);
    if (!entity.shard->hash_of) return std::to_string(object.shard);
    const std::optional<std::string> hashed = object.Find(*entity.shard->hash_of);
    if (!hashed) return {};
    const AttributeType type = entity.Find(*entity.shard->hash_of)->type;
    const std::string text = FormatValue(entity.shard->hash_format, entity.shard->hash_width, type, *hashed);
    return std::to_string(ShardOf(text, part.shards));
  });
}

std::optional<std::string> SampleObject::At(const Entity& entity, std::string_view path) const {
  const Attribute* head = entity.FindHead(path);
  const std::optional<std::string> whole = head != nullptr ? Find(head->name) : std::nullopt;
  if (!whole || path == head->name) return whole;
  const std::optional<InnerValue> inner = ValueInside(*whole, StoredAs(head->type), path.substr(head->name.size()));
  return inner ? std::optional(inner->text) : std::nullopt;
}

bool HoldsFor(const Model& model, const Condition& condition, const SampleObject& object, TextOf input_of,
              int64_t now_ms) {
  const Entity& entity = model.entities[object.entity];
  const auto declared = [&](std::string_view path) { return entity.FindPath(path); };
  const auto value = [&](std::string_view path) { return object.At(entity, path); };
  return Holds(condition, {declared, value, input_of, now_ms});
}

void NameEntries(const Entity& entity, const SampleObject& object, std::string_view path, SampleValues& sample,
                 InputValues& values) {
  const auto given = [&](std::string_view input) {
    const auto it = values.find(input);
    return it == values.end() ? std::nullopt : std::optional(it->second);
  };
  for (const std::string& input : InputsOfPath(path)) {
    if (values.count(input) != 0) continue;
    // The inputs before it are known, so the path of its map is.
    const std::optional<std::string> map = FilledPath(path.substr(0, path.find(".{" + input + '}')), given);
    const std::vector<std::string> names = NamesInMap(map ? object.At(entity, *map).value_or("") : "");
    const bool one_of_them = !names.empty() && sample.random().Below(4) != 0;
    values[input] = one_of_them ? names[sample.random().Below(names.size())]
                                : sample.NameOfEntry(kNewEntries + sample.random().Below(kNewEntries));
  }
}

VariantId VariantOf(const Model& model, const SampleObject& object, int64_t now_ms) {
  const std::vector<Variant>& all = model.entities[object.entity].variants;
  for (VariantId id = 0; id < all.size(); ++id) {
    if (HoldsFor(model, all[id].condition, object, kNoInput, now_ms)) return id;
  }
  return kNoVariant;
}

SampleItem ItemOf(const Model& model, const SampleObject& object, int64_t now_ms) {
  const Entity& entity = model.entities[object.entity];
  SampleItem item;
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    for (const std::string& name : *side) AddKey(model, object, *entity.FindKey(name), item);
  }
  const VariantId variant = VariantOf(model, object, now_ms);
  std::vector<std::string_view> decided;  // a key shared by two indexes follows the first one's rule
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    const bool holds = RuleHolds(model, entity, id, object, now_ms);
    for (const KeySide* side : {&model.indexes[id].pk, &model.indexes[id].sk}) {
      for (const std::string& name : *side) {
        const KeyTemplate* key = entity.FindKey(name, variant);
        if (key == nullptr || key->native || std::find(decided.begin(), decided.end(), name) != decided.end()) continue;
        decided.push_back(name);
        if (holds && !Contains(object.removed_keys, name)) AddKey(model, object, *key, item);
      }
    }
  }
  if (!model.table.type_attribute.empty()) item.push_back({model.table.type_attribute, StoredType::kS, entity.name});
  for (const Attribute& attribute : entity.attributes) {
    const std::optional<std::string> value = object.Find(attribute.name);
    if (!value || Find(item, attribute.name) != nullptr || (value->empty() && IsSet(attribute.type))) continue;
    item.push_back({attribute.name, StoredAs(attribute.type), FormatValue(Format::kPlain, 0, attribute.type, *value)});
  }
  if (!object.padding.empty()) item.push_back({std::string(kPaddingAttribute), StoredType::kS, object.padding});
  return item;
}

std::string JsonOf(const SampleItem& item) {
  std::string out;
  json::Writer writer(out);
  writer.BeginObject();
  for (const ItemAttribute& one : item) {
    writer.Key(one.name);
    WriteValue(writer, one.type, one.text);
  }
  writer.EndObject();
  return out;
}

std::string KeyJsonOf(const Model& model, const SampleItem& item) {
  SampleItem key;
  for (const KeySide* side : {&model.table.pk, &model.table.sk}) {
    for (const std::string& name : *side) {
      if (const ItemAttribute* part = Find(item, name)) key.push_back(*part);
    }
  }
  return JsonOf(key);
}

bool IsIn(const Model& model, IndexId id, const SampleObject& object, const SampleItem& item, int64_t now_ms) {
  for (const KeySide* side : {&model.indexes[id].pk, &model.indexes[id].sk}) {
    for (const std::string& name : *side) {
      if (Find(item, name) == nullptr) return false;
    }
  }
  return RuleHolds(model, model.entities[object.entity], id, object, now_ms);
}

SampleItem Projected(const Model& model, IndexId id, const SampleItem& item) {
  const Index& index = model.indexes[id];
  SampleItem some;
  for (const ItemAttribute& one : item) {
    const bool key = model.IsBaseKey(one.name) || IsKeyOf(index, one.name);
    if (key || Projects(model, index, one.name)) some.push_back(one);
  }
  return some;
}

}  // namespace keyfold::model
