#include "model/keys/coverage.h"

#include <algorithm>

#include "model/core/calendar.h"

namespace keyfold::model {
namespace {

// The key attributes that a request restricts, and the texts it allows for them.
struct Named {
  std::vector<size_t> at;  // positions in the key
  KeyForms forms;
};

TemplatePart TemplatePartOf(const Piece& piece) {
  TemplatePart part;
  part.text = piece.text;
  if (piece.kind == Piece::Kind::kLiteral) return part;
  if (piece.origin != nullptr) return *piece.origin;
  part.kind = TemplatePart::Kind::kAttribute;
  return part;
}

KeyForm KeyFormOf(const Formula& formula, std::string_view separator) {
  KeyForm form;
  form.type = formula.type;
  form.separator = separator;
  for (const Piece& piece : formula.pieces) form.parts.push_back(TemplatePartOf(piece));
  return form;
}

// The smallest text that a placeholder can write, as far as its alphabet says.
std::string SmallestText(const TemplatePart& part) {
  if (part.alphabet == Alphabet::kTime) return std::string("0000-01-01").substr(0, FixedWidth(part));
  return part.alphabet == Alphabet::kDigits ? std::string(part.width, '0') : std::string();
}

// The texts that begin like a bound: its literals up to the first input, of which any text is possible.
std::string LowestText(const Formula& bound, size_t from) {
  std::string text;
  for (size_t i = from; i < bound.pieces.size(); ++i) {
    if (bound.pieces[i].kind == Piece::Kind::kLiteral) {
      text += bound.pieces[i].text;
      continue;
    }
    return bound.pieces[i].origin != nullptr ? text + SmallestText(*bound.pieces[i].origin) : text;
  }
  return text;
}

std::string LargestText(const TemplatePart& part) {
  if (part.alphabet == Alphabet::kTime) return std::string("9999-12-31").substr(0, FixedWidth(part));
  return part.alphabet == Alphabet::kDigits ? std::string(part.width, '9') : std::string();
}

std::string HighestText(const Formula& bound, size_t from) {
  std::string text;
  for (size_t i = from; i < bound.pieces.size(); ++i) {
    const Piece& piece = bound.pieces[i];
    text += piece.kind == Piece::Kind::kLiteral ? piece.text
            : piece.origin != nullptr           ? LargestText(*piece.origin)
                                                : "";
    if (piece.kind != Piece::Kind::kLiteral) break;
  }
  return text.empty() ? "\xFF" : text;  // the largest byte, which no text contains
}

// The range between two bounds, after the pieces that they have in common. An absent bound is nullptr.
KeyForm RangeBetween(const Formula* low, const Formula* high, std::string_view separator) {
  size_t common = 0;
  const auto more = [&](const Formula* bound) { return bound != nullptr && common < bound->pieces.size(); };
  while (more(low) && more(high) && low->pieces[common].SameAs(high->pieces[common])) ++common;
  Formula shared{StoredType::kS, {}};
  if (low != nullptr) shared.pieces.assign(low->pieces.begin(), low->pieces.begin() + static_cast<ptrdiff_t>(common));
  KeyForm form = KeyFormOf(shared, separator);
  form.tail = KeyForm::Tail::kRange;
  form.low = low != nullptr ? LowestText(*low, common) : "";
  form.high = high != nullptr ? HighestText(*high, common) : "\xFF";
  return form;
}

// Returns nullopt if the range does not restrict texts, for example a range of numbers: every entity's key may be in
// it.
std::optional<KeyForm> RangeForm(const SortRange& range, std::string_view separator) {
  using Op = SortRange::Op;
  if (range.op == Op::kNone || range.low.type != StoredType::kS) return {};
  if (range.op == Op::kBetween) return RangeBetween(&range.low, &range.high, separator);
  if (range.op == Op::kLess || range.op == Op::kLessEqual) return RangeBetween(nullptr, &range.low, separator);
  if (range.op == Op::kGreater || range.op == Op::kGreaterEqual) return RangeBetween(&range.low, nullptr, separator);
  KeyForm form = KeyFormOf(range.low, separator);
  form.tail = KeyForm::Tail::kAnything;
  // The last part is a prefix, not a whole value. A literal prefix stays; otherwise the tail replaces it.
  if (range.of.empty() || range.low.pieces.back().kind == Piece::Kind::kLiteral) return form;
  form.parts.pop_back();
  return form;
}

KeyForm FormOfKey(const Entity& entity, std::string_view attribute, VariantId variant) {
  KeyForm form = KeyForm::Of(entity.FindKey(attribute, variant)->value);
  if (entity.shard && entity.shard->hash_of)
    form.hash = KeyForm::Hash{*entity.shard->hash_of, entity.shard->hash_format, entity.shard->hash_width};
  return form;
}

Named NamedBy(const KeyRead& read, const std::vector<std::string>& attributes, std::string_view separator) {
  Named named;
  const auto add = [&](std::string_view attribute, KeyForm form) {
    const auto it = std::find(attributes.begin(), attributes.end(), attribute);
    named.at.push_back(static_cast<size_t>(it - attributes.begin()));
    named.forms.push_back(std::move(form));
  };
  for (const KeyPart& part : read.partition) add(part.attribute, KeyFormOf(part.value, separator));
  for (const KeyPart& part : read.sort) add(part.attribute, KeyFormOf(part.value, separator));
  if (std::optional<KeyForm> form = RangeForm(read.range, separator)) add(read.range.attribute, *std::move(form));
  return named;
}

}  // namespace

Coverage::Coverage(const Model& model) : model_(model), places_(model.indexes.size() + 1) {
  for (size_t i = 0; i < places_.size(); ++i) {
    Place& place = places_[i];
    const std::optional<IndexId> index = i == 0 ? std::nullopt : std::optional(static_cast<IndexId>(i - 1));
    place.attributes = model.PartitionKey(index);
    const KeySide& sort = model.SortKey(index);
    const size_t partitions = place.attributes.size();
    place.attributes.insert(place.attributes.end(), sort.begin(), sort.end());
    place.forms.resize(model.entities.size());
    for (EntityId id = 0; id < model.entities.size(); ++id) {
      const Entity& entity = model.entities[id];
      if (index && !entity.Has(model.indexes[*index])) continue;
      const std::vector<VariantId> variants =
          index ? entity.VariantsIn(model.indexes[*index]) : std::vector<VariantId>{kNoVariant};
      for (const VariantId variant : variants) {
        KeyForms& forms = place.forms[id].emplace_back();
        for (const std::string& attribute : place.attributes) forms.push_back(FormOfKey(entity, attribute, variant));
        place.by_partition.Add(forms[0].LeadingLiteral(), id);
        place.by_sort.Add(sort.empty() ? std::string_view() : forms[partitions].LeadingLiteral(), id);
      }
    }
  }
}

std::vector<uint32_t> Coverage::Candidates(const Place& place, std::string_view partition,
                                           std::string_view sort) const {
  std::vector<uint32_t> by_partition = place.by_partition.Meeting(partition);
  if (by_partition.size() > 8) {
    std::vector<uint32_t> by_sort = place.by_sort.Meeting(sort);
    if (by_sort.size() < by_partition.size()) by_partition = std::move(by_sort);
  }
  std::sort(by_partition.begin(), by_partition.end());
  by_partition.erase(std::unique(by_partition.begin(), by_partition.end()), by_partition.end());
  return by_partition;
}

std::vector<Coverage::Covered> Coverage::Of(const KeyRead& read) const {
  const Place& place = PlaceOf(read.index);
  std::vector<Covered> covered;
  if (read.partition.empty()) {
    for (EntityId id = 0; id < place.forms.size(); ++id) {
      if (!place.forms[id].empty()) covered.push_back({id, {}});
    }
    return covered;
  }
  const Named named = NamedBy(read, place.attributes, model_.table.separator);
  const bool sorted = named.forms.size() > read.partition.size();
  const std::string_view sort = sorted ? named.forms[read.partition.size()].LeadingLiteral() : std::string_view();
  for (const EntityId id : Candidates(place, named.forms[0].LeadingLiteral(), sort)) {
    for (const KeyForms& all : place.forms[id]) {
      KeyForms forms;
      for (const size_t at : named.at) forms.push_back(all[at]);
      const auto texts = OverlapTogether(named.forms, forms);
      if (!texts) continue;
      Covered& one = covered.emplace_back();
      one.entity = id;
      for (size_t i = 0; i < texts->size(); ++i) one.example.emplace_back(place.attributes[named.at[i]], (*texts)[i]);
      break;
    }
  }
  return covered;
}

std::vector<Coverage::Collision> Coverage::Collisions() const {
  const Place& place = places_[0];
  const size_t partitions = model_.table.pk.size();
  std::vector<Collision> collisions;
  for (EntityId second = 0; second < place.forms.size(); ++second) {
    const KeyForms& forms = place.forms[second][0];
    const std::string_view sort = forms.size() > partitions ? forms[partitions].LeadingLiteral() : std::string_view();
    for (const EntityId first : Candidates(place, forms[0].LeadingLiteral(), sort)) {
      if (first >= second) break;
      if (std::optional<Collision> one = CollisionOf(first, second)) collisions.push_back(*std::move(one));
    }
  }
  return collisions;
}

std::optional<Coverage::Collision> Coverage::CollisionOf(EntityId first, EntityId second) const {
  const Place& place = places_[0];
  const auto texts = OverlapTogether(place.forms[first][0], place.forms[second][0]);
  if (!texts) return {};
  Collision one{first, second, {}};
  for (size_t i = 0; i < texts->size(); ++i) one.example.emplace_back(place.attributes[i], (*texts)[i]);
  return one;
}

}  // namespace keyfold::model
