#include "model/import/sampled_item.h"

#include "value/number.h"

namespace keyfold::model {
namespace {

constexpr size_t kContainerBytes = 3, kElementBytes = 1;
constexpr size_t kLevelsMax = 64;

std::optional<uint64_t> SampledBytesOf(json::Value value, size_t levels);

std::optional<uint64_t> NumberBytes(json::Value value) {
  if (!value.is_string()) return {};
  const Result<Number> number = Number::Parse(value.AsString());
  if (!number.ok()) return {};
  std::string encoded;
  number->EncodeTo(encoded);
  return NumberSize(encoded);
}

uint64_t Base64Bytes(std::string_view text) {
  uint64_t bytes = text.size() / 4 * 3;
  for (; text.ends_with('=') && bytes > 0; text.remove_suffix(1)) --bytes;
  return bytes;
}

std::optional<uint64_t> SetBytes(json::Value value, Type type) {
  if (!value.is_array()) return {};
  uint64_t bytes = 0;
  for (const json::Value each : value.elements()) {
    if (!each.is_string()) return {};
    const std::optional<uint64_t> one = type == Type::kNS   ? NumberBytes(each)
                                        : type == Type::kBS ? Base64Bytes(each.AsString())
                                                            : each.AsString().size();
    if (!one) return {};
    bytes += *one;
  }
  return bytes;
}

std::optional<uint64_t> DocumentBytes(json::Value value, Type type, size_t levels) {
  uint64_t bytes = kContainerBytes;
  if (type == Type::kL) {
    if (!value.is_array()) return {};
    for (const json::Value each : value.elements()) {
      const auto one = SampledBytesOf(each, levels);
      if (!one) return {};
      bytes += kElementBytes + *one;
    }
    return bytes;
  }
  if (!value.is_object()) return {};
  for (const json::Member each : value.members()) {
    const auto one = SampledBytesOf(each.value, levels);
    if (!one) return {};
    bytes += kElementBytes + each.name.size() + *one;
  }
  return bytes;
}

struct Typed {
  Type type;
  json::Value value;
};

// {"S": …}
std::optional<Typed> TypedOf(json::Value value) {
  if (!value.is_object() || value.CountElements() != 1) return {};
  const json::Member only = *value.members().begin();
  const std::optional<Type> type = TypeByName(only.name);
  if (!type) return {};
  return Typed{*type, only.value};
}

std::optional<uint64_t> SampledBytesOf(json::Value value, size_t levels) {
  const std::optional<Typed> typed = levels < kLevelsMax ? TypedOf(value) : std::nullopt;
  if (!typed) return {};
  switch (typed->type) {
    case Type::kS:
      return typed->value.is_string() ? std::optional<uint64_t>(typed->value.AsString().size()) : std::nullopt;
    case Type::kB:
      return typed->value.is_string() ? std::optional(Base64Bytes(typed->value.AsString())) : std::nullopt;
    case Type::kN:
      return NumberBytes(typed->value);
    case Type::kSS:
    case Type::kNS:
    case Type::kBS:
      return SetBytes(typed->value, typed->type);
    case Type::kM:
    case Type::kL:
      return DocumentBytes(typed->value, typed->type, levels + 1);
    case Type::kNull:
    case Type::kBool:
      return 1;
  }
  return {};
}

}  // namespace

const SampledValue* SampledItem::Find(std::string_view name) const {
  for (const SampledValue& each : attributes) {
    if (each.name == name) return &each;
  }
  return nullptr;
}

std::optional<SampledItem> ReadSampledItem(json::Value item) {
  if (!item.is_object()) return {};
  SampledItem out;
  for (const json::Member each : item.members()) {
    const std::optional<uint64_t> bytes = SampledBytesOf(each.value, 0);
    if (!bytes) return {};
    const Typed typed = *TypedOf(each.value);
    SampledValue value;
    value.name = each.name;
    value.type = typed.type;
    if (typed.type == Type::kS) value.text = typed.value.AsString();
    if (typed.type == Type::kBool) value.text = typed.value.AsBool() ? "true" : "false";
    if (typed.type == Type::kN) value.text = Number::Parse(typed.value.AsString())->ToString();
    value.whole = typed.type == Type::kN && value.text.find('.') == std::string::npos;
    out.bytes += each.name.size() + *bytes;
    out.attributes.push_back(std::move(value));
  }
  return out;
}

}  // namespace keyfold::model
