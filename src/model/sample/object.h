// A thing that a model describes, made up: values for the attributes of one entity, and the item that the model makes
// of them. The item is written from the key templates alone, so that it can judge what patterns compile to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/request.h"
#include "model/core/model.h"

namespace keyfold::model {

// The attribute that brings an item to its declared size.
inline constexpr std::string_view kPaddingAttribute = "padding";

struct SampleObject {
  EntityId entity = 0;
  InputValues values;                     // by attribute
  uint32_t shard = 0;                     // where the entity's shard is random
  std::string padding;                    // empty: none
  std::vector<std::string> removed_keys;  // of indexes, that an update took away by name

  std::optional<std::string> Find(std::string_view attribute) const;
};

struct ItemAttribute {
  std::string name;
  StoredType type = StoredType::kS;
  std::string text;

  friend bool operator==(const ItemAttribute&, const ItemAttribute&) = default;
};

// Base key, index keys that the object has, type attribute, attributes, padding.
using SampleItem = std::vector<ItemAttribute>;
SampleItem ItemOf(const Model&, const SampleObject&, int64_t now_ms);

const ItemAttribute* Find(const SampleItem&, std::string_view name);

// {"PK":{"S":"USER#1"},…}
std::string JsonOf(const SampleItem&);
// The base key alone, as JSON. Items with equal ones are one item.
std::string KeyJsonOf(const Model&, const SampleItem&);

// The text that a template makes of the object's values; nothing where one is missing.
std::optional<std::string> KeyTextOf(const Model&, const SampleObject&, const Template&);

// Does a condition on the object hold? `input_of` gives what its inputs are.
bool HoldsFor(const Model&, const Condition&, const SampleObject&, TextOf input_of, int64_t now_ms);

// Has all key attributes of the index, and its sparse rule holds.
bool IsIn(const Model&, IndexId, const SampleObject&, const SampleItem&, int64_t now_ms);

// What the index holds of the item: keys, what it projects and, where it projects by name, the type attribute.
SampleItem Projected(const Model&, IndexId, const SampleItem&);

}  // namespace keyfold::model
