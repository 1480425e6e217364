#include "model_test/expectation.h"

#include <algorithm>

#include "value/number.h"

namespace keyfold::model_test {
namespace {

using model::AttributeType;
using model::Operand;
using model::SampleObject;

bool Contains(const std::vector<std::string>& all, std::string_view one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

std::optional<std::string> OperandText(const Operand& operand, AttributeType type, const model::InputValues& inputs,
                                       int64_t now_ms) {
  if (operand.kind == Operand::Kind::kNow) return model::NowAs(type, now_ms);
  if (operand.kind != Operand::Kind::kInput) return operand.text;
  const auto it = inputs.find(operand.text);
  return it == inputs.end() ? std::nullopt : std::optional(it->second);
}

int CompareNumbers(std::string_view a, std::string_view b) {
  const Result<Number> left = Number::Parse(a);
  const Result<Number> right = Number::Parse(b);
  if (!left.ok() || !right.ok()) return a.compare(b);
  return Number::Compare(*left, *right);
}

int CompareTexts(AttributeType type, std::string_view a, std::string_view b) {
  return model::StoredAs(type) == model::StoredType::kN ? CompareNumbers(a, b) : a.compare(b);
}

}  // namespace

Expectation::Expectation(const SampleTable& samples, const model::Access& access, const model::KeyRead& read)
    : samples_(samples),
      model_(samples.model()),
      access_(access),
      pattern_(model_.patterns[access.pattern]),
      read_(read) {
  const bool merged = pattern_.merge && !pattern_.merge->empty();
  const bool one_request = access.shards == 1 && !access.buckets;
  ordered_ = access.operation == model::Operation::kQuery && (merged || one_request);
}

// The part of the key being read that holds the attribute.
const model::TemplatePart* Expectation::PartOf(const model::Entity& entity, std::string_view attribute) const {
  for (const model::KeySide* side : {&model_.PartitionKey(read_.index), &model_.SortKey(read_.index)}) {
    for (const std::string& name : *side) {
      for (const model::TemplatePart& part : entity.FindKey(name)->value.parts) {
        if (part.kind == model::TemplatePart::Kind::kAttribute && part.text == attribute) return &part;
      }
    }
  }
  return nullptr;
}

// Compares the values as every key writes them: case may be folded, and a calendar part ignores what is below its unit.
bool Expectation::Equal(const SampleObject& object, const std::string& attribute, const std::string& wanted) const {
  const model::Entity& entity = model_.entities[object.entity];
  const model::Attribute* declared = entity.Find(attribute);
  if (declared == nullptr) return true;
  const std::optional<std::string> value = object.Find(attribute);
  if (!value) return false;
  if (PartOf(entity, attribute) == nullptr) return CompareTexts(declared->type, *value, wanted) == 0;
  for (const model::KeySide* side : {&model_.PartitionKey(read_.index), &model_.SortKey(read_.index)}) {
    for (const std::string& name : *side) {
      const std::vector<model::TemplatePart>& parts = entity.FindKey(name)->value.parts;
      const auto differs = [&](const model::TemplatePart& part) {
        return part.kind == model::TemplatePart::Kind::kAttribute && part.text == attribute &&
               model::FormatValue(part.format, part.width, part.type, *value) !=
                   model::FormatValue(part.format, part.width, part.type, wanted);
      };
      if (std::any_of(parts.begin(), parts.end(), differs)) return false;
    }
  }
  return true;
}

// Both ends are inclusive. An upper end that is only the start of a time covers all times that start with it.
bool Expectation::InRange(const SampleObject& object, const model::InputValues& inputs) const {
  const model::Between& between = *pattern_.between;
  const model::Attribute* declared = model_.entities[object.entity].Find(between.attribute);
  if (declared == nullptr) return true;
  const std::optional<std::string> value = object.Find(between.attribute);
  const auto from = OperandText(between.from, declared->type, inputs, samples_.now_ms());
  const auto to = OperandText(between.to, declared->type, inputs, samples_.now_ms());
  if (!value || !from || !to) return false;
  if (model::StoredAs(declared->type) == model::StoredType::kN) {
    return CompareNumbers(*from, *value) <= 0 && CompareNumbers(*value, *to) <= 0;
  }
  return *from <= *value && value->substr(0, to->size()) <= *to;
}

bool Expectation::Begins(const SampleObject& object, const model::InputValues& inputs) const {
  const model::Entity& entity = model_.entities[object.entity];
  const model::Attribute* declared = entity.Find(pattern_.begins->attribute);
  if (declared == nullptr) return true;
  const std::optional<std::string> value = object.Find(pattern_.begins->attribute);
  const auto prefix = OperandText(pattern_.begins->prefix, declared->type, inputs, samples_.now_ms());
  if (!value || !prefix) return false;
  const model::TemplatePart* part = PartOf(entity, pattern_.begins->attribute);
  if (part == nullptr) return value->starts_with(*prefix);
  const std::string whole = model::FormatValue(part->format, part->width, part->type, *value);
  return whole.starts_with(model::FormatValue(part->format, part->width, part->type, *prefix));
}

// Returns true if the object has the key that a get names.
bool Expectation::HasKey(const SampleObject& object, const model::InputValues& inputs) const {
  const auto differs = [&](const model::Piece& piece) {
    const auto it = piece.kind == model::Piece::Kind::kInput ? inputs.find(piece.text) : inputs.end();
    if (it == inputs.end() || piece.origin == nullptr) return false;
    const bool shard = piece.origin->kind == model::TemplatePart::Kind::kShard;
    return shard ? std::to_string(object.shard) != it->second : !Equal(object, piece.origin->text, it->second);
  };
  for (const auto* parts : {&read_.partition, &read_.sort}) {
    for (const model::KeyPart& part : *parts) {
      if (std::any_of(part.value.pieces.begin(), part.value.pieces.end(), differs)) return false;
    }
  }
  return true;
}

// What `by` says of an entity's attributes: a binding that names another entity is not about them.
// One that names the partition of a variant is about the objects of that variant.
std::vector<const model::Binding*> Expectation::BindingsOf(const SampleObject& object) const {
  std::vector<const model::Binding*> all;
  const model::Entity& entity = model_.entities[object.entity];
  const auto names = [&](model::VariantId variant, std::string_view attribute) {
    for (const std::string& key : model_.PartitionKey(read_.index)) {
      for (const model::TemplatePart& part : entity.FindKey(key, variant)->value.parts) {
        if (part.kind == model::TemplatePart::Kind::kAttribute && part.text == attribute) return true;
      }
    }
    return false;
  };
  const std::vector<model::VariantId> variants =
      read_.index ? entity.VariantsIn(model_.indexes[*read_.index]) : std::vector<model::VariantId>{model::kNoVariant};
  const model::VariantId own =
      variants.size() > 1 ? model::VariantOf(model_, object, samples_.now_ms()) : model::kNoVariant;
  for (const model::Binding& one : pattern_.by) {
    if (model::FindBinding(pattern_.by, object.entity, one.attribute) != &one) continue;
    const bool other = std::any_of(variants.begin(), variants.end(),
                                   [&](model::VariantId variant) { return names(variant, one.attribute); });
    if (!other || names(own, one.attribute)) all.push_back(&one);
  }
  return all;
}

// Returns true if the pattern means objects of this variant: those whose keys are in the partition that it names.
bool Expectation::HasVariant(const SampleObject& object) const {
  for (size_t i = 0; i < read_.variants.size(); ++i) {
    const std::vector<model::VariantId>& some = read_.variants[i];
    if (read_.wanted[i] != object.entity || some.empty()) continue;
    const model::VariantId own = model::VariantOf(model_, object, samples_.now_ms());
    return std::find(some.begin(), some.end(), own) != some.end();
  }
  return true;
}

bool Expectation::Matches(const SampleObject& object, const model::InputValues& inputs) const {
  if (IsGet() && !HasKey(object, inputs)) return false;
  if (!HasVariant(object)) return false;
  for (const model::Binding* one : BindingsOf(object)) {
    const auto it = inputs.find(one->value.text);
    if (it != inputs.end() && !Equal(object, one->attribute, it->second)) return false;
  }
  if (pattern_.between && !InRange(object, inputs)) return false;
  if (pattern_.begins && !Begins(object, inputs)) return false;
  const auto input = [&](std::string_view name) {
    const auto it = inputs.find(name);
    return it == inputs.end() ? std::nullopt : std::optional(it->second);
  };
  return model::HoldsFor(model_, pattern_.where, object, input, samples_.now_ms());
}

bool Expectation::MatchesIn(const std::vector<std::string>& attributes, const SampleObject& object,
                            const model::InputValues& inputs) const {
  for (const model::Binding* one : BindingsOf(object)) {
    if (Contains(attributes, one->attribute) && !Equal(object, one->attribute, inputs.at(one->value.text)))
      return false;
  }
  if (pattern_.between && Contains(attributes, pattern_.between->attribute) && !InRange(object, inputs)) return false;
  if (pattern_.begins && Contains(attributes, pattern_.begins->attribute) && !Begins(object, inputs)) return false;
  model::Condition some;
  for (const model::Comparison& one : pattern_.where.all) {
    if (Contains(attributes, one.attribute)) some.all.push_back(one);
  }
  const auto input = [&](std::string_view name) {
    const auto it = inputs.find(name);
    return it == inputs.end() ? std::nullopt : std::optional(it->second);
  };
  return model::HoldsFor(model_, some, object, input, samples_.now_ms());
}

std::vector<size_t> Expectation::Matching(const model::InputValues& inputs) const {
  std::vector<size_t> all;
  for (size_t i = 0; i < samples_.entries().size(); ++i) {
    const SampleEntry& entry = samples_.entries()[i];
    const bool wanted = std::find(read_.wanted.begin(), read_.wanted.end(), entry.object.entity) != read_.wanted.end();
    if (!entry.alive || !wanted || entry.In(read_.index) == nullptr) continue;
    if (IsGet() && IsExpired(entry.object)) continue;
    if (Matches(entry.object, inputs)) all.push_back(i);
  }
  return all;
}

bool Expectation::IsGet() const {
  return access_.operation != model::Operation::kQuery && access_.operation != model::Operation::kScan;
}

bool Expectation::IsExpired(const SampleObject& object) const {
  const model::Attribute* ttl = model_.entities[object.entity].Find(model_.table.ttl);
  const auto value = ttl != nullptr ? object.Find(model_.table.ttl) : std::nullopt;
  if (!value || ttl->type != AttributeType::kEpochSeconds) return false;
  return CompareNumbers(*value, model::NowAs(ttl->type, samples_.now_ms())) <= 0;
}

// Compares values, not their text: numbers numerically.
int Expectation::CompareIn(const model::TemplatePart& part, const SampleObject& a, const SampleObject& b) const {
  if (part.kind != model::TemplatePart::Kind::kAttribute) return 0;
  const std::string left = model::FormatValue(part.format, part.width, part.type, a.Find(part.text).value_or(""));
  const std::string right = model::FormatValue(part.format, part.width, part.type, b.Find(part.text).value_or(""));
  return CompareTexts(part.type, left, right);
}

std::string Expectation::ItemKey(const SampleObject& object, const std::string& name) const {
  const model::SampleItem item = model::ItemOf(model_, object, samples_.now_ms());
  const model::ItemAttribute* key = model::Find(item, name);
  return key == nullptr ? "" : key->text;
}

// Values with nothing between them sort as one text.
int Expectation::CompareParts(const std::vector<model::TemplatePart>& parts, const SampleObject& a,
                              const SampleObject& b) const {
  const auto is_value = [](const model::TemplatePart& part) {
    return part.kind == model::TemplatePart::Kind::kAttribute;
  };
  for (size_t begin = 0, end = 0; begin < parts.size(); begin = end) {
    for (end = begin + 1; end < parts.size() && is_value(parts[end - 1]) && is_value(parts[end]);) ++end;
    int order = CompareIn(parts[begin], a, b);
    if (end - begin > 1) {
      model::Template run;
      run.parts.assign(parts.begin() + static_cast<ptrdiff_t>(begin), parts.begin() + static_cast<ptrdiff_t>(end));
      order = model::KeyTextOf(model_, a, run).value_or("").compare(model::KeyTextOf(model_, b, run).value_or(""));
    }
    if (order != 0) return order;
  }
  return 0;
}

int Expectation::CompareSortKeys(const SampleObject& a, const SampleObject& b) const {
  for (const std::string& name : model_.SortKey(read_.index)) {
    const model::Template& left = model_.entities[a.entity].FindKey(name)->value;
    const model::Template& right = model_.entities[b.entity].FindKey(name)->value;
    if (!model_.entities[a.entity].variants.empty()) {
      if (const int order = ItemKey(a, name).compare(ItemKey(b, name)); order != 0) return order;
      continue;
    }
    if (a.entity != b.entity) {
      const std::string one = model::KeyTextOf(model_, a, left).value_or("");
      const std::string other = model::KeyTextOf(model_, b, right).value_or("");
      const int order = left.type == model::StoredType::kN ? CompareNumbers(one, other) : one.compare(other);
      if (order != 0) return order;
      continue;
    }
    if (const int order = CompareParts(left.parts, a, b); order != 0) return order;
  }
  return 0;
}

// If a pattern asks for an order and the sort key has neither a time nor a leading number, the order is that of the
// entity's time.
const model::Attribute* Expectation::OrderingTime(const model::Entity& entity) const {
  if (pattern_.order == model::Order::kUnsaid || pattern_.from) return nullptr;  // with `from`, it is only a direction
  const model::TemplatePart* first_free = nullptr;
  for (const std::string& name : model_.SortKey(read_.index)) {
    for (const model::TemplatePart& part : entity.FindKey(name)->value.parts) {
      if (part.kind != model::TemplatePart::Kind::kAttribute || model::Binds(pattern_.by, part.text)) continue;
      if (model::IsTimeOrdered(part.type)) return nullptr;
      if (first_free == nullptr) first_free = &part;
    }
  }
  if (first_free != nullptr && model::StoredAs(first_free->type) == model::StoredType::kN) return nullptr;
  for (const model::Attribute& attribute : entity.attributes) {
    if (model::IsTimeText(attribute.type)) return &attribute;
  }
  return nullptr;
}

int Expectation::Compare(const SampleObject& a, const SampleObject& b) const {
  int order = 0;
  const bool merged = pattern_.merge && !pattern_.merge->empty();
  const model::Attribute* time = a.entity == b.entity ? OrderingTime(model_.entities[a.entity]) : nullptr;
  if (merged) {
    for (const std::string& name : *pattern_.merge) {
      const model::Attribute* declared = model_.entities[a.entity].Find(name);
      if (declared == nullptr || order != 0) continue;
      const model::TemplatePart* part = PartOf(model_.entities[a.entity], name);
      const bool in_sort_key = part != nullptr && !IsBucket(part->format);
      order = in_sort_key ? CompareIn(*part, a, b)
                          : CompareTexts(declared->type, a.Find(name).value_or(""), b.Find(name).value_or(""));
    }
  } else if (time != nullptr) {
    order = a.Find(time->name).value_or("").compare(b.Find(time->name).value_or(""));
  } else {
    order = CompareSortKeys(a, b);
  }
  return access_.forward ? order : -order;
}

}  // namespace keyfold::model_test
