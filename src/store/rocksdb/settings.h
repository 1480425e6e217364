// How RocksDB is set up: durable, small and quick to start. Each setting that is not RocksDB's own default has its
// reason in settings.cc.
#pragma once

#include <rocksdb/options.h>

#include "store/rocksdb/rocksdb_store.h"

namespace keyfold {

rocksdb::Options SettingsFor(const RocksdbOptions& options);

// Of RocksdbOptions::cache_bytes, what is for whole rows; the rest is for RocksDB's blocks.
size_t RowCacheBytes(const RocksdbOptions& options);

}  // namespace keyfold
