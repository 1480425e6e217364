// Whether a log's changes follow each other: each change of an item begins with what the change before left.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

#include "store/store.h"

namespace keyfold {

// The changes of one pass over a log, in order, by hashes of keys and images. There may be more keys than memory has
// room for: then only those up to last() are followed, and another pass is to follow those behind. One thread at a
// time.
class LogChain {
 public:
  LogChain(uint64_t first, size_t keys_max) : first_(first), keys_max_(keys_max) {}

  // Where the change does not begin with what the one before left: the commit of that one.
  std::optional<CommitNumber> Add(uint64_t key, uint64_t before, uint64_t after, CommitNumber commit) {
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
    CommitNumber commit = 0;
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

}  // namespace keyfold
