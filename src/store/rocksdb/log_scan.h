// Reads the framing of RocksDB's write-ahead logs to tell how they end. RocksDB's own recovery does not tell an
// incomplete last record, which every kill may leave, from damage in the middle: both end it without a word.
//
// A log is a row of 32 KB blocks. A record is a CRC (4 bytes), a length (2), a type (1: whole, 2: first, 3: middle,
// 4: last part) and the payload; it does not cross a block, and fewer than 7 bytes left of a block are not used. A
// payload, put together, is a batch that starts with its first sequence number (8) and the number of its writes (4).
#pragma once

#include <rocksdb/file_system.h>

#include <cstdint>
#include <string>

namespace keyfold {

struct LogScan {
  uint64_t last_sequence = 0;  // of the last write before the logs end or break off
  uint64_t log_bytes = 0;      // of all the logs
  bool has_hole = false;       // more stands behind that write than an incomplete last record
  uint64_t dropped_bytes = 0;  // behind the hole
  bool goes_on = false;        // a log with an incomplete last record is followed by one that takes up where it ends
};

// Scans the logs numbered `first_log` and up in `db_path`, which must continue the tables' last sequence number
// `flushed`. Changes nothing.
rocksdb::IOStatus ScanLogs(rocksdb::FileSystem& fs, const std::string& db_path, uint64_t first_log, uint64_t flushed,
                           LogScan& scan);

}  // namespace keyfold
