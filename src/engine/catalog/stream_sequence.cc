#include "engine/catalog/stream_sequence.h"

#include <algorithm>
#include <charconv>
#include <cstdio>

#include "base/check.h"
#include "base/clock.h"
#include "base/text/ascii.h"

namespace keyfold::engine {
namespace {

constexpr size_t kSecondDigits = 10, kCommitDigits = 17, kOrdinalDigits = 5;
constexpr store::CommitNumber kCommitMax = 99'999'999'999'999'999;

// Commits that open or close shards have no records, so the bounds can use any position within them.
constexpr uint16_t kClosing = 0, kOpening = 1;

uint64_t TakeDigits(std::string_view& text, size_t count) {
  uint64_t value = 0;
  std::from_chars(text.data(), text.data() + count, value);
  text.remove_prefix(count);
  return value;
}

}  // namespace

std::string SequenceNumberOf(store::LogPosition at, Micros time) {
  CHECK(at.commit <= kCommitMax);
  char text[48];
  const int n = std::snprintf(text, sizeof text, "%010lld%017llu%05u", static_cast<long long>(time / kSecond),
                              static_cast<unsigned long long>(at.commit), static_cast<unsigned>(at.ordinal));
  return std::string(text, static_cast<size_t>(n));
}

std::optional<SequencePoint> ParseSequenceNumber(std::string_view text) {
  if (text.size() != kSecondDigits + kCommitDigits + kOrdinalDigits) return std::nullopt;
  if (!std::all_of(text.begin(), text.end(), IsDigit)) return std::nullopt;
  SequencePoint point;
  point.second = static_cast<Micros>(TakeDigits(text, kSecondDigits)) * kSecond;
  point.at.commit = TakeDigits(text, kCommitDigits);
  const uint64_t ordinal = TakeDigits(text, kOrdinalDigits);
  if (ordinal > UINT16_MAX) return std::nullopt;
  point.at.ordinal = static_cast<uint16_t>(ordinal);
  return point;
}

std::string StartingSequenceNumber(const Shard& shard) {
  return SequenceNumberOf({shard.start.commit, kOpening}, shard.start.time);
}

std::string EndingSequenceNumber(const Shard& shard) {
  return SequenceNumberOf({shard.end.commit, kClosing}, shard.end.time);
}

}  // namespace keyfold::engine
