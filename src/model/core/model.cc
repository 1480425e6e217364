#include "model/core/model.h"

#include <algorithm>

namespace keyfold::model {
namespace {

template <typename T>
const T* FindById(const std::vector<T>& all, const std::unordered_map<std::string, uint32_t>& ids,
                  std::string_view name) {
  const auto it = ids.find(std::string(name));
  return it == ids.end() ? nullptr : &all[it->second];
}

}  // namespace

const Attribute* Entity::Find(std::string_view name) const {
  const auto it =
      std::find_if(attributes.begin(), attributes.end(), [&](const Attribute& one) { return one.name == name; });
  return it == attributes.end() ? nullptr : &*it;
}

const Attribute* Entity::FindHead(std::string_view path) const {
  const Attribute* attribute = Find(path);
  for (size_t end = path.size(); attribute == nullptr && end > 0;) {
    end = path.find_last_of(".[", end - 1);
    if (end == std::string_view::npos) break;
    attribute = Find(path.substr(0, end));
  }
  return attribute;
}

const Attribute* Entity::FindPath(std::string_view path) const {
  const Attribute* at = FindHead(path);
  if (at == nullptr) return nullptr;
  for (std::string_view rest = path.substr(at->name.size()); !rest.empty();) {
    if (rest[0] != '.') return nullptr;
    const std::string_view name = rest.substr(1, rest.find_first_of(".[", 1) - 1);
    const auto it =
        std::find_if(at->fields.begin(), at->fields.end(), [&](const Attribute& one) { return one.name == name; });
    if (it == at->fields.end() && at->entry.empty()) return nullptr;
    at = it != at->fields.end() ? &*it : &at->entry[0];
    rest.remove_prefix(1 + name.size());
  }
  return at;
}

const KeyTemplate* Entity::FindKey(std::string_view key_attribute, VariantId variant) const {
  if (variant == kNoVariant) return FindKey(key_attribute);
  for (const KeyTemplate& key : variants[variant].keys) {
    if (key.attribute == key_attribute) return &key;
  }
  return FindKey(key_attribute);
}

std::vector<VariantId> Entity::VariantsIn(const Index& index) const {
  std::vector<VariantId> all = {kNoVariant};
  const std::vector<std::string> keys = KeysOf(index);
  for (VariantId id = 0; id < variants.size(); ++id) {
    const std::vector<KeyTemplate>& own = variants[id].keys;
    const auto replaces = [&](const KeyTemplate& key) { return Contains(keys, key.attribute); };
    if (std::any_of(own.begin(), own.end(), replaces)) all.push_back(id);
  }
  return all;
}

const KeyTemplate* Entity::FindKey(std::string_view key_attribute) const {
  for (const auto* all : {&keys, &native_keys}) {
    for (const KeyTemplate& key : *all) {
      if (key.attribute == key_attribute) return &key;
    }
  }
  return nullptr;
}

bool Entity::Has(const Index& index) const {
  const auto has = [&](const std::string& attribute) { return FindKey(attribute) != nullptr; };
  return std::all_of(index.pk.begin(), index.pk.end(), has) && std::all_of(index.sk.begin(), index.sk.end(), has);
}

const When* Entity::FindWhen(IndexId index) const {
  const auto it = std::find_if(when.begin(), when.end(), [&](const When& one) { return one.index == index; });
  return it == when.end() ? nullptr : &*it;
}

const Per* Entity::FirstParent() const {
  const auto it = std::find_if(per.begin(), per.end(), [](const Per& one) { return one.parent.has_value(); });
  return it == per.end() ? nullptr : &*it;
}

std::vector<std::string> KeysOf(const Index& index) {
  std::vector<std::string> keys = index.pk;
  keys.insert(keys.end(), index.sk.begin(), index.sk.end());
  return keys;
}

bool Contains(const std::vector<std::string>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

const Binding* FindBinding(const std::vector<Binding>& all, EntityId entity, std::string_view attribute) {
  const Binding* found = nullptr;
  for (const Binding& one : all) {
    if (one.attribute != attribute || (one.entity && *one.entity != entity)) continue;
    if (found == nullptr || one.entity) found = &one;
  }
  return found;
}

bool Binds(const std::vector<Binding>& all, std::string_view attribute) {
  return std::any_of(all.begin(), all.end(), [&](const Binding& one) { return one.attribute == attribute; });
}

bool Pattern::Reads() const {
  return verb == Verb::kGet || verb == Verb::kQuery || verb == Verb::kScan || verb == Verb::kBatchGet ||
         verb == Verb::kTransactGet;
}

const Entity* Model::FindEntity(std::string_view name) const { return FindById(entities, entity_ids, name); }
const Index* Model::FindIndex(std::string_view name) const { return FindById(indexes, index_ids, name); }
const Pattern* Model::FindPattern(std::string_view name) const { return FindById(patterns, pattern_ids, name); }

const KeySide& Model::PartitionKey(std::optional<IndexId> index) const { return index ? indexes[*index].pk : table.pk; }
const KeySide& Model::SortKey(std::optional<IndexId> index) const { return index ? indexes[*index].sk : table.sk; }

bool Model::IsBaseKey(std::string_view attribute) const {
  const auto is = [&](const std::string& one) { return one == attribute; };
  return std::any_of(table.pk.begin(), table.pk.end(), is) || std::any_of(table.sk.begin(), table.sk.end(), is);
}

}  // namespace keyfold::model
