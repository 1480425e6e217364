// WalAudit: reads RocksDB's write-ahead log during recovery and ends the recovery at the first gap.
//
// After a power cut, unsynced parts of a log may have reached the disk in any order: a block of zeros before good
// records, or a later log without the earlier one's tail. RocksDB silently skips over both. Sequence numbers have no
// gaps, so a record that does not follow its predecessor comes after a hole. It and everything after it was never
// acknowledged and must not be recovered without the writes it was based on.
#pragma once

#include <rocksdb/wal_filter.h>

#include <cstdint>
#include <map>
#include <string>

#include "store/rocksdb/commit_batch.h"

namespace keyfold::store {

// Used by one thread at a time (RocksDB's recovery runs in one thread).
class WalAudit final : public rocksdb::WalFilter {
 public:
  enum class Mode { kLookOnly, kReplay };

  // `flushed` is the last sequence number in the tables, which the log must continue. Not used with kLookOnly.
  WalAudit(Mode mode, uint64_t flushed) : mode_(mode), last_(flushed), anchored_(mode == Mode::kReplay) {}

  // The last sequence number before the log ends or breaks off. With kLookOnly, 0 if the log is empty.
  uint64_t last_sequence() const { return last_; }
  // The sequence number of the first record; 0 if the log is empty.
  uint64_t first_sequence() const { return first_; }
  CommitStamp last_stamp() const { return stamp_; }
  // Logs with lower numbers are retired: everything in them is in the tables.
  uint64_t first_log() const { return first_log_; }

  void ColumnFamilyLogNumberMap(const std::map<uint32_t, uint64_t>& first_logs,
                                const std::map<std::string, uint32_t>& ids) override;
  WalProcessingOption LogRecordFound(unsigned long long log_number, const std::string& log_file_name,
                                     const rocksdb::WriteBatch& batch, rocksdb::WriteBatch* new_batch,
                                     bool* batch_changed) override;
  const char* Name() const override { return "KeyfoldWalAudit"; }

 private:
  const Mode mode_;
  uint64_t last_;
  uint64_t first_ = 0;
  bool anchored_;
  bool broken_ = false;
  uint64_t first_log_ = 0;
  CommitStamp stamp_;
};

}  // namespace keyfold::store
