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

// Sets the range of a BETWEEN. A bound that is an input can be any text of the placeholder, so the smallest or largest
// text that its alphabet allows is used.
void OpenBetween(const SortRange& range, KeyForm& form) {
  const Piece& low = range.low.pieces.back();
  const Piece& high = range.high.pieces.back();
  const TemplatePart& origin = *low.origin;
  if (origin.alphabet == Alphabet::kTime) form.low = "0000-01-01", form.high = "9999-12-31";
  if (origin.alphabet == Alphabet::kDigits) form.low.assign(origin.width, '0'), form.high.assign(origin.width, '9');
  if (low.kind == Piece::Kind::kLiteral) form.low = low.text;
  if (high.kind == Piece::Kind::kLiteral) form.high = high.text;
  // No upper bound: use the largest byte, which no text contains.
  if (form.high.empty()) form.high = "\xFF";
  form.tail = KeyForm::Tail::kRange;
}

// Returns nullopt if the range does not restrict texts, for example a range of numbers: every entity's key may be in
// it.
std::optional<KeyForm> RangeForm(const SortRange& range, std::string_view separator) {
  if (range.op == SortRange::Op::kNone || range.low.type != StoredType::kS) return {};
  const bool prefix = range.op == SortRange::Op::kBeginsWith;
  if (!prefix && range.op != SortRange::Op::kBetween) return {};
  KeyForm form = KeyFormOf(range.low, separator);
  form.tail = KeyForm::Tail::kAnything;
  if (prefix && range.of.empty()) return form;
  // The last part is a prefix or a bound, not a whole value. A literal prefix stays; otherwise the tail replaces it.
  if (prefix && range.low.pieces.back().kind == Piece::Kind::kLiteral) return form;
  form.parts.pop_back();
  if (!prefix) OpenBetween(range, form);
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
      KeyForms& forms = place.forms[id].emplace();
      for (const std::string& attribute : place.attributes)
        forms.push_back(KeyForm::Of(entity.FindKey(attribute)->value));
      place.by_partition.Add(forms[0].LeadingLiteral(), id);
      place.by_sort.Add(sort.empty() ? std::string_view() : forms[partitions].LeadingLiteral(), id);
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
  return by_partition;
}

std::vector<Coverage::Covered> Coverage::Of(const KeyRead& read) const {
  const Place& place = PlaceOf(read.index);
  std::vector<Covered> covered;
  if (read.partition.empty()) {
    for (EntityId id = 0; id < place.forms.size(); ++id) {
      if (place.forms[id]) covered.push_back({id, {}});
    }
    return covered;
  }
  const Named named = NamedBy(read, place.attributes, model_.table.separator);
  const bool sorted = named.forms.size() > read.partition.size();
  const std::string_view sort = sorted ? named.forms[read.partition.size()].LeadingLiteral() : std::string_view();
  for (const EntityId id : Candidates(place, named.forms[0].LeadingLiteral(), sort)) {
    KeyForms forms;
    for (const size_t at : named.at) forms.push_back((*place.forms[id])[at]);
    const auto texts = OverlapTogether(named.forms, forms);
    if (!texts) continue;
    Covered& one = covered.emplace_back();
    one.entity = id;
    for (size_t i = 0; i < texts->size(); ++i) one.example.emplace_back(place.attributes[named.at[i]], (*texts)[i]);
  }
  return covered;
}

std::vector<Coverage::Collision> Coverage::Collisions() const {
  const Place& place = places_[0];
  const size_t partitions = model_.table.pk.size();
  std::vector<Collision> collisions;
  for (EntityId second = 0; second < place.forms.size(); ++second) {
    const KeyForms& forms = *place.forms[second];
    const std::string_view sort = forms.size() > partitions ? forms[partitions].LeadingLiteral() : std::string_view();
    for (const EntityId first : Candidates(place, forms[0].LeadingLiteral(), sort)) {
      if (first >= second) break;
      const auto texts = OverlapTogether(*place.forms[first], forms);
      if (!texts) continue;
      Collision& one = collisions.emplace_back();
      one.first = first;
      one.second = second;
      for (size_t i = 0; i < texts->size(); ++i) one.example.emplace_back(place.attributes[i], (*texts)[i]);
    }
  }
  return collisions;
}

}  // namespace keyfold::model
