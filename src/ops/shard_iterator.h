// Shard iterators: a reader's position in a shard and the iterator's time, as sealed text that only this database can
// have made.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "engine/streams/stream_read.h"

namespace keyfold::ops {

inline constexpr Micros kIteratorLife = Micros{15} * 60 * 1'000'000;

struct ShardIterator {
  engine::ShardCursor cursor;
  Micros issued = 0;
};

// Sealed with the database's secret (CatalogSnapshot::secret).
std::string SealIterator(std::string_view secret, const ShardIterator& iterator);
std::optional<ShardIterator> UnsealIterator(std::string_view secret, std::string_view sealed);

// The bytes inside the seal.
std::string EncodeIterator(const ShardIterator& iterator);
std::optional<ShardIterator> DecodeIterator(std::string_view bytes);

}  // namespace keyfold::ops
