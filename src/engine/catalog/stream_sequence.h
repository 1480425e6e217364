// Sequence numbers of stream records: 32 decimal digits made of the second, the commit and the position within the
// commit. They sort in commit order, and a number alone shows its age.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/stream.h"
#include "store/store.h"

namespace keyfold::engine {

// A parsed sequence number.
struct SequencePoint {
  Micros second = 0;  // its time, truncated to the second
  store::LogPosition at;
};

std::string SequenceNumberOf(store::LogPosition at, Micros time);
std::optional<SequencePoint> ParseSequenceNumber(std::string_view text);

// Bounds around all records of a shard. A child's start is above its parent's end. Only a closed shard has an end.
std::string StartingSequenceNumber(const Shard& shard);
std::string EndingSequenceNumber(const Shard& shard);

}  // namespace keyfold::engine
