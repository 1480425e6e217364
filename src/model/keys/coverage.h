// Which entities' items a key condition reads, wanted or not, and which entities can overwrite each other. Candidates
// are found by the literals their keys start with, then proven with a key that shows it.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "model/compile/access.h"
#include "model/core/model.h"
#include "model/keys/key_automaton.h"

namespace keyfold::model {

// Immutable, thread-safe. Views the Model, which outlives it.
class Coverage {
 public:
  explicit Coverage(const Model&);

  struct Covered {
    EntityId entity = 0;
    // The key attributes of the table or index with texts that an item of the entity has and the request reads.
    std::vector<std::pair<std::string, std::string>> example;
  };
  // In the order of the model, the wanted ones among them. A scan covers all that the table or index holds.
  std::vector<Covered> Of(const KeyRead&) const;

  // Two entities that can have the same key, the later one second.
  struct Collision {
    EntityId first = 0;
    EntityId second = 0;
    std::vector<std::pair<std::string, std::string>> example;
  };
  std::vector<Collision> Collisions() const;

 private:
  // One per index, the table's first.
  struct Place {
    std::vector<std::string> attributes;         // partition key, then sort key
    std::vector<std::optional<KeyForms>> forms;  // by entity; nothing: not in it
    PrefixIndex by_partition;
    PrefixIndex by_sort;
  };
  const Place& PlaceOf(std::optional<IndexId> index) const { return places_[index ? *index + 1 : 0]; }
  // Entities whose keys may meet these literals, by whichever side leaves fewer.
  std::vector<uint32_t> Candidates(const Place&, std::string_view partition, std::string_view sort) const;

  const Model& model_;
  std::vector<Place> places_;
};

}  // namespace keyfold::model
