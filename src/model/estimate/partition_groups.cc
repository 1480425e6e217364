#include "model/estimate/partition_groups.h"

#include <algorithm>

namespace keyfold::model {
namespace {

// A key's literals, and its placeholders without names.
std::string PartitionForm(const Entity& entity, const KeySide& side) {
  std::string form;
  for (const std::string& attribute : side) {
    const Template& value = entity.FindKey(attribute)->value;
    form += {'\x03', static_cast<char>(value.type)};
    for (const TemplatePart& part : value.parts) {
      if (part.IsLiteral()) {
        form += part.text;
      } else {
        form += {'\x01', static_cast<char>(part.kind), static_cast<char>(part.format), static_cast<char>(part.width)};
      }
    }
  }
  return form;
}

std::string PartitionKeyText(const Entity& entity, const KeySide& side) {
  std::string text;
  for (const std::string& attribute : side) {
    if (!text.empty()) text += ", ";
    text += entity.FindKey(attribute)->value.text;
  }
  return text;
}

bool HasLiteral(const Entity& entity, const KeySide& side) {
  return std::any_of(side.begin(), side.end(), [&](const std::string& attribute) {
    const std::vector<TemplatePart>& parts = entity.FindKey(attribute)->value.parts;
    return std::any_of(parts.begin(), parts.end(), [](const TemplatePart& part) { return part.IsLiteral(); });
  });
}

}  // namespace

bool SameShape(const Template& a, const Template& b) {
  if (a.type != b.type || a.parts.size() != b.parts.size()) return false;
  for (size_t i = 0; i < a.parts.size(); ++i) {
    const TemplatePart& x = a.parts[i];
    const TemplatePart& y = b.parts[i];
    if (x.kind != y.kind || x.format != y.format || x.width != y.width) return false;
    if (x.IsLiteral() && x.text != y.text) return false;
  }
  return true;
}

PartitionGroups::PartitionGroups(const Model& model) : model_(model) {
  AddPlace({});
  for (IndexId id = 0; id < model.indexes.size(); ++id) AddPlace(id);
}

void PartitionGroups::AddPlace(std::optional<IndexId> index) {
  const KeySide& side = model_.PartitionKey(index);
  std::vector<size_t>& at = at_.emplace_back(model_.entities.size());
  std::unordered_map<std::string, size_t> groups;
  for (EntityId id = 0; id < model_.entities.size(); ++id) {
    const Entity& entity = model_.entities[id];
    if (index && !entity.Has(model_.indexes[*index])) continue;
    const auto [group, added] = groups.try_emplace(PartitionForm(entity, side), all_.size());
    if (added) {
      all_.push_back({index, PartitionKeyText(entity, side), {}});
      forms_.push_back(group->first);
    }
    at[id] = group->second;
    all_[group->second].entities.push_back(id);
  }
  if (!index) table_groups_ = std::move(groups);
}

std::optional<size_t> PartitionGroups::TableGroupLike(EntityId id, std::optional<IndexId> index) const {
  if (!HasLiteral(model_.entities[id], model_.PartitionKey(index))) return {};
  const auto it = table_groups_.find(forms_[At(id, index)]);
  return it != table_groups_.end() ? std::optional(it->second) : std::nullopt;
}

}  // namespace keyfold::model
