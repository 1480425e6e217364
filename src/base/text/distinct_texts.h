// A set of texts, to find duplicates. A few are compared one by one, many by hash, so the cost is linear in the length
// of a list that a client chose.
#pragma once

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace keyfold {

// Borrows the texts. Used by one thread at a time.
class DistinctTexts {
 public:
  // Returns false if the text was added before.
  bool Add(std::string_view text) {
    if (few_.size() < kFew) {
      if (std::find(few_.begin(), few_.end(), text) != few_.end()) return false;
      few_.push_back(text);
      return true;
    }
    if (many_.empty()) many_.insert(few_.begin(), few_.end());
    return many_.insert(text).second;
  }

 private:
  static constexpr size_t kFew = 16;
  std::vector<std::string_view> few_;          // the first ones
  std::unordered_set<std::string_view> many_;  // all of them, if there are more
};

}  // namespace keyfold
