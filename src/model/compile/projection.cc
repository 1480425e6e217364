#include "model/compile/projection.h"

#include <algorithm>

namespace keyfold::model {

bool Projects(const Model& model, const Index& index, std::string_view attribute) {
  if (index.project != Project::kInclude) return index.project == Project::kAll;
  if (attribute == model.table.type_attribute) return true;
  return std::find(index.included.begin(), index.included.end(), attribute) != index.included.end();
}

bool EntryGives(const Model& model, const Index& index, const Entity& entity, std::string_view attribute) {
  if (Projects(model, index, attribute)) return true;
  std::vector<std::string> keys = KeysOf(index);
  keys.insert(keys.end(), model.table.pk.begin(), model.table.pk.end());
  keys.insert(keys.end(), model.table.sk.begin(), model.table.sk.end());
  return std::any_of(keys.begin(), keys.end(), [&](const std::string& name) {
    const KeyTemplate* key = entity.FindKey(name);
    if (name == attribute) return true;
    const auto replaces = [&](const Variant& one) {
      return std::any_of(one.keys.begin(), one.keys.end(),
                         [&](const KeyTemplate& own) { return own.attribute == name; });
    };
    if (std::any_of(entity.variants.begin(), entity.variants.end(), replaces)) return false;
    return key != nullptr &&
           std::any_of(key->value.parts.begin(), key->value.parts.end(), [&](const TemplatePart& one) {
             return one.kind == TemplatePart::Kind::kAttribute && one.text == attribute && Recovers(one.format);
           });
  });
}

}  // namespace keyfold::model
