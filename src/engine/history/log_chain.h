// Checks that a log's changes are consecutive: each change of an item begins with the image that the item's previous
// change left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "store/store.h"

namespace keyfold::engine {

// Follows the changes of one pass over a log, in order, by hashes of keys and images. If there are more keys than fit
// in memory, it follows only those up to last(), and another pass has to follow the rest. Used by one thread at a time.
class LogChain {
 public:
  LogChain(uint64_t first, size_t keys_max) : first_(first), keys_max_(keys_max) {}

  // If the change does not begin with what the key's previous change left, returns the commit of that previous change.
  std::optional<store::CommitNumber> Add(uint64_t key, uint64_t before, uint64_t after, store::CommitNumber commit) {
    if (key < first_ || key > last_) return std::nullopt;
    const auto [it, fresh] = changes_.try_emplace(key, Change{after, commit});
    if (fresh) {
      while (changes_.size() > keys_max_) DropUpperHalf();
      return std::nullopt;
    }
    const Change last = it->second;
    it->second = {after, commit};
    if (last.image == before) return std::nullopt;
    return last.commit;
  }
  uint64_t last() const { return last_; }

 private:
  struct Change {
    uint64_t image = 0;
    store::CommitNumber commit = 0;
  };
  void DropUpperHalf() {
    last_ = first_ + (last_ - first_) / 2;
    std::erase_if(changes_, [this](const auto& change) { return change.first > last_; });
  }

  const uint64_t first_;
  const size_t keys_max_;
  uint64_t last_ = UINT64_MAX;
  std::unordered_map<uint64_t, Change> changes_;
};

}  // namespace keyfold::engine
