#include "model/estimate/read_volume.h"

#include <algorithm>
#include <set>
#include <string_view>

namespace keyfold::model {
namespace {

using NameSet = std::set<std::string_view>;

void AddPlaceholders(const Template& value, NameSet& out) {
  for (const TemplatePart& part : value.parts) {
    if (part.kind == TemplatePart::Kind::kAttribute) out.insert(part.text);
  }
}

void AddInputs(const Formula& formula, NameSet& out) {
  for (const Piece& piece : formula.pieces) {
    if (piece.kind == Piece::Kind::kInput) out.insert(piece.text);
  }
}

// Attributes that the request fixes.
NameSet BoundBy(const KeyRead& read) {
  NameSet bound;
  for (const KeyPart& part : read.partition) AddInputs(part.value, bound);
  for (const KeyPart& part : read.sort) AddInputs(part.value, bound);
  if (read.range.op == SortRange::Op::kBeginsWith && read.range.of.empty()) AddInputs(read.range.low, bound);
  return bound;
}

NameSet PlaceholdersOf(const KeySide& side, const Entity& entity) {
  NameSet names;
  for (const std::string& attribute : side) {
    if (const KeyTemplate* key = entity.FindKey(attribute)) AddPlaceholders(key->value, names);
  }
  return names;
}

bool HasUnique(const Entity& entity, const NameSet& names) {
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    const Attribute* attribute = entity.Find(name);
    return attribute != nullptr && attribute->unique.has_value();
  });
}

// Returns true if the request can match only one item of the entity. An index's key alone does not identify an item.
bool IsOne(const Model& model, std::optional<IndexId> index, const Entity& entity, const NameSet& bound) {
  NameSet known = PlaceholdersOf(model.PartitionKey(index), entity);
  known.insert(bound.begin(), bound.end());
  if (index && HasUnique(entity, known)) return true;
  NameSet free = PlaceholdersOf(model.SortKey({}), entity);
  if (index) free.merge(PlaceholdersOf(model.PartitionKey({}), entity));
  return std::includes(known.begin(), known.end(), free.begin(), free.end());
}

struct Chain {
  double avg = 1;
  double max = 1;
  bool max_known = true;
  bool known = true;
};

// Multiplies the `per` counts along the parents, until a parent that is in another partition or of which the request
// can match only one item.
Chain ItemsOf(const Model& model, const KeyRead& read, EntityId id, const NameSet& bound) {
  Chain chain;
  if (IsOne(model, read.index, model.entities[id], bound)) return chain;
  for (const Per* per = PerTowardsOwner(model, read.index, model.entities[id]);;
       per = PerTowardsOwner(model, read.index, model.entities[id])) {
    if (per == nullptr) {
      chain.known = chain.avg != 1;
      chain.max_known = false;
      return chain;
    }
    chain.avg *= per->avg;
    chain.max *= per->max.value_or(per->avg);
    chain.max_known = chain.max_known && per->max.has_value();
    const Entity& parent = model.entities[*per->parent];
    if (!SameShape(model, read.index, model.entities[id], parent)) return chain;
    if (IsOne(model, read.index, parent, bound)) return chain;
    id = *per->parent;
  }
}

ReadPart ReadPartOf(const Model& model, const KeyRead& read, EntityId id, const Population& population,
                    const BytesOf& bytes_of) {
  ReadPart part;
  part.entity = id;
  part.wanted = std::find(read.wanted.begin(), read.wanted.end(), id) != read.wanted.end();
  part.item_bytes = bytes_of(id, read.index);
  if (read.partition.empty()) {  // a scan
    part.items = population.Count(id).value_or(1) * (read.index ? population.ShareIn(*read.index, id) : 1);
    part.assumed = !population.Count(id);
    return part;
  }
  const Chain chain = ItemsOf(model, read, id, BoundBy(read));
  part.items = chain.avg;
  part.assumed = !chain.known;
  if (chain.max_known) part.items_max = std::max(chain.max, chain.avg);
  return part;
}

// Scales the wanted entities to `items` in total, in their current proportions.
void SetWanted(std::vector<ReadPart>& parts, double items) {
  double sum = 0;
  for (const ReadPart& part : parts) sum += part.wanted ? part.items : 0;
  for (ReadPart& part : parts) {
    if (!part.wanted || sum <= 0) continue;
    part.items *= items / sum;
    part.assumed = false;
  }
}

void ApplyLimit(std::vector<ReadPart>& parts, double limit) {
  double sum = 0;
  for (const ReadPart& part : parts) sum += part.items;
  // A single entity is assumed to fill the limit; several are only capped at it.
  if (sum <= 0 || (parts.size() > 1 && sum <= limit)) return;
  for (ReadPart& part : parts) {
    part.items *= limit / sum;
    part.assumed = false;
    if (part.items_max) part.items_max = std::min(*part.items_max, limit);
  }
}

}  // namespace

bool SameShape(const Template& a, const Template& b) {
  if (a.parts.size() != b.parts.size()) return false;
  for (size_t i = 0; i < a.parts.size(); ++i) {
    const TemplatePart& x = a.parts[i];
    const TemplatePart& y = b.parts[i];
    if (x.kind != y.kind || x.format != y.format || x.width != y.width) return false;
    if (x.IsLiteral() && x.text != y.text) return false;
  }
  return true;
}

bool SameShape(const Model& model, std::optional<IndexId> index, const Entity& a, const Entity& b) {
  for (const std::string& attribute : model.PartitionKey(index)) {
    const KeyTemplate* x = a.FindKey(attribute);
    const KeyTemplate* y = b.FindKey(attribute);
    if (x == nullptr || y == nullptr || !SameShape(x->value, y->value)) return false;
  }
  return true;
}

bool OwnsPartition(const Model& model, std::optional<IndexId> index, const Entity& entity) {
  return IsOne(model, index, entity, {});
}

const Per* PerTowardsOwner(const Model& model, std::optional<IndexId> index, const Entity& entity) {
  for (const Per& per : entity.per) {
    if (per.parent && SameShape(model, index, entity, model.entities[*per.parent])) return &per;
  }
  const Per* first = entity.FirstParent();
  if (first == nullptr || !index) return first;
  NameSet naming;
  for (const Entity* one : {&entity, &model.entities[*first->parent]}) {
    naming.merge(PlaceholdersOf(model.table.pk, *one));
    naming.merge(PlaceholdersOf(model.table.sk, *one));
  }
  const NameSet partition = PlaceholdersOf(model.PartitionKey(index), entity);
  const bool named =
      !partition.empty() && std::includes(naming.begin(), naming.end(), partition.begin(), partition.end());
  return named ? first : nullptr;
}

ReadVolume VolumeOf(const Model& model, const Pattern& pattern, const KeyRead& read,
                    const std::vector<Coverage::Covered>& covered, const Population& population,
                    const BytesOf& bytes_of) {
  ReadVolume volume;
  for (const Coverage::Covered& one : covered) {
    volume.parts.push_back(ReadPartOf(model, read, one.entity, population, bytes_of));
  }
  if (pattern.returns_items) SetWanted(volume.parts, *pattern.returns_items);
  // With paginate, the limit applies to each page, and all pages are read.
  if (pattern.limit && !pattern.paginate) ApplyLimit(volume.parts, static_cast<double>(*pattern.limit));
  for (const ReadPart& part : volume.parts) {
    volume.items += part.items;
    volume.bytes += part.bytes();
  }
  return volume;
}

}  // namespace keyfold::model
