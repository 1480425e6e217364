#include "model/core/names.h"

#include <algorithm>

#include "base/text/ascii.h"

namespace keyfold::model {
namespace {

constexpr Rule<"there is no entity {}{}"> kUnknownEntity{"model-no-entity", Kind::kValidation};
constexpr Rule<"there is no index {}{}"> kNoIndex{"model-no-index", Kind::kValidation};
constexpr Rule<"there is no pattern {}{}"> kNoPattern{"model-no-pattern", Kind::kValidation};
constexpr Rule<"{} has no attribute {}{}"> kNoAttribute{"model-no-attribute", Kind::kValidation};

// Number of edits (insertions, deletions, substitutions, or swaps of adjacent letters) between two names. Any result
// above `most` means too many.
size_t Edits(std::string_view a, std::string_view b, size_t most) {
  if (a.size() > b.size() + most || b.size() > a.size() + most) return most + 1;
  std::vector<std::vector<size_t>> rows(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t changed = rows[i - 1][j - 1] + (ToLower(a[i - 1]) != ToLower(b[j - 1]));
      rows[i][j] = std::min({changed, rows[i - 1][j] + 1, rows[i][j - 1] + 1});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows[a.size()][b.size()];
}

template <typename T>
std::vector<std::string_view> NamesOf(const std::vector<T>& all) {
  std::vector<std::string_view> names;
  for (const T& one : all) names.push_back(one.name);
  return names;
}

}  // namespace

Fault FindEntity(const Model& model, Phrase name, EntityId& out) {
  const Entity* entity = model.FindEntity(name.text);
  if (entity == nullptr)
    return Unreadable(name.mark, kUnknownEntity(name.text, DidYouMean(name.text, NamesOf(model.entities))));
  out = static_cast<EntityId>(entity - model.entities.data());
  return {};
}

Fault FindIndex(const Model& model, Phrase name, IndexId& out) {
  const Index* index = model.FindIndex(name.text);
  if (index == nullptr)
    return Unreadable(name.mark, kNoIndex(name.text, DidYouMean(name.text, NamesOf(model.indexes))));
  out = static_cast<IndexId>(index - model.indexes.data());
  return {};
}

Fault FindPattern(const Model& model, Phrase name, PatternId& out) {
  const Pattern* pattern = model.FindPattern(name.text);
  if (pattern == nullptr)
    return Unreadable(name.mark, kNoPattern(name.text, DidYouMean(name.text, NamesOf(model.patterns))));
  out = static_cast<PatternId>(pattern - model.patterns.data());
  return {};
}

AttributeScope::AttributeScope(const Model& model, const Pattern& pattern) {
  for (const EntityId id : pattern.entities) entities_.push_back(&model.entities[id]);
  for (const Action& action : pattern.actions) entities_.push_back(&model.entities[action.entity]);
}

const Attribute* AttributeScope::Find(std::string_view name) const {
  for (const Entity* entity : entities_) {
    if (const Attribute* attribute = entity->Find(name)) return attribute;
  }
  return nullptr;
}

const Attribute* AttributeScope::FindHead(std::string_view path) const {
  for (const Entity* entity : entities_) {
    if (const Attribute* attribute = entity->FindHead(path)) return attribute;
  }
  return nullptr;
}

const Attribute* AttributeScope::FindPath(std::string_view path) const {
  for (const Entity* entity : entities_) {
    if (const Attribute* attribute = entity->FindPath(path)) return attribute;
  }
  return nullptr;
}

Unreadable AttributeScope::Missing(Mark mark, std::string_view name) const {
  std::string place;
  std::vector<std::string_view> known;
  for (const Entity* entity : entities_) {
    (place += place.empty() ? "" : " or ") += entity->name;
    for (const Attribute& attribute : entity->attributes) known.push_back(attribute.name);
  }
  return {mark, kNoAttribute(place, name, DidYouMean(name, known))};
}

std::string DidYouMean(std::string_view name, std::span<const std::string_view> known) {
  constexpr size_t kNameBytesMax = 255;
  constexpr size_t kKnownMax = 2000;  // comparing more names is not worth it for a suggestion
  if (name.size() > kNameBytesMax || known.size() > kKnownMax) return {};
  size_t best = std::max<size_t>(1, name.size() / 3) + 1;
  std::string_view nearest;
  for (const std::string_view one : known) {
    if (one.size() > kNameBytesMax) continue;
    if (const size_t edits = Edits(name, one, best - 1); edits < best) best = edits, nearest = one;
  }
  return nearest.empty() ? std::string() : "; did you mean " + std::string(nearest) + '?';
}

}  // namespace keyfold::model
