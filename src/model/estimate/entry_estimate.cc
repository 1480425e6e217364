#include "model/estimate/entry_estimate.h"

#include <algorithm>
#include <set>

#include "model/compile/projection.h"
#include "model/estimate/value_bytes.h"

namespace keyfold::model {
namespace {

constexpr double kLeastTextBytes = 8;

// The attributes of open size that are parts of keys, so that they are as short as keys are.
std::unordered_map<std::string_view, double> Identifiers(const Entity& entity) {
  std::unordered_map<std::string_view, double> identifiers;
  const auto add = [&](const KeyTemplate& key) {
    for (const TemplatePart& part : key.value.parts) {
      const bool whole =
          part.format == Format::kPlain || part.format == Format::kLower || part.format == Format::kUpper;
      if (part.kind == TemplatePart::Kind::kAttribute && whole) {
        identifiers.try_emplace(part.text, PartBytes(entity, part));
      }
    }
  };
  std::for_each(entity.keys.begin(), entity.keys.end(), add);
  std::for_each(entity.native_keys.begin(), entity.native_keys.end(), add);
  return identifiers;
}

}  // namespace

EntryEstimate::EntryEstimate(const Model& model, const Entity& entity) : model_(model), entity_(entity) {
  const auto identifiers = Identifiers(entity);
  double known = TypeBytes();
  for (const KeyTemplate& key : entity.keys) known += KeyBytes(key.attribute);
  std::vector<const Attribute*> open;
  for (const Attribute& attribute : entity.attributes) {
    known += static_cast<double>(attribute.name.size());
    std::optional<double> bytes = ValueBytes(attribute);
    const auto identifier = identifiers.find(attribute.name);
    if (!bytes && identifier != identifiers.end()) bytes = identifier->second;
    if (bytes) known += values_[attribute.name] = *bytes;
    if (!bytes) open.push_back(&attribute);
  }
  // The others share what is left of the item.
  const double left = (entity.size_avg - known) / static_cast<double>(std::max<size_t>(1, open.size()));
  for (const Attribute* attribute : open) {
    const bool text = attribute->type == AttributeType::kString || attribute->type == AttributeType::kBinary;
    const double most = text && attribute->max_length ? static_cast<double>(*attribute->max_length) : left;
    values_[attribute->name] = std::min(std::max(kLeastTextBytes, left), std::max(kLeastTextBytes, most));
  }
}

// Bytes of a key attribute, with its name. Zero if the entity does not have it.
double EntryEstimate::KeyBytes(const std::string& attribute) const {
  const KeyTemplate* key = entity_.FindKey(attribute);
  if (key == nullptr) return 0;
  double bytes = static_cast<double>(attribute.size());
  for (const TemplatePart& part : key->value.parts) bytes += PartBytes(entity_, part);
  return bytes;
}

double EntryEstimate::AttributeBytes(std::string_view name) const {
  const auto it = values_.find(name);
  return it != values_.end() ? static_cast<double>(name.size()) + it->second : 0;
}

double EntryEstimate::TypeBytes() const {
  const std::string& type = model_.table.type_attribute;
  return type.empty() ? 0 : static_cast<double>(type.size() + entity_.name.size());
}

double EntryEstimate::Projected(const Index& index) const {
  if (index.project == Project::kAll) return entity_.size_avg;
  return index.project == Project::kKeys ? Keys(index) : KeysAnd(index, index.included);
}

double EntryEstimate::Keys(const Index& index) const {
  // An index can share attributes with the table's key.
  std::set<std::string> keys(model_.table.pk.begin(), model_.table.pk.end());
  for (const KeySide* side : {&model_.table.sk, &index.pk, &index.sk}) keys.insert(side->begin(), side->end());
  double bytes = 0;
  for (const std::string& attribute : keys) bytes += KeyBytes(attribute);
  return std::min(bytes, entity_.size_avg);
}

double EntryEstimate::KeysAnd(const Index& index, const std::vector<std::string>& attributes) const {
  double bytes = Keys(index) + TypeBytes();
  const std::vector<std::string> keys = KeysOf(index);
  for (const std::string& name : attributes) {
    if (!Contains(keys, name) && !model_.IsBaseKey(name)) bytes += AttributeBytes(name);
  }
  return std::min(bytes, entity_.size_avg);
}

double EntryEstimate::SyntheticKey(const Index& index) const {
  double bytes = 0;
  for (const KeySide* side : {&index.pk, &index.sk}) {
    for (const std::string& attribute : *side) {
      const KeyTemplate* key = entity_.FindKey(attribute);
      if (key != nullptr && !key->native) bytes += KeyBytes(attribute);
    }
  }
  return bytes;
}

bool HoldsValue(const Model& model, const Index& index, const Entity& entity, std::string_view attribute) {
  if (Projects(model, index, attribute)) return true;
  for (const KeySide* side : {&model.table.pk, &model.table.sk, &index.pk, &index.sk}) {
    for (const std::string& name : *side) {
      if (name == attribute) return true;
      const KeyTemplate* key = entity.FindKey(name);
      if (key == nullptr) continue;
      for (const TemplatePart& part : key->value.parts) {
        const bool found = part.kind == TemplatePart::Kind::kAttribute && part.text == attribute;
        if (found && Recovers(part.format)) return true;
      }
    }
  }
  return false;
}

}  // namespace keyfold::model
