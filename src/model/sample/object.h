// A sample object: made-up values for the attributes of one entity, and the item that the model makes of them. The item
// is built from the key templates alone, so that it can be used to check what patterns compile to.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/compile/request.h"
#include "model/core/model.h"
#include "model/sample/values.h"

namespace keyfold::model {

// The attribute that pads an item to its declared size.
inline constexpr std::string_view kPaddingAttribute = "padding";

struct SampleObject {
  EntityId entity = 0;
  InputValues values;                     // by attribute
  uint32_t shard = 0;                     // used if the entity's shard is random
  std::string padding;                    // empty if there is none
  std::vector<std::string> removed_keys;  // index keys that an update removed by name

  std::optional<std::string> Find(std::string_view attribute) const;
  // The text at a document path.
  std::optional<std::string> At(const Entity&, std::string_view path) const;
};

struct ItemAttribute {
  std::string name;
  StoredType type = StoredType::kS;
  std::string text;

  friend bool operator==(const ItemAttribute&, const ItemAttribute&) = default;
};

// In order: base key, the index keys that the object has, type attribute, attributes, padding.
using SampleItem = std::vector<ItemAttribute>;
SampleItem ItemOf(const Model&, const SampleObject&, int64_t now_ms);

const ItemAttribute* Find(const SampleItem&, std::string_view name);

// {"PK":{"S":"USER#1"},…}
std::string JsonOf(const SampleItem&);
// The base key alone, as JSON. Items with the same base key are the same item.
std::string KeyJsonOf(const Model&, const SampleItem&);

// The text that a template writes with the object's values, or nullopt if one is missing.
std::optional<std::string> KeyTextOf(const Model&, const SampleObject&, const Template&);

// Returns true if a condition on the object holds. `input_of` returns the values of its inputs.
bool HoldsFor(const Model&, const Condition&, const SampleObject&, TextOf input_of, int64_t now_ms);

// Chooses the inputs of a path that `values` lacks: more often than not, names of entries that the object has.
void NameEntries(const Entity&, const SampleObject&, std::string_view path, SampleValues&, InputValues& values);

// The variant whose index keys the object has.
VariantId VariantOf(const Model&, const SampleObject&, int64_t now_ms);

// Returns true if the item has all key attributes of the index and its sparse rule holds.
bool IsIn(const Model&, IndexId, const SampleObject&, const SampleItem&, int64_t now_ms);

// The index's entry for the item: keys, projected attributes and, if the index projects by name, the type attribute.
SampleItem Projected(const Model&, IndexId, const SampleItem&);

}  // namespace keyfold::model
