// CommitBatch: one commit on its way into RocksDB. Everything that does not depend on the commit number is encoded and
// checksummed before the log-order lock is taken. Stamp then fills in the number, the time and the rest of each
// checksum.
#pragma once

#include <rocksdb/write_batch.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "store/rocksdb/row_format.h"
#include "store/store.h"

namespace keyfold::store {

// Used by one thread at a time.
class CommitBatch {
 public:
  explicit CommitBatch(size_t bytes_expected = 0);
  // Starts with the writes and log records of `changes`. The committer adds the tallies.
  explicit CommitBatch(const Changes& changes);

  // The key is `head` followed by `tail`.
  void Put(std::string_view head, std::string_view tail, std::string_view value);
  void Delete(std::string_view head, std::string_view tail);
  void Log(const LogRecord& record);

  // Call it once, after everything has been added. Then the batch may be written.
  void Stamp(CommitStamp stamp);
  rocksdb::WriteBatch& batch() { return batch_; }

 private:
  struct Unstamped {
    size_t end;          // offset of the end of the value, where its record in the batch ends too
    size_t value_bytes;  // size as stored
    uint32_t crc;        // partial checksum, without the stamp
    bool log;
  };

  void NoteRecord(size_t value_bytes, uint32_t crc, bool log);

  rocksdb::WriteBatch batch_;
  std::vector<Unstamped> unstamped_;
  size_t stamp_end_ = 0;
  uint16_t log_records_ = 0;
};

// Reads the stamp from a batch found in the log. Returns false if it has none.
[[nodiscard]] bool ReadCommitStamp(const rocksdb::WriteBatch& batch, CommitStamp& stamp);

}  // namespace keyfold::store
