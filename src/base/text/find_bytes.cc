// Three searches in sequence. The first looks for the part's first byte with memchr, which is fastest on ordinary text,
// and stops as soon as false starts cost more than the text it has passed. The second, for parts of up to 32 bytes,
// looks for a word of the part that cannot occur at many positions of any text. The third, for longer parts, is the
// two-way algorithm (Crochemore and Perrin, 1991), preceded by a comparison of 16 bytes at every position: if they
// match, the part is compared and then advances by at least as many bytes as were compared.
#include "base/text/find_bytes.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>

namespace keyfold {
namespace {

constexpr size_t kWordBytes = 8;
constexpr size_t kShortBytesMax = 4 * kWordBytes;

uint64_t LoadWord(const char* p) {
  uint64_t word;
  std::memcpy(&word, p, kWordBytes);
  return word;
}

size_t CountEqual(const char* a, const char* b, size_t bytes) {
  size_t n = 0;
  for (; n + kWordBytes <= bytes; n += kWordBytes) {
    if (LoadWord(a + n) != LoadWord(b + n)) break;
  }
  while (n < bytes && a[n] == b[n]) ++n;
  return n;
}

// The result, or the position from which the search must continue.
struct FirstLook {
  std::optional<bool> found;
  size_t from = 0;
};

FirstLook LookForFirstByte(std::string_view text, std::string_view part) {
  constexpr size_t kFree = 512, kFalseStart = 32;  // costs, in bytes of text passed
  const char* const start = text.data();
  const char* const last = start + (text.size() - part.size());
  size_t spent = 0;
  for (const char* p = start; p <= last; ++p) {
    p = static_cast<const char*>(std::memchr(p, part[0], static_cast<size_t>(last - p) + 1));
    if (p == nullptr) return {false, 0};
    const size_t equal = CountEqual(p, part.data(), part.size());
    if (equal == part.size()) return {true, 0};
    spent += kFalseStart + equal;
    if (const size_t passed = static_cast<size_t>(p - start); spent > kFree + passed) return {std::nullopt, passed + 1};
  }
  return {false, 0};
}

// Sixteen bytes that are compared in parallel.
using Lanes = uint8_t __attribute__((vector_size(16)));
constexpr size_t kLanes = sizeof(Lanes);

Lanes LoadLanes(const char* p) {
  Lanes lanes;
  std::memcpy(&lanes, p, kLanes);
  return lanes;
}

bool HasAny(Lanes lanes) {
  uint64_t halves[2];
  std::memcpy(halves, &lanes, sizeof halves);
  return (halves[0] | halves[1]) != 0;
}

// Returns the first position from `p` to `last` at which the first `bytes` (1 to 16) bytes of `part` are; null if there
// is none. Tests sixteen positions in parallel; the part's last and first bytes rule out most of them.
const char* FindPlace(const char* p, const char* last, const char* part, size_t bytes) {
  const auto equal = [=](const char* at, size_t i) -> Lanes { return LoadLanes(at + i) == Lanes{} + uint8_t(part[i]); };
  for (; p + kLanes <= last + 1; p += kLanes) {
    Lanes places = equal(p, bytes - 1) & equal(p, 0);
    for (size_t i = bytes - 2; i > 0 && i < bytes && HasAny(places); --i) places &= equal(p, i);
    if (!HasAny(places)) continue;
    while (std::memcmp(p, part, bytes) != 0) ++p;
    return p;
  }
  for (; p <= last; ++p) {
    if (std::memcmp(p, part, bytes) == 0) return p;
  }
  return nullptr;
}

// The smallest shift at which a word matches itself; 8 for most words. Two occurrences of the word in a text are at
// least that far apart.
size_t PeriodOf(const char* word) {
  size_t period = 1;
  while (period < kWordBytes && std::memcmp(word, word + period, kWordBytes - period) != 0) ++period;
  return period;
}

// Returns the offset, in a part of 8 bytes or more, of the word to look for before the rest is compared. If the part
// starts with a run of one byte, it is the word that ends with the first different byte, whose period is 8.
size_t ProbeOf(std::string_view part) {
  constexpr size_t kTriedMax = 64;
  const size_t run = 1 + CountEqual(part.data(), part.data() + 1, part.size() - 1);
  if (run < part.size() && run >= kWordBytes - 1) return run - (kWordBytes - 1);
  const size_t last = std::min(part.size() - kWordBytes, kTriedMax);
  size_t at = 0, best = PeriodOf(part.data());
  for (size_t i = 1; i <= last && best < kWordBytes; ++i) {
    const size_t period = PeriodOf(part.data() + i);
    if (period > best) best = period, at = i;
  }
  return at;
}

// For parts of 2 to 32 bytes.
bool IsInShort(std::string_view text, std::string_view part, size_t from) {
  const size_t bytes = part.size();
  const char* p = text.data() + from;
  const char* const last = text.data() + (text.size() - bytes);
  if (bytes < kWordBytes) return FindPlace(p, last, part.data(), bytes) != nullptr;
  const size_t probe = ProbeOf(part);
  for (; p <= last; ++p) {
    p = FindPlace(p + probe, last + probe, part.data() + probe, kWordBytes);
    if (p == nullptr) return false;
    p -= probe;
    if (std::memcmp(p, part.data(), bytes) == 0) return true;
  }
  return false;
}

struct Suffix {
  size_t start, period;
};

// The maximal suffix by the given byte order, and its period.
template <typename Less>
Suffix GreatestSuffix(std::string_view text, const Less& less) {
  size_t best = 0, candidate = 1, equal = 0, period = 1;
  while (candidate + equal < text.size()) {
    const uint8_t a = static_cast<uint8_t>(text[candidate + equal]), b = static_cast<uint8_t>(text[best + equal]);
    if (a == b) {
      if (++equal == period) {
        candidate += period;
        equal = 0;
      }
    } else if (less(a, b)) {
      candidate += equal + 1;
      equal = 0;
      period = candidate - best;
    } else {
      best = candidate++;
      equal = 0;
      period = 1;
    }
  }
  return {best, period};
}

}  // namespace

void BytesFinder::Split() {
  const Suffix up = GreatestSuffix(part_, [](uint8_t a, uint8_t b) { return a < b; });
  const Suffix down = GreatestSuffix(part_, [](uint8_t a, uint8_t b) { return a > b; });
  const Suffix& suffix = up.start > down.start ? up : down;
  split_ = suffix.start;
  repeats_ = part_.substr(0, split_) == part_.substr(suffix.period, split_);
  period_ = repeats_ ? suffix.period : std::max(split_, part_.size() - split_) + 1;
}

bool BytesFinder::IsInLong(std::string_view text, size_t from) {
  if (period_ == 0) Split();
  const char* const part = part_.data();
  const size_t bytes = part_.size();
  const char* const last = text.data() + (text.size() - bytes);
  // The 16 bytes are the first ones of the right half, or contain all of it.
  const size_t window = std::min(split_, bytes - 2 * kWordBytes);
  size_t known = 0;  // length of the part's prefix that is known to match at `p`
  for (const char* p = text.data() + from; p <= last;) {
    const char* place = FindPlace(p + window, last + window, part + window, 2 * kWordBytes);
    if (place == nullptr) return false;
    place -= window;
    if (place != p) known = 0;
    p = place;
    const size_t right = std::max(split_, known);
    const size_t equal = CountEqual(part + right, p + right, bytes - right);
    if (right + equal < bytes) {
      p += right + equal - split_ + 1;
      known = 0;
      continue;
    }
    if (known >= split_ || std::memcmp(part + known, p + known, split_ - known) == 0) return true;
    p += period_;
    known = repeats_ ? bytes - period_ : 0;
  }
  return false;
}

bool BytesFinder::IsIn(std::string_view text) {
  if (part_.empty()) return true;
  if (part_.size() > text.size()) return false;
  const FirstLook look = LookForFirstByte(text, part_);
  if (look.found) return *look.found;
  if (look.from > text.size() - part_.size()) return false;
  return part_.size() <= kShortBytesMax ? IsInShort(text, part_, look.from) : IsInLong(text, look.from);
}

}  // namespace keyfold
