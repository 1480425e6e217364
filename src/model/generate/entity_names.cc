#include "model/generate/entity_names.h"

namespace keyfold::model {

namespace {

void NameMaps(const std::vector<Attribute>& attributes, const std::string& base, Scope& scope, MapNames& out) {
  for (const Attribute& one : attributes) {
    if (one.fields.empty()) continue;
    MapName& name = out[&one];
    name.type = scope.Take(base + Cased(Case::kPascal, one.name));
    name.input = scope.Take(name.type + "Values");
    NameMaps(one.fields, name.type, scope, out);
  }
}

}  // namespace

EntityNames NameEntity(const Model& model, const Entity& entity, Case functions, Scope& scope) {
  const bool snake = functions == Case::kSnake;
  const std::string small = Cased(functions, entity.name);
  EntityNames names;
  names.type = scope.Take(Cased(Case::kPascal, entity.name));
  names.input = scope.Take(names.type + "Values");
  const auto ending = [&](std::string_view word) {
    return scope.Take(small + (snake ? '_' + Cased(Case::kSnake, word) : Cased(Case::kPascal, word)));
  };
  const auto starting = [&](const std::string& word) { return scope.Take(word + (snake ? '_' + small : names.type)); };
  names.key = ending("key");
  names.make = ending("to item");
  names.read = starting("read");
  names.is = starting("is");
  names.shape = snake ? scope.Take('_' + small + "_shape") : ending("shape");
  for (IndexId id = 0; id < model.indexes.size(); ++id) {
    if (entity.Has(model.indexes[id])) names.index_keys[id] = ending(model.indexes[id].name + " key");
  }
  NameMaps(entity.attributes, names.type, scope, names.maps);
  return names;
}

}  // namespace keyfold::model
