// Reads the framing of RocksDB's write-ahead logs to determine how they end. RocksDB's own recovery does not
// distinguish an incomplete last record, which any kill may leave, from damage in the middle: it stops silently at
// both.
//
// A log is a sequence of 32 KB blocks. A record is a CRC (4 bytes), a length (2), a type (1: whole, 2: first, 3:
// middle, 4: last part) and the payload. It does not cross a block, and fewer than 7 bytes at the end of a block are
// unused. An assembled payload is a batch that starts with its first sequence number (8) and its number of writes (4).
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <string>

namespace keyfold::store {

struct LogScan {
  uint64_t last_sequence = 0;  // sequence number of the last write before the logs end or break off
  uint64_t log_bytes = 0;      // total size of the logs
  bool has_hole = false;       // more than an incomplete last record follows that write
  uint64_t dropped_bytes = 0;  // bytes after the hole
  bool goes_on = false;        // a log with an incomplete last record is followed by one that continues from there
};

// Scans the logs with number `first_log` and above in `db_path`. They must continue `flushed`, the last sequence number
// in the tables. Changes nothing.
rocksdb::IOStatus ScanLogs(rocksdb::FileSystem& fs, const std::string& db_path, uint64_t first_log, uint64_t flushed,
                           LogScan& scan);

}  // namespace keyfold::store
