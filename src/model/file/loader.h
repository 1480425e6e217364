// The second half of loading: turns a tree that follows the grammar into a Model with all names resolved. Private to
// load*.cc.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/function_ref.h"
#include "model/core/action.h"
#include "model/core/model.h"
#include "model/core/unreadable.h"
#include "model/file/yaml.h"

namespace keyfold::model {

// The tree has passed CheckFields, so every field that is present has its type. Used by one thread at a time.
class Loader {
 public:
  explicit Loader(Model& model) : model_(model) {}

  Fault Read(const Node& root);

 private:
  // load.cc
  Fault ReadTable(const Node& node);
  Fault ReadIndexes(const Node& node);
  Fault ReadConsumers(const Node& node);
  Fault ReadAccepted(const Node& node);

  // load_entities.cc
  Fault ReadEntities(const Node& node);
  Fault ReadAttributes(const Node& node, Entity& out);
  Fault ReadAttribute(const Node& node, Attribute& out);
  Fault ReadAttributeRecord(const Node& node, Attribute& out);
  Fault ReadCopy(const Node& node, Entity& out);
  Fault CompleteCopies();
  Fault CompleteCopy(const Node& node, Entity& copy);
  Fault ReadShard(const Node& node, Entity& out);
  Fault ReadKeys(const Node& node, Entity& out);
  Fault ReadKey(const Node& node, const Entity& entity, std::vector<KeyTemplate>& out) const;
  Fault ReadVariants(const Node& node, Entity& out);
  Fault ReadFields(const Node& node, Attribute& out);
  Fault ReadValues(const Node& node, Attribute& out);
  void AddNativeKeys(Entity& out);
  Fault CheckBaseKey(const Node& node, const Entity& entity) const;
  static Fault ReadItemCondition(Phrase phrase, const Entity& entity, Condition& out);
  Fault ReadWhen(const Node& node, Entity& out);
  Fault ReadAmounts(const Node& node, Entity& out);
  Fault ReadPer(const Node& node, Entity& out);
  Fault ReadPerName(Phrase name, const Entity& entity, Per& out) const;
  Fault CheckCycles(FunctionRef<std::vector<EntityId>(const Entity&)> next,
                    FunctionRef<Unreadable(const Entity&, std::string)>) const;
  const Attribute* FindInSources(const Entity& entity, std::string_view name) const;

  // load_patterns.cc
  Fault ReadPatterns(const Node& node);
  Fault ReadPattern(const Node& node, Pattern& out);
  Fault ReadVerb(const Node& node, Pattern& out);
  Fault ReadActions(const Node& node, Pattern& out);
  Fault ReadStandalone(const Node& node, Pattern& out);
  Fault ReadBy(const Node& node, Pattern& out) const;
  Fault ReadFrom(const Node& node, Pattern& out) const;
  Fault ReadSelection(const Node& node, Pattern& out);
  Fault ReadRange(const Node& node, Pattern& out);
  Fault ReadNames(const Node* node, const Pattern& pattern, std::vector<std::string>& out) const;
  void ReadPlain(const Node& node, Pattern& out);
  Fault CheckFieldUse(const Node& node, const Pattern& pattern) const;

  Model& model_;
  std::vector<const Node*> entity_nodes_;
};

// The strings of a list, or a single string.
std::vector<std::string> TextsOf(const Node& node);
std::vector<Phrase> PhrasesOf(const Node& node);
std::string TextOr(const Node& node, std::string_view field, std::string_view otherwise = {});

}  // namespace keyfold::model
