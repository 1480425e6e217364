// Looks up names in a model file's declarations. The error for an unknown name suggests the closest one.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/core/model.h"
#include "model/core/phrase.h"
#include "model/core/unreadable.h"

namespace keyfold::model {

Fault FindEntity(const Model&, Phrase name, EntityId& out);
Fault FindIndex(const Model&, Phrase name, IndexId& out);
Fault FindPattern(const Model&, Phrase name, PatternId& out);

// The attributes that a template, a condition or a list of names can use. Views the model.
class AttributeScope {
 public:
  explicit AttributeScope(const Entity& entity) : entities_{&entity} {}
  // The attributes of all entities that the pattern reads or writes.
  AttributeScope(const Model&, const Pattern&);

  // Returns the attribute of the first entity that has it, or nullptr.
  const Attribute* Find(std::string_view name) const;
  // The attribute at the head of a path: that of this whole name, or else of the longest start of the path.
  const Attribute* FindHead(std::string_view path) const;
  // The attribute or the declared field of a map at a path; nullptr if nothing is declared there.
  const Attribute* FindPath(std::string_view path) const;
  Unreadable Missing(Mark, std::string_view name) const;

 private:
  std::vector<const Entity*> entities_;
};

// Returns "; did you mean X?" if a known name is close, otherwise an empty string.
std::string DidYouMean(std::string_view name, std::span<const std::string_view> known);

}  // namespace keyfold::model
