// Sequence numbers of stream records: 32 decimal digits, the second, the commit and the place in it. Their order is
// commit order, and a number alone tells how old it is.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/catalog/stream.h"
#include "store/store.h"

namespace keyfold {

// A sequence number taken apart.
struct SequencePoint {
  Micros second = 0;  // its time, cut to the second
  LogPosition at;
};

std::string SequenceNumberOf(LogPosition at, Micros time);
std::optional<SequencePoint> ParseSequenceNumber(std::string_view text);

// Around all records of a shard; a child's first is above its parent's last. The last one only of a closed shard.
std::string StartingSequenceNumber(const Shard& shard);
std::string EndingSequenceNumber(const Shard& shard);

}  // namespace keyfold
