// ReserveFs: a file system whose table files leave part of the disk free. RocksDB does not check how much space a
// compaction takes, which may be as much as its input. Without ReserveFs, one that does not fit would fill the disk
// completely, and neither the log nor the next start would have space. With it the compaction fails early, RocksDB
// removes what it had written, and BackgroundWatch handles the error.
#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace keyfold::store {

// What table files leave free. A flush frees space in the log, so it may use more of the disk.
inline constexpr uint64_t kFreeBytesToCompact = uint64_t{8} << 20;
inline constexpr uint64_t kFreeBytesToFlush = uint64_t{4} << 20;

// `base` must outlive the returned Env.
std::unique_ptr<rocksdb::Env> WithReserve(rocksdb::Env& base);

}  // namespace keyfold::store
