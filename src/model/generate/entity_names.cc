#include "model/generate/entity_names.h"

namespace keyfold::model {

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
  return names;
}

}  // namespace keyfold::model
