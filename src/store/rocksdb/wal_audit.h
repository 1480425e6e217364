// WalAudit: reads RocksDB's write-ahead log as it is recovered and ends the recovery at the first break in it.
//
// After a power cut un-synced parts of a log may be on disk in any order: a block of zeros before good records, a later
// log without the earlier one's tail. RocksDB steps over both without a word. Sequence numbers have no gaps, so a
// record that does not follow its predecessor stands behind a hole: it and everything after it was never acknowledged
// and must not come back without what it was built on.
#pragma once

#include <rocksdb/wal_filter.h>

#include <cstdint>
#include <map>
#include <string>

#include "store/rocksdb/commit_batch.h"

namespace keyfold {

// One thread at a time (RocksDB's recovery is one thread).
class WalAudit final : public rocksdb::WalFilter {
 public:
  enum class Mode { kLookOnly, kReplay };

  // `flushed`: the last sequence number the tables hold, where the log must take up; none in a first look.
  WalAudit(Mode mode, uint64_t flushed) : mode_(mode), last_(flushed), anchored_(mode == Mode::kReplay) {}

  // The last sequence number before the log ends or breaks off; in a first look, 0 for an empty log.
  uint64_t last_sequence() const { return last_; }
  // Of the first record; 0 for an empty log.
  uint64_t first_sequence() const { return first_; }
  CommitStamp last_stamp() const { return stamp_; }
  // Logs with lower numbers are retired: all they hold is in the tables.
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

}  // namespace keyfold
