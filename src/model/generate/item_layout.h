// How an entity's items and keys are built, for generated code: which attributes a key uses, which may be left out and
// what replaces them, and which index keys an item has.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/core/model.h"

namespace keyfold::model {

// What a key of the table or of an index is built from.
struct KeyIngredients {
  std::vector<const KeyTemplate*> keys;      // in the key's order
  std::vector<const Attribute*> attributes;  // that the keys use, each once
  bool shard = false;                        // the keys also use a random shard
};
KeyIngredients IngredientsOf(const Model&, const Entity&, std::optional<IndexId>);

// The key attributes that put an item into one index, except those that are plain attributes or keys of the table.
struct IndexKeys {
  struct Key {
    const KeyTemplate* key = nullptr;
    std::vector<std::string> needed;  // attributes without which the item does not have this key
  };
  // The keys of one variant, or those of the items that no variant's condition holds for.
  struct Choice {
    const Condition* condition = nullptr;
    std::vector<Key> keys;  // at least one
  };
  IndexId index = 0;
  const When* when = nullptr;
  std::vector<Choice> choices;  // the first whose condition holds counts; the last one has none
};
std::vector<IndexKeys> IndexKeysOf(const Model&, const Entity&);

// Returns true for a set, of which an empty one counts as missing, if every item has it: then an item without it has an
// empty one.
bool MayBeEmptySet(const Attribute&);

// Returns true if the attribute is the expiry time, which defaults to a time after the item's creation.
bool IsCountedExpiry(const Model&, const Entity&, const Attribute&);
// Returns true if the caller need not give the attribute when creating an item.
bool MayLeaveOut(const Model&, const Entity&, const Attribute&);
// Returns true if the item lacks the attribute when the caller leaves it out.
bool MayMiss(const Model&, const Entity&, const Attribute&);

// Attributes other than keys and the type attribute.
std::vector<const Attribute*> PlainAttributes(const Model&, const Entity&);

// The keys whose texts give values of an item: those that templates write, except where items of a variant have another
// template, as it is not known whose template wrote the text.
std::vector<const KeyTemplate*> ReadableKeys(const Entity&);

// For each placeholder of a key, the attribute whose value it recovers; empty if none.
std::vector<std::string> RecoveredBy(const Template&);

}  // namespace keyfold::model
