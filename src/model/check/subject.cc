#include "model/check/subject.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/compile/projection.h"
#include "model/core/action.h"
#include "model/core/figures.h"
#include "value/limits.h"
#include "value/units.h"

namespace keyfold::model::check {
namespace {

// A template part, with placeholders reduced to their kind and format.
std::string FormOfPart(const TemplatePart& part) {
  if (part.IsLiteral()) return part.text;
  return fmt::format("\x01{}:{}:{}:{}\x02", static_cast<int>(part.kind), static_cast<int>(part.alphabet),
                     static_cast<int>(part.format), part.width);
}

std::string FormOfKey(const Entity& entity, const KeySide& side) {
  std::string form;
  for (const std::string& attribute : side) {
    const KeyTemplate* key = entity.FindKey(attribute);
    if (key == nullptr) return "";
    form += fmt::format("\x03{}\x04", static_cast<int>(key->value.type));
    for (const TemplatePart& part : key->value.parts) form += FormOfPart(part);
  }
  return form;
}

}  // namespace

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

Subject::Subject(const Model& model) : model_(model), coverage_(model) {
  for (PatternId id = 0; id < model.patterns.size(); ++id) {
    compiled_.push_back(Compile(model, id));
    const Access* access = std::get_if<Access>(&compiled_.back());
    const bool query = access != nullptr && access->operation == Operation::kQuery;
    covered_.push_back(query ? coverage_.Of(access->read()) : std::vector<Coverage::Covered>());
  }
  std::vector<std::map<std::string, std::vector<EntityId>>> places(model.indexes.size() + 1);
  for (EntityId id = 0; id < model.entities.size(); ++id) {
    std::vector<std::string>& forms = forms_.emplace_back();
    for (size_t place = 0; place < places.size(); ++place) {
      const bool held = place == 0 || entity(id).Has(model.indexes[place - 1]);
      forms.push_back(held ? FormOfKey(entity(id), place == 0 ? model.table.pk : model.indexes[place - 1].pk) : "");
      if (held) places[place][forms.back()].push_back(id);
    }
  }
  for (size_t place = 0; place < places.size(); ++place) {
    for (const auto& [form, entities] : places[place]) {
      const std::optional<IndexId> index = place == 0 ? std::nullopt : std::optional(static_cast<IndexId>(place - 1));
      groups_.push_back({index, entities});
    }
  }
  by_table_form_ = std::move(places[0]);
  CountAll();
}

std::string Subject::FormOf(EntityId id, std::optional<IndexId> index) const {
  return forms_[id][index ? *index + 1 : 0];
}

std::vector<EntityId> Subject::UnwantedOf(PatternId id) const {
  std::vector<EntityId> unwanted;
  const std::vector<EntityId>& wanted = pattern(id).entities;
  for (const Coverage::Covered& one : covered_[id]) {
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
  for (const EntityId other : by_table_form_.at(forms_[id][0])) {
    if (other != id && FreeSortParts(other, {}).empty()) return other;
  }
  return {};
}

// The entities from which an entity's count is computed if it is not declared.
std::vector<EntityId> Subject::CountedBy(const Entity& one) {
  std::vector<EntityId> from;
  if (one.count) return from;
  for (const Per& per : one.per) {
    if (per.parent) from.push_back(*per.parent);
  }
  if (one.copy_of) from.push_back(one.copy_of->source);
  return from;
}

// Computes each count once. Uses an explicit stack, because chains can be as long as the file allows. Chains have no
// cycles.
void Subject::CountAll() {
  counts_.resize(model_.entities.size());
  std::vector<bool> done(model_.entities.size());
  std::vector<EntityId> path;
  for (EntityId root = 0; root < model_.entities.size(); ++root) {
    path.push_back(root);
    while (!path.empty()) {
      const EntityId id = path.back();
      const std::vector<EntityId> from = CountedBy(entity(id));
      const auto open = std::find_if(from.begin(), from.end(), [&](EntityId one) { return !done[one]; });
      if (open != from.end() && !done[id]) {
        path.push_back(*open);
        continue;
      }
      path.pop_back();
      if (!done[id]) counts_[id] = CountOf(entity(id));
      done[id] = true;
    }
  }
}

std::optional<double> Subject::CountOf(const Entity& one) const {
  if (one.count) return one.count;
  for (const Per& per : one.per) {
    if (!per.parent) continue;
    if (const auto parents = counts_[*per.parent]) return *parents * per.avg;
  }
  if (one.copy_of) return counts_[one.copy_of->source];
  return {};
}

const Entity* Subject::ParentIn(const Entity& child, const std::string& form, std::optional<IndexId> index,
                                const Per** per) const {
  for (const Per& one : child.per) {
    if (!one.parent || (FormOf(*one.parent, {}) != form && FormOf(*one.parent, index) != form)) continue;
    *per = &one;
    return &entity(*one.parent);
  }
  return nullptr;
}

double Subject::ItemsPerPartition(EntityId id, std::optional<IndexId> index, bool most, const Pattern* read) const {
  double items = 1;
  const std::string form = FormOf(id, index);
  if (FreeSortParts(id, index).empty() && !index) return items;
  const Per* per = nullptr;
  for (const Entity* at = &entity(id); (at = ParentIn(*at, form, index, &per)) != nullptr;) {
    items *= most ? per->max.value_or(per->avg) : per->avg;
    // A read that names the parent gets only that parent's children.
    const std::vector<const TemplatePart*> free = FreeSortParts(*per->parent, {});
    const auto given = [&](const TemplatePart* part) { return IsGiven(*read, part->text); };
    if (read != nullptr && !free.empty() && std::all_of(free.begin(), free.end(), given)) break;
  }
  return items;
}

// For a partial projection: the keys, and the known sizes of the projected attributes.
double Subject::EntrySize(EntityId id, std::optional<IndexId> index) const {
  constexpr double kKeyBytes = 200;
  const Entity& one = entity(id);
  if (!index || model_.indexes[*index].project == Project::kAll) return one.size_avg;
  double bytes = kKeyBytes;
  for (const std::string& name : model_.indexes[*index].included) {
    const Attribute* attribute = one.Find(name);
    if (attribute != nullptr) bytes += static_cast<double>(attribute->avg_bytes.value_or(32));
  }
  return std::min(bytes, one.size_avg);
}

double Subject::BytesRead(PatternId id) const {
  const Pattern& one = pattern(id);
  const Access& made = *access(id);
  const auto size_of = [&](EntityId e) { return one.entry_size.value_or(entity(e).size_avg); };
  if (made.operation == Operation::kScan) {
    double bytes = 0;
    for (EntityId e = 0; e < model_.entities.size(); ++e) bytes += Count(e).value_or(1) * size_of(e);
    return bytes;
  }
  if (made.operation != Operation::kQuery) {
    double bytes = 0;
    for (const KeyRead& read : made.reads) bytes += size_of(read.wanted[0]);
    return bytes * (one.verb == Verb::kBatchGet ? one.returns_items.value_or(1) : 1);
  }
  double items = 0;
  double bytes = 0;
  for (const Coverage::Covered& covered : covered_[id]) {
    const double n = ItemsPerPartition(covered.entity, one.index, false, &one);
    items += n;
    bytes += n * size_of(covered.entity);
  }
  const double average = items > 0 ? bytes / items : size_of(one.entities[0]);
  if (one.limit && (covered_[id].size() < 2 || items > static_cast<double>(*one.limit)))
    return static_cast<double>(*one.limit) * average;
  return one.returns_items ? *one.returns_items * average : bytes;
}

double Subject::ReadFactor(const Pattern& one) const {
  if (one.consistent == Consistency::kTransactional || one.verb == Verb::kTransactGet) return 2;
  return one.consistent == Consistency::kStrong ? 1 : 0.5;
}

double Subject::ReadUnits(PatternId id) const {
  const Pattern& one = pattern(id);
  const Access& made = *access(id);
  if (made.operation == Operation::kQuery || made.operation == Operation::kScan) {
    return made.shards * EstimatedUnitSteps(BytesRead(id) / made.shards, kReadUnitBytes) * ReadFactor(one);
  }
  double units = 0;
  for (const KeyRead& read : made.reads) units += EstimatedUnitSteps(entity(read.wanted[0]).size_avg, kReadUnitBytes);
  return units * ReadFactor(one) * (one.verb == Verb::kBatchGet ? one.returns_items.value_or(1) : 1);
}

double Subject::BaseWriteUnits(PatternId id, const Write& write) const {
  const double each = EstimatedUnitSteps(entity(write.entity).size_avg, kWriteUnitBytes);
  return each * write.times * (pattern(id).verb == Verb::kTransact ? 2 : 1);
}

double Subject::IndexWriteUnits(const Write& write, const IndexEffect& effect) const {
  const double each = EstimatedUnitSteps(EntrySize(write.entity, effect.index), kWriteUnitBytes);
  return each * write.times * (effect.kind == IndexEffect::Kind::kMoves ? 2 : 1);
}

bool Subject::IsGiven(const Pattern& one, std::string_view attribute) {
  if (Contains(one.by, attribute)) return true;
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
  if (Projects(model_, index, attribute)) return true;
  std::vector<std::string> keys = KeysOf(index);
  keys.insert(keys.end(), model_.table.pk.begin(), model_.table.pk.end());
  keys.insert(keys.end(), model_.table.sk.begin(), model_.table.sk.end());
  for (const std::string& name : keys) {
    if (name == attribute) return true;
    const KeyTemplate* key = entity(id).FindKey(name);
    if (key == nullptr) continue;
    for (const TemplatePart& part : key->value.parts) {
      if (part.kind == TemplatePart::Kind::kAttribute && part.text == attribute && Recovers(part.format)) return true;
    }
  }
  return false;
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
