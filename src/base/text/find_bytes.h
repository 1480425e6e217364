// Searches for bytes within bytes, in time that is linear in both whatever they are: clients choose both.
#pragma once

#include <cstddef>
#include <string_view>

namespace keyfold {

// What is searched for. What a long one needs to know of itself is computed once, by the first search that needs it, so
// keep a finder that is used for several searches. Borrows `part`. One thread at a time.
class BytesFinder {
 public:
  explicit BytesFinder(std::string_view part) : part_(part) {}

  // An empty part is in every text.
  bool IsIn(std::string_view text);

 private:
  bool IsInLong(std::string_view text, size_t from);
  void Split();

  std::string_view part_;
  // The two-way algorithm's critical factorization: where the right half starts, and how far the part moves when its
  // right half matches and its left half does not. 0: not computed yet.
  size_t split_ = 0;
  size_t period_ = 0;
  bool repeats_ = false;  // the whole part has this period
};

inline bool ContainsBytes(std::string_view text, std::string_view part) { return BytesFinder(part).IsIn(text); }

}  // namespace keyfold
