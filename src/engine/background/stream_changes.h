// What happens to a table's streams in a catalog change that turns a stream on or off.
#pragma once

#include "engine/catalog/catalog.h"

namespace keyfold::engine {

inline constexpr uint32_t kStreamShards = 4, kStreamShardsMax = 1000;

// Adds a new stream with `shards` shards of equal slot ranges to `table`, whose stream has just been enabled and whose
// id is set. Fills in the stream's label.
void OpenStream(const CatalogSnapshot& snapshot, Micros now, uint32_t shards, Table& table, CatalogEdit& edit);

// Closes the table's stream if it has an open one: the stream takes no more records but stays readable.
void CloseStream(const CatalogSnapshot& snapshot, Micros now, const Table& table, CatalogEdit& edit);

// Removes all streams and their log records immediately.
void DropStreams(const CatalogSnapshot& snapshot, CatalogEdit& edit);

}  // namespace keyfold::engine
