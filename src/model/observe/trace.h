// What one request did to one observed table: collected while it runs, counted after it has been answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/observe/drift.h"

namespace keyfold::model {

// 0 is the table, then the indexes in the model's order.
using PlaceId = uint32_t;
inline PlaceId PlaceOf(std::optional<IndexId> index) { return index ? *index + 1 : 0; }

// Used by one thread at a time.
struct Trace {
  // A request, or a part of one that is a pattern of its own.
  struct Call {
    std::optional<PatternId> pattern;
    std::string shape;       // readable text of a request that matches no pattern
    bool continued = false;  // a page after the first
    uint64_t items = 0;      // returned, or written
    uint64_t bytes = 0;
    double read_units = 0, write_units = 0;
  };
  enum class Did : uint8_t { kRead, kPut, kUpdate, kDelete };
  struct Item {
    std::optional<EntityId> entity;
    Did did = Did::kRead;
    uint32_t count = 1;
    uint64_t bytes = 0;
  };
  // A partition key value that consumed units.
  struct Key {
    PlaceId place = 0;
    uint32_t begin = 0, size = 0;  // in `keys`
    double read_units = 0, write_units = 0;
  };
  struct Drifted {
    Drift drift;
    std::string example;  // the item's key
  };

  std::vector<Call> calls;
  std::vector<Item> items;
  std::vector<Key> touched;
  std::string keys;
  std::vector<Drifted> drifts;

  std::string_view TextOf(const Key& key) const { return std::string_view(keys).substr(key.begin, key.size); }
};

}  // namespace keyfold::model
