// ReserveFs: a file system whose table files leave some of the disk free. RocksDB does not ask how much room a
// compaction takes, which may be as much again as its input. Without this one that does not fit would fill the disk to
// its last byte, and then neither the log nor the next start would have room. With it the compaction fails early,
// RocksDB removes what it had written, and BackgroundWatch takes it from there.
#pragma once

#include <rocksdb/env.h>

#include <memory>

namespace keyfold {

// What stays free, whatever tables are written. A flush makes room in the log and may go further.
inline constexpr uint64_t kFreeBytesToCompact = uint64_t{8} << 20;
inline constexpr uint64_t kFreeBytesToFlush = uint64_t{4} << 20;

// `base` outlives what is returned.
std::unique_ptr<rocksdb::Env> WithReserve(rocksdb::Env& base);

}  // namespace keyfold
