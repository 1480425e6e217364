// CommitBatch: one commit on its way into RocksDB. Everything that can be encoded and checksummed without the commit
// number is, before the log-order lock is taken; Stamp then fills in the number, the time and the last bytes of each
// checksum.
#pragma once

#include <rocksdb/write_batch.h>

#include <cstdint>
#include <string_view>
#include <vector>

#include "store/rocksdb/row_format.h"
#include "store/store.h"

namespace keyfold {

// One thread at a time.
class CommitBatch {
 public:
  explicit CommitBatch(size_t bytes_expected = 0);
  // With the writes and log records of `changes`; the counts are the committer's.
  explicit CommitBatch(const Changes& changes);

  // `head` and `tail` together are the key.
  void Put(std::string_view head, std::string_view tail, std::string_view value);
  void Delete(std::string_view head, std::string_view tail);
  void Log(const LogRecord& record);

  // Once, and last. Then the batch may be written.
  void Stamp(CommitStamp stamp);
  rocksdb::WriteBatch& batch() { return batch_; }

 private:
  struct Unstamped {
    size_t end;          // of the value, which ends its record in the batch
    size_t value_bytes;  // as stored
    uint32_t crc;        // begun
    bool log;
  };

  void NoteRecord(size_t value_bytes, uint32_t crc, bool log);

  rocksdb::WriteBatch batch_;
  std::vector<Unstamped> unstamped_;
  size_t stamp_end_ = 0;
  uint16_t log_records_ = 0;
};

// Reads the stamp back from a batch found in the log; false where it has none.
[[nodiscard]] bool ReadCommitStamp(const rocksdb::WriteBatch& batch, CommitStamp& stamp);

}  // namespace keyfold
