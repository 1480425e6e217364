// What an entity's items and keys are made of, as code that makes them must know it: which attributes a key takes,
// which may be left out and what stands in for them, and which index keys an item has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/model.h"

namespace keyfold::model {

// Of a key of the table or of an index.
struct KeyIngredients {
  std::vector<const KeyTemplate*> keys;      // in the key's order
  std::vector<const Attribute*> attributes;  // that they take, each once
  bool shard = false;                        // and a shard that can be any
};
KeyIngredients IngredientsOf(const Model&, const Entity&, std::optional<IndexId>);

// The keys by which an item is in one index, but for those that are attributes or keys of the table anyway.
struct IndexKeys {
  struct Key {
    const KeyTemplate* key = nullptr;
    std::vector<std::string> needed;  // attributes without which the item does not have it
  };
  IndexId index = 0;
  const When* when = nullptr;
  std::vector<Key> keys;  // at least one
};
std::vector<IndexKeys> IndexKeysOf(const Model&, const Entity&);

// The time of an item's end, which is counted from its making where it is not given.
bool IsCountedExpiry(const Model&, const Entity&, const Attribute&);
// Whoever makes an item need not give it.
bool MayLeaveOut(const Model&, const Entity&, const Attribute&);
// Left out, the item does not have it.
bool MayMiss(const Model&, const Entity&, const Attribute&);

// Those that are no keys, and not the type attribute.
std::vector<const Attribute*> PlainAttributes(const Model&, const Entity&);

// For each placeholder of a key, the attribute whose value it gives back; empty: none.
std::vector<std::string> RecoveredBy(const Template&);

}  // namespace keyfold::model
