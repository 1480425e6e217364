// Searches for bytes within bytes. The time is linear in both lengths for any input, because clients choose both.
#pragma once

#include <cstddef>
#include <string_view>

namespace keyfold {

// A search pattern. The preprocessing of a long one is done once, by the first search that needs it, so reuse a finder
// for several searches. Borrows `part`. Used by one thread at a time.
class BytesFinder {
 public:
  explicit BytesFinder(std::string_view part) : part_(part) {}

  // An empty part is in every text.
  bool IsIn(std::string_view text);

 private:
  bool IsInLong(std::string_view text, size_t from);
  void Split();

  std::string_view part_;
  // The critical factorization of the two-way algorithm: where the right half starts, and how far the part advances if
  // its right half matches and its left half does not. 0: not computed yet.
  size_t split_ = 0;
  size_t period_ = 0;
  bool repeats_ = false;  // the whole part has this period
};

inline bool ContainsBytes(std::string_view text, std::string_view part) { return BytesFinder(part).IsIn(text); }

}  // namespace keyfold
