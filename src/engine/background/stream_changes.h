// Streams come and go with their tables: what a change of the catalog that turns a stream on or off does to them.
#pragma once

#include "engine/catalog/catalog.h"

namespace keyfold {

inline constexpr uint32_t kStreamShards = 4, kStreamShardsMax = 1000;

// `table`, whose stream has just been turned on and whose id is known, gets a new stream with `shards` shards of equal
// slots; its label is filled in here.
void OpenStream(const CatalogSnapshot& snapshot, Micros now, uint32_t shards, Table& table, CatalogEdit& edit);

// The table's stream, if it has one that is open, takes no more records. It stays readable.
void CloseStream(const CatalogSnapshot& snapshot, Micros now, const Table& table, CatalogEdit& edit);

// Every stream goes at once, and so does what they show.
void DropStreams(const CatalogSnapshot& snapshot, CatalogEdit& edit);

}  // namespace keyfold
