// Finds which entities' items a key condition reads, wanted or not, and which entities can overwrite each other.
// Candidates are looked up by the literals their keys start with, then proven with an example key.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"
#include "model/keys/key_automaton.h"

namespace keyfold::model {

// Immutable, thread-safe. Views the Model, which must outlive it.
class Coverage {
 public:
  explicit Coverage(const Model&);

  struct Covered {
    EntityId entity = 0;
    // Key attributes of the table or index, with texts that an item of the entity can have and that the request reads.
    std::vector<std::pair<std::string, std::string>> example;
  };
  // In the order of the model, including the wanted entities. A scan covers everything in the table or index.
  std::vector<Covered> Of(const KeyRead&) const;

  // Two entities that can have the same key; the one declared later is second.
  struct Collision {
    EntityId first = 0;
    EntityId second = 0;
    std::vector<std::pair<std::string, std::string>> example;
  };
  std::vector<Collision> Collisions() const;
  std::optional<Collision> CollisionOf(EntityId first, EntityId second) const;

 private:
  // The table, or one index. The table comes first.
  struct Place {
    std::vector<std::string> attributes;  // partition key, then sort key
    // By entity: one form for each variant of its keys. Empty if it is not in the index.
    std::vector<std::vector<KeyForms>> forms;
    PrefixIndex by_partition;
    PrefixIndex by_sort;
  };
  const Place& PlaceOf(std::optional<IndexId> index) const { return places_[index ? *index + 1 : 0]; }
  // Entities whose keys may share a text with these literals, looked up by the side of the key that leaves fewer.
  std::vector<uint32_t> Candidates(const Place&, std::string_view partition, std::string_view sort) const;

  const Model& model_;
  std::vector<Place> places_;
};

}  // namespace keyfold::model
