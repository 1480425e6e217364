#include "model/check/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/core/action.h"
#include "model/core/figures.h"
#include "model/estimate/entry_estimate.h"

namespace keyfold::model::check {
std::string Bytes(double bytes) {
  constexpr std::string_view kUnits[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  while (bytes >= 1024 && unit + 1 < std::size(kUnits)) bytes /= 1024, ++unit;
  return fmt::format("{} {}", Figure(std::round(bytes * 10) / 10), kUnits[unit]);
}

std::string KeyText(const std::vector<std::pair<std::string, std::string>>& key) {
  std::string text;
  for (const auto& [attribute, value] : key) {
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", attribute, value);
  }
  return text;
}

Subject::Subject(const Model& model) : model_(model), estimate_(model) {
  for (const PartitionGroup& group : groups()) {
    std::vector<EntityId>& owners = owners_.emplace_back();
    for (const EntityId id : group.entities) {
      if (owners.size() < 2 && FreeSortParts(id, group.index).empty()) owners.push_back(id);
    }
  }
}

std::vector<EntityId> Subject::UnwantedOf(PatternId id) const {
  std::vector<EntityId> unwanted;
  const std::vector<EntityId>& wanted = pattern(id).entities;
  for (const Coverage::Covered& one : covered(id)) {
    if (std::find(wanted.begin(), wanted.end(), one.entity) == wanted.end()) unwanted.push_back(one.entity);
  }
  return unwanted;
}

std::vector<const TemplatePart*> Subject::FreeSortParts(EntityId id, std::optional<IndexId> index) const {
  std::vector<std::string> bound;
  for (const std::string& attribute : model_.PartitionKey(index)) {
    for (const TemplatePart& part : entity(id).FindKey(attribute)->value.parts) {
      if (!part.IsLiteral() && !IsBucket(part.format)) bound.push_back(part.text);
    }
  }
  std::vector<const TemplatePart*> free;
  for (const std::string& attribute : model_.SortKey(index)) {
    for (const TemplatePart& part : entity(id).FindKey(attribute)->value.parts) {
      if (!part.IsLiteral() && !Contains(bound, part.text)) free.push_back(&part);
    }
  }
  return free;
}

std::optional<EntityId> Subject::OwnerOf(EntityId id) const {
  for (const EntityId owner : owners_[estimate_.groups().At(id, {})]) {
    if (owner != id) return owner;
  }
  return {};
}

std::string Subject::DoubtsOf(PatternId id) const {
  std::vector<std::string> doubts;
  for (const ReadPart& part : estimate_.pattern(id).volume.parts) {
    if (!part.doubt.empty()) doubts.push_back(part.doubt);
  }
  return doubts.empty() ? std::string() : fmt::format(" ({})", fmt::join(doubts, "; "));
}

bool Subject::IsGiven(const Pattern& one, std::string_view attribute) {
  if (Binds(one.by, attribute)) return true;
  return std::any_of(one.where.all.begin(), one.where.all.end(), [&](const Comparison& c) {
    return c.comparator == Comparator::kEqual && c.path == attribute && c.right.kind != Operand::Kind::kNow;
  });
}

std::vector<Assignment> Subject::AssignmentsOf(const Pattern& one, const Action& action) const {
  return model::AssignmentsOf(model_, one, action);
}

bool Subject::InFilter(const Access& made, std::string_view attribute) {
  for (const auto& [alias, name] : made.aliases.names) {
    if (name != attribute) continue;
    for (size_t at = made.filter.find(alias); at != std::string::npos; at = made.filter.find(alias, at + 1)) {
      const char next = at + alias.size() < made.filter.size() ? made.filter[at + alias.size()] : ' ';
      if (next == ' ' || next == ')' || next == ',' || next == '.' || next == '[') return true;
    }
  }
  return false;
}

bool Subject::IsProjected(EntityId id, const Index& index, std::string_view attribute) const {
  return HoldsValue(model_, index, entity(id), attribute);
}

bool Subject::IsGuard(EntityId id) const {
  for (const Entity& one : model_.entities) {
    for (const Attribute& attribute : one.attributes) {
      if (attribute.unique == id) return true;
    }
  }
  return false;
}

}  // namespace keyfold::model::check
